#include <gtest/gtest.h>

#include <cmath>

#include "core/vit/forward.h"
#include "core/vit/provenance.h"
#include "core/vit/trace.h"

namespace vitrine {
namespace {

Model three_blocks() {
    Config c;
    c.image_height = c.image_width = 16;
    c.patch_size = 8;
    c.embedding_dim = 8;
    c.heads = 2;
    c.blocks = 3;
    c.mlp_dim = 12;
    c.classes = 3;
    return random_model(c, 5);
}

Trace waves_through(const Model& model) {
    Tensor3 image = tensor3(3, 16, 16);
    for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = std::sin(static_cast<float>(i));
    return forward(model, image);
}

TEST(Trace, CountsItsBlocksFromOneAndEachEndsInItsZ) {
    const Trace trace = waves_through(three_blocks());
    ASSERT_EQ(trace.blocks(), 3);
    EXPECT_EQ(&trace.z(0), &trace.embedding->z);
    for (int block = 1; block <= 3; ++block) EXPECT_EQ(&trace.z(block), trace.block(block)->z.get());
}

TEST(Trace, ABlockLivesAsLongAsItIsHeldAndItsZWithoutIt) {
    Trace trace = waves_through(three_blocks());
    const float attention = trace.block(2)->attention(1, 2, 3);
    auto block = trace.block(2);
    const std::weak_ptr<const BlockTrace> watched = block;
    const std::shared_ptr<const Tensor2> z = block->z;
    const float number = (*z)(4, 7);
    trace = {};
    EXPECT_EQ(block->attention(1, 2, 3), attention);
    block.reset();
    EXPECT_TRUE(watched.expired()) << "its z alone must not keep a whole block";
    EXPECT_EQ((*z)(4, 7), number);
}

TEST(Trace, SharesTheBlocksThatItTookFromAnotherRun) {
    const Model model = three_blocks();
    const Trace base = waves_through(model), other = waves_through(model);
    const std::vector<Intervention> edits = {remove_mlp(2)};
    const Trace changed = what_if(model, base, edits);
    EXPECT_TRUE(shares_block(base, changed, 1));
    EXPECT_FALSE(shares_block(base, changed, 2));
    EXPECT_FALSE(shares_block(base, other, 1)) << "equal numbers alone are not shared";
}

TEST(Trace, NamedTensorsAndMatricesKeepTheBlockTheyPointInto) {
    const Model model = three_blocks();
    Trace trace = waves_through(model);
    const float score = trace.block(3)->scores(1, 0, 2);
    const std::weak_ptr<const BlockTrace> watched = trace.block(3);
    CellMatrix matrix = matrix_of({model, trace, {}}, Quantity::scores, 3, 1);
    std::vector<NamedTensor> tensors = named_tensors(trace);
    trace = {};
    EXPECT_EQ(matrix.data[2], score);
    for (const NamedTensor& t : tensors)
        if (t.name == "block.3.scores") {
            EXPECT_EQ(t.data[5 * 5 + 2], score);
        }
    matrix = {};
    EXPECT_FALSE(watched.expired());
    tensors.clear();
    EXPECT_TRUE(watched.expired());
}

}  // namespace
}  // namespace vitrine
