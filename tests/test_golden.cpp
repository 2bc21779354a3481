#include <fstream>
#include <nlohmann/json.hpp>

#include "core/files/image.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/forward.h"
#include "tests/golden_files.h"

namespace vitrine {
namespace {

struct GoldenRow {
    std::string model, image, expected;
    double tolerance = 0;
    std::optional<int> heads;
};

std::vector<GoldenRow> rows() {
    std::ifstream in(golden_folder / "index.json");
    std::vector<GoldenRow> list;
    for (const auto& json : nlohmann::json::parse(in)) {
        GoldenRow row{json.at("model"), json.at("image"), json.at("expected"), json.at("tolerance"), {}};
        if (json.contains("heads")) row.heads = json.at("heads").get<int>();
        list.push_back(row);
    }
    return list;
}

Trace golden_run(const GoldenRow& row) {
    LoadOptions options;
    options.heads = row.heads;
    const Model model = load_model(golden_folder / row.model, options);
    const Image image = load_image(golden_folder / row.image);
    return forward(model, preprocess(image, model.preprocessing, model.config).pixels);
}

TEST(Golden, EveryTensorOfEveryNamingAgreesWithPyTorch) {
    ASSERT_GE(rows().size(), 9U);
    for (const GoldenRow& row : rows()) {
        SCOPED_TRACE(row.model);
        const Trace trace = golden_run(row);
        GoldenFile expected(row.expected);
        std::size_t compared = 0;
        for (const NamedTensor& got : named_tensors(trace)) {
            ASSERT_TRUE(expected.file().entries().contains(got.name)) << got.name;
            EXPECT_EQ(got.shape, expected.file().entries().at(got.name).shape) << got.name;
            const std::span<const float> want = expected[got.name];
            EXPECT_LE(difference(got.data, want.data(), want.size()), row.tolerance) << got.name;
            ++compared;
        }
        EXPECT_EQ(compared, expected.file().entries().size()) << "every expected tensor is in the dump";
    }
}

TEST(Golden, TheTwoNamingsOfHuggingFaceGiveTheVerySameNumbers) {
    const Trace a = golden_run({"models/tiny_hf", "images/golden.png", "", 0, {}});
    const Trace b = golden_run({"models/tiny_hf5", "images/golden.png", "", 0, {}});
    EXPECT_EQ(a.head->logits, b.head->logits);
}

TEST(Golden, AttentionOfTheGoldenModelsIsUneven) {
    const Trace trace = golden_run({"models/tiny_hf", "images/golden.png", "", 0, {}});
    const auto block = trace.block(2);
    const Tensor3& attention = block->attention;
    EXPECT_GT(*std::max_element(attention.begin(), attention.end()), 0.5F) << "uniform attention would hide mistakes";
}

}  // namespace
}  // namespace vitrine
