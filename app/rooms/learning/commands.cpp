#include <algorithm>

#include "app/rooms/figures/recorded_runs.h"
#include "app/rooms/learning/room.h"

// What one can ask for while a model learns.

namespace vitrine {

namespace {

/// A recording plays from where it stands, from its beginning where it is over.
void play_recorded(LearningState& state) {
    if (!state.playing && state.played >= 1) state.played = 0;
    state.playing = !state.playing;
}

void start(House& house) {
    if (house.state.learning.recorded) return play_recorded(house.state.learning);
    Learning& learning = house.jobs.learning();
    if (learning.running())
        learning.pause();
    else if (are_over(learning.latest()))
        learning.go_on();
    else
        learning.start();
}

bool has_recording(const House& house) {
    const Preset* const preset = experiment_of(house.state.learning);
    return preset != nullptr && recorded_runs(preset->id) != nullptr;
}

/// To the recorded runs of the experiment, which play at once; or back to the live ones.
void show_recorded(House& house) {
    LearningState& state = house.state.learning;
    state.recorded = !state.recorded;
    state.playing = state.recorded;
    state.played = 0;
    if (state.recorded && house.jobs.learning().running()) house.jobs.learning().pause();
}

void live(House& house) {
    house.state.learning.scrub.reset();
    house.state.learning.recorded = house.state.learning.playing = false;
}

void step(House& house) {
    if (house.state.learning.recorded) return;
    if (Learning& learning = house.jobs.learning(); !learning.running()) learning.step();
}

void reset(House& house) {
    if (house.state.learning.recorded) {
        house.state.learning.played = 0;
        house.state.learning.playing = false;
        return;
    }
    house.jobs.learning().set(house.state.learning.recipes());
    house.state.learning.scrub.reset();
    house.state.saved_told.clear();
}

void scrub(House& house, float by) {
    if (LearningState& state = house.state.learning; state.recorded) {
        state.played = std::clamp(state.played + by, 0.0F, 1.0F);
        state.playing = false;
        return;
    }
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
        {"learn.live", "help.scrub", {{Key::end}}, outside_lectures, live},
        {"learn.recorded_runs", "help.recorded", {{Key::v}}, here, show_recorded, has_recording},
    };
    return rows;
}

}  // namespace vitrine
