#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/spread.h"
#include "core/measures/importance.h"
#include "core/measures/options.h"
#include "core/measures/pruning.h"

// Measurements of the laboratory over several images, for the model without what-ifs. Made by app/jobs/measuring, image
// by image.

namespace vitrine {

struct OpenImage;

/// The set of images, and how many of them were measured.
struct TriedImages {
    std::string folder;  // "": drawn ones
    std::size_t total = 0, tried = 0;
    std::vector<std::string> unread;  // why an image could not be read

    bool all() const { return total > 0 && tried == total; }
};

/// Importance over images.
struct ImportanceOver {
    TriedImages images;
    Spread numbers;  // one row per image: importance of heads, of MLPs, and of heads by gradient

    // The mean and deviation of `numbers` as maps; empty until an image is measured.
    Tensor2 heads, heads_deviation, gradient;  // (L, h)
    std::vector<float> mlps, mlps_deviation;   // (L)
};

/// The model's answers as more and more heads are removed, the least important first.
struct Pruned {
    TriedImages images;
    HeadRanking ranking = HeadRanking::removal;
    std::shared_ptr<const OpenImage> ranked_by;  // the image whose importance orders the heads; null: all images
    std::vector<HeadPlace> order;                // least important first
    PruningCurve curve;
};

}  // namespace vitrine
