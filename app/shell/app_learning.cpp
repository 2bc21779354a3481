#include <imgui.h>

#include <algorithm>

#include "app/platform/imgui_compat.h"
#include "app/platform/new_file.h"
#include "app/shell/app.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/rich_text.h"
#include "core/checkpoint/save.h"
#include "core/error.h"
#include "core/model.h"

// The window while a model learns.

namespace vitrine {

namespace {

/// Where models that were trained in the window are kept: the folder that models are opened from, else one at home.
std::filesystem::path model_home(const Settings& settings) {
    if (!settings.model_folder.empty()) return settings.model_folder;
    return home_folder() / "vitrine-models";
}

}  // namespace

Learning& App::learning() {
    if (!learning_) {
        learning_ = std::make_unique<Learning>(wake_);
        learning_->set(state_.learning.recipes());
    }
    return *learning_;
}

/// What was asked for while the frame was drawn.
void App::carry_out_learning() {
    LearningState& s = state_.learning;
    Learning& worker = learning();
    if (std::exchange(s.reset_asked, false)) {
        worker.set(s.recipes());
        s.scrub.reset();
        s.told.clear();
    }
    if (std::exchange(s.toggle_asked, false)) worker.running() ? worker.pause() : worker.start();
    if (std::exchange(s.step_asked, false) && !worker.running()) worker.step();
    if (const std::string failure = worker.take_failure(); !failure.empty()) error_ = failure;
    if (const auto run = std::exchange(s.open_asked, {})) open_learned(*run);
    if (const auto run = std::exchange(s.save_asked, {})) save_learned(*run);
}

/// The model of a run as it is shown, ready for the explorer.
std::shared_ptr<const Model> App::learned_model(int run) {
    const std::vector<RunView> runs = learning().latest();
    if (run >= static_cast<int>(runs.size())) return nullptr;
    const auto moment = shown_moment(runs[static_cast<std::size_t>(run)], state_.learning);
    if (!moment) return nullptr;
    auto model = std::make_shared<Model>(*moment->model);
    model->provenance.name = text_("learn.run", {{"run", std::string(1, static_cast<char>('A' + run))}}) + " · " +
                             std::to_string(moment->report.pictures);
    vitrine::prepare(*model);
    return model;
}

void App::open_learned(int run) {
    const auto model = learned_model(run);
    if (!model) return;
    state_.experiment.model = {{}, {}, model};
    state_.experiment.what_ifs.clear();
    state_.chrome.mode = Mode::explore;
}

void App::save_learned(int run) {
    const auto model = learned_model(run);
    if (!model) return;
    const auto moment = shown_moment(learning().latest()[static_cast<std::size_t>(run)], state_.learning);
    const std::string name =
        "learned-" + std::string(1, static_cast<char>('a' + run)) + "-" + std::to_string(moment->report.pictures);
    const std::filesystem::path folder = unused(model_home(state_.chrome.settings) / name);
    try {
        save_model(*model, folder, Precision::f32);
        state_.learning.told = text_("learn.saved", {{"path", folder.string()}});
        if (state_.chrome.settings.model_folder.empty())
            state_.chrome.settings.model_folder = folder.parent_path().string();
    } catch (const Error& error) {
        error_ = error.what();
    }
}

void App::learning_keys() {
    LearningState& s = state_.learning;
    if (key_pressed(Key::space)) s.toggle_asked = true;
    if (key_pressed(Key::period)) s.step_asked = true;
    if (key_pressed(Key::r)) s.reset_asked = true;
    if (key_pressed(Key::end)) s.scrub.reset();
    const auto scrub = [&](float by) {
        const float place = std::clamp(s.scrub.value_or(1) + by, 0.0F, 1.0F);
        s.scrub = place >= 1 ? std::nullopt : std::optional(place);
    };
    if (key_pressed(Key::left, true)) scrub(-0.02F);
    if (key_pressed(Key::right, true)) scrub(0.02F);
    if (key_pressed(Key::t)) {
        ThemeKind& kind = state_.chrome.settings.theme;
        kind = kind == ThemeKind::dark ? ThemeKind::light : ThemeKind::dark;
    }
    if (key_pressed(Key::g)) state_.chrome.dialog = Dialog::language;
}

void App::draw_learning_stage(const Ui& ui, const std::vector<RunView>& runs) {
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    canvas.text({at.x, at.y}, text_("learn.title"), {Font::title, theme_.palette.text, Align::left});
    const Rect sentence{at.x, at.y + theme_.px(42), at.x + room.x, at.y + theme_.px(120)};
    const float height =
        rich_text(canvas, ui, sentence, {text_("learn.sentence"), Font::body, theme_.palette.muted, Align::left});
    const Rect area{at.x, sentence.y0 + height + theme_.px(14), at.x + room.x, at.y + room.y};
    probe_.mark("stage", {at.x, at.y, at.x + room.x, at.y + room.y}, -1);
    const bool ready = !runs.empty() && std::all_of(runs.begin(), runs.end(), [](const RunView& r) { return r.now; });
    if (ready)
        learning_view({ui, canvas, area, runs, learning().example_pictures()}, state_.learning);
    else
        canvas.text({area.x0, area.y0}, text_("learn.preparing"), {Font::body, theme_.palette.muted, Align::left});
    draw_error(ui);
}

/// The zones of the learning mode, drawn by `zone` as those of the explorer are.
void App::draw_learning_zones(const Ui& ui, const Zones& zones, const ZonePainter& zone) {
    const std::vector<RunView> runs = learning().latest();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(14), theme_.px(12)});
    zone("zone.map", zones.map, true, [&] { learning_choices(ui, state_.learning); });
    ImGui::PopStyleVar();
    zone("zone.stage", zones.stage, true, [&] { draw_learning_stage(ui, runs); });
    zone("zone.explanation", zones.explanation, true, [&] {
        WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
        learning_notes({ui, canvas, zones.explanation, runs, learning().example_pictures()}, state_.learning);
    });
    zone("zone.bottom", {zones.tokens.x0, zones.tokens.y0, zones.time.x1, zones.time.y1}, true,
         [&] { learning_transport(ui, state_.learning, runs, learning().running()); });
}

}  // namespace vitrine
