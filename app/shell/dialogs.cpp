#include <imgui.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>

#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/panels.h"
#include "app/ui/glyphs.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/languages.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"

namespace vitrine {

void begin_dialog(const Ui& ui, const DialogFrame& frame, Chrome& chrome) {
    const Theme& theme = ui.theme;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    if (ui.keyboard != nullptr) ui.keyboard->begin_layer(frame.id);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(screen);
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4(0, 0, 0, 0.55F));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    constexpr int flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
    ImGui::Begin("dialog.veil", nullptr, flags);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    if (ImGui::IsWindowAppearing()) ImGui::SetWindowFocus();
    const float width = std::min(theme.px(frame.width), screen.x - theme.px(40)),
                height = std::min(theme.px(frame.height), screen.y - theme.px(40));
    ImGui::SetCursorScreenPos({std::round((screen.x - width) / 2), std::round((screen.y - height) / 2)});
    begin_child({frame.id.c_str(), width, height, true, true, 0});
    ImGui::PushFont(theme.font(Font::heading));
    ImGui::TextUnformatted(frame.title.c_str());
    ImGui::PopFont();
    ImGui::SameLine(ImGui::GetWindowWidth() - theme.px(56));
    const bool closed = icon_button(ui, {"dialog.close", {}, ui.text("dialog.close"), "Esc"}, Icon::close);
    ui.probe.mark("dialog",
                  {(screen.x - width) / 2, (screen.y - height) / 2, (screen.x + width) / 2, (screen.y + height) / 2}, 0,
                  frame.id);
    if (closed) chrome.dialog = Dialog::none;
}

void end_dialog() {
    ImGui::EndChild();
    ImGui::End();
}

void help_dialog(const Ui& ui, Chrome& chrome) {
    static constexpr std::array<std::array<const char*, 2>, 35> rows = {{
        {"← →", "help.step"},
        {"↑ ↓", "help.block"},
        {"0 … 9", "help.head"},
        {"Enter", "help.solo"},
        {"Esc", "help.back"},
        {"X", "help.switch"},
        {"Backspace", "help.restore"},
        {"Space", "help.play"},
        {"S", "help.scope"},
        {"A", "help.answer"},
        {"C", "help.copy"},
        {"Tab · Shift Tab", "help.focus"},
        {"F6", "help.zone"},
        {"L · F5", "help.lecture"},
        {"Shift L", "help.lessons"},
        {"D · F · P · E", "help.pointers"},
        {"B · N · Q", "help.stage"},
        {"G", "help.language"},
        {"Ctrl Z · Ctrl Y", "help.undo"},
        {"Ctrl K", "help.find"},
        {"O", "help.image"},
        {"D", "help.draw"},
        {"F2 F3 F4", "help.mode"},
        {"← → P Enter", "help.laboratory"},
        {"Space . R", "help.learn"},
        {"Ctrl E", "help.export"},
        {"Ctrl C", "help.copy_numbers"},
        {"Ctrl S", "help.save"},
        {"M", "help.model"},
        {"T", "help.theme"},
        {"Ctrl + · Ctrl −", "help.scale"},
        {"Ctrl 0", "help.scale_reset"},
        {"F11", "help.full_screen"},
        {"F1", "help.help"},
        {"Ctrl Q", "help.quit"},
    }};
    begin_dialog(ui, {"dialog.help", ui.text("help.title"), 1180, 760}, chrome);
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    constexpr std::size_t down = (rows.size() + 1) / 2;
    const float column = ImGui::GetContentRegionAvail().x / 2, line = theme.px(33);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const float x = at.x + static_cast<float>(i / down) * column,
                    y = at.y + theme.px(12) + static_cast<float>(i % down) * line;
        canvas.text({x + theme.px(140), y}, rows[i][0], {Font::strong, theme.palette.accent, Align::right});
        canvas.text({x + theme.px(160), y}, fitted(canvas, ui.text(rows[i][1]), Font::body, column - theme.px(170)),
                    {Font::body, theme.palette.text, Align::left});
    }
    ImGui::Dummy({1, line * static_cast<float>(down) + theme.px(24)});
    paragraph(ui, ui.text("help.mouse"));
    end_dialog();
}

void language_dialog(const Ui& ui, Chrome& chrome) {
    begin_dialog(ui,
                 {"dialog.language", ui.text("language.title"), 460, 195 + 45 * static_cast<float>(languages().size())},
                 chrome);
    Settings& settings = chrome.settings;
    for (const Language& language : languages()) {
        const std::string& code = language.code;
        const bool chosen = settings.language == code;
        const ButtonLook look{chosen ? Emphasis::primary : Emphasis::plain, {}, -1, true};
        if (button(ui, {"language." + code, language.name, {}, {}}, look)) settings.language = code;
    }
    ImGui::Dummy({1, ui.theme.px(6)});
    toggle(ui, {"language.terms", ui.text("language.terms"), ui.text("language.terms_tip"), {}},
           settings.english_terms);
    end_dialog();
}

void photographs_dialog(const Ui& ui, Chrome& chrome) {
    begin_dialog(ui, {"dialog.photographs", ui.text("photographs.title"), 860, 520}, chrome);
    paragraph(ui, ui.text("photographs.why"));
    ImGui::Dummy({1, ui.theme.px(8)});
    paragraph(ui, ui.text("photographs.which"));
    for (const char* const file : {"photographs.file_1", "photographs.file_2", "photographs.file_3"})
        paragraph(ui, "•  " + ui.text(file));
    ImGui::Dummy({1, ui.theme.px(8)});
    paragraph(ui, ui.text("photographs.drop"));
    if (button(ui, {"photographs.copy", ui.text("photographs.copy"), ui.text("photographs.copy_tip"), {}}))
        ImGui::SetClipboardText(ui.text("photographs.address").c_str());
    end_dialog();
}

namespace {

/// Something that can be found by typing, and what choosing it does.
struct Entry {
    std::string words;
    std::function<void()> act;
};

std::vector<Entry> entries(const FindContext& context, Selection& selection, Chrome& chrome, Experiment& experiment) {
    const auto& [ui, now] = context;
    std::vector<Entry> list;
    const auto& steps = curriculum();
    for (std::size_t i = 0; i < steps.size(); ++i)
        list.push_back({ui.text("find.step", {{"name", step_text(ui, steps[i], "title")}}),
                        [&selection, i] { selection.focus.step = static_cast<int>(i); }});
    if (now != nullptr) {
        const Config& c = now->model->config;
        for (int b = 1; b <= c.blocks; ++b)
            list.push_back({ui.text("find.block", {{"block", std::to_string(b)}}),
                            [&selection, b] { selection.focus.block = b; }});
        for (int h = 0; h < c.heads; ++h)
            list.push_back(
                {ui.text("find.head", {{"head", std::to_string(h)}}), [&selection, h] { selection.focus.head = h; }});
        for (int t = 0; t < c.tokens(); ++t)
            list.push_back({ui.text("find.token", {{"name", token_name(ui, *now, t)}}),
                            [&selection, t] { selection.focus.token = t; }});
    }
    for (const std::string& name : sample_names())
        list.push_back({ui.text("find.sample", {{"name", name}}), [&experiment, name] {
                            experiment.image = {name, {}};
                        }});
    for (const Named<Instrument>& entry : instrument_names) {
        const std::string title = ui.text("lab." + std::string(entry.name) + ".title");
        list.push_back({ui.text("find.instrument", {{"name", title}}), [&selection, &chrome, instrument = entry.value] {
                            selection.focus.lab.instrument = instrument;
                            chrome.mode = Mode::laboratory;
                        }});
    }
    list.push_back({ui.text("find.export"), [&chrome] { chrome.export_asked = true; }});
    list.push_back({ui.text("find.image"), [&chrome] { chrome.dialog = Dialog::open_image; }});
    list.push_back({ui.text("find.model"), [&chrome] { chrome.dialog = Dialog::open_model; }});
    list.push_back({ui.text("find.bundled"), [&experiment] {
                        experiment.model = {};
                        experiment.what_ifs.clear();
                    }});
    list.push_back({ui.text("find.theme"), [&chrome] {
                        const bool dark = chrome.settings.theme == ThemeKind::dark;
                        chrome.settings.theme = dark ? ThemeKind::light : ThemeKind::dark;
                    }});
    list.push_back({ui.text("find.language"), [&chrome] { chrome.dialog = Dialog::language; }});
    list.push_back({ui.text("find.lessons"), [&chrome] { chrome.dialog = Dialog::lessons; }});
    list.push_back({ui.text("find.restore"), [&experiment] { experiment.what_ifs.clear(); }});
    list.push_back({ui.text("find.help"), [&chrome] { chrome.dialog = Dialog::help; }});
    return list;
}

}  // namespace

bool matches(const std::string& words, const std::string& typed) {
    const auto lower = [](std::string s) {
        std::transform(s.begin(), s.end(), s.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return s;
    };
    const std::string in = lower(words), all = lower(typed);
    std::size_t at = 0;
    while ((at = all.find_first_not_of(' ', at)) != std::string::npos) {
        const std::size_t end = std::min(all.find(' ', at), all.size());
        if (in.find(all.substr(at, end - at)) == std::string::npos) return false;
        at = end;
    }
    return true;
}

void find_dialog(const FindContext& context, Selection& selection, Chrome& chrome, Experiment& experiment) {
    const Ui& ui = context.ui;
    begin_dialog(ui, {"dialog.find", ui.text("find.title"), 720, 560}, chrome);
    auto& typed = chrome.find_text;
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
    for (Entry& entry : entries(context, selection, chrome, experiment))
        if (matches(entry.words, typed.data())) shown.push_back(std::move(entry));
    const auto choose = [&](const Entry& entry) {
        chrome.dialog = Dialog::none;
        entry.act();
    };
    begin_child({"find.list", 0, 0, false, false, 0});
    if (shown.empty()) empty_card(ui, {"find.none", ui.text("find.none"), ui.text("find.none_words"), {}, {}});
    const int visible = static_cast<int>(ImGui::GetContentRegionAvail().y / row);
    for (int i = 0; i < std::min(visible, static_cast<int>(shown.size())); ++i) {
        const Entry& entry = shown[static_cast<std::size_t>(i)];
        if (button(ui, {"find.row." + std::to_string(i), entry.words, {}, i == 0 ? "Enter" : ""},
                   {i == 0 ? Emphasis::plain : Emphasis::quiet, {}, -1, true}))
            choose(entry);
    }
    const bool elsewhere = ui.keyboard != nullptr && ui.keyboard->visible() && ui.keyboard->focused() != "find.input";
    if (entered && !elsewhere && !shown.empty()) choose(shown.front());
    ImGui::EndChild();
    end_dialog();
}

}  // namespace vitrine
