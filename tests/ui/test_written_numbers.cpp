#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "app/ui/widgets/number.h"
#include "core/text/text_samples.h"
#include "tests/ui/harness.h"
#include "tests/ui/text_room.h"

// Who types the numbers of an equation into a calculator gets the result that is written behind it.

namespace vitrine {
namespace {

const std::string written_number =
    "((?:\u2212)?[0-9][0-9.]*(?: \u00D7 10(?:\u207B|\u2070|\u00B9|\u00B2|\u00B3|\u2074|\u2075|"
    "\u2076|\u2077|\u2078|\u2079)+)?)";

/// A number as a reader types it.
double as_typed(std::string words) {
    static const std::vector<std::pair<std::string, std::string>> signs = {
        {"\u2212", "-"}, {" \u00D7 10", "e"}, {"\u207B", "-"}, {"\u2070", "0"}, {"\u00B9", "1"},
        {"\u00B2", "2"}, {"\u00B3", "3"},     {"\u2074", "4"}, {"\u2075", "5"}, {"\u2076", "6"},
        {"\u2077", "7"}, {"\u2078", "8"},     {"\u2079", "9"}};
    for (const auto& [sign, letters] : signs)
        for (std::size_t at = words.find(sign); at != std::string::npos; at = words.find(sign))
            words.replace(at, sign.size(), letters);
    return std::stod(words);
}

std::smatch parts_of(const std::string& words, const std::string& pattern) {
    std::smatch parts;
    EXPECT_TRUE(std::regex_search(words, parts, std::regex(pattern))) << words;
    return parts;
}

TEST(WrittenNumbers, TheLossIsTheLogarithmOfTheProbabilityBesideIt) {
    for (const char* const sample : {"cat", "rocket"}) {
        Harness h(Harness::with_image(sample));
        go_to(h, "loss");
        for (int label = 0; label < h.result().model->config.classes; ++label) {
            h.change().focus().dials.true_class = label;
            h.frame(2);
            const std::string words = h.item("loss.value").text;
            if (words.find("(1") == std::string::npos) {
                const std::smatch m = parts_of(words, written_number + " = " + written_number);
                ASSERT_EQ(m.size(), 3U);
                EXPECT_EQ(number_text(-std::log(as_typed(m[1]))), std::string(m[2])) << words;
            } else {
                const std::smatch m = parts_of(words, "\\(1 \u2212 " + written_number + "\\) = " + written_number);
                ASSERT_EQ(m.size(), 3U);
                EXPECT_EQ(number_text(-std::log1p(-as_typed(m[1]))), std::string(m[2])) << words;
            }
        }
    }
}

TEST(WrittenNumbers, ThreeDigitsMoreOfAProbabilityWhereItsLossNeedsThem) {
    const auto loss_of = [](double q) { return -std::log(q); };
    EXPECT_EQ(digits_text(0.99497, digits_for(loss_of(0.99497), loss_of, 0.99497)), "0.99497");
    EXPECT_EQ(digits_text(0.25, digits_for(loss_of(0.25), loss_of, 0.25)), "0.250");
    EXPECT_EQ(digits_for(5, loss_of, 0.25), 3) << "no number of digits gives what is not its logarithm";
}

TEST(WrittenNumbers, ThePatchEmbeddingsSumAndItsBiasGiveTheResult) {
    Harness h;
    go_to(h, "patch_embedding");
    for (int feature = 0; feature < 24; ++feature) {
        h.change().focus().feature = feature;
        h.frame(2);
        const std::string words = h.item("embedding.result").text;
        const std::smatch m =
            parts_of(words, ": " + written_number + " \\+ b: " + written_number + " = " + written_number);
        ASSERT_EQ(m.size(), 4U);
        EXPECT_EQ(number_text(as_typed(m[1]) + as_typed(m[2])), std::string(m[3])) << words;
    }
}

TEST(WrittenNumbers, AScoreIsItsProductOverTheRoot) {
    Harness h;
    go_to(h, "scores");
    for (int key = 0; key < 24; ++key) {
        h.change().focus().key = key;
        h.frame(2);
        const std::string words = h.item("scores.score").text;
        const std::smatch m = parts_of(words, "= " + written_number + " +\u00F7 \u221A([0-9]+) = " + written_number);
        ASSERT_EQ(m.size(), 4U);
        EXPECT_EQ(number_text(as_typed(m[1]) / std::sqrt(as_typed(m[2]))), std::string(m[3])) << words;
    }
}

TEST(WrittenNumbers, ALogitMinusTheLogarithmOfTheSumIsTheWordsLogarithm) {
    Harness h(in_the_text_room(TextChapter::generator));
    h.settle();
    for (int row = 0; row < produced_tokens(text(h), text(h).run).size(); ++row) {
        h.change().focus().text.target = row;
        h.frame(2);
        const std::string words = h.item("text.log_p").text;
        const std::smatch m =
            parts_of(words, "= " + written_number + " \u2212 " + written_number + " = " + written_number + " ");
        ASSERT_EQ(m.size(), 4U);
        const std::string result = m[3];
        const auto decimals = static_cast<int>(result.size() - result.find('.') - 1);
        EXPECT_EQ(fixed_text(as_typed(m[1]) - as_typed(m[2]), decimals), result) << words;
        EXPECT_NE(as_typed(result), 0) << words;
    }
}

TEST(WrittenNumbers, ThePerplexityIsThePowerOfTheLossBesideIt) {
    Harness h(in_the_text_room(TextChapter::loss, TextTask::translate));
    for (const TextSample& sample : text_samples(TextTask::translate, TextLanguage::japanese)) {
        h.change().text().read(sample.source);
        h.settle();
        h.frame(2);
        const std::string words = h.item("text.loss.mean").text;
        const std::smatch m = parts_of(words, "exp\\(" + written_number + "\\) = " + written_number);
        ASSERT_EQ(m.size(), 3U);
        EXPECT_EQ(number_text(std::exp(as_typed(m[1]))), std::string(m[2])) << words;
    }
}

TEST(WrittenNumbers, AWordsLengthTimesTheRootIsTheLengthAfterIt) {
    Harness h(in_the_text_room(TextChapter::embedding));
    h.door().state.answer_shown = true;
    for (const TextSample& sample : text_samples(TextTask::translate, TextLanguage::japanese)) {
        h.change().text().read(sample.source);
        h.settle();
        h.frame(3);
        const std::string answer = h.item("answer").text;
        const std::smatch m = parts_of(answer, "length " + written_number + ", or " + written_number + " after");
        ASSERT_EQ(m.size(), 3U);
        const double root = std::sqrt(static_cast<double>(text(h).model->config.embedding_dim));
        EXPECT_EQ(number_text(as_typed(m[1]) * root), std::string(m[2])) << answer;
    }
}

}  // namespace
}  // namespace vitrine
