#include <imgui.h>

#include <algorithm>

#include "app/platform/imgui_compat.h"
#include "app/rooms/laboratory/instrument_table.h"
#include "app/shell/app.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"

// The window as a laboratory.

namespace vitrine {

namespace {

constexpr double wait_before_progress = 0.3;

}  // namespace

LaboratoryWorker& App::laboratory() {
    if (!laboratory_) laboratory_ = std::make_unique<LaboratoryWorker>(wake_);
    return *laboratory_;
}

/// What the last frame chose is measured; what is done is shown. While something is measured the last whole one stays.
void App::take_measures() {
    if (measured_ && (!shown_.result || measured_->of->model != shown_.result->model)) measured_.reset();
    if (state_.chrome.mode != Mode::laboratory || !shown_.result) {
        if (measuring_.running) laboratory().forget();  // and begins anew when the laboratory is open again
        measuring_ = {};
        return;
    }
    laboratory().request({shown_.result, state_.selection.focus.lab});
    measuring_ = laboratory().latest();
    if (const std::string failure = laboratory().take_failure(); !failure.empty()) error_ = failure;
    const bool grows = row_of(state_.selection.focus.lab.instrument).grows;
    const bool of_this_model = measuring_.measured && measuring_.measured->of->model == shown_.result->model;
    if (of_this_model && (!measuring_.running || grows || !measured_)) measured_ = measuring_.measured;
}

void App::draw_laboratory_zones(const Ui& ui, const Zones& zones, const ZonePainter& zone) {
    if (!shown_.result) return draw_explorer_zones(ui, zones, zone);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(14), theme_.px(12)});
    zone("zone.map", zones.map, true, [&] {
        // The map lights up where the instrument looks; a click elsewhere leads to that chapter.
        int& step = state_.selection.focus.step;
        const int before = step, here = step_index(row_of(state_.selection.focus.lab.instrument).step);
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
    probe_.mark("stage", {at.x, at.y, at.x + room.x, at.y + room.y}, place_of(lab.instrument));
    canvas.text({at.x, at.y}, text_(id + ".title"), {Font::title, theme_.palette.text, Align::left});
    const Rect sentence{at.x, at.y + theme_.px(42), at.x + room.x, at.y + theme_.px(120)};
    const float height =
        rich_text(canvas, ui, sentence, {text_(id + ".sentence"), Font::body, theme_.palette.muted, Align::left});
    const RichText is_not{text_(not_key(text_, lab)), Font::caption, theme_.palette.muted, Align::left};
    const float foot = measure_rich(canvas, is_not, room.x).y;
    rich_text(canvas, ui, {at.x, at.y + room.y - foot, at.x + room.x, at.y + room.y}, is_not);

    const Rect area{at.x, sentence.y0 + height + theme_.px(16), at.x + room.x, at.y + room.y - foot - theme_.px(10)};
    bool again = false;
    if (measured_in_view() != nullptr) {
        const Scene scene{ui, *measured_->of, canvas, area, 1.0F};
        instrument_view({scene, *measured_, measuring_.running, again}, state_.selection, state_.experiment.what_ifs);
    }
    if (again) laboratory().forget();
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
    const bool grows = row_of(state_.selection.focus.lab.instrument).grows;
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
        laboratory().cancel();
    ImGui::EndChild();
}

/// Keys of the instruments; those of the view hold, too.
void App::laboratory_keys() {
    Laboratory& lab = state_.selection.focus.lab;
    const auto go = [&](int by) {
        const int last = static_cast<int>(std::size(instrument_names)) - 1;
        lab.instrument = instrument_names[std::clamp(place_of(lab.instrument) + by, 0, last)].value;
    };
    if (key_pressed(Key::left)) go(-1);
    if (key_pressed(Key::right)) go(1);
    if (key_pressed(Key::p)) lab.toggle_pick(state_.selection.focus.block, state_.selection.focus.head);
    if (key_pressed(Key::enter)) lab.instrument = Instrument::compare;
}

}  // namespace vitrine
