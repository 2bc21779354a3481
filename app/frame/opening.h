#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/rooms/state.h"
#include "app/workspace/history.h"
#include "app/workspace/motion.h"
#include "app/workspace/selection.h"
#include "core/vit/experiment.h"

namespace vitrine {

struct Result;
struct Session;

/// The initial state of a window.
struct Opening {
    Experiment experiment;
    TextExperiment text_experiment;
    Selection selection;
    Motion motion;
    State state;
    bool as_left = false;                       // restored unchanged, without choices made for the user
    std::shared_ptr<const Result> result = {};  // if one exists already; another experiment reuses its parts
    std::optional<OtherHalf> other = {};        // a workspace beside it
    std::shared_ptr<const Result> other_result = {};
};

/// The default state: a picture on which every head of the block has something to show.
Opening first_opening();
/// The state of a session, with the checked what-ifs of its run and of its other run.
Opening opening_of(const Session& session, std::vector<Intervention> what_ifs,
                   std::vector<Intervention> others_what_ifs = {});

/// The state for a picture, with those of the settings that apply to pictures and all animations at their end.
Opening for_picture(Opening opening, const Settings& settings, bool lecture = false);

}  // namespace vitrine
