#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/frame/keymap.h"
#include "app/frame/layout.h"
#include "app/frame/shell.h"
#include "app/library/samples.h"
#include "app/rooms/panels/dialog_place.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/ui/kept.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/rich_text.h"
#include "app/ui/widgets/shortened.h"
#include "app/workspace/recent.h"

// Automatic notices: actions done, questions answered, files opened.

namespace vitrine {

namespace {

/// Margins of a notice's box.
Point margin_of_box(const Theme& theme) { return {theme.px(12), theme.px(3)}; }

/// A notice and the form of it that is shown, shorter if there is little room.
struct Written {
    const std::string& notice;
    std::string shown = notice;
};

/// Draws a notice in a box of the size of its words, vertically centred in a place with room for it.
void draw_box(const Ui& ui, const Written& written, Rect place, Align align = Align::centre) {
    const Theme& theme = ui.theme;
    const Point margin = margin_of_box(theme);
    const RichText words{written.shown, Font::caption, theme.palette.text, Align::left};
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Point needed = measure_rich(canvas, words, place.width() - 2 * margin.x + 1);
    const float left = align == Align::left ? place.x0 + margin.x : place.centre().x - needed.x / 2;
    const Point at{std::round(left), std::round(place.centre().y - needed.y / 2)};
    const Rect box{at.x - margin.x, at.y - margin.y, at.x + needed.x + margin.x, at.y + needed.y + margin.y};
    canvas.fill(box, theme.palette.raised, theme.px(8));
    canvas.stroke(box, theme.palette.accent, theme.px(2), theme.px(8));
    rich_text(canvas, ui, {at.x, at.y, at.x + needed.x + 1, at.y + needed.y}, words);
    ui.probe.mark("notice", box, 0, written.notice);
}

/// The size of a notice's box that is at most this wide.
Point size_of_box(const Ui& ui, const std::string& notice, float width) {
    const Point margin = margin_of_box(ui.theme);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Point words = measure_rich(canvas, {notice, Font::caption, ui.theme.palette.text, Align::left},
                                     std::max(ui.theme.px(80), width - 2 * margin.x));
    return {std::ceil(words.x) + 2 * margin.x, std::ceil(words.y) + 2 * margin.y};
}

/// Forms of a notice, longest first: on one line, then with fewer and fewer folders of its path.
std::vector<std::string> forms_of(std::string notice) {
    for (std::size_t at; (at = notice.find('\n')) != std::string::npos;) notice.replace(at, 1, "  ·  ");
    std::vector<std::string> forms = {notice};
    const auto begins_path = [&](std::size_t at) {
        return at == 0 || std::isalnum(static_cast<unsigned char>(notice[at - 1])) == 0;
    };
    std::size_t path = notice.find('/');
    while (path != std::string::npos && !begins_path(path)) path = notice.find('/', path + 1);
    if (path == std::string::npos) return forms;
    const std::size_t end = std::min(notice.find(' ', path), notice.size());
    for (std::size_t from = notice.find('/', path + 1); from < end; from = notice.find('/', from + 1))
        forms.push_back(notice.substr(0, path) + "…" + notice.substr(from));
    return forms;
}

/// The form of a notice for the title line of a dialog: with as much of its path as fits there.
std::string form_for_title(const Ui& ui, const std::string& notice, Rect place) {
    std::string form = notice;
    for (const std::string& shorter : forms_of(notice)) {
        const Point size = size_of_box(ui, form, place.width());
        if (size.x <= place.width() && size.y <= place.height()) break;
        form = shorter;
    }
    return form;
}

/// The place and the form of a notice while a dialog is open.
struct BesideDialog {
    Rect place;
    std::string shown;
};

/// A place outside a dialog: below it, above it or beside it, wherever the notice fits; none if it fits nowhere.
std::optional<BesideDialog> place_outside(const Ui& ui, const std::string& notice, Rect dialog, float top) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const float gap = ui.theme.px(8), edge = ui.theme.px(2);
    const Rect screen{gap, top + gap, display.x - gap, display.y - gap};
    const Rect areas[] = {{screen.x0, dialog.y1 + gap, screen.x1, screen.y1},
                          {screen.x0, screen.y0, screen.x1, dialog.y0 - gap},
                          {dialog.x1 + gap, dialog.y0, screen.x1, dialog.y1},
                          {screen.x0, dialog.y0, dialog.x0 - gap, dialog.y1}};
    for (const Rect& area : areas) {
        if (area.width() < ui.theme.px(160)) continue;
        for (const std::string& form : forms_of(notice)) {
            const Point size = size_of_box(ui, form, area.width() - 2 * edge);
            if (size.x + 2 * edge > area.width() || size.y + 2 * edge > area.height()) continue;
            const float left = std::round(area.centre().x - size.x / 2 - edge);
            const float high = area.y1 <= dialog.y0 ? area.y1 - size.y - 2 * edge : area.y0;
            return BesideDialog{{left, high, left + size.x + 2 * edge, high + size.y + 2 * edge}, form};
        }
    }
    return {};
}

struct InHeading {
    Rect place;
    std::string shown;
};
/// A place beside the stage's title, with one line or two; none if the notice does not fit there.
std::optional<InHeading> place_in_heading(const Ui& ui, const AppContext& context) {
    const State& state = context.state;
    if (!state.dialog.empty() || answers_of(state.room).around.notices != nullptr) return {};
    const Theme& theme = ui.theme;
    const Rect& free = context.drafts.heading_free;
    const Point margin = margin_of_box(theme);
    const float left = free.x0 + theme.px(16), room = free.x1 - left - 2 * margin.x - 1;
    if (room < theme.px(150)) return {};
    const WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const auto size_of = [&](const std::string& words) {
        return measure_rich(canvas, {words, Font::caption, theme.palette.text, Align::left}, room);
    };
    const float line = size_of("").y;
    for (const std::string& words : forms_of(state.notice)) {
        const Point size = size_of(words);
        if (size.x > room || size.y > 2.5F * line) continue;
        const float high = size.y + 2 * margin.y, low = std::min(free.y1, free.centre().y + high / 2);
        const float y = std::round(low - high);
        return InHeading{{left, y, left + size.x + 2 * margin.x + 1, y + high}, words};
    }
    return {};
}

struct NoticePlace {
    Rect rect;
    float covered = -1;  // covered words and figures, words weighted more; −1: no place
};

/// The lowest place in an area where a box covers no words or figures; if there is none, where it covers the least.
NoticePlace place_over_least(const KeyboardFocus& drawn, Rect area, Point size) {
    constexpr int columns = 9;
    constexpr float words_count = 8;  // weight of words; that of figures is 1
    NoticePlace best;
    for (float low = area.y1; low - size.y >= area.y0; low -= size.y / 4)
        for (int i = 0; i < columns; ++i) {
            // From the middle outwards.
            const float side = static_cast<float>((i + 1) / 2) * (i % 2 == 0 ? 1.0F : -1.0F) / (columns - 1);
            const float x = area.x0 + (area.width() - size.x) * (0.5F + side);
            const Rect place{x, low - size.y, x + size.x, low};
            const float covered = words_count * drawn.words_below(place, nullptr) + drawn.figures_below(place);
            if (best.covered < 0 || covered < best.covered) best = {place, covered};
            if (covered == 0) return best;
        }
    return best;
}

/// The place of a notice in an area, in one line or in several shorter ones.
Rect place_of_notice(const Ui& ui, const KeyboardFocus& drawn, Rect area, const std::string& notice) {
    NoticePlace best;
    for (const float share : {0.9F, 0.55F, 0.35F, 0.22F}) {
        const NoticePlace place = place_over_least(drawn, area, size_of_box(ui, notice, share * area.width()));
        if (place.covered >= 0 && (best.covered < 0 || place.covered < best.covered)) best = place;
        if (best.covered == 0) break;
    }
    return best.rect;
}

/// The place of a notice while a dialog is open: in the line of its title; if it does not fit there, outside the
/// dialog; if it does not fit there either, below the title, where it covers the least. It never covers a title or the
/// close button.
BesideDialog place_in_dialog(const Ui& ui, const AppContext& context, const KeyboardFocus& drawn) {
    const Theme& theme = ui.theme;
    const std::string& notice = context.state.notice;
    const bool start = context.state.dialog == "start";  // a page without a title
    const Rect whole{theme.px(16), theme.px(14), ImGui::GetIO().DisplaySize.x - theme.px(72), theme.px(58)};
    Rect line = start ? whole : free_in_title(theme);
    const float edge = theme.px(2);  // of its frame
    const std::string form = form_for_title(ui, notice, line);
    const Point size = size_of_box(ui, form, line.width());
    // The notice must not cover anything below the title.
    const bool fits = line.width() >= theme.px(320) && size.y + 2 * edge <= line.height() + theme.px(2);
    if (start || fits) {
        line.y1 = std::max(line.y1, line.y0 + size.y + 2 * edge);
        return {line, form};
    }
    const Rect dialog = dialog_place();
    const float error = Kept<float>("error.below");
    if (std::optional<BesideDialog> outside = place_outside(ui, notice, dialog, error)) return *std::move(outside);
    const Rect below{dialog.x0, line.y1, dialog.x1, dialog.y1};
    return {place_of_notice(ui, drawn, below.inset(theme.px(10)), notice).inset(-edge), notice};
}

/// The file's name, or the class of a drawn picture.
std::string title_of(const Text& text, const ImageSource& image) {
    if (!image.path.empty()) return image.path.filename().string();
    const std::string name = class_of_sample(image.sample), drawn = "class." + name;
    return text.has(drawn) ? text(drawn) : name;
}

/// The names of the changes of texts, by the rooms that have them; each once.
std::vector<std::string> changes_of_texts(const Ui& ui, const TextExperiment& experiment) {
    std::vector<std::string> names;
    for (const Room& room : rooms())
        if (const auto changes = answers_of(room.id).teaching.changes_of; changes != nullptr)
            for (std::string& name : changes(ui, experiment))
                if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    return names;
}

bool in_dialog_layer() {
    const ImGuiWindow* const veil = ImGui::FindWindowByName("dialog.veil");
    return veil != nullptr && veil->Active;
}

}  // namespace

/// Draws a temporary notice: in the heading of the stage or below it, or in the title line of a dialog.
void Shell::draw_notice() {
    const State& state = context_.state;
    if (state.notice.empty()) return;
    const bool told_there = state.dialog == "take_away" && state.notice == state.told;  // by the dialog itself
    if (told_there || ImGui::GetTime() >= state.notice_until) {
        notice_lies_ = {};
        return take_in(arrival::Notice{});
    }
    const Ui with = ui();
    glyphs_.see(state.notice);
    constexpr int quiet = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoBackground;
    if (!state.dialog.empty() && in_dialog_layer()) {
        begin_dialog_layer();
        const BesideDialog at = place_in_dialog(with, context_, keyboard_);
        ImGui::SetCursorScreenPos({at.place.x0, at.place.y0});
        begin_child({"notice", at.place.width(), at.place.height(), false, false, quiet});
        draw_box(with, {state.notice, at.shown}, at.place);
        ImGui::EndChild();
        return end_dialog_layer();
    }
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const Point size{display.x, display.y};
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({size.x, size.y});
    ImGui::Begin("notice", nullptr, quiet | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
    // A new notice is drawn a frame later, when the line of the title has made room for it.
    const auto hash = static_cast<int>(ImGui::GetID(state.notice.c_str()));
    if (Kept<int>("known").exchange(hash) != hash) return ImGui::End();
    const Layout layout = layout_of(context_, size);
    if (const std::optional<InHeading> heading = place_in_heading(with, context_)) {
        draw_box(with, {state.notice, heading->shown}, heading->place, Align::left);
    } else {
        const Rect area = notice_area(context_, layout).inset(context_.theme.px(10));
        if (notice_lies_.words != state.notice || !(notice_lies_.area == area)) {  // it keeps its place
            notice_lies_ = {state.notice, area, place_of_notice(with, keyboard_, area, state.notice)};
        }
        draw_box(with, {state.notice}, notice_lies_.place);
    }
    ImGui::End();
}

/// Shows a notice of what undo or redo changed, since this may be out of sight, or that only the view changed; names
/// the room if it changed. `from`: the moment before undo or redo, with its room.
void Shell::notice_travel(const Moment& from) {
    if (context_.state.lecture.on) return;  // nothing should cover a projected picture
    const Ui with = ui();
    const Moment to = context_.workspaces.moment({});
    const auto names = [&](const Moment& of, const Moment& without, auto name_of) {
        std::string all;
        for (const Intervention& i : of.experiment.what_ifs)
            if (!contains(without.experiment.what_ifs, i))
                all += (all.empty() ? "" : " · ") + name_of(with, workspace().config(), i);
        const std::vector<std::string> others = changes_of_texts(with, without.text_experiment);
        for (const std::string& name : changes_of_texts(with, of.text_experiment))
            if (std::ranges::find(others, name) == others.end()) all += (all.empty() ? "" : " · ") + name;
        return all;
    };
    std::string words;
    if (from.other.has_value() != to.other.has_value())
        return take_in(arrival::Notice{with.text(to.other ? "travel.two" : "travel.one")});
    const auto add = [&](const std::string& said) { words += (words.empty() ? "" : "  ·  ") + said; };
    if (const std::string gone = names(from, to, intervention_name); !gone.empty())
        add(with.text("travel.gone", {{"names", gone}}));
    if (const std::string back = names(to, from, change_name); !back.empty())
        add(with.text("travel.back", {{"names", back}}));
    if (from.experiment.image != to.experiment.image)
        add(with.text("travel.image", {{"name", title_of(with.text, to.experiment.image)}}));
    if (from.experiment.model != to.experiment.model) add(with.text("travel.model"));
    const auto is_brief = [](const std::string& typed_words) { return typed_words.size() <= 80; };
    const auto &typed = from.text_experiment.texts, &now_typed = to.text_experiment.texts;
    for (std::size_t i = 0; i < typed.size(); ++i)
        if (typed[i] != now_typed[i]) add(with.text("travel.typed", {{"text", shortened(now_typed[i], is_brief)}}));
    if (words.empty() && !(from.text_experiment == to.text_experiment)) add(with.text("travel.text_run"));
    if (words.empty()) add(with.text("travel.view"));
    if (const std::string& room = context_.state.room; from.room != room)
        words = with.text("travel.room", {{"room", with.text("top.mode." + room)}}) + "  ·  " + words;
    take_in(arrival::Notice{words});
}

/// Reports what a change of the room's model did unasked.
void Shell::notice_model(const Moment& from) {
    const auto notice = answers_of(context_.state.room).teaching.model_notice;
    const Moment to = context_.workspaces.moment({});
    if (notice == nullptr || context_.state.lecture.on || from.opening != to.opening || from.other || to.other) return;
    if (const std::string words = notice(ui(), from, to); !words.empty()) take_in(arrival::Notice{words});
}

/// Shows a notice of the effect of typed words, and joins their moments, so that one undo reverses all.
void Shell::notice_words(const TypedWords::Told& typed) {
    const CommandTable& table = command_table();
    const auto key = [&](const char* id) { return table.keys(id); };
    const bool undoable = workspace().history.place() != typed.place || workspace().changed;
    std::string words =
        context_.text(undoable ? "letters.commands" : "letters.find", {{"find", key("find")}, {"undo", key("undo")}});
    if (typed.theme) words += " " + context_.text("letters.theme", {{"theme", key("theme")}});
    const std::size_t now = workspace().history.place();
    if (now > typed.place) ask(command::JoinMoments{static_cast<int>(now - typed.place)});
    take_in(arrival::Notice{words});
}

/// Marks a chapter's question as answered once the learner has acted and the question's condition holds.
void Shell::notice_answer() {
    const Teaching& room = chapters_of(context_.state.room).teaching;
    const Settings& settings = context_.state.settings;
    const std::string chapter = room.chapter(context_.focus());
    if (settings.answered.contains(chapter) || !room.answered(workspace())) return;
    Settings after = settings;
    after.answered.insert(chapter);
    commands_.add(command::ChangeSettings{changed_settings(settings, after)});
}

/// Adds an opened file to the recent ones once it is loaded.
void Shell::notice_opened() {
    const auto& now = shown().result;
    if (!now || now == remembered_) return;
    const auto before = std::exchange(remembered_, now);
    const auto new_path = [&](const std::filesystem::path& path, const std::filesystem::path& old) {
        return !path.empty() && (!before || path != old);
    };
    const Settings& settings = context_.state.settings;
    Settings after = settings;
    const Experiment& e = now->experiment;
    if (new_path(e.image.file(), before ? before->experiment.image.path : ""))
        remember(after, FileKind::image, e.image.file());
    if (new_path(e.model.path, before ? before->experiment.model.path : ""))
        remember(after, FileKind::model, e.model.path);
    if (after != settings) commands_.add(command::ChangeSettings{changed_settings(settings, after)});
}

}  // namespace vitrine
