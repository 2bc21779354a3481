#include "app/rooms/app_context.h"
#include "app/rooms/explore/room.h"
#include "app/rooms/explore/steps/step.h"
#include "app/rooms/panels/what_ifs_panel.h"
#include "app/rooms/room_parts.h"
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
    const std::string equation = equation_id(step, *now, focus);
    return Asked{equation, equation_words(shown.ui, step, equation),
                 step_text(shown.ui, step, "question"), answer_text(shown.ui, step, *now, shown.selection)};
}

bool step_asks(const Workspace& now) { return now.shown.result != nullptr; }

/// Only after the learner has changed something here.
bool step_is_answered(const Workspace& now) {
    const Step& step = *step_here(now.selection.focus);
    if (!now.shown.result || !now.shown.result->has(step.beside) || step.answered == nullptr ||
        now.entered.same_as(now.moment({})))
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
                     .switches = {has_switches, draw_switches},
                     .numbers = {has_result, draw_numbers},
                     .runs = runs_of_step},
        .player = {.here = motion_here, .can_play = step_moves, .playing = is_moving},
        .work = {.run = run_in_view},
        .taking = {.file_name = file_of_step, .measures = measures_here, .shown = attention_in_view}};
    return answers;
}

}  // namespace vitrine
