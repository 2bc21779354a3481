#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/training/edge_pictures.h"

// Drawn pictures near the edge, where switching a part off tells something: those that are bundled, and how they are
// found.

namespace vitrine {

/// Which pictures are searched. The same words give the same pictures.
struct EdgeCandidates {
    PictureSet set;
    int count = 400;
    std::uint64_t seed = 1;  // another one: other pictures
};
/// One class after the other; every one can be opened by its word.
std::vector<PictureRequest> edge_candidates(const EdgeCandidates& of);

/// What-if words and the picture that each tells most on, of one model.
using EdgeTable = std::vector<std::pair<std::string, std::string>>;

/// Every what-if that the window offers for a model and that has a picture of its own: heads, MLPs, positions, designs.
std::vector<std::string> edge_words(const Config& config);

/// Finds them anew; ./dev model writes them to assets/edges.json. A what-if that changes no first choice and hardly a
/// probability has none.
EdgeTable find_edges(const Model& model, const Progress& progress = {});

/// The bundled picture near the edge of a what-if, as the word of one. None where it tells nothing on any picture, or
/// the model is none of ours.
std::optional<std::string> edge_picture(const Model& model, const Intervention& what_if);

}  // namespace vitrine
