#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/transformer/block_trace.h"
#include "core/transformer/block_weights.h"
#include "core/words/contrast.h"
#include "core/words/tokeniser.h"

namespace vitrine {

struct CheckpointFiles;
struct Model;

/// The weights of a text tower.
struct TextTowerWeights {
    Parameter words;     // E (V, D)
    Parameter position;  // E_pos (context, D)
    std::vector<BlockWeights> blocks;
    LayerNormWeights norm;     // the final layer norm
    LinearWeights projection;  // (features, D); SigLIP's has a bias
};

/// The encoder of texts that was trained together with an encoder of images: CLIP's (Radford et al. 2021), in which no
/// token sees a later one, or SigLIP's (Zhai et al. 2023).
struct TextTower {
    TransformerConfig config;
    int vocabulary = 0;  // V
    int context = 0;     // largest number of tokens in a text
    int features = 0;    // length of its output
    bool causal = true;  // CLIP's
    TextTowerWeights weights;
    float scale = 1;                     // factor of a cosine: e^logit_scale, the inverse of the temperature
    std::optional<float> bias = {};      // added to the product (SigLIP)
    std::optional<Tokeniser> read = {};  // the tokeniser; none if the tower was loaded without one
};

/// The scale that turns cosines of its texts and images into logits.
inline LogitScale scale_of(const TextTower& tower) { return {tower.scale, tower.bias}; }

/// Reads the text tower of a checkpoint in Hugging Face's or OpenCLIP's names, and the tokeniser's files beside it.
/// Throws Error, naming the file, the tensor and the remedy, also if the model has no text tower, or its texts and
/// images differ in their number of features.
TextTower open_text_tower(const Model& model, const Progress& progress = {});

/// Reads the tower alone, without a tokeniser; `folder` is that of its configuration, for messages. Throws Error.
TextTower load_text_tower(const CheckpointFiles& files, const std::string& folder, const Progress& progress = {});

/// From tokens to the first block.
struct TowerEmbeddingTrace {
    Tensor2 words;  // (S, D)  rows of E
    Tensor2 z;      // (S, D)  words + positions, the input of the first block
};

/// Every activation of one text of S tokens.
class TowerTrace : public StackTrace<TowerEmbeddingTrace, BlockTrace> {
public:
    LayerNormTrace norm;  // (S, D)
    Tensor2 features;     // (1, features)
};

/// E[words] + E_pos, L blocks, a norm, and the projection of one token's row. Asserts that the tokens fit.
TowerTrace run_text_tower(const TextTower& tower, const TowerTokens& tokens);

/// The features of each text, one row each. -> (texts, features)
Tensor2 features_of_texts(const TextTower& tower, const std::vector<std::string>& texts, const Progress& progress = {});

}  // namespace vitrine
