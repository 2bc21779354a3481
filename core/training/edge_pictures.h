#pragma once

#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/measures/answer_change.h"
#include "core/training/pictures/pictures.h"
#include "core/transformer/intervention.h"
#include "core/vit/model.h"

// Drawn pictures on which a what-if has the largest effect: for `vitrine find-edge` and the pictures offered by the
// window.

namespace vitrine {

using Interventions = std::vector<Intervention>;

/// Drawn pictures, and the what-ifs to try on those near the decision boundary.
struct EdgeSearch {
    const Model& model;
    std::span<const PictureRequest> pictures;
    std::span<const Interventions> what_ifs;  // each list is tried separately
    int tried = 60;                           // pictures at most, those with the smallest margins
};

/// A correctly classified picture, and the effect of a what-if on it.
struct EdgePicture {
    PictureRequest picture;
    AnswerChange change;
};

struct EdgePictures {
    int right = 0;                                // pictures classified correctly and surely enough (`sure_enough`)
    std::vector<std::vector<EdgePicture>> found;  // by what-if: all pictures tried, the largest effect first
};

/// Probability from which a correct answer counts as sure.
inline constexpr double sure_enough = 0.6;

/// Tries what-ifs on the pictures near the decision boundary: those classified correctly and surely enough, with the
/// smallest margins. Effects that change the first choice rank first, then by the change of its probability.
EdgePictures edge_pictures(const EdgeSearch& search, const Progress& progress = {});

/// True if the first effect is the larger one.
bool changes_more(const AnswerChange& one, const AnswerChange& other);

}  // namespace vitrine
