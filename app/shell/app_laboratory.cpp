#include <imgui.h>

#include <algorithm>

#include "app/platform/imgui_compat.h"
#include "app/rooms/laboratory/laboratory.h"
#include "app/shell/app.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"

// The window as a laboratory.

namespace vitrine {

namespace {

constexpr double wait_before_progress = 0.3;

/// What a map of this instrument is not, by its key.
std::string not_key(const Laboratory& lab) {
    if (lab.instrument == Instrument::depth)
        return lab.method == DepthMethod::rollout ? "lab.rollout.not" : "lab.relevance.not";
    return "lab." + std::string(name_of(lab.instrument)) + ".not";
}

/// Where in the network an instrument looks, as a step of the map.
const char* step_of(Instrument instrument) {
    switch (instrument) {
        case Instrument::heads:
        case Instrument::compare:
        case Instrument::statistics:
        case Instrument::depth: return "attention";
        case Instrument::tokens: return "depth";
        case Instrument::lens:
        case Instrument::ledger: return "prediction";
        case Instrument::occlusion: return "image";
    }
    return "";
}

}  // namespace

Measuring& App::laboratory() {
    if (!laboratory_) laboratory_ = std::make_unique<Measuring>(wake_);
    return *laboratory_;
}

/// What the last frame chose is measured; what is done is shown. While something is measured the last whole one stays.
void App::take_measures() {
    const bool open = state_.chrome.mode == Mode::laboratory && shown_.result;
    const auto holds_in_vain = [&](const std::shared_ptr<const Measured>& measured) {
        return measured && (open ? measured->of->model != shown_.result->model : measured->of != shown_.result);
    };
    if (holds_in_vain(measured_)) measured_.reset();
    if (!open) {
        if (laboratory_ && holds_in_vain(laboratory().latest(workspace).measured)) laboratory().forget(workspace);
        if (measuring_.running) laboratory().again(workspace);  // begins anew when the laboratory is open again
        measuring_ = {};
        return;
    }
    laboratory().request(workspace, {shown_.result, state_.selection.focus.lab});
    measuring_ = laboratory().latest(workspace);
    if (const std::string failure = laboratory().take_failure(workspace); !failure.empty()) error_ = failure;
    const bool grows = state_.selection.focus.lab.instrument == Instrument::occlusion;
    const bool of_this_model = measuring_.measured && measuring_.measured->of->model == shown_.result->model;
    if (of_this_model && (!measuring_.running || grows || !measured_)) measured_ = measuring_.measured;
}

void App::draw_laboratory_zones(const Ui& ui, const Zones& zones, const ZonePainter& zone) {
    if (!shown_.result) return draw_explorer_zones(ui, zones, zone);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(14), theme_.px(12)});
    zone("zone.map", zones.map, true, [&] {
        // The map lights up where the instrument looks; a click elsewhere leads to that chapter.
        int& step = state_.selection.focus.step;
        const int before = step, here = step_index(step_of(state_.selection.focus.lab.instrument));
        step = here;
        map_panel(ui, *shown_.result, state_.selection, state_.experiment.what_ifs);
        if (step == here) step = before;
    });
    ImGui::PopStyleVar();
    zone("zone.stage", zones.stage, true, [&] { draw_laboratory_stage(ui); });
    zone("zone.explanation", zones.explanation, true, [&] {
        laboratory_panel({ui, *shown_.result, state_.selection}, measured_in_view(), state_.experiment.what_ifs,
                         state_.chrome);
    });
    zone("zone.bottom", {zones.tokens.x0, zones.tokens.y0, zones.time.x1, zones.time.y1}, true, [&] {
        begin_child({"tokens", 0, theme_.px(56), false, false, 0});
        token_strip(ui, *shown_.result, state_.selection, state_.experiment.what_ifs);
        ImGui::EndChild();
        laboratory_tabs(ui, state_.selection.focus.lab);
    });
}

void App::draw_laboratory_stage(const Ui& ui) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const Laboratory& lab = state_.selection.focus.lab;
    const std::string id = "lab." + std::string(name_of(lab.instrument));
    probe_.mark("stage", {at.x, at.y, at.x + room.x, at.y + room.y}, static_cast<int>(lab.instrument));
    canvas.text({at.x, at.y}, text_(id + ".title"), {Font::title, theme_.palette.text, Align::left});
    const Rect sentence{at.x, at.y + theme_.px(42), at.x + room.x, at.y + theme_.px(120)};
    const float height =
        rich_text(canvas, ui, sentence, {text_(id + ".sentence"), Font::body, theme_.palette.muted, Align::left});
    const RichText is_not{text_(not_key(lab)), Font::caption, theme_.palette.muted, Align::left};
    const float foot = measure_rich(canvas, is_not, room.x).y;
    rich_text(canvas, ui, {at.x, at.y + room.y - foot, at.x + room.x, at.y + room.y}, is_not);

    const Rect area{at.x, sentence.y0 + height + theme_.px(16), at.x + room.x, at.y + room.y - foot - theme_.px(10)};
    bool again = false;
    if (measured_in_view() != nullptr) {
        const Scene scene{ui, *measured_->of, canvas, area, 1.0F};
        instrument_view({scene, *measured_, measuring_.running, again}, state_.selection, state_.experiment.what_ifs);
    }
    if (again) laboratory().again(workspace);
    draw_error(ui);
    draw_waiting(ui);
    draw_measuring(ui);
    const bool current = shown_.activity.stage == Stage::idle && !measuring_.running && measured_ &&
                         measured_->of->experiment == state_.experiment;
    if (current) probe_.mark("status.idle", {at.x, at.y, at.x + 1, at.y + 1});
}

/// How far the measuring is; over what stays for most instruments, beside it where the picture grows.
void App::draw_measuring(const Ui& ui) {
    if (!measuring_.running || measuring_.seconds < wait_before_progress) return;
    const bool grows = state_.selection.focus.lab.instrument == Instrument::occlusion;
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const float width = std::min(theme_.px(420), size.x * 0.6F), height = theme_.px(110);
    if (!grows) {
        WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
        canvas.fill({low.x, low.y, low.x + size.x, low.y + size.y}, theme_.palette.panel.with_alpha(0.6F));
    }
    const float x = low.x + size.x - width - theme_.px(20);
    ImGui::SetCursorScreenPos({grows ? x : low.x + (size.x - width) / 2,
                               grows ? low.y + size.y - height - theme_.px(50) : low.y + (size.y - height) / 2});
    begin_child({"measuring", width, height, true, true, 0});
    if (progress_bar(ui, {"measuring", text_("lab.measuring"), static_cast<float>(measuring_.fraction),
                          text_("waiting.cancel")}))
        laboratory().cancel(workspace);
    ImGui::EndChild();
}

/// Keys of the instruments; those of the view hold, too.
void App::laboratory_keys() {
    Laboratory& lab = state_.selection.focus.lab;
    const auto go = [&](int by) {
        const int wanted = std::clamp(static_cast<int>(lab.instrument) + by, 0, instrument_count - 1);
        lab.instrument = static_cast<Instrument>(wanted);
    };
    if (key_pressed(Key::left)) go(-1);
    if (key_pressed(Key::right)) go(1);
    if (key_pressed(Key::p)) lab.toggle_pick(state_.selection.focus.block, state_.selection.focus.head);
    if (key_pressed(Key::enter)) lab.instrument = Instrument::compare;
}

}  // namespace vitrine
