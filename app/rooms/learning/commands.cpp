#include <algorithm>
#include <utility>

#include "app/jobs/learning.h"
#include "app/rooms/figures/recorded_runs.h"
#include "app/rooms/learning/learning_job.h"
#include "app/rooms/learning/room.h"
#include "app/rooms/room_parts.h"
#include "core/training/presets.h"
#include "core/training/recipe.h"
#include "core/training/text/text_recipe.h"

// Commands for models in training.

namespace vitrine {

namespace {

/// Pauses a playing recording, or plays it from its current position; from the beginning if it is over.
void play_recorded(LearningState& state) {
    if (!state.playing && state.played >= 1) state.played = 0;
    state.playing = !state.playing;
}

/// Calls `act` with the job of the chosen family.
template <class Act>
auto with_job(const AppContext& context, const Act& act) {
    return with_family(context.state.learning.texts, [&](auto family) { return act(job_of(context, family)); });
}

void start(AppContext& context) {
    if (context.state.learning.recorded) return play_recorded(context.state.learning);
    with_job(context, [](auto& learning) {
        if (learning.running())
            learning.pause();
        else if (are_over(learning.latest()))
            learning.go_on();
        else
            learning.start();
    });
}

bool has_recording(const AppContext& context) {
    const Preset<Pictures>* const preset = experiment_of(context.state.learning);
    return preset != nullptr && recorded_runs(preset->id) != nullptr;
}

/// Returns to the newest moment of the current runs.
void live(AppContext& context) {
    context.state.learning.scrub.reset();
    show_live(context);
}

/// Switches between the recorded runs of the experiment and the live ones.
void show_recorded(AppContext& context) {
    context.state.learning.recorded ? show_live(context) : show_recording(context);
}

void step(AppContext& context) {
    if (context.state.learning.recorded) return;
    with_job(context, [](auto& learning) {
        if (!learning.running()) learning.step();
    });
}

void reset(AppContext& context) {
    if (context.state.learning.recorded) {
        context.state.learning.played = 0;
        context.state.learning.playing = false;
        return;
    }
    restart_runs(context);
}

/// Chooses training on pictures, or on the texts of a task.
void choose_training(AppContext& context, std::optional<TextTask> task) {
    LearningState choice = context.state.learning;
    choice.choose_subject(task);
    take_choice(context, choice);
}

void scrub(AppContext& context, float by) {
    if (LearningState& state = context.state.learning; state.recorded) {
        state.played = std::clamp(state.played + by, 0.0F, 1.0F);
        state.playing = false;
        return;
    }
    std::optional<float>& scrub = context.state.learning.scrub;
    const float place = std::clamp(scrub.value_or(1) + by, 0.0F, 1.0F);
    scrub = place >= 1 ? std::nullopt : std::optional(place);
}

/// Sets the pace of training on texts `by` steps faster, or slower if negative.
void change_pace(AppContext& context, int by) {
    float& pace = context.state.learning.text.pace;
    const auto at = std::ranges::find(text_paces, pace);
    const auto place = at == text_paces.end() ? 0 : static_cast<int>(at - text_paces.begin());
    pace = text_paces[static_cast<std::size_t>(std::clamp(place + by, 0, static_cast<int>(text_paces.size()) - 1))];
}

bool texts_learn(const AppContext& context) { return context.state.learning.texts; }

constexpr KeyContext here{.room = "learn"}, outside_lectures{.room = "learn", .skin = KeyContext::Skin::window};
constexpr float scrub_step = 0.02F;
constexpr Chord back{Key::left, false, Chord::Shift::either, true},
    forward{Key::right, false, Chord::Shift::either, true};

}  // namespace

void follow_choice(AppContext& context) {
    const LearningState& state = context.state.learning;
    with_family(state.texts, [&](auto family) {
        auto& job = job_of(context, family);
        job.time_aside(shows_duration(state));
        if constexpr (of_texts(family)) job.look_at(state.text.typed, static_cast<double>(state.text.pace));
        if (!job.has_runs()) job.set(chosen_of(state, family).recipes());
    });
    each_started(context, [&](auto family) {
        if (of_texts(family) != state.texts && job_of(context, family).running()) job_of(context, family).pause();
    });
}

bool is_learning(const AppContext& context) {
    return with_job(context, [](auto& learning) { return learning.running(); });
}

bool has_begun_to_learn(const AppContext& context) {
    return with_job(context, [](auto& learning) { return any_has_begun(learning.latest()); });
}

bool is_unsaved(const AppContext& context, bool texts, int run, std::uint64_t seen) {
    const auto saved = context.state.saved_runs.find({texts, run});
    return seen > 0 && (saved == context.state.saved_runs.end() || saved->second != seen);
}

std::optional<TrainingAside> training_aside(const AppContext& context) {
    std::optional<TrainingAside> aside;
    each_started(context, [&](auto family) {
        const auto& job = job_of(context, family);
        const bool running = job.running();
        if (aside && !running) return;
        for (const auto& run : job.latest())
            if (run.now && run.now->report.step > 0 &&
                (run.stage == RunStage::running || run.stage == RunStage::paused)) {
                aside = {running, run.now->report.step};
                break;
            }
    });
    return aside;
}

void start_learning(AppContext& context) {
    with_job(context, [](auto& learning) { learning.start(); });
}

bool pause_or_continue(AppContext& context) {
    return with_job(context, [](auto& learning) {
        if (learning.running())
            learning.pause();
        else if (are_over(learning.latest()))
            return false;
        else
            learning.start();
        return true;
    });
}

void show_recording(AppContext& context) {
    LearningState& state = context.state.learning;
    state.recorded = state.playing = true;
    state.played = 0;
    if (!context.jobs().learning().running()) return;
    context.jobs().learning().pause();
    notify(context, context.text("learn.paused_for_recording", {{"live", context.text("learn.back_to_live")}}));
}

void show_live(AppContext& context) { context.state.learning.recorded = context.state.learning.playing = false; }

void play_or_pause_recording(AppContext& context) { play_recorded(context.state.learning); }

namespace {

/// Forgets which runs of a family were saved, because its runs are being replaced.
void forget_saved(AppContext& context, bool texts) {
    context.state.saved_told.clear();
    std::erase_if(context.state.saved_runs, [&](const auto& saved) { return saved.first.first == texts; });
}

}  // namespace

void restart_runs(AppContext& context) {
    LearningState& state = context.state.learning;
    with_family(state.texts, [&](auto family) { job_of(context, family).set(chosen_of(state, family).recipes()); });
    follow_choice(context);
    state.scrub.reset();
    forget_saved(context, state.texts);
}

namespace {

/// The unsaved runs of a family, each with its newest moment only.
template <class Family>
RunViews<Family> unsaved_runs(const AppContext& context, Family family) {
    RunViews<Family> unsaved;
    for (int i = 0; RunView<Family> & run : job_of(context, family).latest()) {
        run.kept.clear();
        if (run.now && is_unsaved(context, of_texts(family), i, run.now->report.seen)) unsaved.push_back(run);
        ++i;
    }
    return unsaved;
}

/// True if different runs were chosen; false if only a control of the same custom runs was changed.
bool others_were_chosen(const TextLearningState& was, const TextLearningState& now) {
    const bool experiment = experiment_of(was) != nullptr || experiment_of(now) != nullptr;
    return experiment || was.task() != now.task() || was.to() != now.to() || was.kept != now.kept;
}

/// The same for pictures, whatever was in training before.
bool others_were_chosen(LearningState was, const LearningState& now) {
    was.texts = false;
    const auto is_experiment = [](const LearningState& s) { return s.study || experiment_of(s) != nullptr; };
    return is_experiment(was) || is_experiment(now) || was.kept != now.kept;
}

/// Puts a family's runs aside when different runs are chosen; returns true if the chosen runs had been put aside before
/// and are restored.
template <class Family>
bool came_back(AppContext& context, const LearningState& before, Family family) {
    const auto& now = chosen_of(context.state.learning, family);
    auto& job = job_of(context, family);
    if (!job.has_runs() || !others_were_chosen(chosen_of(before, family), now)) return false;
    job.put_aside(unsaved_runs(context, family));
    if (!job.bring_back(now.recipes())) return false;
    forget_saved(context, of_texts(family));
    follow_choice(context);
    return true;
}

}  // namespace

void take_choice(AppContext& context, const LearningState& choice) {
    bool trained = false;
    each_started(context, [&](auto family) { trained = trained || job_of(context, family).running(); });
    const LearningState before = std::exchange(context.state.learning, choice);
    if (before.texts != choice.texts) context.state.learning.scrub.reset();
    const bool same = choice.texts ? before.text.same_runs(choice.text) : before.same_pictures(choice);
    const bool others = before.texts != choice.texts || (!same && with_family(choice.texts, [&](auto family) {
                            return others_were_chosen(chosen_of(before, family), chosen_of(choice, family));
                        }));
    if (trained && others) notify(context, context.text("learn.others_paused"));
    if (!same && with_family(choice.texts, [&](auto family) { return came_back(context, before, family); })) return;
    if (!same) return restart_runs(context);
    if (answers_of(context.state.room).work.learning != nullptr) follow_choice(context);
}

void continue_runs(AppContext& context, const LearningState& choice, const KeptRuns& kept) {
    each_started(context, [&](auto family) { job_of(context, family).put_aside(unsaved_runs(context, family)); });
    const bool has_pictures = context.jobs().has_learning(), has_texts = context.jobs().has_text_learning();
    context.state.learning = choice;
    context.state.learning.scrub.reset();
    const auto set = [&](auto family, bool has_runs) {
        const auto recipes = chosen_of(choice, family).recipes();
        std::vector<RunCheckpoint> checkpoints(recipes.size());
        for (std::size_t i = 0; i < recipes.size(); ++i)
            if (const auto run = kept.find(name_of_kept_run(of_texts(family), i)); run != kept.end())
                checkpoints[i] = run->second;
        const bool any = std::ranges::any_of(checkpoints, [](const RunCheckpoint& run) { return run != nullptr; });
        if (!any && !has_runs && of_texts(family) != choice.texts) return;
        job_of(context, family).set(recipes, std::move(checkpoints));
        forget_saved(context, of_texts(family));
    };
    set(Pictures(), has_pictures);
    set(Texts(), has_texts);
    follow_choice(context);
}

void watch_learning(AppContext& context, const std::string& runs) {
    LearningState choice = context.state.learning;
    choose_runs(choice, runs);
    take_choice(context, choice);
    enter_room(context, "learn");
}

const std::vector<CommandRow>& learning_commands() {
    static const std::vector<CommandRow> rows = {
        {"learn.start", "help.learn", {{Key::space}}, outside_lectures, start},
        {"learn.step", "help.learn", {{Key::period}}, outside_lectures, step},
        {"learn.reset", "help.learn", {{Key::r}}, here, reset},
        {"learn.back", "help.scrub", {back}, outside_lectures, [](AppContext& h) { scrub(h, -scrub_step); }},
        {"learn.forward", "help.scrub", {forward}, outside_lectures, [](AppContext& h) { scrub(h, scrub_step); }},
        {"learn.live", "help.scrub", {{Key::end}}, outside_lectures, live},
        {"learn.slower", "help.pace", {{Key::minus}}, here, [](AppContext& h) { change_pace(h, -1); }, texts_learn},
        {"learn.faster", "help.pace", {{Key::plus}}, here, [](AppContext& h) { change_pace(h, 1); }, texts_learn},
        {"learn.pictures", "help.learn_what", {}, here, [](AppContext& h) { choose_training(h, {}); }},
        {"learn.translate",
         "help.learn_what",
         {},
         here,
         [](AppContext& h) { choose_training(h, TextTask::translate); }},
        {"learn.sentiment",
         "help.learn_what",
         {},
         here,
         [](AppContext& h) { choose_training(h, TextTask::sentiment); }},
        {"learn.story", "help.learn_what", {}, here, [](AppContext& h) { choose_training(h, TextTask::story); }},
        {"learn.recorded_runs", "help.recorded", {{Key::v}}, here, show_recorded, has_recording},
    };
    return rows;
}

}  // namespace vitrine
