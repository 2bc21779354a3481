#include <algorithm>

#include "app/rooms/learning/room.h"

// What one can ask for while a model learns.

namespace vitrine {

namespace {

bool over(const Learning& learning) {
    const std::vector<RunView> runs = learning.latest();
    return !runs.empty() && std::all_of(runs.begin(), runs.end(), [](const RunView& r) {
        return r.stage == RunStage::done || r.stage == RunStage::diverged;
    });
}

void start(House& house) {
    Learning& learning = house.jobs.learning();
    if (learning.running())
        learning.pause();
    else if (!over(learning))
        learning.start();
}

void step(House& house) {
    if (Learning& learning = house.jobs.learning(); !learning.running()) learning.step();
}

void reset(House& house) {
    house.jobs.learning().set(house.state.learning.recipes());
    house.state.learning.scrub.reset();
    house.state.saved_told.clear();
}

void scrub(House& house, float by) {
    std::optional<float>& scrub = house.state.learning.scrub;
    const float place = std::clamp(scrub.value_or(1) + by, 0.0F, 1.0F);
    scrub = place >= 1 ? std::nullopt : std::optional(place);
}

constexpr KeyContext here{.room = "learn"}, outside_lectures{.room = "learn", .skin = KeyContext::Skin::window};
constexpr float scrub_step = 0.02F;
constexpr Chord back{Key::left, false, Chord::Shift::either, true},
    forward{Key::right, false, Chord::Shift::either, true};

}  // namespace

void watch_learning(House& house, const std::string& runs) {
    choose_runs(house.state.learning, runs);
    enter_room(house, "learn");
    reset(house);
}

const std::vector<CommandRow>& learning_commands() {
    static const std::vector<CommandRow> rows = {
        {"learn.start", "help.learn", {{Key::space}}, outside_lectures, start},
        {"learn.step", "help.learn", {{Key::period}}, outside_lectures, step},
        {"learn.reset", "help.learn", {{Key::r}}, here, reset},
        {"learn.back", "help.scrub", {back}, outside_lectures, [](House& h) { scrub(h, -scrub_step); }},
        {"learn.forward", "help.scrub", {forward}, outside_lectures, [](House& h) { scrub(h, scrub_step); }},
        {"learn.live", "help.scrub", {{Key::end}}, outside_lectures, [](House& h) { h.state.learning.scrub.reset(); }},
    };
    return rows;
}

}  // namespace vitrine
