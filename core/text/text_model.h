#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/text/text_config.h"
#include "core/text/text_kinds.h"
#include "core/text/vocabulary.h"
#include "core/transformer/block_weights.h"
#include "core/transformer/flat_numbers.h"

namespace vitrine {

/// Weights of a text Transformer; parts that the configuration does not have are empty.
struct TextWeights {
    Parameter source_embedding, target_embedding;  // E (V, D)
    Parameter source_position, target_position;    // (longest, D), if positions are learned
    std::vector<BlockWeights> encoder;
    LayerNormWeights encoder_norm;  // after the last block, with pre-norm only
    std::vector<DecoderWeights> decoder;
    LayerNormWeights decoder_norm;
    LinearWeights generator;  // (outputs, D)
    LinearWeights aux;        // (V of the source, D): predicts the noun of "it"
};

/// Every parameter in the order of the forward pass:
/// "source_embedding.weight", "source_position", "encoder.1.query.weight" (key, value, projection, norm1, norm2,
/// mlp_in, mlp_out), "encoder.norm.weight", "target_embedding.weight", "decoder.1.self.query.weight",
/// "decoder.1.cross.key.bias" (norm1, norm2, norm3, mlp_in, mlp_out), "decoder.norm.weight", "generator.weight",
/// "aux.weight". `in_block_matrix` (for Muon) marks the matrices of attention and MLP; `block` counts through both
/// stacks: 0 before them, one more than the last after them.
std::vector<NamedParameter> parameters_of(const TextWeights& weights);

/// The weights of a text Transformer, or values of the same shapes, in one contiguous buffer in the order of
/// `parameters_of`.
class FlatTextWeights : public Flat<TextWeights> {
public:
    /// All zeros.
    explicit FlatTextWeights(const TextConfig& config);
};

/// A text Transformer; immutable, so that it can be shared.
struct TextModel {
    TextConfig config;
    TextWeights weights;
    Vocabulary source, target;        // only `target` for a language model, only `source` for a classifier
    std::vector<std::string> labels;  // names of the classes: "bad", "good"
    TextTask task = TextTask::translate;
    TextLanguage to = TextLanguage::japanese;
};

/// Number of parameters.
std::size_t count_text_weights(const TextConfig& config);

/// Initial weights for training, the same for the same seed on every platform: words N(0, 1/D), matrices uniform in
/// ±√(6 / (in + out)) (Glorot and Bengio 2010), biases and the generator 0, norms 1 and 0.
FlatTextWeights untrained_text_weights(const TextConfig& config, std::uint64_t seed);

/// A task's usual model before training, with the task's vocabularies.
TextModel untrained_text_model(TextTask task, TextLanguage to, std::uint64_t seed);

/// The same for another configuration, for ablations; its vocabulary sizes are set from the task.
TextModel untrained_text_model(TextConfig config, TextTask task, TextLanguage to, std::uint64_t seed);

/// Configuration of a task's usual model.
TextConfig usual_text_config(TextTask task, TextLanguage to);

}  // namespace vitrine
