#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/training/edge_pictures.h"

// Drawn pictures near the decision boundary, where switching a part off has an effect: the bundled table, and the
// search for it.

namespace vitrine {

/// The pictures to search. Equal values give equal pictures.
struct EdgeCandidates {
    PictureSet set;
    int count = 400;
    std::uint64_t seed = 1;  // another seed gives other pictures
};
/// Candidates class by class; each can be opened by its word.
std::vector<PictureRequest> edge_candidates(const EdgeCandidates& of);

/// What-ifs of one model as words, with the picture of their largest effect.
using EdgeTable = std::vector<std::pair<std::string, std::string>>;

/// All what-ifs of the window for a model that may have a picture: heads, MLPs, positions, designs.
std::vector<std::string> edge_words(const Config& config);

/// Searches for the pictures; ./dev model writes them to assets/edges.json. Leaves out what-ifs that change no first
/// choice and hardly change a probability.
EdgeTable find_edges(const Model& model, const Progress& progress = {});

/// The word of the bundled picture for a what-if. None if it has no effect on any picture, or the model is not a
/// bundled one.
std::optional<std::string> edge_picture(const Model& model, const Intervention& what_if);

}  // namespace vitrine
