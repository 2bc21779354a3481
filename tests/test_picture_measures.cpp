#include <gtest/gtest.h>

#include <cmath>

#include "core/base/random.h"
#include "core/measures/analysis.h"
#include "core/measures/picture_measures.h"
#include "core/vit/forward.h"

namespace vitrine {
namespace {

Model model_to_measure() {
    Config c;
    c.image_height = 40;
    c.image_width = 24;
    c.patch_size = 4;
    c.embedding_dim = 12;
    c.heads = 3;
    c.blocks = 3;
    c.mlp_dim = 20;
    c.classes = 5;
    Model model = random_model(c, 4);
    return model;
}

Trace run_waves(const Model& model) {
    Tensor3 image = tensor3(3, 40, 24);
    Random random(5);
    for (float& x : image) x = random.normal();
    return forward(model, std::move(image));
}

TEST(PictureMeasures, AreWhatAScanOfTheWholeTensorsGives) {
    const Model model = model_to_measure();
    const Trace trace = run_waves(model);
    const PictureMeasures measures = picture_measures(model.config, trace);
    ASSERT_EQ(measures.reach.size(), 3U);
    ASSERT_EQ(measures.stream.size(), 4U);
    for (std::size_t l = 0; l < 3; ++l) {
        const auto own = trace.block(static_cast<int>(l) + 1);
        const BlockTrace& block = *own;
        float largest = 0;
        for (std::size_t head = 0; head < 3; ++head) {
            float scores = 0, attention = 0;
            for (std::size_t i = 0; i < 61; ++i)
                for (std::size_t j = 0; j < 61; ++j) {
                    scores = std::max(scores, std::abs(block.scores(head, i, j)));
                    attention = std::max(attention, block.attention(head, i, j));
                }
            EXPECT_EQ(measures.reach[l]->scores[head], scores);
            EXPECT_EQ(measures.reach[l]->attention[head], attention);
            EXPECT_EQ(measures.reach[l]->asymmetry[head], asymmetry(block, static_cast<int>(head)));
            largest = std::max(largest, attention);
        }
        EXPECT_EQ(measures.reach[l]->largest_attention, largest);
    }
    for (int level = 0; level <= 3; ++level) {
        const StreamMeasures& stream = *measures.stream[static_cast<std::size_t>(level)];
        const std::vector<float> before = cosines_to(trace.z(level), 7),
                                 now = cosines_to(trace.z(level), stream.norms, 7);
        for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(now[i], before[i], 1e-6);
        double likeness = 0;
        const std::vector<float> own = cosines_to(trace.z(level), 0);
        for (std::size_t i = 1; i < own.size(); ++i) likeness += static_cast<double>(own[i]) / 60;
        EXPECT_NEAR(stream.likeness, likeness, 1e-6);
    }
}

TEST(PictureMeasures, OfStagesThatTwoRunsShareAreSharedToo) {
    const Model model = model_to_measure();
    const Trace baseline = run_waves(model);
    const PictureMeasures before = picture_measures(model.config, baseline);
    const std::vector<Intervention> what_ifs = {remove_head(2, 1)};
    const Trace changed = what_if(model, baseline, what_ifs);
    const PictureMeasures after = picture_measures(model.config, changed, MeasuredRun{baseline, before});
    EXPECT_EQ(after.reach[0], before.reach[0]);
    EXPECT_EQ(after.stream[1], before.stream[1]);
    EXPECT_NE(after.reach[2], before.reach[2]);
    EXPECT_EQ(after.reach[2]->scores, attention_reach(*changed.block(3)).scores);
}

TEST(PictureMeasures, PassOverWhatIsNoNumberAndInfinity) {
    BlockTrace block = *run_waves(model_to_measure()).block(1);
    block.scores(1, 3, 4) = INFINITY;
    block.scores(1, 3, 5) = NAN;
    EXPECT_TRUE(std::isfinite(attention_reach(block).scores[1]));
}

}  // namespace
}  // namespace vitrine
