#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <string_view>

#include "core/base/random.h"
#include "core/text/text_model.h"

namespace vitrine {

namespace {

std::size_t to_size(int n) { return static_cast<std::size_t>(n); }

/// Marks layers with a varying number of rows, since batches of sentences differ in length.
void mark_varied(std::initializer_list<LinearWeights*> layers) {
    for (LinearWeights* const layer : layers) layer->varied_rows = true;
}
void mark_varied(AttentionWeights& w) { mark_varied({&w.query, &w.key, &w.value, &w.projection}); }
void mark_varied(MlpWeights& w) { mark_varied({&w.mlp_in, &w.mlp_out}); }

/// Every parameter of a model of this configuration, in the order of `parameters_of`.
TextWeights lay_out_text(const TextConfig& c, const MakeParameter& make) {
    const std::size_t features = to_size(c.embedding_dim);
    const bool learned = c.positions == Positions::learned, normed = c.norm == Norm::before;
    TextWeights w;
    if (c.has_encoder()) {
        w.source_embedding = make({to_size(c.source_words), features});
        if (learned) w.source_position = make({to_size(c.longest), features});
        for (int i = 0; i < c.blocks; ++i) w.encoder.push_back(lay_out_block(c, make));
        if (normed) w.encoder_norm = lay_out_norm(c, make);
    }
    if (c.has_decoder()) {
        w.target_embedding = make({to_size(c.target_words), features});
        if (learned) w.target_position = make({to_size(c.longest), features});
        const Crossing crossing = c.has_cross() ? Crossing::yes : Crossing::no;
        for (int i = 0; i < c.decoder_blocks; ++i) w.decoder.push_back(lay_out_decoder(c, crossing, make));
        if (normed) w.decoder_norm = lay_out_norm(c, make);
    }
    w.generator = lay_out_linear(c.outputs(), c.embedding_dim, make);
    if (c.names_it) w.aux = lay_out_linear(c.source_words, c.embedding_dim, make);

    for (BlockWeights& b : w.encoder) {
        mark_varied(static_cast<AttentionWeights&>(b));
        mark_varied(static_cast<MlpWeights&>(b));
    }
    for (DecoderWeights& b : w.decoder) {
        mark_varied(b.self);
        mark_varied(b.cross);
        mark_varied(static_cast<MlpWeights&>(b));
    }
    mark_varied({&w.generator, &w.aux});
    return w;
}

/// The named parameters of the parts of a model, one after another.
class ParameterList {
public:
    void add(const std::string& name, const Parameter& p, bool matrix = false) {
        if (!p.empty()) list_.push_back({name, p, block_, matrix});
    }
    void add(const std::string& name, const LinearWeights& w, bool matrix = false) {
        add(name + ".weight", w.weight, matrix);
        add(name + ".bias", w.bias);
    }
    void add(const std::string& name, const LayerNormWeights& w) {
        add(name + ".weight", w.gamma);
        add(name + ".bias", w.beta);
    }
    void add(const std::string& prefix, const AttentionWeights& w) {
        add(prefix + "query", w.query, true);
        add(prefix + "key", w.key, true);
        add(prefix + "value", w.value, true);
        add(prefix + "projection", w.projection, true);
    }
    void add(const std::string& prefix, const MlpWeights& w) {
        add(prefix + "mlp_in", w.mlp_in, true);
        add(prefix + "mlp_out", w.mlp_out, true);
    }
    /// Starts the next block, or the part after the last one.
    void next_block() { ++block_; }
    std::vector<NamedParameter> take() { return std::move(list_); }

private:
    std::vector<NamedParameter> list_;
    int block_ = 0;
};

/// Adds a block's parameters, in the same order as `lay_out_block`.
void add_encoder_block(ParameterList& list, const std::string& prefix, const BlockWeights& w) {
    list.add(prefix + "norm1", w.ln1);
    list.add(prefix, static_cast<const AttentionWeights&>(w));
    list.add(prefix + "norm2", w.ln2);
    list.add(prefix, static_cast<const MlpWeights&>(w));
}

void add_decoder_block(ParameterList& list, const std::string& prefix, const DecoderWeights& w) {
    list.add(prefix + "norm1", w.ln1);
    list.add(prefix + "self.", w.self);
    list.add(prefix + "norm2", w.ln2);
    list.add(prefix + "cross.", w.cross);
    list.add(prefix + "norm3", w.ln3);
    list.add(prefix, static_cast<const MlpWeights&>(w));
}

/// A standard normal number (Box and Muller 1958).
float normal_number(Random& random) {
    const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
    return static_cast<float>(radius * std::cos(2 * std::numbers::pi * random.uniform()));
}

bool ends_with(std::string_view name, std::string_view end) {
    return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
}

void initialise(const NamedParameter& p, Random& random, float* numbers) {
    const std::size_t count = p.parameter.size();
    const std::vector<std::size_t>& shape = p.parameter.shape();
    if (ends_with(p.name, "embedding.weight") || ends_with(p.name, "position")) {
        const float deviation = 1 / std::sqrt(static_cast<float>(shape[1]));
        std::generate_n(numbers, count, [&] { return deviation * normal_number(random); });
    } else if (shape.size() == 2 && p.name != "generator.weight") {
        const double bound = std::sqrt(6.0 / static_cast<double>(shape[0] + shape[1]));
        std::generate_n(numbers, count, [&] { return static_cast<float>(bound * (2 * random.uniform() - 1)); });
    } else {
        const bool gain = p.name.find("norm") != std::string::npos && ends_with(p.name, ".weight");
        std::fill_n(numbers, count, gain ? 1.0F : 0.0F);
    }
}

}  // namespace

std::vector<NamedParameter> parameters_of(const TextWeights& w) {
    ParameterList list;
    list.add("source_embedding.weight", w.source_embedding);
    list.add("source_position", w.source_position);
    int block = 0;
    for (const BlockWeights& b : w.encoder) {
        list.next_block();
        add_encoder_block(list, "encoder." + std::to_string(++block) + ".", b);
    }
    list.add("encoder.norm", w.encoder_norm);
    list.add("target_embedding.weight", w.target_embedding);
    list.add("target_position", w.target_position);
    block = 0;
    for (const DecoderWeights& b : w.decoder) {
        list.next_block();
        add_decoder_block(list, "decoder." + std::to_string(++block) + ".", b);
    }
    list.add("decoder.norm", w.decoder_norm);
    list.next_block();
    list.add("generator", w.generator);
    list.add("aux", w.aux);
    return list.take();
}

std::size_t count_text_weights(const TextConfig& config) {
    std::size_t count = 0;
    lay_out_text(config, [&](const std::vector<std::size_t>& shape) {
        count += std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
        return Parameter();
    });
    return count;
}

FlatTextWeights::FlatTextWeights(const TextConfig& config)
    : Flat([config](const MakeParameter& make) { return lay_out_text(config, make); }) {}

FlatTextWeights untrained_text_weights(const TextConfig& config, std::uint64_t seed) {
    FlatTextWeights flat(config);
    Random random(seed);
    for (const NamedParameter& p : parameters_of(flat.weights())) initialise(p, random, flat.at(p.parameter));
    return flat;
}

}  // namespace vitrine
