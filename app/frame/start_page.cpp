#include "app/frame/start_page.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "app/dialogs/file_tile.h"
#include "app/frame/top_bar.h"
#include "app/jobs/jobs.h"
#include "app/jobs/thumbnails.h"
#include "app/lecture/lecture.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/app_context.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/panels/own_photo.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/room_parts.h"
#include "app/sessions/kept_sessions.h"
#include "app/ui/glyphs.h"
#include "app/ui/kept.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/command.h"
#include "app/workspace/photo_model.h"
#include "core/vit/checkpoint/checkpoint.h"

namespace vitrine {

namespace {

/// An entry of the start page: its texts are "start.<id>" and "start.<id>_words".
struct Beginning {
    const char* id;
    Icon icon;
    Color Palette::*color;
    std::vector<Command> commands;
};

const std::vector<Beginning>& beginnings() {
    static const std::vector<Beginning> all = {
        {"first_minute", Icon::pointer, &Palette::accent, {command::Do{"first_minute"}}},
        {"tour", Icon::play, &Palette::query, {command::OpenLesson{"tour"}}},
        {"lesson", Icon::lecture, &Palette::key, {command::ShowDialog{"lessons"}}},
        {"photo", Icon::picture, &Palette::value, {}},  // its commands: own_photo
        {"get_model", Icon::save, &Palette::positive, {command::ShowDialog{"get_model"}}},
        {"learn", Icon::curve, &Palette::mlp, {command::EnterRoom{"learn"}}},
        {"text", Icon::words, &Palette::residual, {command::EnterRoom{"text"}}},
        {"continue", Icon::right, &Palette::norm, {command::Do{"continue"}}},
        {"recover", Icon::undo, &Palette::accent, {command::Do{"recover"}}},
        {"discarded", Icon::undo, &Palette::norm, {command::Do{"forget.undo"}}},
    };
    return all;
}

/// Whether the user asked for the open page; kept in the storage of its layer.
Kept<bool> asked_for() { return Kept<bool>("start.asked"); }

/// Notes whether the user asked for the page; in the window's first frame, it opens without being asked for.
void note_opening() {
    Kept<int> last("start.frame", -1);
    const int now = ImGui::GetFrameCount();
    if (last != now - 1) asked_for() = now > 1;
    last = now;
}

/// True during work: then Enter continues that work.
bool is_at_work() { return asked_for(); }

/// Words for the session that "continue" opens: the current view, or at the start that of the last window. `whole`:
/// with the whole of a typed text, otherwise its beginning.
std::string continue_words(const Frame& frame, const AppContext& context, bool whole) {
    const Ui& ui = frame.ui;
    if (context.state.last && !is_at_work())
        return whole ? whole_words_of(ui.text, *context.state.last) : words_of(ui.text, *context.state.last);
    if (!frame.shown().result) return ui.text("start.continue_words");
    const State& state = context.state;
    const RoomAnswers& room = answers_of(state.room);
    const Focus& focus = frame.selection.focus;
    const auto subject_of = room.around.subject;
    const std::string subject = subject_of == nullptr ? std::string() : subject_of({focus, frame.text_experiment});
    const auto here = room.places.here;
    return (subject.empty() ? image_title(ui.text, *frame.shown().result->image)
                            : beginning_of(subject, whole ? subject.size() : 30)) +
           " · " + ui.text(here == nullptr ? "top.mode." + state.room : room.teaching.words(here(focus)).title);
}

/// True if a session left by a killed window is offered; false if a newer session is open.
bool offers_recovery(const State& state) {
    return !state.left.empty() && (state.left.front().at == 0 || state.left.front().at >= state.opened_at);
}

/// True for the entry of a session left by a killed window, or the one that restores it once it is discarded: it is
/// below the other entries, so that they do not move.
bool is_left_session(std::string_view id) { return id == "recover" || id == "discarded"; }

/// The current entries, in an order that no session changes: the user's photograph is first if a model for it is
/// installed. The first minute is offered until it has begun. The session left by a killed window is last.
std::vector<Beginning> beginnings_now(const AppContext& context) {
    std::vector<Beginning> rows = beginnings();
    std::erase_if(rows, [&](const Beginning& row) {
        const std::string id = row.id;
        return (id == "recover" && (!offers_recovery(context.state) || !context.state.discarded.empty())) ||
               (id == "discarded" && context.state.discarded.empty()) ||
               (id == "first_minute" && !context.state.settings.first_minute);
    });
    const auto put_first = [&](std::string_view id) {
        const auto row = std::ranges::find(rows, id, &Beginning::id);
        if (row != rows.end()) std::rotate(rows.begin(), row, row + 1);
    };
    std::ranges::find(rows, std::string_view("photo"), &Beginning::id)->commands = own_photo(context.state);
    if (context.state.photo_model) put_first("photo");
    if (is_at_work())  // closing the page is enough
        std::ranges::find(rows, std::string_view("continue"), &Beginning::id)->commands.clear();
    return rows;
}

/// The entry that Enter opens at first: during work "continue", else the session of a killed window, else the first.
std::string first_choice(const AppContext& context) {
    if (is_at_work()) return "continue";
    const std::vector<Beginning> rows = beginnings_now(context);
    return is_left_session(rows.back().id) ? rows.back().id : rows.front().id;
}

struct RowWords {
    std::string title, sentence;
    bool whole = false;    // the sentence is wrapped, never truncated: the loss is shown nowhere else
    std::string tip = {};  // the session's words in full
};

RowWords words_of_row(const Frame& frame, const AppContext& context, const std::string& id) {
    const Text& text = frame.ui.text;
    if (id == "recover") {
        const KeptSession& left = context.state.left.front();
        const std::string lost = training_notice(text, left);
        const std::string what = words_of(text, left), tip = whole_words_of(text, left);
        if (lost.empty()) return {text("start.recover"), text("start.recover_words", {{"what", what}}), false, tip};
        return {text("start.recover") + ": " + what.substr(0, what.find(" · ")), lost, true, tip};
    }
    if (id == "discarded") {
        const std::string what = words_of(text, context.state.discarded.front());
        return {text("start.discarded", {{"what", what.substr(0, what.find(" · "))}}), text("start.discarded_words"),
                false, whole_words_of(text, context.state.discarded.front())};
    }
    if (id == "photo" && context.state.photo_model)
        return {text("start.photo_with", {{"name", short_name(*context.state.photo_model)}}),
                text("start.photo_with_words")};
    if (id != "continue") return {text("start." + id), text("start." + id + "_words")};
    const bool continues = context.state.last || is_at_work();
    return {text(continues ? "start.continue" : "start.begin"), continue_words(frame, context, false), false,
            continue_words(frame, context, true)};
}

/// The height of a row's sentence in a column of this width.
float sentence_height(const Ui& ui, const RowWords& words, float width) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float line = canvas.measure("", Font::body).y;
    return words.whole ? std::max(line, measure_rich(canvas, {words.sentence, Font::body, {}}, width).y) : line;
}

/// A large row: an icon, a title and a sentence. True if it was clicked.
bool beginning_row(const Ui& ui, const Beginning& row, Rect rect, const RowWords& words) {
    const Theme& theme = ui.theme;
    const std::string id = "start." + std::string(row.id);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Hit hit = hot_area(ui, id, rect, words.title);
    const float sides = theme.px(14 + 18 + 12) + std::min(theme.px(48), rect.height() - theme.px(16));
    const bool cut = canvas.measure(words.sentence, Font::body).x > rect.width() - sides;
    const bool shortened = (words.title + words.sentence).find("…") != std::string::npos;
    if (!words.tip.empty() && (cut || shortened)) tooltip(ui, words.tip);
    const bool focused = ui.keyboard != nullptr && ui.keyboard->on_last();
    if (hit.at || focused) canvas.fill(rect, theme.palette.raised, theme.px(12));
    const Color color = theme.palette.*row.color;
    const float side = std::min(theme.px(48), rect.height() - theme.px(16)), x = rect.x0 + theme.px(14);
    const Rect icon{x, rect.centre().y - side / 2, x + side, rect.centre().y + side / 2};
    canvas.fill(icon, color.with_alpha(0.18F), theme.px(10));
    draw_icon(canvas, row.icon, icon.centre(), side * 0.42F, color);
    const float left = icon.x1 + theme.px(18), room = rect.x1 - left - theme.px(12);
    const float title = canvas.measure("", Font::heading).y, lines = sentence_height(ui, words, room);
    const float top = rect.centre().y - (title + lines) / 2;
    const Font font = canvas.measure(words.title, Font::heading).x <= room ? Font::heading : Font::strong;
    canvas.text({left, top}, fitted(canvas, words.title, font, room), {font, theme.palette.text, Align::left});
    const RichText sentence{words.sentence, Font::body, theme.palette.muted, Align::left};
    if (words.whole)
        rich_text(canvas, ui, {left, top + title, left + room, top + title + lines}, sentence);
    else
        canvas.text({left, top + title}, fitted(canvas, words.sentence, Font::body, room),
                    {Font::body, theme.palette.muted, Align::left});
    ui.probe.mark(id + ".sentence", {left, top + title, left + room, top + title + lines}, 0, words.sentence);
    return hit.clicked;
}

/// A button at the end of the offer to restore a session: discards it; if there are several, opens their list.
void decline_button(const Frame& frame, const AppContext& context, Rect row) {
    const Ui& ui = frame.ui;
    const bool several = context.state.left.size() > 1;
    ImGui::SetCursorScreenPos({row.x1 - ui.theme.px(48), row.centre().y - ui.theme.px(18)});
    const char* const tip = several ? "recover.title" : "recover.discard_tip";
    if (!icon_button(ui, {"start.decline", {}, ui.text(tip), {}}, several ? Icon::down : Icon::close)) return;
    if (several)
        frame.commands().add(command::ShowDialog{"recover"});
    else
        frame.commands().add("forget");
}

/// The entries, stacked, with room kept for a session left by a killed window; ↑ and ↓ move along them.
void beginning_rows(const Frame& frame, const AppContext& context, Rect area) {
    const Ui& ui = frame.ui;
    const std::vector<Beginning> rows = beginnings_now(context);
    const std::size_t usual = rows.size() - (is_left_session(rows.back().id) ? 1 : 0);
    const float gap = ui.theme.px(6), apart = ui.theme.px(8);
    const float line = sentence_height(ui, {}, area.width());  // a second line of what was lost
    const float height =
        std::min(ui.theme.px(84), (area.height() + gap - apart - line) / static_cast<float>(usual + 1) - gap);
    int moved = -1;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const std::string id = rows[i].id;
        const bool stays = i == usual;
        const RowWords words = words_of_row(frame, context, id);
        const float y = area.y0 + static_cast<float>(i) * (height + gap) + (stays ? apart : 0);
        // The row ends before the button, even without one, so that a second click on the button hits nothing.
        const float right = area.x1 - (stays ? ui.theme.px(62) : 0);
        const float room = right - area.x0 - ui.theme.px(14 + 48 + 18 + 12);
        const Rect rect{area.x0, y, right, y + height + sentence_height(ui, words, room) - line};
        if (stays) {
            WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
            canvas.stroke({rect.x0, rect.y0, area.x1, rect.y1}, ui.theme.palette.line, ui.theme.px(1), ui.theme.px(12));
        }
        if (id == "recover") decline_button(frame, context, {area.x0, rect.y0, area.x1 - ui.theme.px(4), rect.y1});
        if (beginning_row(ui, rows[i], rect, words)) {
            if (!stays) frame.commands().add(command::ShowDialog{});  // closes the page if it succeeds
            for (const Command& command : rows[i].commands) frame.commands().add(command);
        }
        const int by = ui.keyboard != nullptr ? ui.keyboard->down_on_last() : 0;
        if (by != 0) moved = std::clamp(static_cast<int>(i) + by, 0, static_cast<int>(rows.size()) - 1);
    }
    if (moved >= 0) ui.keyboard->go_to("start." + std::string(rows[static_cast<std::size_t>(moved)].id));
}

void group_title(const Ui& ui, const char* key) {
    ImGui::PushStyleColor(ImGuiCol_Text, ImGui::GetColorU32(ImGuiCol_TextDisabled));
    ImGui::TextUnformatted(ui.text(key).c_str());
    ImGui::PopStyleColor();
}

struct FileRow {
    std::string id, words, path;
    Icon icon;
    Command command;
    std::string aside = {};  // muted, after the words
};

/// Returns the row that is clicked.
const FileRow* file_rows(const Frame& frame, const char* title, std::span<const FileRow> rows) {
    const FileRow* clicked = nullptr;
    if (rows.empty()) return clicked;
    const Ui& ui = frame.ui;
    group_title(ui, title);
    for (const FileRow& row : rows) {
        if (ui.glyphs != nullptr) ui.glyphs->see(row.words);
        const bool chosen =
            button(ui, {row.id, row.words, row.path, {}}, {Emphasis::quiet, row.icon, -1, true, row.aside});
        if (!row.aside.empty()) ui.probe.mark_item(row.id + ".aside", 0, row.aside);
        if (chosen) clicked = &row;
    }
    ImGui::Dummy({1, ui.theme.px(10)});
    return clicked;
}

/// Opens a recent file; `beside`: in the right half, after which it is false.
void open_recent(const Frame& frame, const Command& command, bool& beside) {
    frame.commands().add(command::ShowDialog{});
    if (std::exchange(beside, false)) frame.commands().add("beside.open");
    frame.commands().add(command);
}

constexpr std::size_t most_of_a_kind = 3;

template <class Files, class Row>
std::vector<FileRow> first_of(const Files& files, Row row) {
    std::vector<FileRow> rows;
    for (std::size_t i = 0; i < std::min(most_of_a_kind, files.size()); ++i) rows.push_back(row(files[i], i));
    return rows;
}

}  // namespace

/// Recently opened files by kind; kinds without any are left out.
void StartPage::recents(const Frame& frame, Thumbnails& thumbnails, Rect area) {
    const Ui& ui = frame.ui;
    const Recents& recents = frame.state().recents;
    ImGui::SetCursorScreenPos({area.x0, area.y0});
    ImGui::PushStyleColor(ImGuiCol_ChildBg, 0);
    begin_child({"start.recents", area.width(), area.height(), false, false, 0});
    ImGui::PopStyleColor();
    if (!recents.images.empty()) {
        constexpr std::size_t columns = 4;
        group_title(ui, "start.images");
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float gap = ui.theme.px(10), room = ImGui::GetContentRegionAvail().x;
        const float side = std::min(ui.theme.px(120), (room - gap * (columns - 1)) / columns);
        for (std::size_t i = 0; i < std::min(columns, recents.images.size()); ++i) {
            const auto& file = recents.images[i];
            const float x = at.x + static_cast<float>(i) * (side + gap);
            const FileTile tile{"start.image." + std::to_string(i), file.filename().string(), thumbnails.of(file)};
            if (file_tile(ui, tile, {x, at.y, x + side, at.y + side}))
                open_recent(frame, command::OpenImage{{{}, file}}, beside_);
        }
        ImGui::Dummy({room, side + ui.theme.px(14)});
    }
    const auto numbered = [](const char* id, std::size_t i) { return id + std::to_string(i); };
    const auto list = [&](const char* title, const std::vector<FileRow>& rows) {
        const FileRow* const row = file_rows(frame, title, rows);
        if (row == nullptr) return;
        if (std::holds_alternative<command::OpenLesson>(row->command)) beside_ = false;
        open_recent(frame, row->command, beside_);
    };
    list("start.models", first_of(recents.models, [&](const auto& file, std::size_t i) {
             return FileRow{numbered("start.model.", i), name_of_checkpoint(file), file.string(), Icon::folder,
                            command::OpenModel{{file, {}}}};
         }));
    list("start.sessions", first_of(recents.sessions, [&](const KeptSession& kept, std::size_t i) {
             const SessionWords words = named_words_of(ui.text, kept);
             return FileRow{numbered("start.session.", i),   words.name, kept.file.string(), Icon::save,
                            command::OpenSession{kept.file}, words.aside};
         }));
    list("start.lessons", first_of(recents.lessons, [&](const LessonRow& row, std::size_t i) {
             const std::string title =
                 row.lesson ? row.lesson->title_in(frame.state().settings.language) : std::string();
             const std::string name = std::filesystem::path(row.source).filename().string();
             return FileRow{numbered("start.lesson.", i), title.empty() ? name : title, row.source, Icon::lecture,
                            command::OpenLesson{row.source}};
         }));
    ImGui::EndChild();
}

void StartPage::draw(const Frame& frame, const AppContext& context) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    if (ui.keyboard != nullptr) ui.keyboard->begin_layer("start");
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(screen);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    begin_dialog_layer();
    ImGui::PopStyleVar();
    if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
    note_opening();
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    canvas.fill({0, 0, screen.x, screen.y}, theme.palette.background);
    ui.probe.mark("dialog", {0, 0, screen.x, screen.y}, 0, "start");

    const bool known = !frame.state().recents.empty();
    const float wide = std::min(theme.px(known ? 1180 : 640), screen.x - theme.px(80));
    const float high = std::min(theme.px(700), screen.y - theme.px(60));
    const float x0 = std::round((screen.x - wide) / 2), y0 = std::round((screen.y - high) / 2);
    const float head = theme.px(118), foot = theme.px(56);
    draw_logo(canvas, theme, {x0 + theme.px(14), y0 + theme.px(6)}, theme.px(16));
    canvas.text({x0 + theme.px(14) + theme.px(72), y0}, "Vitrine", {Font::title, theme.palette.text, Align::left});
    canvas.text({x0 + theme.px(14) + theme.px(72), y0 + theme.px(42)},
                fitted(canvas, ui.text("start.words"), Font::body, wide - theme.px(90)),
                {Font::body, theme.palette.muted, Align::left});
    const float left = known ? std::round(wide * 0.54F) : wide;
    const Rect body{x0, y0 + head, x0 + wide, y0 + high - foot};
    beginning_rows(frame, context, {body.x0, body.y0, body.x0 + left, body.y1});
    if (known)
        recents(frame, context.jobs().of<Thumbnails>(), {body.x0 + left + theme.px(36), body.y0, body.x1, body.y1});
    ImGui::SetCursorScreenPos({x0 + theme.px(14), y0 + high - foot + theme.px(14)});
    toggle(ui, {"start.always", ui.text("start.always"), ui.text("start.always_tip"), {}},
           frame.panel.settings.start_page);
    if (known && frame.shown().result) {
        ImGui::SameLine(0, theme.px(24));
        toggle(ui, {"start.beside", ui.text("beside.open"), ui.text("beside.open_tip"), {}}, beside_);
    }
    ImGui::SetCursorScreenPos({screen.x - theme.px(56), theme.px(16)});
    if (icon_button(ui, {"dialog.close", {}, ui.text("dialog.close"), "Esc"}, Icon::close))
        frame.commands().add(command::ShowDialog{});
    // Once the page is the keyboard's layer.
    if (ui.keyboard != nullptr && !ImGui::IsWindowAppearing() && ui.keyboard->focused().empty())
        ui.keyboard->begin_at("start." + first_choice(context));
    end_dialog_layer();
}

}  // namespace vitrine
