#include <gtest/gtest.h>

#include <numeric>

#include "core/base/error.h"
#include "core/vit/forward.h"
#include "core/vit/image_size.h"
#include "tests/golden_files.h"
#include "tests/golden_run.h"
#include "tests/spoilt_checkpoint.h"

namespace vitrine {
namespace {

constexpr std::size_t width = 6;
constexpr PositionGrid stored{5, 7};

TEST(PositionGrids, EachRuleGivesPyTorchsNumbers) {
    GoldenFile golden("values/positions.safetensors");
    int compared = 0;
    for (const auto& [rule, name] : position_rules)
        for (const PositionGrid grid :
             {PositionGrid{5, 7}, {8, 8}, {3, 4}, {11, 2}, {1, 1}, {10, 14}, {9, 7}, {13, 11}, {3, 5}}) {
            const std::string key =
                std::string(name) + "." + std::to_string(grid.rows) + "x" + std::to_string(grid.columns);
            if (!golden.file().entries().contains(key)) continue;
            const Tensor2 got = interpolate_positions(rule, golden["table"].data(), width, stored, grid);
            EXPECT_LT(difference(got.data(), golden[key].data(), got.size()), 1e-5) << key;
            ++compared;
        }
    EXPECT_EQ(compared, 40);
}

TEST(PositionGrids, WeightsOfEveryRuleSumToOneAndStayOnTheGrid) {
    for (const auto& [rule, name] : position_rules)
        for (const int before : {1, 2, 5, 37})
            for (const int after : {1, 3, 16, 37, 80})
                for (const AxisWeights& axis : axis_weights(rule, before, after)) {
                    EXPECT_NEAR(std::accumulate(axis.weights.begin(), axis.weights.end(), 0.0), 1, 1e-12) << name;
                    EXPECT_GE(axis.first, 0);
                    EXPECT_LE(axis.first + static_cast<int>(axis.weights.size()), before);
                }
}

std::shared_ptr<const Model> tiny() { return std::make_shared<Model>(load_model(golden_folder / "models/tiny_timm")); }

TEST(ImageSizes, AnotherSizeSharesTheWeightsAndRuns) {
    const std::shared_ptr<const Model> model = tiny();
    const std::shared_ptr<const Model> wide = at_size(model, {24, 48});
    EXPECT_EQ(wide->config.grid_height(), 3);
    EXPECT_EQ(wide->config.grid_width(), 6);
    EXPECT_EQ(wide->weights.blocks[0].mlp_in.weight.stored().data(),
              model->weights.blocks[0].mlp_in.weight.stored().data());
    EXPECT_EQ(wide->weights.position.shape()[0], 19U);
    EXPECT_EQ(difference(wide->weights.position.data(), model->weights.position.data(),
                         static_cast<std::size_t>(model->config.embedding_dim)),
              0)
        << "the class token's position is kept";
    EXPECT_EQ(wide->stored.rule, PositionRule::antialiased);
    const Image image{60, 40, std::vector<std::uint8_t>(60UL * 40 * 3, 90)};
    const Trace trace = forward(*wide, preprocess(image, wide->preprocessing, wide->config).pixels);
    EXPECT_EQ(trace.z(trace.blocks()).shape()[0], 19U);
}

TEST(ImageSizes, ComeFromTheStoredTableHoweverTheyWereReached) {
    const std::shared_ptr<const Model> model = tiny();
    const std::shared_ptr<const Model> once = at_size(model, {64, 64}),
                                       again = at_size(at_size(model, {16, 16}), {64, 64});
    EXPECT_EQ(difference(again->weights.position.data(), once->weights.position.data(), once->weights.position.size()),
              0);
    EXPECT_EQ(at_size(again, {model->config.image_height, model->config.image_width}), model) << "not a copy";
}

TEST(ImageSizes, ResizeAndCropGrowByTheSameFactor) {
    const std::shared_ptr<const Model> model = tiny();
    const std::shared_ptr<const Model> twice = at_size(model, {64, 64});
    EXPECT_EQ(model->preprocessing.resize_height, 35);
    EXPECT_EQ(twice->preprocessing.resize_height, 70);
    EXPECT_EQ(at_size(model, {32, 64})->preprocessing.resize_height, 70) << "no crop lacks pixels";
    auto squashing = std::make_shared<Model>(*model);
    squashing->preprocessing.resize = Preprocessing::Resize::squash;
    squashing->preprocessing.resize_height = squashing->preprocessing.resize_width = 32;
    EXPECT_EQ(at_size(squashing, {16, 64})->preprocessing.resize_height, 16);
    EXPECT_EQ(at_size(squashing, {16, 64})->preprocessing.resize_width, 64);
}

TEST(ImageSizes, ThatPatchesDoNotDivideAreRefusedWithOneThatFits) {
    const std::shared_ptr<const Model> model = tiny();
    const auto refusal = [&](ImageSize size) -> std::string {
        try {
            at_size(model, size);
        } catch (const Error& e) {
            return e.what();
        }
        return "";
    };
    EXPECT_NE(refusal({33, 32}).find("such as 32x32"), std::string::npos) << refusal({33, 32});
    EXPECT_NE(refusal({4, 32}).find("such as 32x8"), std::string::npos) << refusal({4, 32});
    EXPECT_NE(refusal({16384, 16384}).find("65536 patches"), std::string::npos);
}

TEST(ImageSizes, AreReadAsWidthAndHeight) {
    EXPECT_EQ(parse_image_size("518"), (ImageSize{518, 518}));
    EXPECT_EQ(parse_image_size("448x224"), (ImageSize{224, 448}));
    for (const char* const wrong : {"", "x", "224x", "x224", "-8", "8.5", "224x224x3", "0", "99999"})
        EXPECT_THROW(parse_image_size(wrong), Error) << wrong;
}

TEST(ImageSizes, OfATrainedModelBeginWithItsOwnTable) {
    auto model = std::make_shared<Model>(random_model(tiny()->config, 1));
    EXPECT_TRUE(model->stored.table.empty());
    const std::shared_ptr<const Model> other = at_size(model, {16, 16});
    EXPECT_EQ(other->stored.table.data(), model->weights.position.data());
}

}  // namespace
}  // namespace vitrine
