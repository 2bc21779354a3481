#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/base/random.h"
#include "core/transformer/attention.h"
#include "core/transformer/backward_layers.h"
#include "tests/golden_files.h"
#include "tests/number_encoder.h"

namespace vitrine {
namespace {

constexpr float hidden = -std::numeric_limits<float>::infinity();

Tensor2 random2(std::size_t rows, std::size_t columns, Random& random) {
    Tensor2 x = tensor2(rows, columns);
    for (float& v : x) v = random.normal();
    return x;
}

// ---- PyTorch's attention --------------------------------------------------------------------------------------------

Parameter borrowed(std::span<const float> numbers, std::vector<std::size_t> shape) {
    return {std::shared_ptr<const float>(std::shared_ptr<void>(), numbers.data()), std::move(shape)};
}

/// An attention layer as a script of tests/golden ran it: in_proj holds W_Q, W_K and W_V one above another.
class GoldenAttention {
public:
    explicit GoldenAttention(const std::string& name)
        : file_(name),
          gradients_([](const MakeParameter& make) { return lay_out_attention(config_of_layer(), make); }) {
        LinearWeights* const inputs[] = {&weights_.query, &weights_.key, &weights_.value};
        for (std::size_t i = 0; i < 3; ++i) {
            inputs[i]->weight = borrowed(file_["in_weight"].subspan(i * d * d, d * d), {d, d});
            inputs[i]->bias = borrowed(file_["in_bias"].subspan(i * d, d), {d});
        }
        weights_.projection = {borrowed(file_["out_weight"], {d, d}), borrowed(file_["out_bias"], {d}), {}};
    }

    Tensor2 rows(const std::string& tensor) {
        const std::span<const float> numbers = file_[tensor];
        Tensor2 x = tensor2(numbers.size() / d, d);
        std::copy(numbers.begin(), numbers.end(), x.begin());
        return x;
    }
    Tensor3 mask(std::size_t n, std::size_t keys) {
        const std::span<const float> hides = file_["hidden"];
        Tensor3 mask = tensor3(2, n, keys);
        std::transform(hides.begin(), hides.end(), mask.begin(), [](float h) { return h > 0 ? hidden : 0.0F; });
        return mask;
    }
    void expect(const std::string& tensor, const float* got, std::size_t count) {
        ASSERT_EQ(file_[tensor].size(), count) << tensor;
        EXPECT_LT(difference(got, file_[tensor].data(), count), 1e-5) << tensor;
    }
    void expect_gradients() {
        const AttentionWeights& g = gradients_.weights();
        std::vector<float> weight, bias;
        for (const LinearWeights* const w : {&g.query, &g.key, &g.value}) {
            weight.insert(weight.end(), w->weight.data(), w->weight.data() + d * d);
            bias.insert(bias.end(), w->bias.data(), w->bias.data() + d);
        }
        expect("d_in_weight", weight.data(), weight.size());
        expect("d_in_bias", bias.data(), bias.size());
        expect("d_out_weight", g.projection.weight.data(), d * d);
        expect("d_out_bias", g.projection.bias.data(), d);
    }
    const TransformerConfig& config() const { return config_; }
    const AttentionWeights& weights() const { return weights_; }
    Flat<AttentionWeights>& gradients() { return gradients_; }

private:
    static constexpr std::size_t d = 12;
    static TransformerConfig config_of_layer() {
        TransformerConfig c;
        c.embedding_dim = static_cast<int>(d);
        c.heads = 3;
        return c;
    }
    GoldenFile file_;
    TransformerConfig config_ = config_of_layer();
    AttentionWeights weights_;
    Flat<AttentionWeights> gradients_;
};

TEST(Attention, UnderACausalMaskIsPyTorchs) {
    GoldenAttention golden("values/causal_attention.safetensors");
    const Editor edit;
    const Layer layer{golden.config(), 1, {2, 5}, edit};
    const Tensor3 mask = causal_mask(5), given = golden.mask(5, 5);
    for (std::size_t i = 0; i < mask.size(); ++i) ASSERT_EQ(mask.data()[i], given.data()[i]);
    const Tensor2 x = golden.rows("x");
    AttentionTrace t, g;
    const Attended to{.mask = &mask};
    attend(layer, golden.weights(), x, t, to);
    golden.expect("attention", t.attention.data(), t.attention.size());
    golden.expect("out", t.msa.data(), t.msa.size());
    const AttentionBack back{layer, {golden.weights(), golden.gradients().weights(), golden.gradients()}, t, x, to};
    const Tensor2 dx = attend_back(back, golden.rows("d_out"), g);
    golden.expect("d_x", dx.data(), dx.size());
    golden.expect_gradients();
}

TEST(Attention, ToAMemoryWithPaddingIsPyTorchs) {
    GoldenAttention golden("values/cross_attention.safetensors");
    const Editor edit;
    const Layer layer{golden.config(), 1, {2, 5}, edit};
    const Tensor2 x = golden.rows("x"), memory = golden.rows("memory");
    const Tensor3 mask = golden.mask(5, 7);
    AttentionTrace t, g;
    const Attended to{.memory = &memory, .mask = &mask};
    attend(layer, golden.weights(), x, t, to);
    golden.expect("attention", t.attention.data(), t.attention.size());
    golden.expect("out", t.msa.data(), t.msa.size());
    Tensor2 d_memory = tensor2(rows_of(memory), columns_of(memory));
    std::fill_n(d_memory.data(), d_memory.size(), 0.0F);
    const AttentionBack back{layer,    {golden.weights(), golden.gradients().weights(), golden.gradients()}, t, x, to,
                             &d_memory};
    const Tensor2 dx = attend_back(back, golden.rows("d_out"), g);
    golden.expect("d_x", dx.data(), dx.size());
    golden.expect("d_memory", d_memory.data(), d_memory.size());
    golden.expect_gradients();
}

TEST(Attention, KeysOfALongerMemoryAreNoQueries) {
    GoldenAttention golden("values/cross_attention.safetensors");
    const std::vector<Intervention> edits = {key_is_query(), value_is_query()};
    const Editor none, edit(edits, {2, 5});
    const Tensor2 x = golden.rows("x"), memory = golden.rows("memory");
    const Attended to{.memory = &memory};
    AttentionTrace plain, edited, g;
    attend({golden.config(), 1, {2, 5}, none}, golden.weights(), x, plain, to);
    const Layer layer{golden.config(), 1, {2, 5}, edit};
    attend(layer, golden.weights(), x, edited, to);
    EXPECT_EQ(edited.k, plain.k);
    EXPECT_EQ(edited.msa, plain.msa);
    const AttentionBack back{
        layer, {golden.weights(), golden.gradients().weights(), golden.gradients()}, edited, x, to};
    attend_back(back, golden.rows("d_out"), g);
    EXPECT_GT(*std::max_element(g.k.begin(), g.k.end()), 0.0F) << "its gradient stays with the keys";
}

// ---- a second family ------------------------------------------------------------------------------------------------

TransformerConfig small_encoder() {
    TransformerConfig c;
    c.embedding_dim = 8;
    c.heads = 2;
    c.blocks = 2;
    c.mlp_dim = 12;
    return c;
}

NumberEncoder encoder_of(const TransformerConfig& c, std::uint64_t seed = 3) {
    NumberEncoder encoder(c);
    Random random(seed);
    for (float& w : encoder.weights().values()) w = 0.5F * random.normal();
    return encoder;
}

struct Variant {
    const char* name;
    TransformerConfig config;
    std::vector<Intervention> what_ifs;
    bool causal = false;
};

std::vector<Variant> encoder_variants() {
    std::vector<Variant> list = {{"pre-norm", small_encoder(), {}},
                                 {"post-norm", small_encoder(), {}},
                                 {"no norm, no skips", small_encoder(), {}}};
    list[1].config.norm = Norm::after;
    list[2].config.norm = Norm::none;
    list[2].config.skips = list[2].config.query_bias = list[2].config.key_bias = list[2].config.value_bias = false;
    list.push_back({"causal", small_encoder(), {}, true});
    list.push_back({"what-ifs", small_encoder(), {remove_head(1, 1), temperature(2, 2), value_is_query(1)}, true});
    return list;
}

/// ½ Σ answer², in double.
double loss(const NumberTrace& t) {
    double sum = 0;
    for (const float y : t.answer) sum += 0.5 * static_cast<double>(y) * static_cast<double>(y);
    return sum;
}

TEST(NumberEncoder, ItsGradientsAreTheSlopesOfItsLoss) {
    for (const Variant& v : encoder_variants()) {
        SCOPED_TRACE(v.name);
        NumberEncoder encoder = encoder_of(v.config);
        Random random(5);
        const Batch batch{3, 5};
        const Tensor2 numbers = random2(15, 1, random);
        const Tensor3 mask = causal_mask(batch.tokens);
        const Editor edit(v.what_ifs, batch);
        const auto run = [&] { return encoder.forward(numbers, batch, edit, v.causal ? &mask : nullptr); };

        Flat<NumberWeights> gradients = encoder.weights();
        std::fill(gradients.values().begin(), gradients.values().end(), 0.0F);  // norms that are left out have none
        const NumberTrace t = run();
        encoder.backward(t, batch, edit, t.answer, gradients);

        // Along random directions: each stretch of parameters by itself, so that none hides behind another.
        const std::size_t count = gradients.values().size(), stretch = 97;
        const double largest =
            static_cast<double>(*std::max_element(gradients.values().begin(), gradients.values().end(),
                                                  [](float a, float b) { return std::abs(a) < std::abs(b); }));
        for (std::size_t first = 0; first < count; first += stretch) {
            const std::size_t last = std::min(count, first + stretch);
            std::vector<float> direction(last - first);
            for (float& d : direction) d = random.normal();
            const std::vector<float> before(encoder.weights().values().begin(), encoder.weights().values().end());
            const auto loss_at = [&](float step) {
                for (std::size_t i = first; i < last; ++i)
                    encoder.weights().values()[i] = before[i] + step * direction[i - first];
                return loss(run());
            };
            constexpr float h = 2e-3F;
            const double slope = (loss_at(h) - loss_at(-h)) / (2.0 * static_cast<double>(h));
            loss_at(0);
            double expected = 0;
            for (std::size_t i = first; i < last; ++i)
                expected += static_cast<double>(gradients.values()[i]) * static_cast<double>(direction[i - first]);
            EXPECT_NEAR(slope, expected, 2e-2 * (std::abs(expected) + 0.05 * std::abs(largest))) << "from " << first;
        }
    }
}

TEST(NumberEncoder, ReadsSequencesOfAnyLength) {
    const NumberEncoder encoder = encoder_of(small_encoder());
    Random random(6);
    for (const int n : {1, 2, 7, 40}) {
        const Tensor2 numbers = random2(static_cast<std::size_t>(n), 1, random);
        const NumberTrace t = encoder.forward(numbers, {1, n});
        EXPECT_EQ(t.blocks.back().attention.shape()[1], static_cast<std::size_t>(n));
        EXPECT_TRUE(std::isfinite(t.answer(0, 0)));
    }
}

TEST(NumberEncoder, UnderACausalMaskNobodySeesWhatComesLater) {
    const NumberEncoder encoder = encoder_of(small_encoder());
    Random random(7);
    const Batch batch{1, 6};
    const Tensor3 mask = causal_mask(6);
    const Tensor2 numbers = random2(6, 1, random);
    Tensor2 other = numbers;
    other(4, 0) += 3;
    const NumberTrace a = encoder.forward(numbers, batch, {}, &mask), b = encoder.forward(other, batch, {}, &mask);
    for (std::size_t token = 0; token < 4; ++token)
        for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(a.z.back()(token, i), b.z.back()(token, i));
    EXPECT_NE(a.z.back()(4, 0), b.z.back()(4, 0));
    EXPECT_NE(a.z.back()(5, 0), b.z.back()(5, 0));
    for (std::size_t head = 0; head < 2; ++head)
        for (std::size_t query = 0; query < 6; ++query)
            for (std::size_t key = query + 1; key < 6; ++key) EXPECT_EQ(a.blocks[0].attention(head, query, key), 0.0F);
}

TEST(NumberEncoder, PaddedSequencesAnswerAsTheyDoAlone) {
    const NumberEncoder encoder = encoder_of(small_encoder());
    Random random(8);
    Tensor2 numbers = random2(12, 1, random);  // two sequences of six; the second one's last two are padding
    Tensor3 mask = tensor3(2, 6, 6);
    for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t query = 0; query < 6; ++query)
            for (std::size_t key = 0; key < 6; ++key) mask(b, query, key) = b == 1 && key >= 4 ? hidden : 0.0F;
    Tensor2 alone = tensor2(4, 1);
    std::copy_n(numbers.data() + 6, 4, alone.data());
    const NumberTrace padded = encoder.forward(numbers, {2, 6}, {}, &mask), short_one = encoder.forward(alone, {1, 4});
    for (std::size_t token = 0; token < 4; ++token)
        for (std::size_t i = 0; i < 8; ++i)
            EXPECT_NEAR(padded.z.back()(6 + token, i), short_one.z.back()(token, i), 1e-5F);
}

}  // namespace
}  // namespace vitrine
