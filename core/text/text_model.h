#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/text/text_config.h"
#include "core/text/text_task.h"
#include "core/text/vocabulary.h"
#include "core/transformer/block_weights.h"
#include "core/transformer/flat_numbers.h"

namespace vitrine {

/// What a text Transformer has learned; a part that its configuration has not is empty.
struct TextWeights {
    Parameter source_embedding, target_embedding;  // E (V, D)
    Parameter source_position, target_position;    // (longest, D), where positions are learned
    std::vector<BlockWeights> encoder;
    LayerNormWeights encoder_norm;  // behind the last block, with pre-norm alone
    std::vector<DecoderWeights> decoder;
    LayerNormWeights decoder_norm;
    LinearWeights generator;  // (outputs, D)
    LinearWeights aux;        // (V of the source, D): names the noun of "it"
};

/// Every parameter in the order in which a run uses them: "source_embedding.weight", "source_position",
/// "encoder.1.query.weight" (key, value, projection, norm1, norm2, mlp_in, mlp_out), "encoder.norm.weight",
/// "target_embedding.weight", "decoder.1.self.query.weight", "decoder.1.cross.key.bias" (norm1, norm2, norm3, mlp_in,
/// mlp_out), "decoder.norm.weight", "generator.weight", "aux.weight". `in_block_matrix` (Muon's) are the matrices of
/// attention and MLP; `block` counts through both stacks, 0 before them and one more than all behind them.
std::vector<NamedParameter> parameters_of(const TextWeights& weights);

/// The weights of a text Transformer, or what has their shapes, in one row of numbers, in the order of `parameters_of`.
class FlatTextWeights : public Flat<TextWeights> {
public:
    /// Zeros.
    explicit FlatTextWeights(const TextConfig& config);
};

/// A text Transformer, immutable as it is handed about.
struct TextModel {
    TextConfig config;
    TextWeights weights;
    Vocabulary source, target;        // `target` alone for a language model, `source` alone for a classifier
    std::vector<std::string> labels;  // of the classes: "negative", "positive"
    TextTask task = TextTask::translate;
    TextLanguage to = TextLanguage::japanese;
};

/// How many numbers such a model's weights are.
std::size_t count_text_weights(const TextConfig& config);

/// The weights that training begins with, the same for the same seed on every platform: words N(0, 1/D), matrices
/// uniform in ±√(6 / (in + out)) (Glorot and Bengio 2010), biases and the generator 0, norms 1 and 0.
FlatTextWeights untrained_text_weights(const TextConfig& config, std::uint64_t seed);

/// A task's usual model before training, its vocabularies those of the task.
TextModel untrained_text_model(TextTask task, TextLanguage to, std::uint64_t seed);

/// The same of another configuration, as the ablations need; its vocabulary sizes are set from the task.
TextModel untrained_text_model(TextConfig config, TextTask task, TextLanguage to, std::uint64_t seed);

/// The configuration that a task's usual model has.
TextConfig usual_text_config(TextTask task, TextLanguage to);

}  // namespace vitrine
