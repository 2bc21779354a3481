#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "app/library/text_library.h"
#include "core/base/error.h"
#include "core/files/table.h"
#include "core/measures/text/text_catalogue.h"
#include "core/measures/text/text_measures.h"

namespace vitrine {
namespace {

/// The measures of a sentence by a bundled model.
struct MeasuredText {
    MeasuredText(TextTask task, const std::vector<std::string>& words)
        : model(open_text_model(bundled_text_model(task, TextLanguage::japanese))),
          run(run_text(*model, words)),
          measures(measure_text(*model, run)) {}
    Table table(const std::string& name) const { return text_measure({*model, run, measures}, name); }

    std::shared_ptr<const TextModel> model;
    TextRun run;
    TextMeasures measures;
};

const std::vector<std::string> pen = {"this", "is", "a", "pen", "."};

std::size_t count_of_axes(const std::string& axes) {
    return static_cast<std::size_t>(std::ranges::count(axes, ',')) + 1;
}

TEST(TextCatalogue, EachMeasureHasTheAxesThatItSaysAndALabelForEachPlace) {
    for (const TextTask task : {TextTask::translate, TextTask::sentiment, TextTask::story}) {
        const MeasuredText m(task, {"the", "film", "is", "good", "."});
        const auto catalogue = text_measure_catalogue(&m.model->config);
        for (const TextMeasureEntry& entry : catalogue) {
            const Table t = m.table(entry.name);
            EXPECT_EQ(t.name, entry.name);
            ASSERT_EQ(t.shape.size(), count_of_axes(entry.axes)) << entry.name;
            ASSERT_EQ(t.axes.size(), t.shape.size()) << entry.name;
            ASSERT_EQ(t.labels.size(), t.shape.size()) << entry.name;
            std::size_t count = 1;
            for (std::size_t i = 0; i < t.shape.size(); ++i) {
                count *= t.shape[i];
                if (!t.labels[i].empty()) {
                    EXPECT_EQ(t.labels[i].size(), t.shape[i]) << entry.name;
                }
            }
            EXPECT_EQ(t.values.size(), count) << entry.name;
        }
        EXPECT_EQ(m.model->config.has_cross(),
                  std::ranges::find(catalogue, "rollout.cross", &TextMeasureEntry::name) != catalogue.end());
        EXPECT_THROW(m.table("beauty"), Error);
    }
}

TEST(TextCatalogue, HoldsTheNumbersOfTheMeasuresAndOfTheRun) {
    const MeasuredText m(TextTask::translate, pen);
    const Table attention = m.table("attention.cross");
    const auto block = attention_of(m.run.trace, TextAttention::cross, 2);
    const std::size_t cells = block->attention.size();
    ASSERT_EQ(attention.values.size(), 2 * cells);
    EXPECT_EQ(attention.labels[3].back(), "[EOS]");
    EXPECT_EQ(attention.labels[2].front(), "[BOS]");
    for (std::size_t i = 0; i < cells; ++i) EXPECT_EQ(attention.values[cells + i], block->attention.data()[i]);

    const Table lens = m.table("lens"), probability = m.table("log_probability");
    const std::size_t rows = lens.shape[1], words = lens.shape[2], last = lens.shape[0] - 1;
    EXPECT_EQ(lens.labels[1], (std::vector<std::string>{"これ", "は", "ペン", "です", "。", "[EOS]"}));
    for (std::size_t row = 0; row < rows; ++row) {
        const auto said = static_cast<std::size_t>(m.measures.said[row]);
        EXPECT_EQ(lens.labels[2][said], lens.labels[1][row]);
        EXPECT_NEAR(std::log(lens.values[(last * rows + row) * words + said]), probability.values[row], 1e-4);
    }
    const Table ledger = m.table("ledger");
    const Tensor2& logits = m.run.trace.generator->logits;
    for (std::size_t row = 0; row < rows; ++row) {
        const auto said = static_cast<std::size_t>(m.measures.said[row]);
        double sum = 0;
        for (std::size_t part = 0; part < ledger.shape[1]; ++part)
            sum += static_cast<double>(ledger.values[(row * ledger.shape[1] + part) * words + said]);
        EXPECT_NEAR(sum, logits(row, said), 1e-3) << "the parts sum to the logit";
    }
}

TEST(TextCatalogue, AStatisticThatNoQueryHasIsNotANumber) {
    const MeasuredText m(TextTask::translate, pen);
    for (const float value : m.table("own.cross").values) EXPECT_TRUE(std::isnan(value));
    for (const float value : m.table("own.encoder").values) EXPECT_FALSE(std::isnan(value));
}

}  // namespace
}  // namespace vitrine
