#include "app/shell/finder.h"

#include <imgui.h>

#include <algorithm>

#include "app/platform/imgui_compat.h"
#include "app/rooms/explore/steps/step.h"
#include "app/rooms/panels/panels.h"
#include "app/ui/glyphs.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/library.h"
#include "core/training/presets.h"

namespace vitrine {

namespace {

/// Something that can be found by typing, and what choosing it asks for.
struct Entry {
    std::string words;
    std::string key;
    std::vector<Command> commands;
};

Command look(const char* part, int value) { return command::Look{{{part, std::to_string(value)}}}; }

void add_parts(const Ui& ui, const Result& now, std::vector<Entry>& list) {
    const Config& c = now.model->config;
    for (int b = 1; b <= c.blocks; ++b)
        list.push_back({ui.text("find.block", {{"block", ui.ordinal(b - 1)}}), {}, {look("block", b)}});
    for (int h = 0; h < c.heads; ++h)
        list.push_back({ui.text("find.head", {{"head", ui.ordinal(h)}}), {}, {look("head", h)}});
    for (int t = 0; t < c.tokens(); ++t)
        list.push_back({ui.text("find.token", {{"name", token_name(ui, now, t)}}), {}, {look("token", t)}});
}

void add_instruments(const Ui& ui, std::vector<Entry>& list) {
    for (const Named<Instrument>& entry : instrument_names) {
        const std::string name(entry.name);
        list.push_back({ui.text("find.instrument", {{"name", ui.text("lab." + name + ".title")}}),
                        {},
                        {command::Look{{{"lab.instrument", name}}}, command::EnterRoom{"laboratory"}}});
    }
}

void add_exercises(const Ui& ui, std::vector<Entry>& list) {
    for (const Named<Exercise>& entry : exercise_names) {
        const std::string name(entry.name);
        list.push_back({ui.text("find.exercise", {{"name", ui.text("exercise." + name + ".title")}}),
                        {},
                        {command::Look{{{"exercise", name}}}, command::EnterRoom{"exercise"}}});
    }
}

/// Two runs that show something while they learn.
void add_experiments(const Ui& ui, std::vector<Entry>& list) {
    for (const Preset& preset : presets()) {
        const std::string id(preset.id);
        list.push_back({ui.text("find.experiment", {{"name", ui.text("learn.experiment." + id)}}),
                        {},
                        {command::WatchLearning{id}}});
    }
}

std::vector<Entry> entries(const Frame& frame, const House& house) {
    const Ui& ui = frame.ui;
    std::vector<Entry> list;
    for (const Step& step : curriculum())
        list.push_back({ui.text("find.step", {{"name", step_text(ui, step, "title")}}),
                        {},
                        {command::GoToChapter{std::string(step.id)}}});
    if (frame.shown().result) add_parts(ui, *frame.shown().result, list);
    for (const std::string& name : sample_names(frame.workspace.pictures()))
        list.push_back(
            {ui.text("find.sample", {{"name", ui.text("class." + name)}}), {}, {command::OpenImage{{name, {}}}}});
    add_instruments(ui, list);
    add_exercises(ui, list);
    add_experiments(ui, list);
    for (const BundledModel& model : bundled_models())
        list.push_back({ui.text("find.bundled", {{"name", ui.text("model." + std::string(model.name))}}),
                        {},
                        {command::OpenModel{source_of(model)}}});
    for (const CommandRow& row : frame.desk.table.rows())
        if (row.found && can_do(row, house))
            list.push_back({ui.text("command." + row.id), frame.key_of(row.id), {command::Do{row.id}}});
    return list;
}

}  // namespace

void find_dialog(const Frame& frame, const House& house) {
    const Ui& ui = frame.ui;
    begin_dialog(ui, {"dialog.find", ui.text("find.title"), 720, 560}, frame.commands());
    auto& typed = frame.desk.drafts.find_text;
    if (ImGui::IsWindowAppearing()) typed[0] = '\0';
    if (!ImGui::IsAnyItemActive()) focus_text_field("##find");
    ImGui::SetNextItemWidth(-1);
    const bool entered = ImGui::InputTextWithHint("##find", ui.text("find.hint").c_str(), typed.data(), typed.size(),
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    ui.probe.mark_item("find.input", 0, typed.data());
    if (ui.keyboard != nullptr) {
        WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        ui.keyboard->announce("find.input", {low.x, low.y, high.x, high.y});
        focus_ring(ui, canvas, {low.x, low.y, high.x, high.y}, ui.theme.px(7));
    }
    if (ui.glyphs != nullptr) ui.glyphs->see(typed.data());
    const float row = ui.theme.px(36);
    std::vector<Entry> shown;
    for (Entry& entry : entries(frame, house))
        if (matches(entry.words, typed.data())) shown.push_back(std::move(entry));
    const auto choose = [&](const Entry& entry) {
        frame.commands().add(command::ShowDialog{});
        for (const Command& command : entry.commands) frame.commands().add(command);
    };
    begin_child({"find.list", 0, 0, false, false, 0});
    if (shown.empty()) empty_card(ui, {"find.none", ui.text("find.none"), ui.text("find.none_words"), {}, {}});
    const int visible = static_cast<int>(ImGui::GetContentRegionAvail().y / row);
    for (int i = 0; i < std::min(visible, static_cast<int>(shown.size())); ++i) {
        const Entry& entry = shown[static_cast<std::size_t>(i)];
        const std::string words = entry.key.empty() ? entry.words : entry.words + "   ·   " + entry.key;
        if (button(ui, {"find.row." + std::to_string(i), words, {}, i == 0 ? "Enter" : ""},
                   {i == 0 ? Emphasis::plain : Emphasis::quiet, {}, -1, true}))
            choose(entry);
    }
    const bool elsewhere = ui.keyboard != nullptr && ui.keyboard->visible() && ui.keyboard->focused() != "find.input";
    if (entered && !elsewhere && !shown.empty()) choose(shown.front());
    ImGui::EndChild();
    end_dialog();
}

}  // namespace vitrine
