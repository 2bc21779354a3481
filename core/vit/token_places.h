#pragma once

#include <optional>

#include "core/tensor/tensor.h"
#include "core/transformer/layer.h"

namespace vitrine {

struct BlockWeights;
struct Config;
struct TransformerConfig;

/// Whether a model has rotary positions, which rotate queries and keys by their tokens' positions.
bool turns_by_place(const TransformerConfig& config);

/// The angles by which rotary positions rotate each pair of features, in radians: those of the row, then those of the
/// column (or reversed: `Rotary::columns_first`); 0 for tokens before the patches. Empty without rotary positions.
/// (N, d/2)
Tensor2 rotation_angles(const Config& config);

/// The number of rows of a block's table of relative positions: one for each offset between two patches, then three for
/// tokens before them: from such a token to a patch, from a patch to it, from it to itself (Bao et al. 2022).
int rows_of_position_bias(const Config& config);
/// The row for a query and a key.
int row_of_position_bias(const Config& config, int query, int key);

/// The entry of a block's table that is added to the score of a query and a key; 0 without a table.
double position_bias_at(const BlockWeights& weights, const Config& config, int head, int query, int key);

/// Similarity of the patches' rotary positions: the mean of cos(φ − φ′), the cosine between one vector rotated for both
/// positions.      (N_p, N_p)
Tensor2 similarity_of_turns(const Config& config);
/// The same for two tokens, from their rows of angles.      angles (N, d/2)
double similarity_of_turns(const Tensor2& angles, int token, int other);

/// The position information that a run's layers need. `angles` (N, d/2) are the run's own, since a what-if may have
/// changed them.
TokenPlaces token_places(const Config& config, const Tensor2& angles);

}  // namespace vitrine
