#include "core/vit/token_places.h"
#include "tests/block_models.h"
#include "tests/ui/harness.h"

// The window with models whose blocks have parts beyond those of a plain Vision Transformer.

namespace vitrine {
namespace {

Opening opening_with_parts(const Config& c) {
    Opening opening = Harness::with_image("cat");
    opening.experiment.model.learned = std::make_shared<Model>(random_model(c, 3));
    return opening;
}

TEST(BlockPartsInTheWindow, EveryChapterIsDrawnForEveryModel) {
    for (const auto& [name, config] : with_every_block_part()) {
        Harness h(opening_with_parts(config));
        for (const Step& step : curriculum()) {
            h.change().focus().step = step_index(step.id);
            for (const float time : {0.0F, 0.5F, 1.0F}) {
                h.change()->motion = {time, false};
                h.frame();
            }
            EXPECT_TRUE(h.shows("question")) << name << ", " << step.id;
            for (const auto& [id, item] : h.app->probe().items())
                EXPECT_EQ(item.text.find("⟦"), std::string::npos) << name << ", " << step.id << ": " << id;
        }
    }
}

TEST(BlockPartsInTheWindow, EachIsShownWhereItActs) {
    for (const auto& [name, config] : with_every_block_part()) {
        Harness h(opening_with_parts(config));
        const bool rotary = config.positions == Positions::rotary;
        go_to(h, "residual");
        EXPECT_EQ(h.shows("residual.strip.gain"), config.layer_scale) << name;
        go_to(h, "mlp");
        EXPECT_EQ(h.shows("mlp.gain"), config.layer_scale) << name;
        EXPECT_EQ(h.shows("mlp.gated"), config.gated_mlp) << name;
        EXPECT_EQ(h.shows("mlp.norm"), config.mlp_norm) << name;
        go_to(h, "scores");
        EXPECT_EQ(h.shows("scores.bias"), config.position_bias > 0) << name;
        go_to(h, "position_embedding");
        EXPECT_EQ(h.shows("position.turned"), rotary) << name;
        EXPECT_EQ(h.shows("position.tables"), !rotary && !config.position_table) << name;
        bool length = false;
        for (const auto& [id, item] : h.app->probe().items())
            length = length || item.text.starts_with(h.app->text()("fact.norm_position"));
        EXPECT_EQ(length, config.position_table) << name << ": the length of E_pos where there is one";
        go_to(h, "prediction");
        EXPECT_EQ(h.shows("prediction.pooling.1"), config.pools()) << name;
    }
}

}  // namespace
}  // namespace vitrine
