#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include "core/text/decoding.h"
#include "core/text/text_backward.h"
#include "core/text/text_forward.h"
#include "core/text/text_loss.h"
#include "tests/text_golden_model.h"

namespace vitrine {
namespace {

/// What the script computed with PyTorch in double precision, by the papers' formulas on padded, masked sentences.
class TextGolden : public testing::TestWithParam<const char*> {
protected:
    GoldenTextModel golden{GetParam()};
    const bool post = std::string(GetParam()) == "text_post";
    const TextLossOptions options{.label_smoothing = post ? 0.1 : 0, .scale = 1, .it_scale = post ? 0.5 : 0};

    /// −∞ is 0 in the file.
    static std::vector<float> finite(const NamedTensor& t, std::size_t count) {
        std::vector<float> numbers(t.data, t.data + count);
        for (float& x : numbers)
            if (std::isinf(x)) x = 0.0F;
        return numbers;
    }
    static std::size_t size_of(const NamedTensor& t) {
        std::size_t count = 1;
        for (const std::size_t n : t.shape) count *= n;
        return count;
    }
    static double largest_of(std::span<const float> numbers) {
        double largest = 0;
        for (const float x : numbers) largest = std::max(largest, std::abs(static_cast<double>(x)));
        return largest;
    }
    double largest_of_all(const std::string& prefix) {
        double largest = 0;
        for (const auto& [name, entry] : golden.file.file().entries())
            if (name.starts_with(prefix)) largest = std::max(largest, largest_of(golden.file[name]));
        return largest;
    }
    /// Every tensor of a run against those of the file whose names begin so. `passed_on` is the rounding, in parts of
    /// the largest of all these tensors, that one made of differences of others takes over from them.
    void expect_all(const TextTrace& trace, const std::string& prefix, double tolerance, double passed_on = 0) {
        std::set<std::string> seen;
        const double rounding = passed_on > 0 ? passed_on * largest_of_all(prefix) : 0;
        for (const NamedTensor& t : named_tensors(trace)) {
            const std::string name = prefix + t.name;
            if (!golden.file.file().entries().contains(name)) continue;
            const std::span<const float> expected = golden.file[name];
            const std::size_t count = size_of(t);
            ASSERT_EQ(count, expected.size()) << name;
            const double bound = tolerance + rounding / std::max(largest_of(expected), 1e-30);
            EXPECT_LT(bound, 0.05) << name << " is too small for a comparison to say anything";
            EXPECT_LT(difference(finite(t, count).data(), expected.data(), count), bound) << name;
            seen.insert(name);
        }
        for (const auto& [name, entry] : golden.file.file().entries()) {
            EXPECT_TRUE(!name.starts_with(prefix) || seen.contains(name)) << name << " has no tensor of ours";
        }
    }
};

TEST_P(TextGolden, EveryActivationIsPyTorchs) {
    const TextTrace trace = text_forward(golden.model, golden.batch(1));
    expect_all(trace, "t.", 2e-5);
}

TEST_P(TextGolden, EveryActivationHasPyTorchsGradient) {
    const TextTrace trace = text_forward(golden.model, golden.batch(1));
    const TextLoss loss = text_loss(trace, options);
    FlatTextWeights gradients(golden.model.config);
    TextTrace g =
        text_backward({.model = golden.model, .trace = trace, .keep = Keep::activations}, loss.gradient, gradients);
    expect_all(g, "g.", 1e-4, 1e-6);
}

TEST_P(TextGolden, ABatchHasPyTorchsLogitsLossAndParameterGradients) {
    const TextTrace trace = text_forward(golden.model, golden.batch());
    const TextLoss loss = text_loss(trace, options);
    const std::span<const float> logits = golden.file["logits"];
    ASSERT_EQ(trace.generator->logits.size(), logits.size());
    EXPECT_LT(difference(trace.generator->logits.data(), logits.data(), logits.size()), 2e-5);
    const double expected = static_cast<double>(golden.file["loss"][0]);
    EXPECT_NEAR(loss.sum + options.it_scale * loss.it_sum, expected, 1e-5 * expected);

    FlatTextWeights gradients(golden.model.config);
    text_backward({.model = golden.model, .trace = trace}, loss.gradient, gradients);
    for (const NamedParameter& p : parameters_of(gradients.weights())) {
        const std::span<const float> d = golden.file["d." + p.name];
        // A key's bias moves all scores of a query alike: its gradient is 0, and what comes out is rounding.
        if (p.name.ends_with("key.bias")) {
            for (std::size_t i = 0; i < d.size(); ++i) EXPECT_NEAR(p.parameter.data()[i], 0, 1e-4) << p.name;
            continue;
        }
        ASSERT_EQ(d.size(), p.parameter.size()) << p.name;
        EXPECT_LT(difference(p.parameter.data(), d.data(), d.size()), 1e-4) << p.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Models, TextGolden,
                         testing::Values("text_post", "text_pre", "text_open", "text_class", "text_story"),
                         [](const auto& row) { return std::string(row.param); });

TEST(TextDump, HasTheNamesThatAreDocumented) {
    std::ifstream file(VITRINE_SOURCE "/docs/architecture.md");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (const char* const model : {"text_post", "text_pre", "text_class", "text_story"}) {
        const GoldenTextModel golden(model);
        for (const NamedTensor& t : named_tensors(text_forward(golden.model, golden.batch(1)))) {
            std::string name = t.name;
            for (const char* const statistic : {".mean", ".var", ".out"})
                if (name.ends_with(statistic) && name.find("mlp") == std::string::npos)
                    name.resize(name.size() - std::string(statistic).size());
            const std::size_t number = std::string("encoder.").size();
            if (std::isdigit(static_cast<unsigned char>(name[number]))) name.replace(number, 1, "ℓ");
            EXPECT_NE(text.find('`' + name + '`'), std::string::npos) << name;
        }
    }
}

TEST(TextDecodingGolden, GreedAndABeamWriteTheScriptsWords) {
    for (const char* const name : {"text_post", "text_pre"}) {
        SCOPED_TRACE(name);
        GoldenTextModel golden(name);
        const int longest = golden.model.config.longest;
        TextBatch text = golden.batch(1);
        text.target = {};
        text.target.add(std::vector{bos_id});
        const auto words = [&](const std::string& tensor) {
            const std::span<const float> numbers = golden.file[tensor];
            return std::vector<int>(numbers.begin(), numbers.end());
        };
        EXPECT_EQ(decode(golden.model, text, {.longest = longest}).words, words("greedy"));
        const Decoding how{.method = DecodingMethod::beam, .width = 3, .longest = longest};
        const DecodedText beam = decode(golden.model, text, how);
        EXPECT_EQ(beam.words, words("beam"));
        EXPECT_NE(words("beam"), words("greedy"));
        EXPECT_NEAR(beam.log_probability, static_cast<double>(golden.file["beam_log_probability"][0]), 1e-4);
    }
}

}  // namespace
}  // namespace vitrine
