#pragma once

#include <optional>

#include "core/tensor/tensor.h"
#include "core/transformer/layer.h"

namespace vitrine {

struct BlockWeights;
struct Config;
struct TransformerConfig;

/// Whether a model turns queries and keys by their tokens' places.
bool turns_by_place(const TransformerConfig& config);

/// The angles by which rotary positions turn each pair of features: those of the row first, then those of the column,
/// or as `Rotary::columns_first` says. Tokens before the patches have 0. Empty without rotary positions.      (N, d/2)
Tensor2 rotation_angles(const Config& config);

/// Rows of a block's table of relative positions: one for each offset between two patches, then three for the tokens
/// before them: from such a token to a patch, from a patch to it, from it to itself (Bao et al. 2022).
int rows_of_position_bias(const Config& config);
/// The row for a query and a key.
int row_of_position_bias(const Config& config, int query, int key);

/// The entry of a block's table that is added to the score of a query and a key; 0 without a table.
double position_bias_at(const BlockWeights& weights, const Config& config, int head, int query, int key);

/// How alike the patches' places are to a model that turns queries and keys: the mean of cos(φ − φ′), the cosine
/// between one vector turned for both places.      (N_p, N_p)
Tensor2 similarity_of_turns(const Config& config);
/// The same of two tokens, by their rows of angles.      angles (N, d/2)
double similarity_of_turns(const Tensor2& angles, int token, int other);

/// The position information that a run's layers need. `angles` (N, d/2) are the run's own, since a what-if may have
/// changed them.
TokenPlaces token_places(const Config& config, const Tensor2& angles);

}  // namespace vitrine
