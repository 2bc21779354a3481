#include <algorithm>
#include <utility>

#include "app/jobs/jobs.h"
#include "app/jobs/learning.h"
#include "app/jobs/text_learning.h"
#include "app/rooms/figures/recorded_runs.h"
#include "app/rooms/house.h"
#include "app/rooms/learning/learning_state.h"
#include "app/rooms/learning/room.h"
#include "app/rooms/learning/text_learning_state.h"
#include "app/workspace/learning_run.h"
#include "app/workspace/text_learning_run.h"
#include "core/text/text_task.h"
#include "core/training/presets.h"

// What one can ask for while a model learns.

namespace vitrine {

namespace {

/// A recording plays from where it stands, from its beginning where it is over.
void play_recorded(LearningState& state) {
    if (!state.playing && state.played >= 1) state.played = 0;
    state.playing = !state.playing;
}

/// Does something with the job that is chosen; both know the same wishes.
template <class Act>
auto with_job(House& house, const Act& act) {
    return house.state.learning.texts ? act(house.jobs().text_learning()) : act(house.jobs().learning());
}

void start(House& house) {
    if (house.state.learning.recorded) return play_recorded(house.state.learning);
    with_job(house, [](auto& learning) {
        if (learning.running())
            learning.pause();
        else if (are_over(learning.latest()))
            learning.go_on();
        else
            learning.start();
    });
}

bool has_recording(const House& house) {
    const Preset* const preset = experiment_of(house.state.learning);
    return preset != nullptr && recorded_runs(preset->id) != nullptr;
}

/// The newest moment of what learns now.
void live(House& house) {
    house.state.learning.scrub.reset();
    show_live(house);
}

/// To the recorded runs of the experiment, or back to the live ones.
void show_recorded(House& house) { house.state.learning.recorded ? show_live(house) : show_recording(house); }

void step(House& house) {
    if (house.state.learning.recorded) return;
    with_job(house, [](auto& learning) {
        if (!learning.running()) learning.step();
    });
}

void reset(House& house) {
    if (house.state.learning.recorded) {
        house.state.learning.played = 0;
        house.state.learning.playing = false;
        return;
    }
    begin_anew(house);
}

/// Pictures, or texts of a task.
void let_learn(House& house, std::optional<TextTask> task) {
    LearningState choice = house.state.learning;
    choice.choose_subject(task);
    take_choice(house, choice);
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

/// The next slower or faster pace of texts.
void change_pace(House& house, int by) {
    float& pace = house.state.learning.text.pace;
    const auto at = std::ranges::find(text_paces, pace);
    const auto place = at == text_paces.end() ? 0 : static_cast<int>(at - text_paces.begin());
    pace = text_paces[static_cast<std::size_t>(std::clamp(place + by, 0, static_cast<int>(text_paces.size()) - 1))];
}

bool texts_learn(const House& house) { return house.state.learning.texts; }

constexpr KeyContext here{.room = "learn"}, outside_lectures{.room = "learn", .skin = KeyContext::Skin::window};
constexpr float scrub_step = 0.02F;
constexpr Chord back{Key::left, false, Chord::Shift::either, true},
    forward{Key::right, false, Chord::Shift::either, true};

}  // namespace

void follow_choice(House& house) {
    const LearningState& state = house.state.learning;
    Jobs& jobs = house.jobs();
    if (!state.texts) {
        jobs.learning().time_aside(says_time(state));
        if (!jobs.learning().has_runs()) jobs.learning().set(state.recipes());
        if (jobs.has_text_learning() && jobs.text_learning().running()) jobs.text_learning().pause();
        return;
    }
    jobs.text_learning().time_aside(says_time(state));
    jobs.text_learning().look_at(state.text.typed, static_cast<double>(state.text.pace));
    if (!jobs.text_learning().has_runs()) jobs.text_learning().set(state.text.recipes());
    if (jobs.has_learning() && jobs.learning().running()) jobs.learning().pause();
}

bool is_learning(House& house) {
    return with_job(house, [](auto& learning) { return learning.running(); });
}

bool has_begun_to_learn(House& house) {
    return with_job(house, [](auto& learning) {
        return std::ranges::any_of(learning.latest(), [](const auto& r) { return r.stage != RunStage::ready; });
    });
}

bool is_unsaved(const House& house, bool texts, int run, std::uint64_t seen) {
    const auto saved = house.state.saved_runs.find({texts, run});
    return seen > 0 && (saved == house.state.saved_runs.end() || saved->second != seen);
}

void start_learning(House& house) {
    with_job(house, [](auto& learning) { learning.start(); });
}

void show_recording(House& house) {
    LearningState& state = house.state.learning;
    state.recorded = state.playing = true;
    state.played = 0;
    if (house.jobs().learning().running()) house.jobs().learning().pause();
}

void show_live(House& house) { house.state.learning.recorded = house.state.learning.playing = false; }

void go_on_with_recording(House& house) { play_recorded(house.state.learning); }

void begin_anew(House& house) {
    LearningState& state = house.state.learning;
    if (state.texts)
        house.jobs().text_learning().set(state.text.recipes());
    else
        house.jobs().learning().set(state.recipes());
    follow_choice(house);
    state.scrub.reset();
    house.state.saved_told.clear();
    std::erase_if(house.state.saved_runs, [&](const auto& saved) { return saved.first.first == state.texts; });
}

namespace {

/// Whether these are an experiment's runs.
bool are_experiment(const LearningState& state) { return state.study || experiment_of(state) != nullptr; }

/// What is to be saved of a run before it is gone: its newest moment.
template <class View>
View newest_of(View run) {
    run.kept.clear();
    return run;
}

std::vector<RunView> unsaved_pictures(House& house) {
    std::vector<RunView> unsaved;
    for (int i = 0; const RunView& run : house.jobs().learning().latest()) {
        if (run.now && is_unsaved(house, false, i, run.now->report.pictures)) unsaved.push_back(newest_of(run));
        ++i;
    }
    return unsaved;
}

std::vector<TextRunView> unsaved_texts(House& house) {
    std::vector<TextRunView> unsaved;
    for (int i = 0; const TextRunView& run : house.jobs().text_learning().latest()) {
        if (run.now && is_unsaved(house, true, i, run.now->report.sentences)) unsaved.push_back(newest_of(run));
        ++i;
    }
    return unsaved;
}

/// What was told of runs of texts or of pictures is said of others now.
void forget_saved(House& house, bool texts) {
    house.state.saved_told.clear();
    std::erase_if(house.state.saved_runs, [&](const auto& saved) { return saved.first.first == texts; });
}

/// Whether other runs take the place of those that were chosen, instead of the same ones with a control changed.
bool others_were_chosen(const TextLearningState& was, const TextLearningState& now) {
    const bool experiment = experiment_of(was) != nullptr || experiment_of(now) != nullptr;
    return experiment || was.task() != now.task() || was.to() != now.to() || was.kept != now.kept;
}

/// The same of pictures, whatever learned before.
bool others_were_chosen(LearningState was, const LearningState& now) {
    was.texts = false;
    return are_experiment(was) || are_experiment(now) || was.kept != now.kept;
}

/// Runs of texts are put aside where others take their place; true where those that are chosen came back, as they
/// stood.
bool texts_came_back(House& house, const LearningState& before) {
    const TextLearningState& now = house.state.learning.text;
    if (!house.jobs().has_text_learning() || !others_were_chosen(before.text, now)) return false;
    TextLearning& job = house.jobs().text_learning();
    job.put_aside(unsaved_texts(house));
    if (!job.bring_back(now.recipes())) return false;
    forget_saved(house, true);
    follow_choice(house);
    return true;
}

/// The same of runs of pictures.
bool came_back(House& house, const LearningState& before) {
    const LearningState& now = house.state.learning;
    if (!house.jobs().has_learning() || !others_were_chosen(before, now)) return false;
    Learning& job = house.jobs().learning();
    job.put_aside(unsaved_pictures(house));
    if (!job.bring_back(now.recipes())) return false;
    forget_saved(house, false);
    follow_choice(house);
    return true;
}

}  // namespace

void take_choice(House& house, const LearningState& choice) {
    const LearningState before = std::exchange(house.state.learning, choice);
    if (before.texts != choice.texts) house.state.learning.scrub.reset();
    const bool same = choice.texts ? before.text.same_runs(choice.text) : before.same_pictures(choice);
    if (!same && (choice.texts ? texts_came_back(house, before) : came_back(house, before))) return;
    if (!same) return begin_anew(house);
    if (room_of(house.state.room).learns) follow_choice(house);
}

void watch_learning(House& house, const std::string& runs) {
    LearningState choice = house.state.learning;
    choose_runs(choice, runs);
    take_choice(house, choice);
    enter_room(house, "learn");
}

const std::vector<CommandRow>& learning_commands() {
    static const std::vector<CommandRow> rows = {
        {"learn.start", "help.learn", {{Key::space}}, outside_lectures, start},
        {"learn.step", "help.learn", {{Key::period}}, outside_lectures, step},
        {"learn.reset", "help.learn", {{Key::r}}, here, reset},
        {"learn.back", "help.scrub", {back}, outside_lectures, [](House& h) { scrub(h, -scrub_step); }},
        {"learn.forward", "help.scrub", {forward}, outside_lectures, [](House& h) { scrub(h, scrub_step); }},
        {"learn.live", "help.scrub", {{Key::end}}, outside_lectures, live},
        {"learn.slower", "help.pace", {{Key::minus}}, here, [](House& h) { change_pace(h, -1); }, texts_learn},
        {"learn.faster", "help.pace", {{Key::plus}}, here, [](House& h) { change_pace(h, 1); }, texts_learn},
        {"learn.pictures", "help.learn_what", {}, here, [](House& h) { let_learn(h, {}); }},
        {"learn.translate", "help.learn_what", {}, here, [](House& h) { let_learn(h, TextTask::translate); }},
        {"learn.sentiment", "help.learn_what", {}, here, [](House& h) { let_learn(h, TextTask::sentiment); }},
        {"learn.story", "help.learn_what", {}, here, [](House& h) { let_learn(h, TextTask::story); }},
        {"learn.recorded_runs", "help.recorded", {{Key::v}}, here, show_recorded, has_recording},
    };
    return rows;
}

}  // namespace vitrine
