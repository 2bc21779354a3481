#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/rooms/state.h"
#include "app/workspace/motion.h"
#include "app/workspace/selection.h"
#include "core/vit/experiment.h"

namespace vitrine {

struct Result;
struct Session;

/// What a window begins with.
struct Opening {
    Experiment experiment;
    Selection selection;
    Motion motion;
    State state;
    bool as_left = false;                       // as a session was left: nothing is chosen for who looks
    std::shared_ptr<const Result> result = {};  // where one is there already; another experiment shares what it can
};

/// What is shown where nothing is named: a picture in which every head of the block has something to show.
Opening first_opening();
/// What a session shows, with its what-ifs checked.
Opening opening_of(const Session& session, std::vector<Intervention> what_ifs);

/// How a picture of a window is drawn, whatever it shows.
struct Skin {
    ThemeKind theme = ThemeKind::dark;
    std::string language = "en";
    bool lecture = false;
    int count_from = 1;  // blocks, heads, patches …
};
/// The same in this skin, with every animation over.
Opening dressed(Opening opening, const Skin& skin);

}  // namespace vitrine
