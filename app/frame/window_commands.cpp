#include "app/frame/window_commands.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "app/chapters/step.h"
#include "app/dialogs/own_pictures.h"
#include "app/exports/export_commands.h"
#include "app/exports/stage_text.h"
#include "app/frame/streams.h"
#include "app/jobs/inference.h"
#include "app/jobs/jobs.h"
#include "app/lecture/commands.h"
#include "app/library/edges.h"
#include "app/library/library.h"
#include "app/rooms/explore/first_minute.h"
#include "app/rooms/panels/what_ifs_panel.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/sessions/closing.h"
#include "app/sessions/saving.h"
#include "app/sessions/session_commands.h"
#include "app/workspace/recent.h"
#include "app/workspace/result.h"
#include "app/workspace/travel.h"
#include "core/vit/experiment.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

constexpr KeyContext always{.over_dialogs = true, .while_typing = true}, over_dialogs{.over_dialogs = true}, here{},
    on_a_run{.on_a_run = true}, outside_lectures{.skin = KeyContext::Skin::window, .on_a_run = true};

Chord ctrl(Key key, Chord::Shift shift = Chord::Shift::either) { return {key, true, shift}; }
Chord shifted(Key key) { return {key, false, Chord::Shift::down}; }
Chord plain(Key key) { return {key, false, Chord::Shift::up}; }

/// Opens a dialog, or closes it if it is open.
std::function<void(AppContext&)> dialog(const char* id) {
    return [id](AppContext& context) { open_dialog(context, context.state.dialog == id ? "" : id); };
}

void flip(bool& value) { value = !value; }

bool has_result(const AppContext& context) { return context.result() != nullptr; }
/// False during a stream: a session names its image, and a frame has no name.
bool can_save(const AppContext& context) { return has_result(context) && !context.state.stream.on(); }
bool has_recovery(const AppContext& context) { return !context.state.left.empty(); }
bool has_discarded(const AppContext& context) { return !context.state.discarded.empty(); }

/// Goes one level back: from an error, a dialog, a menu, a lecture (`lecture_back`), a pinned number or a single head.
void back(AppContext& context) {
    State& state = context.state;
    if (!state.error.empty())
        state.error.clear();
    else if (!state.dialog.empty())
        show_dialog(context, "");
    else if (context.workspace().selection.menu())
        context.workspace().selection.close_menu();
    else if (state.lecture.on)
        lecture_back(context);
    else
        context.workspace().selection.back();
}

/// True if there is something to undo in the visible room: an earlier moment, or a change not shown yet.
bool can_undo(const AppContext& context) {
    const Workspace& w = context.workspace();
    return can_undo_in(context.state.room, w.history, undone_in(context.state.room)) ||
           (w.changed && !w.history.empty() && !w.history.here().same_as(context.workspaces.moment({})));
}
bool can_redo(const AppContext& context) {
    return can_redo_in(context.state.room, context.workspace().history, undone_in(context.state.room));
}

/// Saves to the session's own file, or asks for a name.
void save(AppContext& context) {
    if (!context.workspaces.own_session().empty()) return save_this_session(context);
    if (context.state.dialog != "save_as") open_dialog(context, "save_as");
}

/// Undoes (`back`) or redoes a change, in the room of the change; if this changes the lesson's stop, in the room of
/// that stop.
void travel(AppContext& context, bool back) {
    History& history = context.workspace().history;
    if (back ? !can_undo(context) : !can_redo(context)) return;
    const Moment now = context.workspaces.moment({});
    const bool pending = back && context.workspace().changed && !history.here().same_as(now);
    std::string changed_in;
    if (!pending) {
        const std::string& room = context.state.room;
        const Undone undone = undone_in(room);
        std::optional<Travel> way = back ? undo_in(room, history, undone) : redo_in(room, history, undone);
        changed_in = way->changed_in;
        history = std::move(way->history);
    }
    const Moment to = history.here();
    const int step = context.focus().step;
    context.travelled = now;
    context.go_to(to);
    context.workspace().changed = false;
    context.workspace().as_left = true;
    if (to.focus.step != step) {
        context.workspace().enter_chapter(context.state.settings.motion);
        context.state.answer_shown = false;
    }
    const bool other_stop = return_to_stop(context, to);
    const std::string& room = other_stop ? to.room : changed_in;
    if (!room.empty()) enter_room(context, room);
}

void scale(AppContext& context, float by) {
    float& scale = context.state.settings.scale;
    scale = by == 0.0F ? 1.0F : std::clamp(scale + by, 0.7F, 2.0F);
}

void move_block(AppContext& context, int by) {
    context.focus().block = std::clamp(context.focus().block + by, 1, context.result()->model->config.blocks);
}

void change_scope(AppContext& context) {
    Focus& focus = context.focus();
    const auto next = answers_of(context.state.room).around.next_scope;
    constexpr std::size_t of_chapters = 3;  // all but a fixed one
    focus.scope =
        next != nullptr ? next(focus) : next_scope(offered_scopes.first(of_chapters), range_in_chapter(focus.scope));
}

/// Chooses a head by a digit key: counted from 1, 0 is the tenth.
void choose_head(AppContext& context, int digit) {
    const int from = context.state.settings.count_from, head = (digit + 10 - from) % 10;
    if (head < context.result()->model->config.heads) context.focus().head = head;
}

/// Removes or restores the hovered head or patch; else the head, the positions or the patch that the step is about.
void toggle_pointed_part(AppContext& context) {
    const Selection& s = context.workspace().selection;
    std::vector<Intervention>& what_ifs = context.workspace().experiment.what_ifs;
    const auto step = answers_of(context.state.room).places.step;
    const Node node = step == nullptr ? Node::attention : step(s.focus)->own.node;
    if (const auto head = s.hovered_head()) return toggle(what_ifs, remove_head(s.block_of_hovered_head(), *head));
    const Config& c = context.result()->model->config;
    if (const auto token = s.hovered_token(); token && c.is_patch(*token))
        return toggle(what_ifs, remove_token(*token));
    if (node == Node::attention) return toggle(what_ifs, remove_head(s.focus.block, s.focus.head));
    if (node == Node::position) return toggle(what_ifs, remove_positions());
    if (const int token = s.focus.token; c.is_patch(token)) toggle(what_ifs, remove_token(token));
}

void draw_another(AppContext& context) {
    DrawingChoice& drawing = context.state.drawing;
    const std::vector<std::string> classes = picture_classes(true, context.workspace().pictures().scenes);
    drawing.thing = classes[drawing.place_in(classes)];
    ++drawing.number;
    show_image(context, {drawing.word(), {}});
}

/// The picture near the decision boundary for the latest what-if; none if there is none.
std::optional<EdgeOffer> edge_of(const AppContext& context) {
    return edge_offer(*context.result()->model, context.workspace().experiment.what_ifs);
}
bool has_edge_picture(const AppContext& context) { return context.result() != nullptr && edge_of(context).has_value(); }
void open_edge_picture(AppContext& context) { show_image(context, {edge_of(context)->picture, {}}); }

/// Opens the first minute's picture, shows its head alone, and starts the guide, in a session of its own until
/// `end_first_minute`.
void begin_first_minute(AppContext& context) {
    const Intervention head = remove_head(first_minute_block, first_minute_head);
    Workspace& workspace = context.workspace();
    auto picture = context.result() != nullptr ? edge_picture(*context.result()->model, head) : std::nullopt;
    if (!picture) {
        show_model(context, {});
        picture = edge_picture(open_header({}), head);
    }
    enter_room(context, "explore");
    show_dialog(context, "");
    workspace.begin_session();
    workspace.experiment.what_ifs.clear();
    const std::string own = workspace.experiment.image.path.filename().string();
    show_image(context, {*picture, {}});
    if (!own.empty()) notify(context, context.text("first_minute.instead", {{"name", own}}));
    enter_step(context, step_index("attention"));
    Focus& focus = context.focus();
    focus.block = first_minute_block;
    focus.head = first_minute_head;
    focus.token = 0;
    focus.solo = true;
    focus.looked_at = false;
    context.state.first_minute = true;
    context.state.settings.first_minute = false;
}

/// Returns to the view before the first minute, as undoing all of it would, without its what-ifs.
void end_first_minute(AppContext& context) {
    context.state.first_minute = false;
    Workspace& workspace = context.workspace();
    History& history = workspace.history;
    const int minute = workspace.opening;
    const Moment now = context.workspaces.moment({});
    if (!history.empty() && history.here().opening == minute)
        while (history.can_undo() && history.here().opening == minute) history.undo();
    if (history.empty() || history.here().opening == minute) {  // nothing was shown before it
        workspace.experiment.what_ifs.clear();
        return;
    }
    const Moment before = history.here();
    context.travelled = now;
    context.go_to(before);  // may close or open a workspace, which moves them
    context.workspace().changed = false;
    context.workspace().as_left = true;
    context.workspace().enter_chapter(context.state.settings.motion);
    context.state.answer_shown = false;
    if (!before.room.empty()) enter_room(context, before.room);
}

/// Switches all maps of attention between weights and their square roots.
void switch_root(AppContext& context) {
    Curve& curve = context.focus().lab.curve;
    curve = curve == Curve::root ? Curve::linear : Curve::root;
}

/// Reloads the model from its files; the what-ifs stay.
void reload_model(AppContext& context) {
    ModelSource& model = context.workspace().experiment.model;
    model = chosen_again(model, model);
    context.state.model_changed = false;
}

void change_theme(AppContext& context) {
    ThemeKind& kind = context.state.settings.theme;
    kind = kind == ThemeKind::dark ? ThemeKind::light : ThemeKind::dark;
}

void cancel(AppContext& context) {
    Workspace& workspace = context.workspace();
    context.jobs().of<Inference>().cancel(workspace.id);
    workspace.experiment = workspace.last_experiment();
    workspace.arrival.reset();
    workspace.roles = {};
    if (!workspace.history.empty()) workspace.opening = workspace.history.here().opening;
}

/// Opening, exporting and appearance of the window.
std::vector<CommandRow> rows_of_the_window() {
    return {
        {"lecture", "help.lecture", {plain(Key::l), {Key::f5}}, here, toggle_lecture},
        {"lessons", "help.lessons", {shifted(Key::l)}, here, dialog("lessons")},
        {"language", "help.language", {plain(Key::g)}, here, dialog("language")},
        {"undo",
         "help.undo",
         {ctrl(Key::z, Chord::Shift::up)},
         over_dialogs,
         [](AppContext& h) { h.state.discarded.empty() ? travel(h, true) : offer_discarded(h); },
         [](const AppContext& h) { return has_discarded(h) || can_undo(h); }},
        {"redo",
         "help.undo",
         {ctrl(Key::z, Chord::Shift::down), ctrl(Key::y)},
         over_dialogs,
         [](AppContext& h) { travel(h, false); },
         can_redo},
        {"find",
         "help.find",
         {ctrl(Key::k), ctrl(Key::f)},
         over_dialogs,
         [](AppContext& h) { open_dialog(h, "find"); },
         nullptr,
         false},
        {"open_image", "help.image", {{Key::o}}, here, dialog("open_image")},
        {"draw", "help.draw", {{Key::d}}, outside_lectures, draw_another},
        {"open_model", "help.model", {{Key::m}}, here, dialog("open_model")},
        {"get_model", "help.get_model", {ctrl(Key::m, Chord::Shift::down)}, over_dialogs, dialog("get_model")},
        {"camera", "", {}, over_dialogs, dialog("camera")},
        {"play_folder", "", {}, over_dialogs, dialog("open_image")},
        {"open_session", "help.open", {ctrl(Key::o)}, over_dialogs, dialog("open_session")},
        {"open_lesson", "", {}, over_dialogs, dialog("open_lesson")},
        {"start",
         "help.start",
         {{Key::home}},
         {.skin = KeyContext::Skin::window, .over_dialogs = true},
         dialog("start")},
        {"continue", "", {}, over_dialogs, continue_session, nullptr, false},
        {"first_minute", "", {}, over_dialogs, begin_first_minute},
        {"first_minute.end", "", {}, over_dialogs, end_first_minute, nullptr, false},
        {"first_minute.stay",
         "",
         {},
         over_dialogs,
         [](AppContext& context) { context.state.first_minute = false; },
         nullptr,
         false},
        {"references", "", {}, over_dialogs, dialog("references")},
        {"bibtex", "", {}, over_dialogs, write_bibtex},
        {"export",
         "help.export",
         {ctrl(Key::e)},
         over_dialogs,
         [](AppContext& h) { open_dialog(h, "take_away"); },
         has_result},
        {"save_table", "", {}, over_dialogs, save_table, has_numbers},
        {"copy_numbers",
         "help.copy_numbers",
         {ctrl(Key::c, Chord::Shift::up)},
         over_dialogs,
         copy_numbers,
         has_numbers},
        {"copy_text",
         "help.copy_text",
         {ctrl(Key::c, Chord::Shift::down)},
         over_dialogs,
         copy_stage_text,
         has_stage_text},
        {"paste",
         "help.paste",
         {ctrl(Key::v, Chord::Shift::up)},
         over_dialogs,
         [](AppContext& h) { h.paste = !h.playing; }},
        {"save", "help.save", {ctrl(Key::s, Chord::Shift::up)}, over_dialogs, save, can_save},
        {"save_as",
         "help.save_as",
         {ctrl(Key::s, Chord::Shift::down)},
         over_dialogs,
         [](AppContext& h) { open_dialog(h, "save_as"); },
         can_save},
        {"copy_command", "", {}, over_dialogs, copy_command_line, can_save},
        {"reload_model", "", {}, over_dialogs, reload_model, [](const AppContext& h) { return h.state.model_changed; }},
        {"theme", "help.theme", {{Key::t}}, here, change_theme},
        {"count_from",
         "help.count_from",
         {},
         over_dialogs,
         [](AppContext& h) {
             int& from = h.state.settings.count_from;
             from = 1 - from;
         }},
        {"larger", "help.scale", {ctrl(Key::plus)}, over_dialogs, [](AppContext& h) { scale(h, 0.1F); }},
        {"smaller", "help.scale", {ctrl(Key::minus)}, over_dialogs, [](AppContext& h) { scale(h, -0.1F); }},
        {"normal_size", "help.scale_reset", {ctrl(Key::digit_0)}, over_dialogs, [](AppContext& h) { scale(h, 0); }},
        {"full_screen", "help.full_screen", {{Key::f11}}, always, [](AppContext& h) { h.full_screen = true; }},
        {"help", "help.help", {{Key::f1}}, always, dialog("help")},
        {"help.asked", "help.help", {{Key::slash}}, over_dialogs, dialog("help"), nullptr, false},
        {"glossary", "help.glossary", {shifted(Key::g)}, here, dialog("glossary")},
        {"setting.hints", "help.hints", {shifted(Key::h)}, here, [](AppContext& h) { flip(h.state.settings.hints); }},
        {"setting.motion", "", {}, over_dialogs, [](AppContext& h) { flip(h.state.settings.motion); }},
        {"setting.english_terms", "", {}, over_dialogs, [](AppContext& h) { flip(h.state.settings.english_terms); }},
        {"setting.start_page", "", {}, over_dialogs, [](AppContext& h) { flip(h.state.settings.start_page); }},
        {"quit", "help.quit", {ctrl(Key::q)}, over_dialogs, [](AppContext& h) { h.quit = may_close(h); }},
        {"closing.save",
         "",
         {},
         over_dialogs,
         [](AppContext& h) { h.quit = save_what_was_learned(h); },
         nullptr,
         false},
        {"cancel", "", {}, over_dialogs, cancel, nullptr, false},
        {"panel.top",
         "",
         {},
         always,
         [](AppContext& h) {
             h.state.part = {place_in_view(h), "top", h.state.part.request + 1};
         },
         nullptr,
         false},
        {"dismiss", "", {}, over_dialogs, [](AppContext& h) { h.state.error.clear(); }, nullptr, false},
        {"export.cancel", "", {}, over_dialogs, cancel_export, nullptr, false},
        {"handout.cancel", "", {}, over_dialogs, cancel_handout, nullptr, false},
        {"recover",
         "",
         {},
         over_dialogs,
         [](AppContext& h) { recover(h, std::filesystem::path(h.state.left.front().file)); },
         has_recovery,
         false},
        {"forget", "", {}, over_dialogs, discard_left, has_recovery, false},
        {"forget.undo", "", {}, over_dialogs, offer_discarded, has_discarded, false},
    };
}

/// Focus and what-ifs in a run.
std::vector<CommandRow> rows_of_a_run() {
    std::vector<CommandRow> rows = {
        {"block.previous", "help.block", {{Key::up}}, on_a_run, [](AppContext& h) { move_block(h, -1); }},
        {"block.next", "help.block", {{Key::down}}, on_a_run, [](AppContext& h) { move_block(h, 1); }},
        {"back", "help.back", {{Key::escape}}, always, back, nullptr, false},
        {"switch", "help.switch", {{Key::x}}, on_a_run, toggle_pointed_part, nullptr, true, true},
        {"restore",
         "help.restore",
         {{Key::backspace}},
         on_a_run,
         [](AppContext& h) { h.workspace().experiment.what_ifs.clear(); }},
        {"edge_picture", "help.draw", {{Key::w}}, outside_lectures, open_edge_picture, has_edge_picture},
        {"scope", "help.scope", {{Key::s}}, on_a_run, change_scope},
        {"root_scale", "help.scope", {plain(Key::u)}, on_a_run, switch_root},
    };
    for (int head = 0; head < 10; ++head) {
        const Key key = static_cast<Key>(static_cast<int>(Key::digit_0) + head);
        rows.push_back({"head." + std::to_string(head),
                        "help.head",
                        {{key}},
                        on_a_run,
                        [head](AppContext& h) { choose_head(h, head); },
                        nullptr,
                        false});
    }
    return rows;
}

}  // namespace

Undone undone_in(std::string_view room) {
    return answers_of(room).work.learning != nullptr ? Undone::own : Undone::shared;
}

void open_dialog(AppContext& context, const std::string& id) {
    show_dialog(context, id);
    const Settings& settings = context.state.settings;
    if (id == "lessons") context.state.lessons = lesson_rows(recent_files(settings, FileKind::lesson), settings.lesson);
    if (id == "start" || id == "find" || id == "lessons" || id.starts_with("open_")) list_recents(context);
    if (id == "save_as" && context.result() != nullptr) {
        const std::string file = file_to_save(context).stem().string();
        context.drafts.save_as.fill('\0');
        file.copy(context.drafts.save_as.data(), context.drafts.save_as.size() - 1);
    }
    if (id == "take_away") context.state.sessions = sessions_in(export_folder(context));
}

const std::vector<CommandRow>& window_commands() {
    static const std::vector<CommandRow> all = [] {
        std::vector<CommandRow> rows = rows_of_a_run();
        const std::vector<CommandRow> others = rows_of_the_window();
        rows.insert(rows.end(), others.begin(), others.end());
        for (const CommandRow& row : rows_of_two_workspaces()) rows.push_back(row);
        for (const CommandRow& row : rows_of_streams()) rows.push_back(row);
        const std::vector<CommandRow> own = rows_of_own_pictures();
        rows.insert(rows.end(), own.begin(), own.end());
        for (const Room& room : rooms())
            rows.push_back({"room." + std::string(room.id),
                            "help.mode",
                            {{room.key}},
                            over_dialogs,
                            [id = std::string(room.id)](AppContext& h) { go_to_room(h, id); }});
        return rows;
    }();
    return all;
}

}  // namespace vitrine
