#include <algorithm>
#include <cmath>
#include <set>

#include "app/jobs/text_running.h"
#include "app/ui/widgets/number.h"
#include "core/text/sentences.h"
#include "core/text/text_samples.h"
#include "tests/ui/text_room.h"

// Answers to the questions of text chapters, each held against the run beside it for every sample that is offered.

namespace vitrine {
namespace {

/// The answer shown for each sample of a task in a chapter.
template <typename Look>
void at_every_sample(TextChapter chapter, TextTask task, TextLanguage to, Look look) {
    Harness h(in_the_text_room(chapter));
    h.change().text().choose(task, to);
    h.door().state.answer_shown = true;
    for (const TextSample& sample : text_samples(task, to)) {
        h.change().text().read(sample.source);
        h.settle();
        h.frame(3);
        ASSERT_EQ(text(h).request.task, task);
        look(h, h.item("answer").text, sample.name);
    }
}

double length_of_row(const Tensor2& x, std::size_t row) {
    double sum = 0;
    for (std::size_t i = 0; i < x.shape()[1]; ++i)
        sum += static_cast<double>(x(row, i)) * static_cast<double>(x(row, i));
    return std::sqrt(sum);
}

TEST(TextAnswers, WithoutTheRootEveryWordsPositionIsLongerThanTheWord) {
    for (const TextLanguage to : {TextLanguage::japanese, TextLanguage::english})
        at_every_sample(TextChapter::embedding, TextTask::translate, to,
                        [](Harness& h, const std::string& answer, const std::string& name) {
                            const TextEmbeddingTrace& e = *text(h).run.trace.encoder.embedding;
                            for (std::size_t row = 0; row < e.embedded.shape()[0]; ++row)
                                EXPECT_LT(length_of_row(e.embedded, row), length_of_row(e.position, row)) << name;
                            EXPECT_NE(answer.find(number_text(length_of_row(e.position, 0))), std::string::npos)
                                << answer;
                        });
}

TEST(TextAnswers, TwoUnknownWordsAreOneVectorAndDifferInTheirPositionsAlone) {
    TextRequest request;
    request.task = TextTask::translate;
    request.to = TextLanguage::japanese;
    const auto rows_of = [&](const std::string& words) {
        request.text = words;
        const auto result = run_request(request, {});
        const TextEmbeddingTrace& e = *result->run.trace.encoder.embedding;
        std::vector<std::vector<float>> rows;
        for (int row = 0; row < static_cast<int>(e.embedded.shape()[0]); ++row)
            rows.push_back(numbers_of(e.embedded, row));
        return std::pair(rows, result->run.trace.batch->source.ids);
    };
    const auto [rows, ids] = rows_of("The zeppelin ate the quokka yesterday.");
    const auto [others, other_ids] = rows_of("The quokka ate the zeppelin yesterday.");
    std::vector<std::size_t> unknown;
    for (std::size_t at = 0; at < ids.size(); ++at)
        if (ids[at] == 3) unknown.push_back(at);
    ASSERT_EQ(unknown.size(), 2U) << "the id of both is 3";
    EXPECT_EQ(rows[unknown[0]], rows[unknown[1]]);
    EXPECT_EQ(rows, others);
    EXPECT_EQ(ids, other_ids);
}

/// By how much the largest number leads the second.
double lead_in(std::vector<float> row) {
    std::ranges::sort(row, std::greater<>());
    return static_cast<double>(row[0]) - static_cast<double>(row[1]);
}

TEST(TextAnswers, TheGeneratorsRowsAreThoseOfTheLargestAndTheSmallestLead) {
    at_every_sample(TextChapter::generator, TextTask::story, TextLanguage::english,
                    [](Harness& h, const std::string& answer, const std::string& name) {
                        const GeneratorTrace& g = *text(h).run.trace.generator;
                        std::vector<double> leads;
                        for (int row = 0; row < static_cast<int>(g.logits.shape()[0]); ++row)
                            leads.push_back(lead_in(numbers_of(g.logits, row)));
                        const auto [least, most] = std::ranges::minmax_element(leads);
                        EXPECT_NE(answer.find(number_text(*least)), std::string::npos) << name << ": " << answer;
                        EXPECT_NE(answer.find(number_text(*most)), std::string::npos) << name << ": " << answer;
                        const auto p = [&](auto at) {
                            const std::vector<float> row =
                                numbers_of(g.probabilities, static_cast<int>(at - leads.begin()));
                            return *std::ranges::max_element(row);
                        };
                        EXPECT_GE(p(most), p(least)) << name << ": a larger lead is a surer word";
                    });
}

TEST(TextAnswers, DecodingNamesTheStepOfTheLeastProbableWord) {
    at_every_sample(TextChapter::decoding, TextTask::story, TextLanguage::english,
                    [](Harness& h, const std::string& answer, const std::string& name) {
                        const auto& steps = text(h).run.decoded.steps;
                        const auto least = std::ranges::min_element(
                            steps, {}, [](const DecodingStep& step) { return step.taken.probability; });
                        ASSERT_NE(least, steps.end());
                        const std::string step = std::to_string(least - steps.begin() + 1);
                        EXPECT_NE(answer.find("step " + step + ":"), std::string::npos) << name << ": " << answer;
                        EXPECT_NE(answer.find(text(h).model->target.word(least->taken.word)), std::string::npos)
                            << answer;
                    });
}

/// σ of the last row of the encoder's output.
double last_sigma(const TextResult& result) {
    const Tensor2& z = result.run.trace.encoder.z(result.model->config.blocks);
    const std::vector<float> row = numbers_of(z, static_cast<int>(z.shape()[0]) - 1);
    double mean = 0, square = 0;
    for (const float x : row) mean += static_cast<double>(x) / static_cast<double>(row.size());
    for (const float x : row)
        square += (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean) / static_cast<double>(row.size());
    return std::sqrt(square);
}

TEST(TextAnswers, WithTheNormsBeforeTheSublayersTheLastSpreadIsNoLongerThatOfTheNorm) {
    std::vector<double> usual, moved;
    for (const TextSample& sample : text_samples(TextTask::translate, TextLanguage::japanese)) {
        TextRequest request;
        request.task = TextTask::translate;
        request.to = TextLanguage::japanese;
        request.text = sample.source;
        usual.push_back(last_sigma(*run_request(request, {})));
        request.what_ifs = {"pre-norm"};
        moved.push_back(last_sigma(*run_request(request, {})));
    }
    const auto [low, high] = std::ranges::minmax_element(usual);
    for (const double sigma : moved) EXPECT_GT(sigma, *high);
    const auto [moved_low, moved_high] = std::ranges::minmax_element(moved);
    EXPECT_GT(*moved_high - *moved_low, *high - *low) << "it depends on the sentence";
}

}  // namespace
}  // namespace vitrine
