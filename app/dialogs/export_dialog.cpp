#include <imgui.h>

#include <algorithm>
#include <cstring>

#include "app/dialogs/plain_dialogs.h"
#include "app/exports/export_commands.h"
#include "app/exports/stage_text.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/choices.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/sessions/kept_sessions.h"
#include "app/sessions/saving.h"
#include "app/ui/glyphs.h"
#include "app/ui/message_words.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/rich_text.h"

namespace vitrine {

namespace {

command::ExportPicture picture_command(const Drafts::Export& t, const std::string& format, bool to_clipboard) {
    const FigureLook& look = t.look;
    return {t.part,
            format,
            format == "svg" ? 1 : t.times,
            t.ground == Ground::transparent,
            look.bare,
            look.bare && look.caption,
            look.outlines,
            t.ground == Ground::white,
            to_clipboard,
            t.name.data(),
            look.bare && look.title};
}

/// A destination path on one line; if it is too long, folders in its middle are left out.
void path_line(const Ui& ui, const std::filesystem::path& file) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float room = ImGui::GetContentRegionAvail().x;
    const auto words = [&](const std::string& path) { return ui.text("save_as.path", {{"file", path}}); };
    std::vector<std::filesystem::path> parts(file.begin(), file.end());
    std::string shown = file.string();
    const std::filesystem::path start = parts.size() > 2 ? parts[0] / parts[1] : std::filesystem::path();
    for (std::size_t from = 3; from < parts.size() && canvas.measure(words(shown), Font::caption).x > room; ++from) {
        std::filesystem::path end;
        for (std::size_t i = from; i < parts.size(); ++i) end /= parts[i];
        shown = (start / "…" / end).string();
    }
    paragraph(ui,
              {fitted(canvas, words(shown), Font::caption, room), Font::caption, ui.theme.palette.muted, Align::left});
}

/// Places the next button on the same line if it fits.
void beside_if_it_fits(const Ui& ui, const std::string& words, bool icon) {
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float width = canvas.measure(words, Font::body).x + ui.theme.px(icon ? 60 : 30);
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowWidth();
    if (ImGui::GetItemRectMax().x + ImGui::GetStyle().ItemSpacing.x + width <= right) ImGui::SameLine();
}

/// Name of the picture's file, and its destination.
void name_part(const Frame& frame, const AppContext& context) {
    const Ui& ui = frame.ui;
    auto& typed = frame.panel.drafts.taking.name;
    const std::string own = next_export(context, "").filename().string();
    control_label(ui, ui.text("export.name"));
    ImGui::SetNextItemWidth(-1);
    ImGui::InputTextWithHint("##export_name", ui.text("export.name_hint", {{"name", own}}).c_str(), typed.data(),
                             typed.size());
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    focus_of_text_field(ui, canvas, "export.name");
    if (ui.glyphs != nullptr) ui.glyphs->see(typed.data());
    const std::filesystem::path file = next_export(context, ".png", typed.data());
    ui.probe.mark_item("export.name", 0, file.string());
    path_line(ui, file);
}

/// Names the what-ifs of a figure that is exported without a caption, which would name them.
void unsaid_changes(const Frame& frame) {
    constexpr std::size_t named = 3;
    const RoomAnswers& room = answers_of(frame.state().room);
    if (room.work.run == nullptr || frame.shown().result == nullptr) return;
    std::string changes;
    for (std::size_t i = 0; i < std::min(named, frame.what_ifs.size()); ++i)
        changes += (i > 0 ? ", " : "") + change_name(frame.ui, frame.workspace.config(), frame.what_ifs[i]);
    if (changes.empty()) return;
    if (frame.what_ifs.size() > named) changes += ", …";
    const std::string words = frame.ui.text("export.unsaid", {{"changes", changes}});
    paragraph(frame.ui, {words, Font::caption, frame.ui.theme.palette.muted, Align::left});
    frame.ui.probe.mark_item("export.unsaid", static_cast<double>(frame.what_ifs.size()), words);
}

/// The reason why the buttons above are disabled, as visible text.
void reason_part(const Ui& ui, const char* id, const std::string& words) {
    paragraph(ui, {words, Font::caption, ui.theme.palette.muted, Align::left});
    ui.probe.mark_item(id, 0, words);
}

void picture_part(const Frame& frame, const AppContext& context) {
    const Ui& ui = frame.ui;
    Drafts::Export& t = frame.panel.drafts.taking;
    const char* const only_here = answers_of(context.state.room).taking.only_here;
    const bool can_png = only_here == nullptr;
    heading(ui, ui.text("export.picture"));
    choice<std::string>(ui, "export.part",
                        {{"stage", "stage"}, {"window", "window"}, {"explanation", "explanation"}, {"map", "map"}},
                        t.part);
    ImGui::BeginGroup();
    choice<int>(ui, "export.times", {{1, "one"}, {2, "two"}, {4, "four"}}, t.times);
    ImGui::EndGroup();
    std::string grounds;
    for (const char* const ground : {"screen", "white", "transparent"})
        grounds += ui.text(std::string("export.ground.") + ground) + "      ";  // with the space around a choice
    beside_if_it_fits(ui, grounds, false);
    ImGui::BeginGroup();
    choice<Ground>(ui, "export.ground",
                   {{Ground::screen, "screen"}, {Ground::white, "white"}, {Ground::transparent, "transparent"}},
                   t.ground);
    ImGui::EndGroup();
    const auto look = [&](const char* id, bool& on, bool enabled) {
        toggle(ui, {id, ui.text(id), ui.text(std::string(id) + "_tip"), {}, enabled}, on);
    };
    bool off = false;
    look("export.bare", can_png ? t.look.bare : off, can_png);
    beside_if_it_fits(ui, ui.text("export.figure_title"), true);
    look("export.figure_title", t.look.title, can_png && t.look.bare);
    beside_if_it_fits(ui, ui.text("export.caption"), true);
    look("export.caption", t.look.caption, can_png && t.look.bare);
    beside_if_it_fits(ui, ui.text("export.outlines"), true);
    look("export.outlines", t.look.outlines, true);
    if (can_png && t.look.bare && !t.look.caption) unsaid_changes(frame);
    name_part(frame, context);
    const std::string why_not = can_png ? "" : ui.text(only_here);
    const auto png = [&](const char* id, ButtonLook button_look, bool to_clipboard) {
        const std::string tip = why_not.empty() ? ui.text(std::string(id) + "_tip") : why_not;
        if (button(ui, {id, ui.text(id), tip, {}, can_png}, button_look))
            frame.commands().add(picture_command(t, "png", to_clipboard));
    };
    png("export.png", {Emphasis::primary, Icon::picture}, false);
    beside_if_it_fits(ui, ui.text("export.svg"), true);
    if (button(ui, {"export.svg", ui.text("export.svg"), ui.text("export.svg_tip"), {}},
               {Emphasis::plain, Icon::picture}))
        frame.commands().add(picture_command(t, "svg", false));
    beside_if_it_fits(ui, ui.text("export.copy_picture"), true);
    png("export.copy_picture", {Emphasis::plain, Icon::picture}, true);
    if (!can_png) reason_part(ui, "export.picture_reason", why_not);
}

void session_part(const Frame& frame, const AppContext& context) {
    const Ui& ui = frame.ui;
    ImGui::Dummy({1, ui.theme.px(4)});
    heading(ui, ui.text("export.session"));
    const std::filesystem::path file = file_to_save(context);
    path_line(ui, file);
    ui.probe.mark_item("export.session_file", 0, file.string());
    if (button(ui, {"export.save", ui.text("export.save"), ui.text("export.save_tip"), frame.key_of("save")}))
        frame.commands().add("save");
    beside_if_it_fits(ui, ui.text("export.save_as"), false);
    if (button(ui, {"export.save_as", ui.text("export.save_as"), ui.text("help.save_as"), frame.key_of("save_as")}))
        frame.commands().add("save_as");
    beside_if_it_fits(ui, ui.text("export.command"), false);
    if (button(ui, {"export.command", ui.text("export.command"), ui.text("export.command_tip"), {}}))
        frame.commands().add("copy_command");
}

/// Buttons that open the latest saved sessions, as many as fit; Ctrl O lists all.
void sessions_part(const Frame& frame) {
    const Ui& ui = frame.ui;
    const std::vector<std::filesystem::path>& sessions = frame.state().sessions;
    const float row = ui.theme.px(36) + ImGui::GetStyle().ItemSpacing.y;
    const float label = ImGui::GetTextLineHeightWithSpacing() + ui.theme.px(8);
    const auto fitting =
        static_cast<std::size_t>(std::clamp((ImGui::GetContentRegionAvail().y - label) / row, 0.0F, 4.0F));
    const std::size_t most = std::min(fitting, sessions.size());
    if (most == 0) return;
    control_label(ui, ui.text("export.open"));
    for (std::size_t i = 0; i < most; ++i)
        if (button(
                ui,
                {"export.open." + std::to_string(i), sessions[i].filename().string(), ui.text("export.open_tip"), {}},
                {Emphasis::quiet, Icon::folder, -1, true}))
            frame.commands().add(command::OpenSession{sessions[i]});
}

/// The tip of an array, which explains names that are letters.
const char* tip_of_array(const std::string& name) {
    return name.starts_with("z.")   ? "export.what_z_tip"
           : name.ends_with(".msa") ? "export.what_msa_tip"
                                    : "export.what_tip";
}

/// The names of the arrays of the run in view; none in a room that shows no run.
std::vector<std::string> arrays_offered(const AppContext& context) {
    const RoomAnswers& room = answers_of(context.state.room);
    if (room.taking.measures != nullptr) return room.taking.measures(context);
    if (room.taking.shown == nullptr && room.work.run == nullptr) return {};
    return rooms().front().answers().taking.measures(context);
}

/// Choice of numbers and format; at first those of the picture.
void data_part(const Frame& frame, const AppContext& context, const std::vector<std::string>& names) {
    const Ui& ui = frame.ui;
    Drafts::Export& t = frame.panel.drafts.taking;
    heading(ui, ui.text("export.data"));
    const bool numbers = has_numbers(context);
    const char* const why_not = names.empty() ? "export.no_arrays" : "export.no_numbers";
    const auto tip = [&](const char* key) { return ui.text(numbers ? key : why_not); };
    if (button(ui, {"export.table", ui.text("export.table"), tip("export.table_tip"), {}, numbers},
               {Emphasis::primary}))
        frame.commands().add("save_table");
    beside_if_it_fits(ui, ui.text("export.copy"), false);
    if (button(ui,
               {"export.copy", ui.text("export.copy"), tip("export.copy_tip"), frame.key_of("copy_numbers"), numbers}))
        frame.commands().add("copy_numbers");
    beside_if_it_fits(ui, ui.text("export.copy_text"), false);
    const Control as_text{"export.copy_text", ui.text("export.copy_text"), ui.text("export.copy_text_tip"),
                          frame.key_of("copy_text"), has_stage_text(context)};
    if (button(ui, as_text)) frame.commands().add("copy_text");
    if (!numbers) reason_part(ui, "export.numbers_reason", ui.text(why_not));
    if (names.empty()) return;
    const std::filesystem::path table = next_export(context, ".csv");
    path_line(ui, table);
    ui.probe.mark_item("export.table_file", 0, table.string());
    control_label(ui, ui.text("export.arrays"));
    std::erase_if(t.measures,
                  [&](const std::string& m) { return std::find(names.begin(), names.end(), m) == names.end(); });
    if (t.measures.empty() || t.first != names.front()) t.measures = {names.front()};
    t.first = names.front();
    const auto called = answers_of(frame.state().room).taking.measure_name;
    begin_child({"export.names", 0, ui.theme.px(210), false, false, 0});
    for (const std::string& name : names) {
        bool chosen = t.measures.count(name) > 0;
        const std::string words = called == nullptr ? name : called(ui.text, name);
        if (!toggle(ui, {"export.what." + name, words, ui.text(tip_of_array(name)), {}}, chosen)) continue;
        if (chosen)
            t.measures.insert(name);
        else
            t.measures.erase(name);
    }
    ImGui::EndChild();
    choice(ui, "export.format", table_format_names, t.format);
    if (button(ui, {"export.numbers", ui.text("export.numbers"), ui.text("export.numbers_tip"), {}}, {Emphasis::plain}))
        frame.commands().add(command::ExportNumbers{{t.measures.begin(), t.measures.end()}, ending_of(t.format)});
    const std::filesystem::path folder = next_export(context, "");
    path_line(ui, folder);
    ui.probe.mark_item("export.numbers_folder", 0, folder.string());
}

void folder_part(const Ui& ui, Settings& settings) {
    control_label(ui, ui.text("export.folder"));
    std::array<char, 1024> path{};
    std::strncpy(path.data(), settings.export_folder.c_str(), path.size() - 1);
    ImGui::SetNextItemWidth(-1);
    if (ImGui::InputTextWithHint("##folder", ui.text("export.folder_hint").c_str(), path.data(), path.size()))
        settings.export_folder = path.data();
    ui.probe.mark_item("export.folder", 0, settings.export_folder);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    focus_of_text_field(ui, canvas, "export.folder");
}

constexpr std::size_t most_recovered = 4;  // sessions offered for recovery

}  // namespace

void export_dialog(const Frame& frame, const AppContext& context) {
    if (!frame.shown().result) return;
    const Ui& ui = frame.ui;
    begin_dialog(ui, {"dialog.export", ui.text("export.title"), 1240, 950}, frame.commands());
    const float width = (ImGui::GetContentRegionAvail().x - ui.theme.px(28)) / 2;
    constexpr float foot = 168;  // height of the folder and of a report, reserved so that nothing moves
    const float height = ImGui::GetContentRegionAvail().y - ui.theme.px(foot);
    begin_child({"export.left", width, height, false, false, 0});
    picture_part(frame, context);
    session_part(frame, context);
    ImGui::Dummy({1, ui.theme.px(10)});  // space that shows the end of the list
    ImGui::EndChild();
    ImGui::SameLine(0, ui.theme.px(28));
    begin_child({"export.right", 0, height, false, false, 0});
    data_part(frame, context, arrays_offered(context));
    sessions_part(frame);
    ImGui::Dummy({1, ui.theme.px(10)});
    ImGui::EndChild();
    folder_part(ui, frame.panel.settings);
    const std::string& told = frame.state().told;
    if (const std::optional<double> done = frame.state().exporting) {
        if (progress_bar(ui, {"export.waiting", ui.text("export.writing"), static_cast<float>(*done),
                              ui.text("waiting.cancel")}))
            frame.commands().add("export.cancel");
    } else if (!told.empty()) {
        begin_child({"export.report", 0, 0, false, false, 0});  // scrolls if the report has many files
        paragraph(ui, success_words(told));
        ui.probe.mark_item("export.told", told.starts_with('{') ? 0 : 1, without_markup(told));
        ImGui::Dummy({1, ui.theme.px(10)});
        ImGui::EndChild();
    }
    end_dialog();
}

void recover_dialog(const Frame& frame, const AppContext& context) {
    const Ui& ui = frame.ui;
    const std::vector<KeptSession>& left = context.state.left;
    const float rows = static_cast<float>(std::min(left.size(), most_recovered));
    const auto told =
        std::ranges::count_if(left, [&](const KeptSession& kept) { return !training_notice(ui.text, kept).empty(); });
    const float height = 250 + 44 * rows + 60 * std::min(static_cast<float>(told), rows);
    begin_dialog(ui, {"dialog.recover", ui.text("recover.title"), 720, height, true}, frame.commands());
    paragraph(ui, ui.text("recover.words"));
    ImGui::Dummy({1, ui.theme.px(10)});
    for (std::size_t i = 0; i < std::min(left.size(), most_recovered); ++i) {
        const std::string id = i == 0 ? "recover.restore" : "recover.restore." + std::to_string(i);
        const std::string words = words_of(ui.text, left[i]);
        if (ui.glyphs != nullptr) ui.glyphs->see(words);
        if (button(ui, {id, words, ui.text("recover.restore_tip"), {}},
                   {i == 0 ? Emphasis::primary : Emphasis::plain, Icon::undo, -1, true}))
            frame.commands().add(command::Recover{left[i].file});
        if (const std::string lost = training_notice(ui.text, left[i]); !lost.empty()) {
            paragraph(ui, lost);
            ui.probe.mark_item("recover.lost." + std::to_string(i), 0, lost);
        }
    }
    ImGui::Dummy({1, ui.theme.px(6)});
    if (button(ui, {"recover.discard", ui.text("recover.discard"), ui.text("recover.discard_tip"), {}}))
        frame.commands().add("forget");
    end_dialog();
}

}  // namespace vitrine
