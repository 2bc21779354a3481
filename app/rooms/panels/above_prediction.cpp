#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "app/chapters/model_words.h"
#include "app/chapters/step.h"
#include "app/library/library.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/change_figure.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/panels/foreign.h"
#include "app/rooms/panels/linked_words.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/scrolling_parts.h"
#include "app/rooms/panels/steady_foot.h"
#include "app/rooms/panels/what_ifs_panel.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/ui/kept.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/command.h"
#include "app/workspace/photo_model.h"
#include "app/workspace/recent.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/settings.h"
#include "app/workspace/workspace.h"
#include "core/measures/analysis.h"
#include "core/vit/checkpoint/checkpoint.h"

namespace vitrine {

namespace {

constexpr int classes_shown = 6, classes_shown_changed = 3;
constexpr float foot_share = 0.75F, pinned_share = 0.35F;  // at most, of the panel's height
constexpr float roomy = 900;                               // px at scale 1: panels of less height fold the remedies

/// The minimum height of the parts above an open prediction, px: room for headings, six lines of one part, and the
/// lower edge, where text fades.
float least_of_parts(const Ui& ui) {
    constexpr float lines = 6, headings = 2;  // of the parts, in rows
    const WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float line = measure_rich(canvas, {"p\np", Font::body, ui.theme.palette.text, Align::left}, 1000).y / 2;
    return headings * std::max(28.0F, ui.theme.px(32)) + ui.theme.px(4 + 36 + 26) + lines * line;
}

/// The shown chapter or instrument as a number.
int subject_of(const Focus& focus) { return focus.step + 1000 * place_of(focus.lab.instrument); }

/// The same, but different in each room, since rooms have different panels.
int subject_in_room(const Frame& frame) {
    constexpr int subjects = 100000;
    const std::vector<Room>& all = rooms();
    const auto here = std::ranges::find(all, frame.state().room, [](const Room& room) { return std::string(room.id); });
    return subject_of(frame.selection.focus) + subjects * static_cast<int>(here - all.begin());
}

/// True if the chapter about the prediction is shown.
bool shows_prediction(const Frame& frame) {
    const auto step = answers_of(frame.state().room).places.step;
    return step != nullptr && step(frame.selection.focus)->id == "prediction";
}

/// A one-line note that the model knows drawn things only, with the reason and remedies; a `low` panel folds the
/// remedies with the reason. The reason unfolds by itself the first time the prediction is shown, later on request; the
/// next chapter folds it again.
void foreign_note(const Frame& frame, int classes, bool low) {
    const Ui& ui = frame.ui;
    const Focus& focus = frame.selection.focus;
    const int here = subject_of(focus);
    Kept<int> unfolded_at("foreign", -1);
    const bool at_prediction = shows_prediction(frame);
    if (at_prediction && frame.panel.settings.folded.insert("foreign").second) unfolded_at = here;
    if (unfolded_at != here) unfolded_at = -1;
    bool open = unfolded_at == here;
    const std::string title = ui.text("foreign.title");
    const bool learned = frame.workspace.experiment.model.learned != nullptr;
    const std::string words =
        ui.text(learned ? "foreign.words_learned" : "foreign.words", {{"count", std::to_string(classes)}});
    section(ui, {"foreign.fold", title, ui.text("foreign.fold_tip"), {}}, open);
    ui.probe.mark_item("foreign", open ? 1 : 0, title + " " + words);
    if (open) {
        paragraph(ui, words);
        ui.probe.mark_item("foreign.words", 0, words);
    }
    if (open != (unfolded_at == here)) unfolded_at = open ? here : -1;
    if (low && !open) return;
    const std::shared_ptr<const PhotoModel>& photo = frame.state().photo_model;
    // Models that the user opened are not bundled ones, so they may know photographs.
    const std::vector<std::filesystem::path> recent =
        photo ? std::vector{photo->folder} : recent_files(frame.panel.settings, FileKind::model);
    if (!recent.empty()) {
        const std::string name = photo ? short_name(*photo) : name_of_checkpoint(recent.front());
        const std::string tip = ui.text(photo ? "foreign.photo_tip" : "foreign.recent_tip");
        if (button(ui, {"foreign.recent", ui.text("foreign.recent", {{"name", name}}), tip, {}},
                   {Emphasis::primary, {}, -1}))
            frame.commands().add(command::OpenModel{{recent.front(), {}}});
    }
    const Emphasis first = recent.empty() ? Emphasis::primary : Emphasis::plain;
    if (button(ui, {"foreign.help", ui.text("foreign.action"), ui.text("foreign.tip"), {}}, {first}))
        frame.commands().add(command::ShowDialog{"get_model"});
    const float gap = ui.theme.px(8), sides = 2 * ui.theme.px(14);
    const float left = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x - ImGui::GetItemRectMax().x - gap;
    if (measure_text(ui.theme, ui.text("foreign.own"), Font::body).x + sides <= left) ImGui::SameLine(0, gap);
    if (button(ui, {"foreign.own", ui.text("foreign.own"), ui.text("foreign.own_tip"), {}}, {Emphasis::plain, {}, -1}))
        frame.commands().add("own");
}

void changed_model_note(const Frame& frame) {
    const Ui& ui = frame.ui;
    paragraph(ui, ui.text("model.changed"));
    ui.probe.mark_item("model.changed", 0, ui.text("model.changed"));
    if (button(ui, {"model.reload", ui.text("model.reload"), ui.text("model.reload_tip"), {}},
               {Emphasis::primary, Icon::undo, -1}))
        frame.commands().add("reload_model");
}

/// Name among the folded parts of the settings of this room's open prediction; each room has its own, since open
/// classes leave less room for its controls.
std::string opened(const Frame& frame) { return "prediction.open." + frame.state().room; }

bool is_open(const Frame& frame) { return frame.panel.settings.folded.contains(opened(frame)); }

/// The most probable class with its probability and bar, across the panel; a click opens the other classes above it. If
/// the model does not know such pictures, the title says that the answer means nothing.
void prediction_line(const Frame& frame) {
    const Ui& ui = frame.ui;
    const Theme& theme = ui.theme;
    const Palette& p = theme.palette;
    const Result& now = *frame.shown().result;
    const Prediction best = top_predictions(*now.trace.head, 1).front();
    const std::string label = class_name(ui, *now.model, best.index);
    const auto probability = static_cast<double>(best.probability);
    const bool open = is_open(frame);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = theme.px(34), bar = theme.px(6);
    const Rect rect{at.x, at.y, at.x + width, at.y + line + bar};
    const std::string share = probability_text(probability);
    const Hit hit = hot_area(ui, "prediction.line", rect, label + " " + share);
    if (hit.clicked) {
        if (open)
            frame.panel.settings.folded.erase(opened(frame));
        else
            frame.panel.settings.folded.insert(opened(frame));
    }
    if (hit.at) {
        canvas.fill(rect, p.raised, theme.px(7));
        tooltip(ui, ui.text(open ? "prediction.close_tip" : "prediction.open_tip"));
    }
    const float y = at.y + (line - canvas.measure("", Font::strong).y) / 2, gap = theme.px(10);
    draw_icon(canvas, open ? Icon::down : Icon::up, {at.x + gap, at.y + line / 2}, theme.px(12), p.muted);
    const float left = at.x + 2 * gap + theme.px(2);
    const bool foreign = answer_means_nothing(now);
    const std::string title = ui.text(foreign ? "prediction.means_nothing" : "prediction.title") + half_in_title(frame);
    const Font of_share = foreign ? Font::body : Font::strong;
    canvas.text({left, y}, title, {Font::strong, foreign ? p.danger : p.text, Align::left});
    canvas.text({rect.x1, y}, share, {of_share, foreign ? p.muted : p.text, Align::right});
    const float right = rect.x1 - canvas.measure(share, of_share).x - gap;
    const float room = right - left - canvas.measure(title, Font::strong).x - gap;
    const std::string name =
        canvas.measure(label, Font::body).x <= room ? label : fitted(canvas, label, Font::body, std::max(room, 1.0F));
    canvas.text({right, y}, name, {Font::body, foreign ? p.muted : p.text, Align::right});
    const Rect track{at.x, at.y + line, rect.x1, rect.y1};
    canvas.fill(track, p.raised, bar / 2);
    const float part = std::clamp(best.probability, 0.0F, 1.0F);
    canvas.fill({track.x0, track.y0, std::lerp(track.x0, track.x1, part), track.y1}, answer_color(p, now), bar / 2);
    if (!open) ui.probe.mark("top.0", rect, probability, label);
    ui.probe.mark("prediction.title", {left, at.y, right, at.y + line}, 0, title);
    ImGui::Dummy({width, rect.height() + theme.px(2)});
}

/// The classes with their bars.
void class_bars(const Frame& frame, const Rect& rect, float& height) {
    const Ui& ui = frame.ui;
    const Result& now = *frame.shown().result;
    const std::vector<BarRow> rows =
        class_rows(ui, now, frame.what_ifs.empty() ? classes_shown : classes_shown_changed);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    height += bar_list(canvas, ui, rect, {rows, 1.0, BarUnit::fraction, answer_color(ui.theme.palette, now)}) +
              ui.theme.px(2);
    for (std::size_t i = 0; i < rows.size(); ++i)
        ui.probe.mark("top." + std::to_string(i), bar_row_rect(ui, rect, static_cast<int>(i)), rows[i].value,
                      rows[i].label);
}

/// The current changes and their effect if their box is open, and the classes if the prediction is open. Returns true
/// while the space of a removed change is kept.
bool prediction_details(const Frame& frame, bool box) {
    const Ui& ui = frame.ui;
    const Result& now = *frame.shown().result;
    const bool gapped = box && changed_part(frame);
    if (now.model->config.classes > 0) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        Rect rect{at.x, at.y, at.x + ImGui::GetContentRegionAvail().x, at.y + 1000};
        float height = 0;
        if (is_open(frame)) class_bars(frame, rect, height);
        rect.y0 += height;
        WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
        const ChangeFigure change{"change", now, is_open(frame) ? ChangeParts::beside_its_bar : ChangeParts::all};
        if (box && change_of(now)) height += change_figure(canvas, ui, rect, change);
        ImGui::Dummy({1, height});
        if (box && change_of(now)) {
            const std::string words = margin_words(ui, *change_of(now));
            linked_paragraph(ui, {"change.margin_is", {words, Font::caption, ui.theme.palette.muted, Align::left}},
                             frame.commands());
            ui.probe.mark_item("change.margin_is", 0, words);
        }
    }
    return gapped;
}

}  // namespace

void above_prediction(const Frame& frame, const ScrollingContent& content) {
    const Ui& ui = frame.ui;
    const Result& now = *frame.shown().result;
    const bool classes = now.model->config.classes > 0;
    SteadyFoot kept("foot");
    const float available = ImGui::GetContentRegionAvail().y, top = ImGui::GetCursorPosY(), gap = ui.theme.px(8);
    const bool box = !frame.what_ifs.empty() && changes_are_open(frame, available, shows_prediction(frame));
    const bool opens = classes && is_open(frame), details = box || opens;
    const float wanted = kept[SteadyFoot::anchored] + (details ? kept[SteadyFoot::details] + gap : 0);
    const bool same = kept[SteadyFoot::changes] == static_cast<float>(frame.what_ifs.size());
    kept.note_changes(frame.what_ifs.size());
    if (same && (box != (kept[SteadyFoot::boxed] != 0) || opens != (kept[SteadyFoot::opened] != 0)))
        kept.keep(SteadyFoot::clicked, 0);  // the line of the box or of the prediction was clicked
    kept.keep(SteadyFoot::boxed, box ? 1.0F : 0.0F);
    kept.keep(SteadyFoot::opened, opens ? 1.0F : 0.0F);
    const float share = opens ? std::min(available * foot_share,
                                         std::max(available - least_of_parts(ui) - 2 * gap, kept[SteadyFoot::anchored]))
                              : available * foot_share;
    const float most = std::min(wanted, share),
                foot = std::max(kept.height(most, ui), std::min(kept[SteadyFoot::anchored], most));
    kept.keep(SteadyFoot::foot, foot);
    const float pinned = content.pinned ? std::min(kept[SteadyFoot::pinned], available * pinned_share) + 2 * gap : 0;
    const PartToShow& part = frame.state().part;
    scrolling_parts(ui,
                    {"explanation.scroll", available - foot - pinned - 2 * gap, subject_in_room(frame),
                     !frame.state().transparent, static_cast<int>(frame.what_ifs.size()), part.part,
                     part.place == place_in(frame.state(), frame.selection.focus) ? part.request : 0, box},
                    content.draw);
    if (content.pinned) {
        ImGui::SetCursorPosY(top + available - foot - pinned - gap);
        ImGui::Separator();
        begin_child({"explanation.pinned", 0, std::max(1.0F, pinned - 2 * gap), false, false, 0});
        content.pinned();
        kept.keep(SteadyFoot::pinned, ImGui::GetCursorPosY());
        ImGui::EndChild();
    }
    ImGui::SetCursorPosY(top + available - foot - gap);
    ImGui::Separator();
    const float below = top + available - kept[SteadyFoot::anchored];
    bool gapped = false;
    if (details) {
        ImGui::SetCursorPosY(top + available - foot);
        begin_child({"explanation.bottom", 0, std::max(1.0F, below - gap - (top + available - foot)), false, false, 0});
        gapped = prediction_details(frame, box);
        kept.keep(SteadyFoot::details, ImGui::GetCursorPosY());
        ImGui::EndChild();
    }
    kept.keep(SteadyFoot::gapped, gapped ? 1.0F : 0.0F);
    kept.keep(SteadyFoot::measured, now.experiment.what_ifs == frame.what_ifs ? 1.0F : 0.0F);
    ImGui::SetCursorPosY(below);
    if (frame.panel.state.model_changed) changed_model_note(frame);
    if (answer_means_nothing(now)) foreign_note(frame, now.model->config.classes, available <= ui.theme.px(roomy));
    changes_foot(frame, !box ? ChangesBox::closed : foot + 1 < most ? ChangesBox::held : ChangesBox::drawn);
    if (classes)
        prediction_line(frame);
    else
        paragraph(ui, ui.text(key_for(ui.text, "prediction.none", now.model->config)));
    kept.keep(SteadyFoot::anchored, ImGui::GetCursorPosY() - below);
}

}  // namespace vitrine
