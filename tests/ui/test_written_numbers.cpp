#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/widgets/number.h"
#include "core/text/text_samples.h"
#include "tests/ui/harness.h"
#include "tests/ui/text_room.h"

// Who types the numbers of an equation into a calculator gets the result that is written behind it.

namespace vitrine {
namespace {

/// The numbers behind a mark, each as it is written.
std::vector<std::string> numbers_after(const std::string& words, const std::string& mark) {
    static const std::string minus = "\u2212", power = " \u00D7 10";
    static const std::vector<std::string> raised = {"\u207B", "\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                                    "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
    const auto is_digit = [&](std::size_t at) { return at < words.size() && words[at] >= '0' && words[at] <= '9'; };
    const auto begins = [&](std::size_t at, const std::string& sign) {
        return words.compare(at, sign.size(), sign) == 0;
    };
    std::vector<std::string> all;
    std::size_t at = std::min(words.find(mark), words.size());
    while (at < words.size()) {
        const std::size_t first = begins(at, minus) ? at + minus.size() : at;
        if (!is_digit(first)) {
            ++at;
            continue;
        }
        std::size_t end = first;
        while (is_digit(end) || (end < words.size() && words[end] == '.' && is_digit(end + 1))) ++end;
        if (end < words.size() && begins(end, power)) {
            end += power.size();
            const auto more = [&](const std::string& sign) { return end < words.size() && begins(end, sign); };
            for (auto sign = std::ranges::find_if(raised, more); sign != raised.end();
                 sign = std::ranges::find_if(raised, more))
                end += sign->size();
        }
        all.push_back(words.substr(at, end - at));
        at = end;
    }
    return all;
}

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

TEST(WrittenNumbers, TheLossIsTheLogarithmOfTheProbabilityBesideIt) {
    for (const char* const sample : {"cat", "rocket"}) {
        Harness h(Harness::with_image(sample));
        go_to(h, "loss");
        for (int label = 0; label < h.result().model->config.classes; ++label) {
            h.change().focus().dials.true_class = label;
            h.frame(2);
            const std::string words = h.item("loss.value").text;
            const std::vector<std::string> n = numbers_after(words, "log");
            const bool beside_one = words.find("(1 ") != std::string::npos;
            ASSERT_EQ(n.size(), beside_one ? 3U : 2U) << words;
            const double loss = beside_one ? -std::log1p(-as_typed(n[1])) : -std::log(as_typed(n[0]));
            EXPECT_EQ(number_text(loss), n.back()) << words;
        }
    }
}

TEST(WrittenNumbers, AProbabilityHasAsManyDigitsAsItsLossNeeds) {
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
        const std::vector<std::string> n = numbers_after(words, ": ");
        ASSERT_EQ(n.size(), 3U) << words;
        EXPECT_EQ(number_text(as_typed(n[0]) + as_typed(n[1])), n[2]) << words;
    }
}

TEST(WrittenNumbers, AScoreIsItsProductOverTheRoot) {
    Harness h;
    go_to(h, "scores");
    for (int key = 0; key < 24; ++key) {
        h.change().focus().key = key;
        h.frame(2);
        const std::string words = h.item("scores.score").text;
        const std::vector<std::string> n = numbers_after(words, "= ");
        ASSERT_EQ(n.size(), 4U) << words;
        EXPECT_EQ(number_text(as_typed(n[0]) / std::sqrt(as_typed(n[1]))), n[2]) << words;
    }
}

TEST(WrittenNumbers, ALogitMinusTheLogarithmOfTheSumIsTheWordsLogarithm) {
    Harness h(in_the_text_room(TextChapter::generator));
    h.settle();
    for (int row = 0; row < produced_tokens(text(h), text(h).run).size(); ++row) {
        h.change().focus().text.target = row;
        h.frame(2);
        const std::string words = h.item("text.log_p").text;
        const std::vector<std::string> n = numbers_after(words, "= ");
        ASSERT_GE(n.size(), 3U) << words;
        const std::string result = n[2];
        const auto decimals = static_cast<int>(result.size() - result.find('.') - 1);
        EXPECT_EQ(fixed_text(as_typed(n[0]) - as_typed(n[1]), decimals), result) << words;
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
        const std::vector<std::string> n = numbers_after(words, "exp(");
        ASSERT_EQ(n.size(), 2U) << words;
        EXPECT_EQ(number_text(std::exp(as_typed(n[0]))), n[1]) << words;
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
        const std::vector<std::string> n = numbers_after(answer, "length ");
        ASSERT_GE(n.size(), 2U) << answer;
        const double root = std::sqrt(static_cast<double>(text(h).model->config.embedding_dim));
        EXPECT_EQ(number_text(as_typed(n[0]) * root), n[1]) << answer;
    }
}

}  // namespace
}  // namespace vitrine
