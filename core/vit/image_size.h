#pragma once

#include <memory>

#include "core/vit/model.h"

namespace vitrine {

/// The same model for images of another size. It shares all weights except the tables of positions, which are
/// interpolated from the stored ones by the family's rules, with the rows of tokens before the patches kept. The resize
/// and the crop of the preprocessing grow by the same factor. Its `usual` is the model at the usual size; for that
/// size, returns that model. Throws Error if the size is not a multiple of the patches', or has more than
/// `most_patches`.
std::shared_ptr<const Model> at_size(const std::shared_ptr<const Model>& model, ImageSize size);

inline constexpr int most_patches = 65'536;
inline constexpr int most_edge_pixels = 1 << 14;

/// Replaces a model's tables of positions by the stored ones, interpolated for a size, and sets this size in its
/// configuration, not in its preprocessing. The size must be a multiple of the patches'.
void interpolate_positions_for(Model& model, ImageSize size);

/// A model's position table as its file stores it; for a model without a file, the model's own.
StoredPositions stored_positions(const Model& model);

/// Parses "518" or "448x224" (width × height, in pixels). Throws Error, naming the forms.
ImageSize parse_image_size(const std::string& words);
/// The words that `parse_image_size` reads: "448x224".
std::string option_of(ImageSize size);
/// "448 × 224": width × height.
std::string words_of(ImageSize size);

}  // namespace vitrine
