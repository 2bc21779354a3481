#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/tensor/matmul.h"
#include "core/tensor/product_table.h"
#include "core/tensor/product_ways.h"
#include "core/tensor/rows.h"
#include "core/training/cnn_learner.h"
#include "core/training/recipe.h"
#include "core/training/trainer.h"
#include "core/vit/forward.h"
#include "tests/text_runs.h"

// Which kernels multiply. Everything that computes here runs once, at its real sizes; then the names of the kernels are
// asked for. The tests `limited_v2` and `limited_v3` do the same as a lesser processor does.

namespace vitrine {
namespace {

struct TableRow {
    std::string_view library;
    int level;
    ProductShape shape;
    ProductWay way;
};
constexpr TableRow table_rows[] = {
#include "core/tensor/product_table.inc"
};

/// Every way that the matrices of a product may lie, with all that a product may have beside them.
std::vector<ProductPart> all_parts(const ProductShape& s, const float* numbers) {
    const auto view = [&](Transpose turned, std::size_t rows, std::size_t columns) {
        if (turned == Transpose::yes) std::swap(rows, columns);
        return MatrixStack{{numbers, rows, columns, columns}, rows * columns};
    };
    std::vector<ProductPart> parts;
    for (const Transpose turn_a : {Transpose::no, Transpose::yes})
        for (const Transpose turn_b : {Transpose::no, Transpose::yes})
            for (const float alpha : {1.0F, -2.0315F})
                for (const Product::Into into : {Product::Into::empty, Product::Into::sum})
                    for (const float* const bias : {static_cast<const float*>(nullptr), numbers})
                        if (bias == nullptr || (alpha == 1.0F && into == Product::Into::empty))
                            parts.push_back({.a = view(turn_a, s.rows, s.inner),
                                             .b = view(turn_b, s.inner, s.columns),
                                             .transpose_a = turn_a,
                                             .transpose_b = turn_b,
                                             .alpha = alpha,
                                             .into = into,
                                             .bias = bias,
                                             .count = s.kind == ProductKind::stack ? 2U : 1U,
                                             .kind = s.kind,
                                             .c_stride = s.columns,
                                             .c_distance = s.rows * s.columns});
    return parts;
}

/// The library is offered every product, also those that the table gives to panels.
void offer_all_to_the_library() {
    for (const ProductShape& s : measured_shapes()) {
        if (s.rows * s.columns * s.inner > 40e6) continue;  // the kernel does not depend on so much more
        const std::vector<float> numbers(2 * (s.rows + s.columns) * (s.inner + s.columns), 0.25F);
        std::vector<float> c(2 * s.rows * s.columns);
        for (const ProductPart& part : all_parts(s, numbers.data()))
            if (!by_library::multiply(part, c.data())) by_panels::multiply(part, c.data());
        if (s.kind != ProductKind::packed) continue;
        const std::shared_ptr<const float> borrowed(std::shared_ptr<void>(), numbers.data());
        const auto packed = by_library::pack({Parameter(borrowed, {s.columns, s.inner}), {}, {}}, s.rows);
        if (packed != nullptr) packed->apply(numbers.data(), s.rows, c.data());
    }
}

void learn_pictures(Optimiser optimiser) {
    Recipe recipe = standard_recipe();
    recipe.batch = 4;
    recipe.optimiser = optimiser;
    recipe.model.blocks = 2;
    Trainer<Pictures>(recipe, {2, 0}).step(0.5);
}

void learn_with_a_convolutional_net() {
    Recipe recipe = standard_recipe();
    recipe.batch = 4;
    Trainer<Pictures>(recipe, std::make_unique<CnnLearner>(standard_cnn(recipe.model.classes), recipe.seed), Crew{2, 0})
        .step(0.5);
}

void learn_texts() {
    for (const TextTask task : {TextTask::translate, TextTask::sentiment, TextTask::story}) {
        TextRecipe recipe = standard_text_recipe(task, TextLanguage::japanese);
        recipe.batch = 8;
        Trainer<Texts> trainer(recipe, {2, 0});
        take_steps(trainer, 1);
    }
}

void run_a_vision_transformer() {
    Config c;
    c.image_height = c.image_width = 224;
    c.patch_size = 16;
    c.embedding_dim = 192;
    c.heads = 3;
    c.blocks = 1;
    c.mlp_dim = 768;
    c.classes = 10;
    Model model = random_model(c, 1);
    prepare(model);
    forward(model, tensor3(3, 224, 224));
}

TEST(ProductKernels, NoneThatRunsIsALibrarysReferenceKernelAndNoneIsBetterThanTheLimit) {
    offer_all_to_the_library();
    learn_pictures(Optimiser::muon);
    learn_pictures(Optimiser::adamw);
    learn_with_a_convolutional_net();
    learn_texts();
    run_a_vision_transformer();
    ASSERT_FALSE(product_kernels().empty());
    const auto has = [](const std::string& name, const char* part) { return name.find(part) != std::string::npos; };
    for (const std::string& name : product_kernels()) {
        EXPECT_FALSE(has(name, "ref")) << name;
        if (vector_limit() < 4) {
            EXPECT_FALSE(has(name, "avx512") || has(name, "v4")) << name;
        }
        if (vector_limit() < 3) {
            EXPECT_FALSE(has(name, "avx2") || has(name, "v3")) << name;
        }
    }
}

TEST(ProductKernels, TheLimitIsWhatTheEnvironmentSays) {
    const auto setting = [](const char* name) -> std::string {
        const char* const value = std::getenv(name);
        return value != nullptr ? value : "";
    };
    const int own = setting("VITRINE_VECTORS") == "v2" ? 2 : setting("VITRINE_VECTORS") == "v3" ? 3 : 4;
    const std::string onednn = setting("ONEDNN_MAX_CPU_ISA") + setting("DNNL_MAX_CPU_ISA");
    const int theirs = onednn == "SSE41" || onednn == "AVX" ? 2 : onednn.starts_with("AVX2") ? 3 : 4;
    EXPECT_EQ(vector_limit(), std::min(own, theirs));
    EXPECT_LE(row_kernels().level, vector_limit());
    EXPECT_NE(product_library().find(vector_variant()), std::string::npos) << product_library();
    if (vector_limit() < 4) {
        EXPECT_EQ(product_library().find("AVX-512"), std::string::npos) << product_library();
    }
    if (vector_limit() < 3) {
        EXPECT_EQ(product_library().find("AVX2"), std::string::npos) << product_library();
    }
}

TEST(ProductTable, ChoosesWhatWasMeasuredForTheNearestShape) {
    std::size_t seen = 0;
    for (const TableRow& row : table_rows) {
        if (row.level != row_kernels().level || !product_library().starts_with(std::string(row.library) + ' '))
            continue;
        ++seen;
        const ProductShape& s = row.shape;
        EXPECT_EQ(way_of(s), row.way) << s.rows << " x " << s.inner << " x " << s.columns;
        EXPECT_EQ(way_of({s.kind, s.rows + s.rows / 32, s.columns, s.inner}), row.way) << "hardly another shape";
        const OnlyWay only(row.way == ProductWay::library ? ProductWay::panels : ProductWay::library);
        EXPECT_NE(way_of(s), row.way) << "while only one way is allowed";
    }
    EXPECT_EQ(seen, row_kernels().level > 0 ? measured_shapes().size() : 0);
    EXPECT_EQ(product_table_name().size(), 8U);
}

}  // namespace
}  // namespace vitrine
