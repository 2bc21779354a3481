#include "app/sessions/closing.h"

#include <imgui.h>

#include "app/dialogs/own_pictures.h"
#include "app/frame/learning_commands.h"
#include "app/jobs/jobs.h"
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

bool may_close(House& house) {
    if (!finish_saving(house)) return false;  // which is told
    if (house.quit || house.state.dialog == "closing") return true;
    if (!has_unsaved_runs(house) && !has_unsaved_head(house)) return true;
    if (house.jobs().has_learning()) house.jobs().learning().pause();
    if (house.jobs().has_text_learning()) house.jobs().text_learning().pause();
    show_dialog(house, "closing");
    return false;
}

bool save_what_was_learned(House& house) {
    save_runs(house);
    if (has_unsaved_head(house)) save_head(house);
    return finish_saving(house);
}

void closing_dialog(const Frame& frame, const House& house) {
    const Ui& ui = frame.ui;
    begin_dialog(ui, {"dialog.closing", ui.text("closing.title"), 640, 300}, frame.commands());
    paragraph(ui, ui.text("closing.words", {{"path", model_home(house).string()}}));
    ImGui::Dummy({1, ui.theme.px(12)});
    if (button(ui, {"closing.save", ui.text("closing.save"), ui.text("learn.save_tip"), {}},
               {Emphasis::primary, {}, -1}))
        frame.commands().add("closing.save");
    if (button(ui, {"closing.lose", ui.text("closing.lose"), ui.text("closing.lose_tip"), {}},
               {Emphasis::plain, {}, -1}))
        frame.commands().add("quit");
    end_dialog();
}

void leave_open(const House& house, const std::filesystem::path& folder, Writer& writer) {
    if (house.result() != nullptr && !house.workspace().experiment.model.learned)
        writer.write(last_session_file(folder), to_json(session_of(house)));
}

}  // namespace vitrine
