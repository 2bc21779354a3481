#pragma once

#include "app/workspace/run_view.h"
#include "core/training/recipe.h"
#include "core/training/runs/picture_sight.h"

// The view of classifiers of pictures in training.

namespace vitrine {

/// Without `model` and without a recorded sight only the curves are shown; then the sight is empty.
template <>
struct RunMoment<Pictures> : RunMomentBase<Pictures>, PictureSight {
    double accuracy = 0;  // smoothed like the loss over some hundred pictures, each answered before it was trained on
};

}  // namespace vitrine
