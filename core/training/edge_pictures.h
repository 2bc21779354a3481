#pragma once

#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/measures/answer_change.h"
#include "core/training/pictures/pictures.h"
#include "core/transformer/intervention.h"
#include "core/vit/model.h"

// Which drawn pictures a what-if tells something on: `vitrine find-edge`, and the pictures that the window offers.

namespace vitrine {

using Interventions = std::vector<Intervention>;

/// Drawn pictures, and the what-ifs that are tried on those of them that lie near the edge.
struct EdgeSearch {
    const Model& model;
    std::span<const PictureRequest> pictures;
    std::span<const Interventions> what_ifs;  // each list is switched on by itself
    int tried = 60;                           // pictures at most, those of the smallest margin
};

/// A picture that the model names rightly, and what a what-if does to that.
struct EdgePicture {
    PictureRequest picture;
    AnswerChange change;
};

struct EdgePictures {
    int right = 0;                                // pictures that were named rightly, and surely enough
    std::vector<std::vector<EdgePicture>> found;  // of every what-if all that were tried, those that tell most first
};

/// A class is named surely enough from so much on: whoever looks would have bet on it.
inline constexpr double sure_enough = 0.6;

/// Tries what-ifs on the pictures near the edge: those that the model names rightly and surely enough, with the
/// smallest margins. One tells more than another where the first choice changes, then where its probability changes
/// more.
EdgePictures edge_pictures(const EdgeSearch& search, const Progress& progress = {});

/// Whether the first picture tells more.
bool tells_more(const AnswerChange& one, const AnswerChange& other);

}  // namespace vitrine
