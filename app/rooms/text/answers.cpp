#include <algorithm>
#include <functional>

#include "app/jobs/jobs.h"
#include "app/jobs/text_running.h"
#include "app/lecture/lesson.h"
#include "app/rooms/app_context.h"
#include "app/rooms/panels/chapter_parts.h"
#include "app/rooms/panels/code_listing.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/text/instruments/text_instrument.h"
#include "app/rooms/text/room.h"
#include "app/rooms/text/text_zones.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/history.h"
#include "app/workspace/text_result.h"
#include "core/text/text_config.h"
#include "core/transformer/flat_numbers.h"
#include "core/vit/flat_weights.h"

// The Text room's `RoomAnswers`.

namespace vitrine {

namespace {

constexpr std::string_view tab_of_laboratories = "laboratory";

std::string chapter_here(const Focus& focus) { return name_of(focus.text.chapter); }
std::vector<std::string> all_chapters() { return names_of(text_chapter_names); }
void look_at_chapter(const std::string& name, const MutableView& view) {
    TextDraft{view.text, view.focus.text}.enter(*value_in(text_chapter_names, name));
}
bool has_open_laboratory(const Focus& focus) { return focus.text.lab.open; }
/// The name of the open chapter, or of the instrument shown instead.
std::string name_here(const Focus& focus) {
    return focus.text.lab.open ? name_of(focus.text.lab.instrument) : name_of(focus.text.chapter);
}

void describe_text(const AppContext& context, LessonStop& stop) {
    stop.text = stop_of(context.workspace().text_experiment, context.focus().text);
}
void arrive_at_text(const LessonStop& stop, Place& to) {
    show_text_stop(stop.text, *value_in(text_chapter_names, stop.id), {to.text_experiment, to.focus.text});
    to.roles = stop.text.roles;
    to.roles.of_text = to.roles.any();
}
bool take_text_line(LessonStop& stop, const std::string& key, const std::string& value) {
    return take_line(stop.text, *value_in(text_chapter_names, stop.id), key, value);
}
bool is_of_texts(const std::string& part) { return part.starts_with("text."); }
void start_text_over(const MutableView& view, const View& fresh) {
    view.focus.text = fresh.focus.text;
    view.text = fresh.text;
}

PlaceOptions text_options(const View& view) {
    const Focus& focus = view.focus;
    const TextChapter chapter = focus.text.chapter;
    const std::string typed = "text." + std::string(name_in(text_place_names, view.text.place_in(chapter)));
    PlaceOptions all{{{"--text", name_here(focus)}, {"--words", view.text.text_in(chapter)}}, {typed}};
    if (focus.text.lab.open)
        all.parts.insert(all.parts.end(), {"text.lab", "text.instrument"});
    else
        all.parts.emplace_back("text.chapter");
    return all;
}

PlaceWords words_of_chapter(const std::string& name) { return words_under(std::string(OfTexts::words) + name); }
PlaceWords words_of_view(const View& view) {
    const TextChapterRow& row = chapter_of(view.focus.text);
    PlaceWords words = words_of_chapter(std::string(row.id));
    words.sentence = sentence_key(row, view.text);
    return words;
}
std::string chapter_key(const Focus& focus) { return key_of(chapter_of(focus.text)); }

TextTold told_in(const InView& shown) {
    return {shown.ui,
            *shown.workspace.text_to_explain(shown.workspace.text_experiment, shown.selection.focus.text.chapter),
            shown.selection, shown.workspace, shown.workspace.text_experiment};
}
std::optional<Formula> formula_of_chapter(const InView& shown) {
    const TextChapter chapter = shown.selection.focus.text.chapter;
    const bool there = shown.workspace.text_to_explain(shown.workspace.text_experiment, chapter) != nullptr;
    return there ? std::optional(formula_of(told_in(shown))) : std::nullopt;
}
std::string changed_equation_of_chapter(const InView& shown) { return words_of_changed_equation(told_in(shown)); }
std::string answer_of_chapter(const InView& shown) { return chapter_answer(told_in(shown)); }
std::string listing_of_chapter(const Workspace& workspace, const Focus& focus) {
    const TextResult* const now = workspace.text.result.get();
    return now == nullptr ? std::string()
                          : code_listing("text_code/" + chapter_here(focus) + ".py", letter_values(now->model->config));
}
bool chapter_asks(const Workspace& now) { return now.text_to_explain() != nullptr; }

bool chapter_is_answered(const Workspace& now) {
    const TextLook& look = now.selection.focus.text;
    const auto answered = chapter_of(look).answered;
    const TextShown& shown = now.text;
    const bool there = shown.result && !shown.running && !shown.result->empty();
    if (!there || answered == nullptr || shown.result->request.task != now.text_experiment.task_in(look.chapter))
        return false;
    return !now.entered.same_as(now.moment({})) && answered({*shown.result, now.text_experiment, look});
}

/// Names the model that a chapter brings, unless a task's button asked for it, and the changes that went with the model
/// before.
std::string model_notice(const Ui& ui, const Moment& from, const Moment& to) {
    const TextExperiment &before = from.text_experiment, &after = to.text_experiment;
    const TextChapter chapter = to.focus.text.chapter;
    if (before.texts != after.texts || before.place_in(from.focus.text.chapter) == after.place_in(chapter)) return "";
    std::string words;
    const bool asked = before.task != after.task && !is_about_choices(chapter);
    if (chapter != from.focus.text.chapter && !asked)
        words = ui.text("text.other_model",
                        {{"task", ui.text("text.task." + std::string(name_of(after.task_in(chapter))))}});
    std::string gone;
    for (const std::string& word : before.what_ifs)
        if (!is_on(after, word)) gone += (gone.empty() ? "" : " · ") + what_if_name(ui, word);
    if (!gone.empty()) words += (words.empty() ? "" : "  ·  ") + ui.text("travel.gone", {{"names", gone}});
    return words;
}

std::vector<std::string> changes_of_text(const InView& shown) {
    return text_changes(shown.ui, shown.workspace.text_experiment);
}

/// The result of the current chapter; null before the first one.
const TextResult* text_here(const Frame& frame) {
    const TextLook& look = frame.selection.focus.text;
    return look.lab.open ? nullptr : frame.workspace.text_to_explain(frame.text_experiment, look.chapter);
}
TextTold told_here(const Frame& frame) {
    return {frame.ui, *text_here(frame), frame.selection, frame.workspace, frame.text_experiment};
}
bool offers_switches(const Frame& frame) {
    const TextChapterRow& row = chapter_of(frame.selection.focus.text);
    return text_here(frame) != nullptr && (row.own.swaps || has_switches(row));
}
void draw_switches(const Frame& frame) { text_switches(frame, told_here(frame)); }
bool has_numbers(const Frame& frame) { return text_here(frame) != nullptr; }
void draw_numbers(const Frame& frame) { fact_rows(frame.ui, text_facts(told_here(frame))); }
/// The facts of the shown chapter; none if an instrument is open.
std::vector<Fact> facts_in(const InView& shown) {
    const TextLook& look = shown.selection.focus.text;
    const bool there = shown.workspace.text_to_explain(shown.workspace.text_experiment, look.chapter) != nullptr;
    return there && !look.lab.open ? text_facts(told_in(shown)) : std::vector<Fact>();
}
const char* runs_of_chapter(const Frame& frame) {
    return text_here(frame) != nullptr ? chapter_of(frame.selection.focus.text).learn : nullptr;
}

std::optional<Predicted> predicted_text(const InView& shown) {
    const Focus& focus = shown.selection.focus;
    const TextResult* const now = shown.workspace.text_to_explain(shown.workspace.text_experiment, focus.text.chapter);
    if (now == nullptr) return std::nullopt;
    const TextRun& run = now->swapped ? *now->swapped : now->run;
    return Predicted{.before = output_text(shown.ui, *now, now->plain),
                     .now = output_text(shown.ui, *now, run),
                     .changed = !now->request.what_ifs.empty() || !now->request.forced.empty() || now->swapped,
                     .on_stage = !focus.text.lab.open};
}
void tell_text(const Frame& frame) {
    if (const TextResult* const now =
            frame.workspace.text_to_explain(frame.text_experiment, frame.selection.focus.text.chapter))
        text_said(frame, *now);
}

void request_text(const AppContext& context) {
    for (const Workspace& each : context.workspaces.all())
        context.jobs().of<TextRunning>().request(each.id, each.text_request());
}
bool text_is_answered(const AppContext& context) { return std::ranges::all_of(context.workspaces.all(), shows_text); }
/// Requests measurements of the run if the view shows them, and takes over the measured run. Until then, the measured
/// run `before` stays in view.
void take_measured_text(AppContext& context, Workspace& now, const std::shared_ptr<const TextResult>& before) {
    TextShown& text = now.text;
    const bool wanted = text.result && shows_measures(now.selection.focus.text) && !text.result->empty();
    if (!wanted && !context.jobs().has<TextMeasuring>()) return;
    TextMeasuring& measuring = context.jobs().of<TextMeasuring>();
    if (wanted) measuring.request(now.id, {text.result});
    const TextMeasuring::State state = measuring.latest(now.id);
    if (std::string failure = measuring.take_failure(now.id); !failure.empty()) context.state.error = failure;
    if (state.result && state.result->of == text.result) {
        text.result = state.result->result;
    } else if (wanted && state.running) {
        if (before && before->has_measures()) text.result = before;
        text.running = text.measuring = true;
        text.seconds = state.seconds;
        text.fraction = state.fraction;
    }
}
void take_text(AppContext& context, Workspace& now) {
    const std::shared_ptr<const TextResult> before = now.text.result;
    now.text = context.jobs().of<TextRunning>().shown(now.id);
    take_measured_text(context, now, before);
    if (std::string failure = context.jobs().of<TextRunning>().take_failure(now.id); !failure.empty()) {
        context.state.error = failure;
        now.roles = {};
    }
    now.play_text();
}
void leave_texts(AppContext& context, Workspace& now) {
    if (now.roles.of_text) now.roles = {};
    if (now.text.result) context.jobs().of<TextRunning>().forget(now.id);
    if (context.jobs().has<TextMeasuring>()) context.jobs().of<TextMeasuring>().forget(now.id);
    now.text = {};
}

std::string file_of_text(const std::string&, const Focus& focus) { return "text-" + name_here(focus); }
std::vector<std::string> measures_of_texts(const AppContext&) { return names_of(text_instrument_names); }
/// A measure's name in the laboratory of texts.
std::string name_of_measure(const Text& text, const std::string& measure) {
    const std::string tab = "text.lab.tab." + measure;
    return text.has(tab) ? text(tab) : measure;
}
Table text_in_view(const AppContext& context) {
    const TextResult* const now = context.workspace().text_to_explain();
    return now != nullptr ? shown_table(*now, context.workspace().selection) : Table{};
}
std::optional<std::function<Taking::NamedTables()>> tables_of_text(const AppContext& context,
                                                                   const std::vector<std::string>& measures) {
    if (context.workspace().text_to_explain() == nullptr) return std::nullopt;
    return [of = context.workspace().text.result, selection = context.workspace().selection, measures] {
        const std::shared_ptr<const TextResult> now = with_measures(of);
        Taking::NamedTables tables;
        for (const std::string& name : measures)
            if (Table table = table_named(name, *now, selection); !table.values.empty())
                tables.emplace_back(name, std::move(table));
        return tables;
    };
}

/// The open model and the chosen parts, in words.
std::optional<TopLine> top_line(const Frame& frame) {
    const TextResult* const now = frame.workspace.text.result.get();
    if (now == nullptr) return std::nullopt;
    std::size_t count = 0;
    for (const NamedParameter& p : parameters_of(now->model->weights)) count += p.parameter.size();
    const TextConfig& c = now->model->config;
    const std::string model = frame.ui.text("text.top_model", {{"parameters", rounded_count(count)},
                                                               {"width", std::to_string(c.embedding_dim)},
                                                               {"heads", std::to_string(c.heads)}});
    return TopLine{model + "  ·  " + text_selection(frame, *now), model, static_cast<double>(count)};
}

std::string typed_text(const View& view) { return view.text.text_in(view.focus.text.chapter); }

std::string_view tab_here(const Focus& focus) { return focus.text.lab.open ? tab_of_laboratories : std::string_view(); }
bool leads_to_laboratory(Focus& focus, std::string_view tab) {
    return tab == tab_of_laboratories && (focus.text.lab.open = true);
}
void close_laboratory(Focus& focus) { focus.text.lab.open = false; }

/// True if the figure fits half of a small window, which a second figure for a replaced word prevents.
bool is_narrow(const Frame& frame) {
    const TextLook& look = frame.selection.focus.text;
    if (look.lab.open) return instrument_of(look).narrow;
    const auto swaps = [](const Frame& half) {
        const TextResult* const run = half.workspace.text.result.get();
        return run != nullptr && run->swapped.has_value();
    };
    return chapter_of(look).own.narrow && !swaps(frame) && (frame.other == nullptr || !swaps(*frame.other));
}

}  // namespace

bool shows_text(const Workspace& now) {
    return now.shows_requested_text() && has_shown_measures(*now.text.result, now.selection.focus.text);
}

const RoomAnswers& text_answers() {
    static const RoomAnswers answers{
        .places = {.word = "text",
                   .what = "chapter of the Text room",
                   .all = all_chapters,
                   .here = chapter_here,
                   .look = look_at_chapter,
                   .covered = has_open_laboratory,
                   .describe = describe_text,
                   .arrive = arrive_at_text,
                   .take_line = take_text_line,
                   .owns = is_of_texts,
                   .start_over = start_text_over,
                   .options = text_options},
        .teaching = {.words = words_of_chapter,
                     .seen = words_of_view,
                     .chapter = chapter_key,
                     .formula = formula_of_chapter,
                     .changed_equation = changed_equation_of_chapter,
                     .answer = answer_of_chapter,
                     .asks = chapter_asks,
                     .answered = chapter_is_answered,
                     .changes = changes_of_text,
                     .changes_of = text_changes,
                     .model_notice = model_notice,
                     .switches = {offers_switches, draw_switches},
                     .numbers = {has_numbers, draw_numbers},
                     .facts = facts_in,
                     .predicted = predicted_text,
                     .draw_whole_answer = tell_text,
                     .listing = listing_of_chapter,
                     .answer_command = "text.answer",
                     .copy_command = "text.copy_code",
                     .copy_button = "text.copy",
                     .runs = runs_of_chapter},
        .work = {.request = request_text, .answered = text_is_answered, .take_in = take_text, .leave = leave_texts},
        .taking = {.file_name = file_of_text,
                   .measures = measures_of_texts,
                   .measure_name = name_of_measure,
                   .shown = text_in_view,
                   .caption = text_caption,
                   .tables = tables_of_text},
        .around = {.top = top_line,
                   .subject = typed_text,
                   .halves = true,
                   .narrow = is_narrow,
                   .tab = tab_here,
                   .leads_to = leads_to_laboratory,
                   .enter_by_tab = close_laboratory}};
    return answers;
}

}  // namespace vitrine
