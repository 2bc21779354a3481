#include "app/sessions/closing.h"

#include <imgui.h>

#include "app/dialogs/own_pictures.h"
#include "app/frame/learning_commands.h"
#include "app/jobs/jobs.h"
#include "app/jobs/learning.h"
#include "app/jobs/writer.h"
#include "app/rooms/panels/panels.h"
#include "app/sessions/kept_sessions.h"
#include "app/sessions/saving.h"
#include "app/sessions/session_commands.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"

namespace vitrine {

bool may_close(AppContext& context) {
    if (!finish_saving(context)) return false;  // already reported
    if (context.quit || context.state.dialog == "closing") return true;
    if (!has_unsaved_runs(context) && !has_unsaved_head(context)) return true;
    if (context.jobs().has_learning()) context.jobs().learning().pause();
    if (context.jobs().has_text_learning()) context.jobs().text_learning().pause();
    show_dialog(context, "closing");
    return false;
}

bool save_what_was_learned(AppContext& context) {
    save_runs(context);
    if (has_unsaved_head(context)) save_head(context);
    return finish_saving(context);
}

void closing_dialog(const Frame& frame, const AppContext& context) {
    const Ui& ui = frame.ui;
    begin_dialog(ui, {"dialog.closing", ui.text("closing.title"), 640, 300, true}, frame.commands());
    paragraph(ui, ui.text("closing.words", {{"path", model_home(context).string()}}));
    ImGui::Dummy({1, ui.theme.px(12)});
    if (button(ui, {"closing.save", ui.text("closing.save"), ui.text("learn.save_tip"), {}},
               {Emphasis::primary, {}, -1}))
        frame.commands().add("closing.save");
    if (button(ui, {"closing.lose", ui.text("closing.lose"), ui.text("closing.lose_tip"), {}},
               {Emphasis::plain, {}, -1}))
        frame.commands().add("quit");
    end_dialog();
}

void leave_open(const AppContext& context, const std::filesystem::path& folder, Writer& writer) {
    if (context.result() != nullptr && !context.workspace().experiment.model.learned)
        writer.write(last_session_file(folder), to_json(last_state_of(context)));
}

}  // namespace vitrine
