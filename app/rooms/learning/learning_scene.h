#pragma once

#include <vector>

#include "app/ui/geometry.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/workspace/learning_run.h"
#include "core/training/runs/run_record.h"

namespace vitrine {

/// Inputs of the learning view: the runs, and their example pictures.
struct LearningScene {
    const Ui& ui;
    Canvas& canvas;
    Rect area;
    const RunViews<Pictures>& runs;
    const std::vector<ExamplePicture>& examples;
    const RecordedPair* recorded = nullptr;  // then `runs` are its runs up to the played position; null: live runs
};

}  // namespace vitrine
