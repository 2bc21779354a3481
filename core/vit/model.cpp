#include "core/vit/model.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "core/base/random.h"

namespace vitrine {

namespace {

using Extents = std::vector<std::size_t>;

Parameter filled(const Extents& shape, const std::function<float()>& value) {
    const std::size_t count = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    const std::shared_ptr<float[]> values(new float[count]);
    for (std::size_t i = 0; i < count; ++i) values[i] = value();
    return {std::shared_ptr<const float>(values, values.get()), shape};
}

}  // namespace

const char* name_of(Readout readout) { return name_in(readout_names, readout); }

int Config::leading_tokens() const {
    int count = 0;
    for (const LeadingTokens& group : leading) count += group.count;
    return count;
}

TokenKind Config::kind_of(int token) const {
    int end = 0;
    for (const LeadingTokens& group : leading)
        if (token < (end += group.count)) return group.kind;
    return TokenKind::patch;
}

int Config::number_in_kind(int token) const { return token - *first_of(kind_of(token)); }

int Config::count_of(TokenKind kind) const {
    if (kind == TokenKind::patch) return patches();
    int count = 0;
    for (const LeadingTokens& group : leading) count += group.kind == kind ? group.count : 0;
    return count;
}

std::optional<int> Config::first_of(TokenKind kind) const {
    int first = 0;
    for (const LeadingTokens& group : leading) {
        if (group.kind == kind) return first;
        first += group.count;
    }
    return kind == TokenKind::patch ? std::optional(first) : std::nullopt;
}

int Config::first_patch_position() const {
    int rows = 0;
    for (const LeadingTokens& group : leading) rows += group.placed ? group.count : 0;
    return rows;
}

std::optional<int> Config::position_row(int token) const {
    if (!position_table) return std::nullopt;
    int first = 0, row = 0;
    for (const LeadingTokens& group : leading) {
        if (token < first + group.count) return group.placed ? std::optional(row + token - first) : std::nullopt;
        first += group.count;
        row += group.placed ? group.count : 0;
    }
    return row + token - first;
}

std::string Config::label(int index) const {
    return labels.empty() ? "class " + std::to_string(index) : labels[static_cast<std::size_t>(index)];
}

TransformerConfig Config::pooling() const {
    TransformerConfig c;
    c.embedding_dim = embedding_dim;
    c.heads = heads;
    c.mlp_dim = pooling_dim;
    c.layer_norm_epsilon = layer_norm_epsilon;
    c.activation = activation;
    return c;
}

std::span<const float> vector_of_class_token(const Model& model) {
    const std::optional<int> token = model.config.first_of(TokenKind::class_token);
    if (!token) return {};
    return {&model.weights.leading(static_cast<std::size_t>(*token), 0),
            static_cast<std::size_t>(model.config.embedding_dim)};
}

bool changed_on_disk(const Model& model) {
    const std::vector<FileStamp>& files = model.provenance.files;
    return std::any_of(files.begin(), files.end(), [](const FileStamp& f) { return stamp_of(f.path) != f; });
}

Model random_model(const Config& config, std::uint64_t seed) {
    constexpr float deviation = 0.02F;
    Random random(seed);
    const auto normal = [&](const Extents& shape) {
        return filled(shape, [&] { return deviation * random.normal(); });
    };
    const auto linear = [&](std::size_t outputs, std::size_t inputs, bool biased = true) {
        LinearWeights w{normal({outputs, inputs}), normal({outputs}), {}};
        if (!biased) w.bias = {};  // drawn anyway, so that later numbers do not change
        return w;
    };
    const auto d = static_cast<std::size_t>(config.embedding_dim), m = static_cast<std::size_t>(config.mlp_dim);
    const auto norm = [&] {
        return LayerNormWeights{filled({d}, [] { return 1.0F; }), filled({d}, [] { return 0.0F; })};
    };

    const auto gain = [&] { return filled({d}, [&] { return 0.5F + deviation * random.normal(); }); };

    Model model;
    model.config = config;
    model.preprocessing.resize_height = config.image_height;
    model.preprocessing.resize_width = config.image_width;
    model.preprocessing.mean.assign(static_cast<std::size_t>(config.channels), 0.5);
    model.preprocessing.std.assign(static_cast<std::size_t>(config.channels), 0.5);
    model.weights.patch_embedding = linear(d, static_cast<std::size_t>(config.patch_dim()), config.patch_bias);
    if (const auto leading = static_cast<std::size_t>(config.leading_tokens()); leading > 0)
        model.weights.leading = normal({leading, d});
    if (config.position_table) model.weights.position = normal({static_cast<std::size_t>(config.position_rows()), d});
    for (int i = 0; i < config.blocks; ++i) {
        BlockWeights b;
        b.ln1 = b.ln2 = norm();
        b.query = linear(d, d, config.query_bias);
        b.key = linear(d, d, config.key_bias);
        b.value = linear(d, d, config.value_bias);
        if (config.qk_norm) {
            const auto of_head = static_cast<std::size_t>(config.head_dim());
            for (LayerNormWeights* const n : {&b.query_norm, &b.key_norm})
                *n = {filled({of_head}, [&] { return 1.0F + deviation * random.normal(); }), normal({of_head})};
        }
        if (config.position_bias > 0)
            b.position_bias =
                normal({static_cast<std::size_t>(config.position_bias), static_cast<std::size_t>(config.heads)});
        b.projection = linear(d, d);
        b.mlp_in = linear(m, d);
        b.mlp_out = linear(d, m);
        if (config.gated_mlp) b.mlp_value = linear(m, d);
        if (config.mlp_norm)
            b.mlp_norm = {filled({m}, [] { return 1.0F; }), filled({m}, [&] { return deviation * random.normal(); })};
        if (config.layer_scale) {
            b.layer_scale_1 = gain();
            b.layer_scale_2 = gain();
        }
        model.weights.blocks.push_back(std::move(b));
    }
    model.weights.norm = norm();
    if (config.pools()) {
        const auto inside = static_cast<std::size_t>(config.pooling_dim);
        PoolingWeights& p = model.weights.pooling;
        p.probe = normal({1, d});
        for (LinearWeights* const w : {&p.query, &p.key, &p.value, &p.projection}) *w = linear(d, d);
        p.ln = norm();
        p.mlp_in = linear(inside, d);
        p.mlp_out = linear(d, inside);
    }
    const auto classes = static_cast<std::size_t>(config.classes);
    if (config.classes > 0)
        model.weights.classifier = linear(classes, static_cast<std::size_t>(config.classifier_inputs()));
    if (config.classes > 0 && config.readout == Readout::class_and_distillation)
        model.weights.distillation_classifier = linear(classes, d);
    if (config.embedding_norm) model.weights.embedding_norm = norm();
    if (config.features > 0)
        model.weights.feature_projection =
            linear(static_cast<std::size_t>(config.features), static_cast<std::size_t>(config.classifier_inputs()),
                   config.feature_bias);
    model.provenance.layout = "random";
    return model;
}

}  // namespace vitrine
