#include <algorithm>
#include <iterator>

#include "app/jobs/jobs.h"
#include "app/jobs/measuring.h"
#include "app/rooms/app_context.h"
#include "app/rooms/laboratory/cause_figures.h"
#include "app/rooms/laboratory/instrument_table.h"
#include "app/rooms/laboratory/room.h"
#include "app/rooms/panels/figure_caption.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/room_parts.h"
#include "app/workspace/looked_at.h"
#include "app/workspace/shown_table.h"

// The laboratory's `RoomAnswers`.

namespace vitrine {

namespace {

std::string instrument_here(const Focus& focus) { return name_of(focus.lab.instrument); }
std::vector<std::string> all_instruments() { return names_of(instrument_names); }
void look_at_instrument(const std::string& name, const MutableView& view) {
    view.focus.lab.instrument = *value_in(instrument_names, name);
}

PlaceOptions instrument_options(const View& view) {
    return {{{"--lab", instrument_here(view.focus)}}, {"lab.instrument"}};
}

PlaceWords words_of_instrument(const std::string& name) {
    const std::string key = "lab." + name + ".";
    return {key + "title", key + "sentence", key + "words"};
}
PlaceWords words_of_instrument_in_view(const View& view) {
    PlaceWords words = words_of_instrument(instrument_here(view.focus));
    words.title = title_key(view.focus.lab);
    words.sentence = sentence_key(view.focus.lab);
    words.words = "lab." + subject_of(view.focus.lab) + ".words";
    return words;
}

std::vector<std::string> caption_of_instrument(const InView& shown) {
    std::vector<std::string> words = dependencies_of_instrument(shown);
    std::ranges::move(run_in_words(shown), std::back_inserter(words));
    return words;
}

/// True if a measurement can be dropped: while in view, if it is of another model; out of view, if it is of another run
/// or keeps the run beside it alive.
bool can_be_dropped(const std::shared_ptr<const Measured>& measured, const std::shared_ptr<const Result>& result,
                    bool in_view) {
    if (!measured) return false;
    return in_view ? measured->of->model != result->model : measured->of != result || measured->patched_from;
}

/// The run beside this one, if the instrument patches its numbers into this one. Both must have the same model.
std::shared_ptr<const Result> run_to_patch_from(const AppContext& context, const Workspace& now) {
    const Laboratory& lab = now.selection.focus.lab;
    if (lab.instrument != Instrument::causes || !row_of(lab.cause).patches) return {};
    for (const Workspace& each : context.workspaces.all())
        if (each.id != now.id && each.shown.result && each.shown.result->model == now.shown.result->model)
            return each.shown.result;
    return {};
}

/// Drops measurements of runs that are not shown.
void leave_measures(AppContext& context, Workspace& now) {
    const auto& result = now.shown.result;
    if (can_be_dropped(now.measured, result, false)) now.measured.reset();
    if (!context.jobs().has<Measuring>()) return;
    Measuring& measuring = context.jobs().of<Measuring>();
    if (can_be_dropped(measuring.latest(now.id).result, result, false)) measuring.forget(now.id);
    if (now.measuring.running) measuring.again(now.id);  // measured again when it is shown again
    now.measuring = {};
}

/// Requests measurements for the last frame's choices and takes over finished ones. The last complete measurements stay
/// in view meanwhile.
void take_measures(AppContext& context, Workspace& now) {
    const auto& result = now.shown.result;
    if (!result) return leave_measures(context, now);
    if (can_be_dropped(now.measured, result, true)) now.measured.reset();
    Measuring& measuring = context.jobs().of<Measuring>();
    measuring.request(now.id, {result, now.selection.focus.lab, run_to_patch_from(context, now)});
    const Measuring::State state = measuring.latest(now.id);
    now.measuring = {state.result, state.running, state.fraction, state.seconds};
    if (std::string failure = measuring.take_failure(now.id); !failure.empty()) context.state.error = failure;
    const bool grows = grows_while_measured(now.selection.focus.lab);
    const bool of_this_model = now.measuring.result && now.measuring.result->of->model == result->model;
    if (of_this_model && (!now.measuring.running || grows || !now.measured)) now.measured = now.measuring.result;
}

std::string file_of_instrument(const std::string& image, const Focus& focus) {
    return image + "-lab-" + instrument_here(focus);
}
std::vector<std::string> measures_of_instrument(const AppContext& context) {
    return measures_in_view(context.result()->model->config, context.focus().lab);
}
Table measures_in_view(const AppContext& context) {
    const Workspace& w = context.workspace();
    const bool there = w.measured && w.shown.result && w.measured->of->model == w.shown.result->model;
    return there ? shown_table(*w.measured->of, context.focus(), w.measured.get()) : Table{};
}

/// What the instrument reads: its measurements; if it shows the heads themselves, also a row of each attention matrix.
LookedAt looks_of_instrument(const Workspace& now, const Selection& at) {
    const Laboratory& lab = at.focus.lab;
    if (!now.measured) return {};
    LookedAt looked{now.measured->of, {}, {}};
    if (lab.instrument != Instrument::heads && lab.instrument != Instrument::compare) return looked;
    looked.weights.insert({at.focus.token, false});
    if (lab.instrument == Instrument::compare)
        for (const Pick& pick : lab.picks) looked.weights.insert({pick.query.value_or(at.focus.token), false});
    return looked;
}

Scope next_range(const Focus& focus) {
    const std::span<const Named<Scope>> offered = ranges_of(focus.lab);
    return offered.empty() ? focus.scope : next_scope(offered, range_in_view(focus.lab, focus.scope));
}

}  // namespace

const RoomAnswers& laboratory_answers() {
    static const RoomAnswers answers{
        .places = {.word = "lab",
                   .what = "instrument",
                   .all = all_instruments,
                   .here = instrument_here,
                   .look = look_at_instrument,
                   .walk = walk_instruments,
                   .options = instrument_options},
        .teaching = {.words = words_of_instrument,
                     .seen = words_of_instrument_in_view,
                     .predicted = predicted_by_run,
                     .draw_whole_answer = draw_predicted_run},
        .work = {.run = run_in_view, .looks = looks_of_instrument, .take_in = take_measures, .leave = leave_measures},
        .taking = {.file_name = file_of_instrument,
                   .measures = measures_of_instrument,
                   .shown = measures_in_view,
                   .caption = caption_of_instrument},
        .around = {.halves = true, .next_scope = next_range}};
    return answers;
}

}  // namespace vitrine
