#pragma once

#include "app/workspace/run_view.h"
#include "core/training/recipe.h"
#include "core/training/runs/picture_sight.h"

// The view of image classifiers in training.

namespace vitrine {

/// The sight is empty if there is neither a `model` nor a recorded sight; then only the curves are shown.
template <>
struct RunMoment<Pictures> : RunMomentBase<Pictures>, PictureSight {
    double accuracy = 0;  // over some hundred training pictures, each answered before it is learned from; smoothed
};

}  // namespace vitrine
