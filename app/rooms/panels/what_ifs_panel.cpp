#include "app/rooms/panels/what_ifs_panel.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "app/chapters/model_words.h"
#include "app/chapters/step.h"
#include "app/library/edges.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/change_figure.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/panels/change_place.h"
#include "app/rooms/panels/change_rows.h"
#include "app/rooms/panels/linked_words.h"
#include "app/rooms/panels/what_if_slider.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/ui/kept.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/rich_text.h"
#include "app/ui/widgets/shortened.h"
#include "app/workspace/command.h"
#include "app/workspace/recent.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/settings.h"
#include "app/workspace/workspace.h"
#include "core/measures/analysis.h"
#include "core/vit/experiment.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

constexpr std::size_t most_changes_shown = 8;

/// True if a what-if is a design other than the trained one.
bool is_design(const Intervention& i) { return i.site == Site::norm || i.site == Site::skip; }

/// True if a what-if that could apply to one block applies to all.
bool acts_in_every_block(const Intervention& i) {
    const std::optional<KnownWhatIf> known = known_what_if(i);
    return known && known->row->any_block && !i.where.block;
}

bool shows(const Frame& frame, const std::string& picture) {
    const ImageSource& shown = frame.workspace.experiment.image;
    return shown.path.empty() && shown.sample == picture;
}

float first_probability(const Result& now) {
    return now.model->config.classes == 0 ? 0 : top_predictions(*now.baseline.head, 1).front().probability;
}

/// True if the what-ifs visibly change this run's answer, so that no other picture is needed to see their effect.
bool moves_answer(const AnswerChange& change) {
    constexpr double visible = 0.1;
    return change.other_choice() || std::abs(change.probability()) >= visible;
}

/// Key of the note that a picture near the edge is shown; it depends on whether the model is sure of its answer.
const char* edge_words(const Result& now) {
    constexpr float in_doubt = 0.8F;
    return first_probability(now) < in_doubt ? "edge.here" : "edge.here_sure";
}

float edge_button_width(const Ui& ui) {
    const auto width = [&](const char* key) { return measure_text(ui.theme, ui.text(key), Font::body).x; };
    return std::ceil(std::max(width("edge.short"), width("edge.back"))) + ui.theme.px(2 * 14);
}

/// The button beside a switch: opens the picture near the edge, with the what-if on. While that picture replaces the
/// user's own one, the button opens the user's own picture again.
void edge_button_beside(const Frame& frame, const Intervention& what_if, const std::string& picture) {
    const Ui& ui = frame.ui;
    const bool here = shows(frame, picture);
    // Id of the example that replaced the user's own picture; 0: none.
    Kept<int> replaced("edge.replaced");
    const auto number_of = [](const std::string& sample) { return static_cast<int>(ImGui::GetID(sample.c_str())); };
    const std::vector<std::filesystem::path> own = recent_files(frame.panel.settings, FileKind::image);
    const bool back = here && replaced == number_of(picture) && !own.empty();
    const std::string id = "edge." + to_word(what_if, frame.shown().result->model->config);
    const std::string tip = back   ? ui.text("edge.back_tip", {{"name", own.front().filename().string()}})
                            : here ? ui.text(edge_words(*frame.shown().result))
                                   : ui.text("edge.try");
    const float width = edge_button_width(ui);
    ImGui::SameLine(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - width);
    const Control control{id, ui.text(back ? "edge.back" : "edge.short"), tip, {}, !here || back};
    if (!button(ui, control, {Emphasis::plain, {}, width})) return;
    if (back) return frame.commands().add(command::OpenImage{{{}, own.front()}});
    const ImageSource& before = frame.workspace.experiment.image;
    replaced = !before.path.empty() || replaced == number_of(before.sample) ? number_of(picture) : 0;
    put(frame.what_ifs, what_if);
    frame.commands().add(command::OpenImage{{picture, {}}});
}

void draw_switch(const Explanation& e, const Frame& frame, const Intervention& i) {
    bool on = contains(frame.what_ifs, i);
    const std::string id = to_word(i, frame.shown().result->model->config);
    const std::string name = change_name(e.ui, e.now.model->config, i);
    const std::optional<std::string> picture = edge_picture(*frame.shown().result->model, i);
    const float room =
        ImGui::GetContentRegionAvail().x - (picture ? edge_button_width(e.ui) + e.ui.theme.px(8) : e.ui.theme.px(40));
    const float top = ImGui::GetCursorPosY();
    const std::string tip = acts_in_every_block(i) ? e.ui.text("switches.everywhere_tip") : std::string();
    if (vitrine::toggle(e.ui, {"switch." + id, name, tip, {}}, on, room)) {
        if (on)
            put(frame.what_ifs, i);
        else
            toggle(frame.what_ifs, i);
    }
    const float below = ImGui::GetCursorPosY();
    if (picture) edge_button_beside(frame, i, *picture);
    ImGui::SetCursorPosY(std::max(below, top + e.ui.theme.px(38)));
}

constexpr const char *changes_opened = "changes.open", *changes_closed = "changes.closed";  // in the settings

/// Width of the button that undoes all changes.
float restore_width(const Ui& ui) {
    return measure_text(ui.theme, ui.text("removals.restore"), Font::body).x + ui.theme.px(2 * 14 + 16 + 8);
}

/// A chip for every change: a click on its name leads to the changed part, one on its symbol undoes the change.
void change_chips(const Frame& frame, ChangeRows& rows) {
    const Ui& ui = frame.ui;
    WhatIfs& what_ifs = frame.what_ifs;
    const Result& now = *frame.shown().result;
    std::optional<Intervention> back;
    const std::size_t shown = std::min(what_ifs.size(), most_changes_shown);
    for (std::size_t i = 0; i < shown; ++i) {
        const Intervention& change = what_ifs[i];
        const std::string title =
            "step." + std::string(chapter_of_change(change, now, frame.selection.focus)) + ".title";
        const std::string chapter = ui.text(key_for(ui.text, title, now.model->config));
        const ChipClick click = rows.row({"removal." + std::to_string(i),
                                          intervention_name(ui, frame.workspace.config(), change),
                                          ui.text("changes.show_tip", {{"chapter", chapter}}),
                                          {}},
                                         {ui.theme.palette.danger, false, is_removal(change)});
        if (click == ChipClick::switched) back = change;
        if (click == ChipClick::chosen)
            for (const Command& command : way_to_change(change, now, frame.selection.focus))
                frame.commands().add(command);
    }
    rows.end();
    if (what_ifs.size() > shown)
        ImGui::TextUnformatted(ui.text("removals.more", {{"count", std::to_string(what_ifs.size() - shown)}}).c_str());
    if (back) toggle(what_ifs, *back);
}

}  // namespace

std::string half_in_title(const Frame& frame) { return frame.other == nullptr ? "" : frame.right ? " · B" : " · A"; }

std::optional<EdgeOffer> edge_offer(const Model& model, const WhatIfs& what_ifs) {
    for (auto i = what_ifs.rbegin(); i != what_ifs.rend(); ++i)
        if (const std::optional<std::string> picture = edge_picture(model, *i)) return EdgeOffer{*i, *picture};
    return std::nullopt;
}

bool offers_brush(const Frame& frame) {
    return step_at(frame.selection.focus).own.painted && !frame.state().lecture.on;
}

void switches_part(const Explanation& e, const Frame& frame) {
    const Step& step = step_at(e.selection.focus);
    for (const char* const name : step.sliders) what_if_slider(e.ui, *what_if_named(name), frame.what_ifs);
    if (offers_brush(frame) &&
        button(e.ui, {"brush.take", e.ui.text("brush.take"), e.ui.text("brush.take_tip"), frame.key_of("brush")},
               {Emphasis::plain, Icon::pointer}))
        frame.commands().add("brush");
    if (step.switches == nullptr) return;
    const std::vector<Intervention> offered = step.switches(e.now, e.selection.focus);
    for (const Intervention& i : offered) draw_switch(e, frame, i);
    if (std::any_of(offered.begin(), offered.end(), is_design)) {
        paragraph(e.ui, e.ui.text("switches.trained"));
        e.ui.probe.mark_item("switches.trained", 0, e.ui.text("switches.trained"));
    }
}

bool changes_are_open(const Frame& frame, float height, bool at_prediction) {
    constexpr float roomy = 900;  // px at scale 1
    const auto& folded = frame.panel.settings.folded;
    if (folded.contains(changes_opened)) return true;
    if (folded.contains(changes_closed)) return false;
    return at_prediction || height > frame.ui.theme.px(roomy);
}

bool changed_part(const Frame& frame) {
    const Ui& ui = frame.ui;
    ChangeRows rows(ui, "changes.rows", std::min(frame.what_ifs.size(), most_changes_shown));
    begin_child({"changes", 0, changes_height(ui, rows.rows()), false, false, 0});
    change_chips(frame, rows);
    ImGui::EndChild();
    return rows.gaps() > 0;
}

void restore_row(const Frame& frame) {
    const Ui& ui = frame.ui;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - restore_width(ui));
    if (button(
            ui,
            {"removals.restore", ui.text("removals.restore"), ui.text("removals.restore_tip"), frame.key_of("restore")},
            {Emphasis::plain, Icon::undo}))
        frame.what_ifs.clear();
}

namespace {

/// A muted line at the cursor.
void foot_caption(const Frame& frame, const std::string& id, const std::string& key) {
    const std::string& words = frame.ui.text(key);
    paragraph(frame.ui, {words, Font::caption, frame.ui.theme.palette.muted, Align::left});
    frame.ui.probe.mark_item(id, static_cast<double>(first_probability(*frame.shown().result)), words);
}

/// Below the open box: a button that opens the picture near the edge, or a remark about that picture.
void edge_row(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Result& now = *frame.shown().result;
    const std::optional<EdgeOffer> offer = edge_offer(*now.model, frame.what_ifs);
    const std::optional<AnswerChange> change = change_of(now);
    if (offer && shows(frame, offer->picture))
        foot_caption(frame, "edge.here", edge_words(now));
    else if (offer && change && moves_answer(*change))
        foot_caption(frame, "edge.moves", "edge.moves");
    else if (offer && change &&
             button(ui, {"edge.try", ui.text("edge.try"), ui.text("edge.try_tip"), frame.key_of("edge_picture")},
                    {is_still_sure(*change) ? Emphasis::primary : Emphasis::plain, Icon::picture, -1}))
        frame.commands().add("edge_picture");
}

/// The effect on the answer in a line, for the closed box.
void short_effect(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Result& now = *frame.shown().result;
    const std::optional<AnswerChange> change = change_of(now);
    if (!change || now.experiment.what_ifs != frame.what_ifs) return;
    const std::string of = ui.text("change.of", {{"class", class_in_words(ui, *now.model, change->chosen)}});
    const std::string words = of + ": " + change_words(ui, *change, "change.short");
    linked_paragraph(ui, {"change.short.words", {words, Font::caption, ui.theme.palette.text, Align::left}},
                     frame.commands());
    ui.probe.mark_item("change.short", change->margin(), words);
}

/// The names of all changes, in order.
std::vector<std::string> names_of_changes(const Frame& frame) {
    std::vector<std::string> names;
    for (const Intervention& change : frame.what_ifs)
        names.push_back(change_name(frame.ui, frame.workspace.config(), change));
    return names;
}

/// Labels of the closed line, from the longest to the shortest: fewer and fewer names and the number of the others,
/// first with the line's title, then without it; at last the number of all.
std::vector<std::string> forms_of_line(const Ui& ui, const std::vector<std::string>& names, const std::string& title) {
    const std::size_t most = std::min(names.size(), most_changes_shown);
    std::vector<std::string> forms;
    for (const std::string& before : {title + ": ", std::string()})
        for (std::size_t shown = most; shown > 0; --shown) {
            std::string words = before + names.front();
            for (std::size_t i = 1; i < shown; ++i) words += ", " + names[i];
            if (shown < names.size())
                words += " " + ui.text("removals.more", {{"count", std::to_string(names.size() - shown)}});
            forms.push_back(words);
        }
    if (names.size() > 1) forms.push_back(title + " · " + std::to_string(names.size()));
    return forms;
}

/// The line's tooltip: all changes, one per line, and what a click does.
std::string tip_of_line(const Ui& ui, const std::vector<std::string>& names, const std::string& click) {
    constexpr std::size_t most = 16;
    std::string lines;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i) lines += names[i] + "\n";
    if (names.size() > most) lines += ui.text("removals.more", {{"count", std::to_string(names.size() - most)}}) + "\n";
    return lines + click;
}

/// The line that opens and closes the box above it, in the colour of changes, and the button that undoes all changes,
/// at the same place whether the box is open or closed.
void changes_line(const Frame& frame, bool open) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    const std::string title = ui.text("removals.title") + half_in_title(frame);
    const std::string count = frame.what_ifs.size() > 1 ? " · " + std::to_string(frame.what_ifs.size()) : "";
    const float back = theme.px(36);
    const float room = ImGui::GetContentRegionAvail().x - back - theme.px(8);
    const std::vector<std::string> names = open ? std::vector<std::string>() : names_of_changes(frame);
    const std::vector<std::string> forms = open ? std::vector{title + count} : forms_of_line(ui, names, title);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const auto fits = [&](const std::string& some) {
        return canvas.measure(some, Font::body).x <= room - theme.px(2 * 14 + 16 + 8);
    };
    const auto found = std::ranges::find_if(forms, fits);
    const std::string words = found != forms.end() ? *found : shortened(forms.back(), fits);
    const std::string& click = ui.text(open ? "changes.close_tip" : "changes.open_tip");
    const bool whole = found == forms.begin() && names.size() <= most_changes_shown;
    const Control line{"changes.box", words, whole ? click : tip_of_line(ui, names, click), {}};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect ground{at.x, at.y, at.x + room, at.y + theme.px(36)};
    canvas.fill(ground, theme.palette.danger.with_alpha(0.14F), theme.px(7));
    canvas.fill({ground.x0, ground.y0, ground.x0 + theme.px(3), ground.y1}, theme.palette.danger);
    if (button(ui, line, {Emphasis::quiet, open ? Icon::down : Icon::up, room, true})) {
        auto& folded = frame.panel.settings.folded;
        folded.erase(open ? changes_opened : changes_closed);
        folded.insert(open ? changes_closed : changes_opened);
    }
    ui.probe.mark_item("removals.title", open ? 1 : 0, title);
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - back);
    const Control all{"removals.restore", {}, ui.text("removals.restore_tip"), frame.key_of("restore")};
    if (icon_button(ui, all, Icon::undo, Emphasis::plain)) frame.what_ifs.clear();
}

}  // namespace

void changes_foot(const Frame& frame, ChangesBox box) {
    const Ui& ui = frame.ui;
    const float top = ImGui::GetCursorPosY(), width = ImGui::GetContentRegionAvail().x;
    const WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const auto offers = answers_of(frame.state().room).teaching.switches.there;
    const char* const none = offers != nullptr && offers(frame) ? "removals.none_try" : "removals.none";
    const RichText hint{ui.text(none), Font::caption, ui.theme.palette.muted, Align::left};
    const float gap = ImGui::GetStyle().ItemSpacing.y, row = ui.theme.px(36);
    const float caption = measure_rich(canvas, {"p", Font::caption, ui.theme.palette.text, Align::left}, width).y;
    const float line = top + std::max(row, 2 * caption) + gap;
    const float end = std::max(line + row, top + measure_rich(canvas, hint, width).y) + gap;
    if (frame.what_ifs.empty()) {
        foot_caption(frame, "removals.none", none);
    } else {
        if (box == ChangesBox::drawn)
            edge_row(frame);
        else
            short_effect(frame);
        ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), line));
        changes_line(frame, box != ChangesBox::closed);
    }
    ImGui::SetCursorPosY(std::max(ImGui::GetCursorPosY(), end));
}

}  // namespace vitrine
