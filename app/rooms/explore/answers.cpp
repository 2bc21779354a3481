#include "app/rooms/app_context.h"
#include "app/rooms/explore/room.h"
#include "app/rooms/explore/steps/step.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/what_ifs_panel.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/result.h"
#include "app/workspace/shown_table.h"

// The chapters' room: its answers about itself.

namespace vitrine {

namespace {

const Step* step_here(const Focus& focus) { return &curriculum()[static_cast<std::size_t>(focus.step)]; }
const Step& step_in(const Frame& frame) { return *step_here(frame.selection.focus); }

std::string id_here(const Focus& focus) { return std::string(step_here(focus)->id); }

std::vector<std::string> all_steps() {
    std::vector<std::string> ids;
    for (const Step& step : curriculum()) ids.emplace_back(step.id);
    return ids;
}

void look_at_step(const std::string& id, const MutableView& view) { view.focus.step = step_index(id); }

PlaceOptions step_options(const View& view) { return {{{"--step", id_here(view.focus)}}, {}}; }

PlaceWords words_of_step(const std::string& id) {
    const std::string key = "step." + id + ".";
    return {key + "title", key + "sentence", key + "words", key + "question", key + "notes", key + "mistake"};
}

std::optional<Asked> asked_by_step(const InView& shown) {
    const Result* const now = shown.workspace.shown.result.get();
    if (now == nullptr) return std::nullopt;
    const Focus& focus = shown.selection.focus;
    const Step& step = *step_here(focus);
    return Asked{equation_id(step, *now, focus), step_text(shown.ui, step, "equation"),
                 step_text(shown.ui, step, "question"), answer_text(shown.ui, step, *now, shown.selection)};
}

bool step_asks(const Workspace& now) { return now.shown.result != nullptr; }

/// Only after the learner has changed something here.
bool step_is_answered(const Workspace& now) {
    const Step& step = *step_here(now.selection.focus);
    if (!now.shown.result || !now.shown.result->has(step.beside) || step.answered == nullptr ||
        (now.entered.same_as(now.moment({})) && !now.selection.guess().token))
        return false;
    Selection selection = now.selection;
    selection.clamp_to(now.shown.result->model->config);  // a command may name a block that this model has not
    return step.answered(*now.shown.result, selection, now.experiment.what_ifs);
}

bool has_result(const Frame& frame) { return frame.shown().result != nullptr; }
bool has_switches(const Frame& frame) {
    return has_result(frame) && (step_in(frame).switches != nullptr || !step_in(frame).sliders.empty());
}
void draw_switches(const Frame& frame) { switches_part(explanation_of(frame), frame); }
void draw_numbers(const Frame& frame) {
    int number = 0;
    for (const Fact& fact : facts_of(frame.ui, step_in(frame), *frame.shown().result, frame.selection))
        fact_row(frame.ui, fact, number++);
}
const char* runs_of_step(const Frame& frame) { return has_result(frame) ? step_in(frame).learn : nullptr; }

bool step_takes_guess(const Focus& focus) { return step_here(focus)->guesses_patch; }

/// Only after the learner has guessed here: a lesson's own view is no guess.
std::optional<Guessed> guess_here(const Frame& frame) {
    const Step& step = step_in(frame);
    const Workspace& now = frame.workspace;
    if (step.guessed == nullptr || !has_result(frame)) return std::nullopt;
    if (!step.guesses_patch && now.entered.same_as(now.moment({}))) return std::nullopt;
    return step.guessed(frame.ui, *frame.shown().result, frame.selection);
}

/// What a click on a patch does, and what the guess came to.
void tell_guess(const Frame& frame) {
    const Ui& ui = frame.ui;
    if (step_in(frame).guesses_patch) {
        int chosen = frame.selection.guess().open ? 0 : 1;
        const Control choices[] = {{"guess.open", ui.text("guess.open"), ui.text("guess.open_tip"), {}},
                                   {"guess.query", ui.text("guess.query"), ui.text("guess.query_tip"), {}}};
        if (segmented(ui, choices, chosen)) frame.selection.open_guess(chosen == 0);
    }
    const std::optional<Guessed> guess = guess_here(frame);
    if (!guess) return;
    const Palette& palette = ui.theme.palette;
    const std::string words = ui.text(guess->right ? "guess.right" : "guess.wrong", {{"value", guess->value}});
    paragraph(ui, RichText{words, Font::strong, guess->right ? palette.value : palette.danger, Align::left});
    ui.probe.mark_item("guess.told", guess->right ? 1 : 0, words);
}

bool step_moves(const Focus& focus) { return step_here(focus)->moves; }
Play motion_here(const Frame& frame) {
    if (!step_in(frame).moves) return Play::nothing;
    return frame.motion.waits ? Play::waits : Play::again;
}
bool is_moving(const State&, const Motion& motion) { return motion.playing; }

std::string file_of_step(const std::string& image, const Focus& focus) { return image + "-" + id_here(focus); }
std::vector<std::string> measures_here(const AppContext& context) {
    return shown_measures(*context.result(), context.focus(), false);
}

}  // namespace

Table attention_in_view(const AppContext& context) { return shown_table(*context.result(), context.focus(), nullptr); }

const RoomAnswers& explore_answers() {
    static const RoomAnswers answers{
        .places = {.word = "step",
                   .what = "step",
                   .all = all_steps,
                   .here = id_here,
                   .look = look_at_step,
                   .step = step_here,
                   .options = step_options},
        .teaching = {.words = words_of_step,
                     .chapter = id_here,
                     .asked = asked_by_step,
                     .asks = step_asks,
                     .answered = step_is_answered,
                     .tell_guess = tell_guess,
                     .takes_guess = step_takes_guess,
                     .switches = {has_switches, draw_switches},
                     .numbers = {has_result, draw_numbers},
                     .predicted = predicted_by_run,
                     .tell_prediction = tell_predicted_run,
                     .runs = runs_of_step},
        .player = {.here = motion_here, .can_play = step_moves, .playing = is_moving},
        .work = {.run = run_in_view},
        .taking = {.file_name = file_of_step, .measures = measures_here, .shown = attention_in_view}};
    return answers;
}

}  // namespace vitrine
