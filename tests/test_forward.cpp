#include <cstring>
#include <numeric>

#include "core/files/image.h"
#include "core/tensor/matmul.h"
#include "core/vit/forward.h"
#include "core/vit/readout.h"
#include "tests/golden_files.h"

namespace vitrine {
namespace {

Config small_runner() {
    Config c;
    c.image_height = 24;
    c.image_width = 32;
    c.patch_size = 8;
    c.embedding_dim = 32;
    c.heads = 4;
    c.blocks = 3;
    c.mlp_dim = 48;
    c.classes = 7;
    return c;
}

/// Weights ten times those of `random_model`, so that attention is uneven and every part counts.
Model lively_runner() {
    Model model = random_model(small_runner(), 5);
    const auto louder = [](Parameter& p) {
        const std::shared_ptr<float[]> copy(new float[p.size()]);
        for (std::size_t i = 0; i < p.size(); ++i) copy[i] = p(i) * 10;
        p = {std::shared_ptr<const float>(copy, copy.get()), p.shape()};
    };
    louder(model.weights.patch_embedding.weight);
    louder(model.weights.position);
    louder(model.weights.leading);
    for (BlockWeights& b : model.weights.blocks)
        for (LinearWeights* w : {&b.query, &b.key, &b.value, &b.projection, &b.mlp_in, &b.mlp_out}) louder(w->weight);
    prepare(model);
    return model;
}

Tensor3 picture(std::size_t images, float phase = 0) {
    Tensor3 x = tensor3(images * 3, 24, 32);
    for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = std::sin(phase + 0.13F * static_cast<float>(i % 4093));
    return x;
}

TEST(Forward, AModelThatIsReadyToRunKeepsItsBlocksWeightsOnce) {
    Model model = random_model(small_runner(), 5);
    Parameter& weight = model.weights.blocks[1].mlp_in.weight;
    const std::vector<float> given(weight.data(), weight.data() + weight.size());
    auto own = std::make_shared<std::vector<float>>(given);
    const std::weak_ptr<const void> file = own;
    weight = {std::shared_ptr<const float>(own, own->data()), weight.shape()};
    own.reset();
    prepare(model);
    const bool may_stay = product_library().starts_with("Eigen");  // which multiplies some as they lie in the file
    EXPECT_TRUE(file.expired() || may_stay);
    EXPECT_EQ(std::memcmp(weight.stored().data(), given.data(), given.size() * sizeof(float)), 0);
}

TEST(Forward, ABatchOfImagesGivesWhatEachGivesAlone) {
    const Model model = lively_runner();
    const std::size_t values = 3 * 24 * 32;
    Tensor3 both = tensor3(6, 24, 32);
    const Tensor3 one = picture(1), two = picture(1, 2.0F);
    std::copy_n(one.data(), values, both.data());
    std::copy_n(two.data(), values, both.data() + values);
    const Trace batch = forward(model, both), first = forward(model, one), second = forward(model, two);
    const std::size_t classes = 7, z_values = 13 * 32, attention_values = 4 * 13 * 13;
    EXPECT_LE(difference(batch.head->logits.data(), first.head->logits.data(), classes), 1e-5);
    EXPECT_LE(difference(batch.head->logits.data() + classes, second.head->logits.data(), classes), 1e-5);
    EXPECT_LE(difference(batch.z(3).data() + z_values, second.z(3).data(), z_values), 1e-5);
    EXPECT_LE(difference(batch.block(2)->attention.data() + attention_values, second.block(2)->attention.data(),
                         attention_values),
              1e-5);
}

TEST(Forward, PermutingPatchesTogetherWithTheirPositionsPermutesTheOutputsAndLeavesTheClassToken) {
    Model model = lively_runner();
    const Trace before = forward(model, picture(1));

    // The order of the patches, turned round: in the picture and in the positions.
    const std::size_t patches = 12, d = 32;
    const Tensor3 image = picture(1);
    Tensor3 turned = tensor3(3, 24, 32);
    for (std::size_t p = 0; p < patches; ++p) {
        const std::size_t q = patches - 1 - p;
        for (std::size_t c = 0; c < 3; ++c)
            for (std::size_t y = 0; y < 8; ++y)
                for (std::size_t x = 0; x < 8; ++x)
                    turned(c, q / 4 * 8 + y, q % 4 * 8 + x) = image(c, p / 4 * 8 + y, p % 4 * 8 + x);
    }
    const std::shared_ptr<float[]> positions(new float[13 * d]);
    for (std::size_t t = 0; t < 13; ++t)
        std::copy_n(model.weights.position.data() + (t == 0 ? 0 : 13 - t) * d, d, positions.get() + t * d);
    model.weights.position = {std::shared_ptr<const float>(positions, positions.get()), {13, d}};

    const Trace after = forward(model, turned);
    EXPECT_LE(difference(after.head->logits.data(), before.head->logits.data(), 7), 1e-4);
    for (std::size_t t = 1; t < 13; ++t) EXPECT_LE(difference(&after.z(3)(t, 0), &before.z(3)(13 - t, 0), d), 1e-4);
}

TEST(Forward, TheCourseOfWhatIsReadIsWhatTheHeadWouldReadAtEveryLevel) {
    for (const Readout readout : {Readout::class_token, Readout::mean}) {
        Model reader = lively_runner();
        reader.config.readout = readout;
        const Trace run = forward(reader, picture(1, 0));
        const Tensor2 course = course_of_readout(reader, picture(1, 0));
        ASSERT_EQ(course.shape()[0], 4U);
        for (std::size_t level = 0; level < 4; ++level) {
            const Tensor2 read = read_out(reader.config, run.z(static_cast<int>(level)));
            for (std::size_t i = 0; i < course.shape()[1]; ++i) EXPECT_EQ(course(level, i), read(0, i));
        }
    }
    const Model model = lively_runner();
    const Trace trace = forward(model, picture(1, 0));
    const std::vector<Intervention> what_ifs = {remove_positions(), remove_head(2, 1)};
    const Trace other = what_if(model, trace, what_ifs);
    const Tensor2 course = course_of_readout(model, picture(1, 0), {}, what_ifs);
    for (std::size_t level = 0; level < 4; ++level)
        for (std::size_t i = 0; i < course.shape()[1]; ++i)
            EXPECT_EQ(course(level, i), other.z(static_cast<int>(level))(0, i)) << "with what-ifs, too";
}

TEST(Forward, ProgressRisesAndCancelStopsIt) {
    const Model model = lively_runner();
    double last = -1;
    forward(model, picture(1), [&](double f) {
        EXPECT_GT(f, last);
        last = f;
    });
    EXPECT_GT(last, 0);
    EXPECT_THROW(forward(model, picture(1),
                         [](double f) {
                             if (f > 0.3) throw Cancelled();
                         }),
                 Cancelled);
}

TEST(Forward, AModelWithoutClassifierGivesEverythingElse) {
    Config c = small_runner();
    c.classes = 0;
    Model model = random_model(c, 1);
    const Trace trace = forward(model, picture(1));
    EXPECT_EQ(trace.head->ln.shape()[1], 32U);
    EXPECT_EQ(trace.head->logits.size(), 0U);
}

TEST(WhatIf, RecomputesFromItsOwnBlockOnwardAndSharesTheRest) {
    const Model model = lively_runner();
    const Trace base = forward(model, picture(1));
    const std::vector<Intervention> edits = {remove_head(2, 1)};
    const Trace trace = what_if(model, base, edits);
    EXPECT_EQ(trace.embedding, base.embedding);
    EXPECT_TRUE(shares_block(trace, base, 1));
    EXPECT_FALSE(shares_block(trace, base, 2));
    EXPECT_FALSE(shares_block(trace, base, 3));
    EXPECT_EQ(trace.block(2)->attention, base.block(2)->attention) << "what comes before the edit has the same numbers";
    EXPECT_NE(trace.head->logits, base.head->logits);
}

TEST(WhatIf, WithoutInterventionsIsTheBaselineItself) {
    const Model model = lively_runner();
    const Trace base = forward(model, picture(1)), same = what_if(model, base, {});
    EXPECT_EQ(same.head, base.head);
    for (int block = 1; block <= 3; ++block) EXPECT_TRUE(shares_block(same, base, block));
}

TEST(WhatIf, AlwaysStartsFromTheBaseline) {
    const Model model = lively_runner();
    const Trace base = forward(model, picture(1));
    const std::vector<Intervention> one = {remove_mlp(1)}, both = {remove_mlp(1), remove_head(3, 0)};
    const Trace first = what_if(model, base, one), second = what_if(model, base, both),
                again = what_if(model, base, one);
    EXPECT_EQ(first.head->logits, again.head->logits);
    EXPECT_NE(first.head->logits, second.head->logits);
}

TEST(WhatIf, WithoutPositionsShufflingThePatchesLeavesTheClassTokenAsItIs) {
    const Model model = lively_runner();
    const std::vector<Intervention> edits = {remove_positions()};
    const Tensor3 image = picture(1);
    Tensor3 swapped = image;
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t y = 0; y < 8; ++y)
            for (std::size_t x = 0; x < 8; ++x) std::swap(swapped(c, y, x), swapped(c, 16 + y, 24 + x));
    const Trace a = what_if(model, forward(model, image), edits), b = what_if(model, forward(model, swapped), edits);
    EXPECT_LE(difference(b.head->logits.data(), a.head->logits.data(), 7), 1e-4);
    EXPECT_GT(difference(forward(model, swapped).head->logits.data(), forward(model, image).head->logits.data(), 7),
              1e-3);
}

}  // namespace
}  // namespace vitrine
