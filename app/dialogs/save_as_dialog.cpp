#include <imgui.h>

#include "app/dialogs/plain_dialogs.h"
#include "app/jobs/jobs.h"
#include "app/jobs/saving.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/choices.h"
#include "app/rooms/panels/panels.h"
#include "app/sessions/saving.h"
#include "app/sessions/session.h"
#include "app/ui/glyphs.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"

namespace vitrine {

namespace {

/// The session file of a typed name, in the folder of the session's own file; an absolute path is kept.
std::filesystem::path session_named(const AppContext& context, const char* typed) {
    if (typed[0] == '\0') return {};
    std::filesystem::path file = file_to_save(context).parent_path() / typed;
    return file.extension() != session_ending ? file += session_ending : file;
}

}  // namespace

void save_as_dialog(const Frame& frame, const AppContext& context) {
    const Ui& ui = frame.ui;
    begin_dialog(ui, {"dialog.save_as", ui.text("save_as.title"), 860, 320, true}, frame.commands());
    auto& typed = frame.panel.drafts.save_as;
    control_label(ui, ui.text("save_as.file"));
    if (!ImGui::IsAnyItemActive()) focus_text_field("##save_as");
    ImGui::SetNextItemWidth(-1);
    const bool entered =
        ImGui::InputText("##save_as", typed.data(), typed.size(), ImGuiInputTextFlags_EnterReturnsTrue);
    ui.probe.mark_item("save_as.file", 0, typed.data());
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    focus_of_text_field(ui, canvas, "save_as.file");
    if (ui.glyphs != nullptr) ui.glyphs->see(typed.data());
    const std::filesystem::path file = session_named(context, typed.data());
    const std::string written = file.empty() ? std::string() : ui.text("save_as.path", {{"file", file.string()}});
    paragraph(ui, written);
    ui.probe.mark_item("save_as.path", 0, file.string());
    std::error_code error;
    const bool replaces = std::filesystem::exists(file, error), own = file == context.workspaces.own_session();
    const std::string words = ui.text(replaces && !own ? "save_as.replaces" : "save_as.words");
    paragraph(ui,
              {words, Font::body, replaces && !own ? ui.theme.palette.negative : ui.theme.palette.muted, Align::left});
    ui.probe.mark_item("save_as.words", replaces ? 1 : 0, words);
    ImGui::Dummy({1, ui.theme.px(8)});
    const Saving* const saving = context.jobs().find<Saving>();
    const bool saves = saving != nullptr && saving->pending();
    const Control save{"save_as.save", ui.text(replaces && !own ? "save_as.replace" : "export.save"),
                       ui.text("export.save_tip"), "Enter", typed[0] != '\0' && context.result() != nullptr && !saves};
    if (button(ui, save, {Emphasis::primary, Icon::save}) || (entered && save.enabled && (own || !replaces)))
        frame.commands().add(command::SaveSession{file});
    end_dialog();
}

}  // namespace vitrine
