#include "app/rooms/explore/first_minute.h"

#include <imgui.h>

#include <string>

#include "app/chapters/step.h"
#include "app/rooms/panels/own_photo.h"
#include "app/rooms/panels/what_ifs_panel.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/workspace.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

constexpr const char* names[] = {"patch", "heads", "off", "seen", "left"};

/// The strip's sentence: what to do next, and at the end what that changed in this run.
std::string words_of(const Frame& frame, FirstMinute next) {
    const Ui& ui = frame.ui;
    const std::string key = std::string("first_minute.") + names[static_cast<int>(next)];
    const std::string head = ui.ordinal(first_minute_head), block = ui.ordinal(first_minute_block - 1);
    const bool off = next == FirstMinute::switch_off, seen = next == FirstMinute::seen;
    if (next == FirstMinute::left) return ui.text(key);
    if (!seen && (!off || frame.what_ifs.empty()))
        return off && frame.selection.focus.block != first_minute_block
                   ? ui.text("first_minute.off_elsewhere", {{"head", head}, {"block", block}})
                   : ui.text(key, {{"head", head}});
    const auto told = predicted_by_run({ui, frame.workspace, frame.selection});
    if (!told || frame.shown().result->experiment.what_ifs != frame.what_ifs) return ui.text("first_minute.computing");
    const char* const changed = off                         ? "first_minute.other"
                                : frame.what_ifs.size() > 1 ? "first_minute.seen_more"
                                                            : "first_minute.seen";
    return ui.text(changed, {{"before", told->before}, {"now", told->now}, {"head", head}, {"block", block}});
}

/// Draws four dots, one for each action: large up to the next one, small after it.
void draw_dots(const Ui& ui, Point at, FirstMinute next) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    for (int i = 0; i < 4; ++i) {
        const Point centre{at.x + ui.theme.px(18) * static_cast<float>(i), at.y};
        if (i <= static_cast<int>(next))
            canvas.circle(centre, ui.theme.px(6), ui.theme.palette.accent);
        else
            canvas.circle(centre, ui.theme.px(4), ui.theme.palette.muted);
    }
}

void end(const Frame& frame) { frame.commands().add("first_minute.end"); }

/// Draws the buttons in another chapter: continue, return to what was open before, or stay.
void draw_buttons_of_left(const Frame& frame) {
    const Ui& ui = frame.ui;
    if (button(ui, {"first_minute.continue", ui.text("first_minute.continue"), {}, {}}, {Emphasis::primary}))
        frame.commands().add(command::GoToChapter{"attention"});
    ImGui::SameLine();
    if (button(ui, {"first_minute.end", ui.text("first_minute.back"), ui.text("first_minute.skip_tip"), {}},
               {Emphasis::quiet}))
        end(frame);
    ImGui::SameLine();
    if (button(ui, {"first_minute.stay", ui.text("first_minute.stay"), ui.text("first_minute.skip_tip"), {}},
               {Emphasis::quiet}))
        frame.commands().add("first_minute.stay");
}

/// Draws the buttons of a stage: its own actions, and one that closes the strip.
void draw_buttons(const Frame& frame, FirstMinute next) {
    const Ui& ui = frame.ui;
    Focus& focus = frame.selection.focus;
    if (next == FirstMinute::left) return draw_buttons_of_left(frame);
    if (next == FirstMinute::all_heads) {
        if (button(ui, {"first_minute.heads", ui.text("first_minute.heads_button"), {}, frame.key_of("solo")},
                   {Emphasis::primary}))
            focus.solo = false;
        ImGui::SameLine();
    }
    if (next == FirstMinute::switch_off) {
        const std::string words = ui.text("first_minute.off_button", {{"head", ui.ordinal(first_minute_head)}});
        if (button(ui, {"first_minute.off", words, {}, {}}, {Emphasis::primary})) {
            focus.block = first_minute_block;
            focus.head = first_minute_head;
            put(frame.what_ifs, remove_head(first_minute_block, first_minute_head));
        }
        ImGui::SameLine();
    }
    if (next == FirstMinute::seen) {
        if (button(ui, {"first_minute.photo", own_photo_words(frame), {}, {}}, {Emphasis::primary, Icon::picture})) {
            end(frame);
            for (const Command& command : own_photo(frame.state())) frame.commands().add(command);
        }
        ImGui::SameLine();
        if (button(ui, {"first_minute.class", ui.text("first_minute.class"), {}, {}},
                   {Emphasis::primary, Icon::lecture})) {
            end(frame);
            frame.commands().add(command::ShowDialog{"lessons"});
        }
        ImGui::SameLine();
    }
    const char* const out = next == FirstMinute::seen ? "first_minute.done" : "first_minute.skip";
    if (button(ui, {"first_minute.end", ui.text(out), ui.text("first_minute.skip_tip"), {}}, {Emphasis::quiet}))
        end(frame);
}

}  // namespace

FirstMinute first_minute_at(const Focus& focus, const std::vector<Intervention>& what_ifs) {
    if (step_at(focus).id != "attention") return FirstMinute::left;
    if (contains(what_ifs, remove_head(first_minute_block, first_minute_head))) return FirstMinute::seen;
    if (focus.token == 0) return FirstMinute::patch;
    return focus.solo ? FirstMinute::all_heads : FirstMinute::switch_off;
}

bool shows_first_minute(const Frame& frame) {
    const State& state = frame.state();
    if (!state.first_minute || state.lecture.on) return false;
    const auto edge = edge_offer(*frame.shown().result->model, {remove_head(first_minute_block, first_minute_head)});
    return edge && frame.workspace.experiment.image.sample == edge->picture;
}

void first_minute_strip(const Frame& frame) {
    const Ui& ui = frame.ui;
    const FirstMinute next = first_minute_at(frame.selection.focus, frame.what_ifs);
    const std::string words = words_of(frame, next);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = canvas.measure("", Font::heading).y;
    const Font font = canvas.measure(words, Font::heading).x <= width ? Font::heading : Font::strong;
    canvas.text({at.x, at.y}, fitted(canvas, words, font, width), {font, ui.theme.palette.text, Align::left});
    ui.probe.mark("first_minute", {at.x, at.y, at.x + width, at.y + line}, static_cast<double>(next), words);
    const float row = at.y + line + ui.theme.px(6), dots = ui.theme.px(90);
    const bool left = next == FirstMinute::left;
    if (!left) draw_dots(ui, {at.x + ui.theme.px(8), row + ui.theme.px(18)}, next);
    ImGui::SetCursorScreenPos({at.x + (left ? 0 : dots), row});
    draw_buttons(frame, next);
}

}  // namespace vitrine
