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

enum class Colours;

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
    std::shared_ptr<const Result> result = {};  // if one exists already; another experiment reuses what it can
    std::optional<OtherHalf> other = {};        // a workspace beside it
    std::shared_ptr<const Result> other_result = {};
};

/// The default state: a picture on which every head of the block has something to show.
Opening first_opening();
/// The state of a session, with its what-ifs checked, and those of its other run.
Opening opening_of(const Session& session, std::vector<Intervention> what_ifs,
                   std::vector<Intervention> others_what_ifs = {});

/// Appearance of a picture of a window, whatever its content.
struct Skin {
    ThemeKind theme = ThemeKind::dark;
    std::string language = "en";
    bool lecture = false;
    int count_from = 1;                // first number of blocks, heads, patches …
    std::string memory = "automatic";  // of runs, as in the settings
    Colours colours = {};
};
/// The state in this skin, with all animations at their end.
Opening with_skin(Opening opening, const Skin& skin);

}  // namespace vitrine
