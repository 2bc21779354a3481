#include <gtest/gtest.h>

#include "core/measures/analysis.h"
#include "core/measures/lens.h"
#include "core/vit/forward.h"
#include "tests/golden_run.h"
#include "tests/lively_model.h"

namespace vitrine {
namespace {

TEST(Lens, AtTheLastLevelItIsTheLogitsAndRanksCountFromTheBest) {
    const GoldenRun run = golden_measures("models/tiny_hf");
    const Tensor2 lens = logit_lens(run.model, run.trace);
    for (std::size_t c = 0; c < 10; ++c) EXPECT_NEAR(lens(3, c), run.trace.head->logits(0, c), 1e-5);
    const int best = top_predictions(*run.trace.head, 1).front().index;
    EXPECT_EQ(rank_through_depth(lens, best).back(), 1);
    const TokenLens tokens = token_lens(run.model, run.trace, best);
    EXPECT_EQ(tokens.best.back()[0], best);
    EXPECT_NEAR(tokens.probability(3, 0), run.trace.head->probabilities(0, static_cast<std::size_t>(best)), 1e-6);
    EXPECT_GE(tokens.best_probability(1, 5), tokens.probability(1, 5));
}

TEST(Lens, EndsInTheLogitsForEveryReadout) {
    for (const Readout readout : {Readout::class_token, Readout::mean, Readout::last}) {
        Config c = small_measured();
        c.readout = readout;
        const Model model = lively_model(c, 9);
        const Trace trace = forward(model, wavy_picture(c));
        const Tensor2 lens = logit_lens(model, trace);
        for (std::size_t i = 0; i < trace.head->logits.size(); ++i)
            EXPECT_NEAR(lens(3, i), trace.head->logits(0, i), 1e-4F) << name_of(readout);
    }
}

}  // namespace
}  // namespace vitrine
