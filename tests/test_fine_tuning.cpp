#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/base/error.h"
#include "core/tensor/tensor.h"
#include "core/training/fine_tuning.h"
#include "core/training/trainer.h"
#include "core/vit/flat_weights.h"
#include "core/vit/forward.h"

namespace vitrine {
namespace {

Config grid_of(int rows, int columns, int dim) {
    Config c = standard_recipe().model;
    c.patch_size = 4;
    c.image_height = 4 * rows;
    c.image_width = 4 * columns;
    c.embedding_dim = dim;
    return c;
}

Parameter parameter_of(const std::vector<float>& values, std::size_t rows, std::size_t columns) {
    const std::shared_ptr<float[]> data(new float[values.size()]);
    std::copy(values.begin(), values.end(), data.get());
    return {std::shared_ptr<const float>(data, data.get()), {rows, columns}};
}

/// 16 patches of 8 × 8 pixels, learned for three steps.
struct LearnedRun {
    Recipe recipe = standard_recipe();
    std::unique_ptr<Trainer<Pictures>> trainer;

    LearnedRun() {
        recipe.model.image_height = recipe.model.image_width = 32;
        recipe.model.embedding_dim = 16;
        recipe.model.heads = recipe.model.blocks = 2;
        recipe.model.mlp_dim = 24;
        recipe.batch = 8;
        recipe.promised_examples = 24;
        trainer = std::make_unique<Trainer<Pictures>>(recipe, Crew{1, 0});
        for (int i = 0; i < 3; ++i) trainer->step(trainer->progress());
    }
};

// torch.nn.functional.interpolate(p.reshape(1, 2, 3, 1).permute(0, 3, 1, 2), (4, 5), mode="bicubic") of
// p = [1, 4, -2, 0.5, 3, 7], in rows.
TEST(FineTuning, PositionsAreResampledAsPyTorchDoes) {
    const Config from = grid_of(2, 3, 1), to = grid_of(4, 5, 1);
    const Tensor2 out = positions_for(to, from, parameter_of({9, 1, 4, -2, 0.5F, 3, 7}, 7, 1));
    const std::vector<float> torch = {0.759672F, 2.745132F, 4.105469F,  0.007797F, -3.626469F, 0.609594F, 2.275640F,
                                      3.773438F, 1.695844F, -0.319437F, 0.362406F, 1.502360F,  3.226563F, 4.476156F,
                                      5.127438F, 0.212328F, 1.032869F,  2.894532F, 6.164204F,  8.434469F};
    ASSERT_EQ(out.size(), 21U);
    EXPECT_EQ(out(0, 0), 9) << "the class token has no place";
    for (std::size_t i = 0; i < torch.size(); ++i) EXPECT_NEAR(out(i + 1, 0), torch[i], 1e-5) << i;
}

TEST(FineTuning, TheSameGridKeepsItsPositions) {
    const Config c = grid_of(3, 4, 2);
    std::vector<float> values(26);
    std::iota(values.begin(), values.end(), -3.0F);
    const Tensor2 out = positions_for(c, c, parameter_of(values, 13, 2));
    EXPECT_TRUE(std::equal(values.begin(), values.end(), out.data()));
}

TEST(FineTuning, ARunOfTheSameSizesBeginsWithTheSameModel) {
    const LearnedRun learned;
    const FlatWeights begun = begun_from(learned.trainer->model(), learned.recipe);
    EXPECT_TRUE(std::ranges::equal(begun.values(), learned.trainer->parameters().values()));
}

TEST(FineTuning, ClassesAreTakenByName) {
    const LearnedRun learned;
    Recipe more = learned.recipe;
    more.pictures.pairs = true;
    more.model.labels = picture_classes(true);
    more.model.classes = static_cast<int>(more.model.labels.size());
    ASSERT_GT(more.model.classes, learned.recipe.model.classes);
    const Model before = learned.trainer->model();
    const FlatWeights begun = begun_from(before, more);
    const Parameter &had = before.weights.classifier.weight, &has = begun.weights().classifier.weight;
    for (int k = 0; k < more.model.classes; ++k) {
        const auto same = std::ranges::find(before.config.labels, more.model.labels[static_cast<std::size_t>(k)]);
        const auto row = static_cast<std::size_t>(same - before.config.labels.begin());
        for (std::size_t d = 0; d < 16; ++d)
            EXPECT_EQ(has(static_cast<std::size_t>(k), d), same == before.config.labels.end() ? 0 : had(row, d));
    }
}

TEST(FineTuning, OtherSizesAreRefused) {
    const LearnedRun learned;
    Recipe wider = learned.recipe;
    wider.model.mlp_dim = 32;
    EXPECT_THROW(begun_from(learned.trainer->model(), wider), Error);
}

TEST(FineTuning, AModelThatSeesPicturesOtherwiseIsRefused) {
    const LearnedRun learned;
    Model other = learned.trainer->model();
    other.preprocessing.std[1] = 0.225;
    EXPECT_THROW(begun_from(other, learned.recipe), Error);
}

TEST(FineTuning, ALargerPictureKeepsAllButThePositions) {
    const LearnedRun learned;
    Recipe larger = learned.recipe;
    larger.model.image_height = larger.model.image_width = 48;
    const FlatWeights begun = begun_from(learned.trainer->model(), larger);
    const Model learned_model = learned.trainer->model();
    const Weights &w = begun.weights(), &before = learned_model.weights;
    EXPECT_EQ(w.position.shape()[0], 37U);
    EXPECT_TRUE(std::equal(w.blocks[1].mlp_in.weight.data(), w.blocks[1].mlp_in.weight.data() + 16 * 24,
                           before.blocks[1].mlp_in.weight.data()));
    EXPECT_TRUE(std::equal(w.leading.data(), w.leading.data() + 16, before.leading.data()));
}

}  // namespace
}  // namespace vitrine
