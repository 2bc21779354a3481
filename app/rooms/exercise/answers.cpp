#include "app/jobs/inference.h"
#include "app/jobs/jobs.h"
#include "app/jobs/text_running.h"
#include "app/rooms/app_context.h"
#include "app/rooms/exercise/exercise.h"
#include "app/rooms/exercise/room.h"
#include "app/rooms/explore/room.h"
#include "app/rooms/panels/figure_caption.h"
#include "app/rooms/room_parts.h"
#include "app/workspace/looked_at.h"
#include "app/workspace/text_result.h"
#include "core/files/table.h"

// The exercises' room: its entries of `RoomAnswers`.

namespace vitrine {

namespace {

std::string exercise_here(const Focus& focus) { return name_of(focus.exercise); }
std::vector<std::string> all_exercises() { return names_of(exercise_names); }
void look_at_exercise(const std::string& name, const MutableView& view) {
    view.focus.exercise = *value_in(exercise_names, name);
}

PlaceOptions exercise_options(const View& view) { return {{{"--exercise", exercise_here(view.focus)}}, {"exercise"}}; }

std::string file_of_exercise(const std::string& image, const Focus& focus) {
    return image + "-exercise-" + exercise_here(focus);
}

std::string chosen_here(const Settings& settings, const Focus& focus) {
    const ExerciseProgress& chosen = progress_in(settings, focus.exercise);
    std::string words;
    for (const int part : {chosen.predicted, chosen.line, chosen.repair}) {
        if (part < 0) break;  // each is chosen after the previous one
        words += (words.empty() ? "" : ",") + std::to_string(part);
    }
    return words;
}

std::optional<int> choose_parts(const std::vector<int>& parts, const Focus& focus, const Config& config,
                                Settings& settings) {
    const Listing listing = listing_of(focus.exercise, config);
    ExerciseProgress progress;
    for (const int part : parts) {
        const ExerciseProgress before = progress;
        choose(progress, listing, part);
        if (progress == before) return part;
    }
    settings.exercises[name_of(focus.exercise)] = progress;
    return std::nullopt;
}

PlaceWords words_of_exercise(const std::string& name) {
    const std::string key = "exercise." + name + ".";
    return {key + "title", key + "task"};
}

/// The code and its choices; the correct ones are only shown in the program.
Worksheet worksheet_of(const std::string& name, const Config& config) {
    const Listing listing = listing_of(*value_in(exercise_names, name), config);
    Worksheet sheet{listing.lines,
                    {{"exercise.predict", {}}, {"exercise.find", {}}, {"exercise.repair", listing.repairs, true}}};
    for (int i = 0; i < predictions_offered; ++i)
        sheet.tasks.front().offered.push_back("exercise." + name + ".predict." + std::to_string(i));
    return sheet;
}

void request_mistake(const AppContext& context) {
    const Workspace& now = context.workspace();
    const int client = Jobs::exercise_of(now.id);
    if (const std::optional<TextRequest> text = text_to_repair(now, context.state.settings))
        context.jobs().of<TextRunning>().request(client, *text);
    if (const std::optional<Experiment> mistake = mistaken(now, context.state.settings))
        context.jobs().of<Inference>().request(client, *mistake);
}

bool mistake_is_answered(const AppContext& context) {
    const Workspace& now = context.workspace();
    const std::optional<TextRequest> text = text_to_repair(now, context.state.settings);
    return !text || (now.text_exercise.result && now.text_exercise.result->request == *text);
}

/// Drops the text's result if no shown exercise needs it.
void leave_text(AppContext& context, Workspace& now) {
    if (!now.text_exercise.result && !now.text_exercise.running) return;
    context.jobs().of<TextRunning>().forget(Jobs::exercise_of(now.id));
    now.text_exercise = {};
}

/// Stores the finished run with the mistake beside the workspace's own run.
void take_mistake(AppContext& context, Workspace& now) {
    const int client = Jobs::exercise_of(now.id);
    now.exercise = context.jobs().of<Inference>().latest(client);
    if (!text_to_repair(now, context.state.settings)) return leave_text(context, now);
    now.text_exercise = context.jobs().of<TextRunning>().shown(client);
    if (std::string failure = context.jobs().of<TextRunning>().take_failure(client); !failure.empty())
        context.state.error = failure;
}

void leave_mistake(AppContext& context, Workspace& now) {
    if (now.exercise) context.jobs().of<Inference>().forget(Jobs::exercise_of(now.id));
    now.exercise.reset();
    leave_text(context, now);
}

/// The result that holds both runs of the exercise, and the block in view.
LookedAt looks_of_exercise(const Workspace& now, const Selection& at) {
    const bool plain = row_of(at.focus.exercise).mistake == nullptr;
    return {plain || !now.exercise ? now.shown.result : now.exercise->result, {at.focus.block}, {}};
}

std::vector<int> right_parts(const Focus& focus, const Config& config) {
    const Listing listing = listing_of(focus.exercise, config);
    return {row_of(focus.exercise).prediction, listing.wrong, listing.right};
}

float bottom_edge(const Layout& at) { return at.time.y1; }

}  // namespace

const RoomAnswers& exercise_answers() {
    static const RoomAnswers answers{
        .places = {.word = "exercise",
                   .what = "exercise",
                   .all = all_exercises,
                   .here = exercise_here,
                   .look = look_at_exercise,
                   .options = exercise_options,
                   .chosen = chosen_here,
                   .choose = choose_parts,
                   .solution = right_parts},
        .teaching = {.words = words_of_exercise, .worksheet = worksheet_of},
        .work = {.run = run_in_view,
                 .looks = looks_of_exercise,
                 .request = request_mistake,
                 .answered = mistake_is_answered,
                 .take_in = take_mistake,
                 .leave = leave_mistake},
        .taking = {.file_name = file_of_exercise, .shown = attention_in_view, .caption = run_in_words},
        .around = {.subject = no_subject, .notices = bottom_edge, .narrow = [](const Frame&) { return true; }}};
    return answers;
}

}  // namespace vitrine
