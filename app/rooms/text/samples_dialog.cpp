#include "app/rooms/text/samples_dialog.h"

#include <imgui.h>

#include "app/platform/imgui_compat.h"
#include "app/rooms/app_context.h"
#include "app/rooms/panels/panels.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/command.h"
#include "app/workspace/text_look.h"
#include "core/text/text_samples.h"

namespace vitrine {

void text_samples_dialog(const Frame& frame, const AppContext&) {
    const Ui& ui = frame.ui;
    const TextDraft draft = frame.text();
    begin_dialog(ui, {"dialog.text_samples", ui.text("text.samples_title"), 860, 720}, frame.commands());
    paragraph(ui, ui.text("text.samples_words"));
    begin_child({"text.samples.list", 0, 0, false, false, 0});
    for (const TextSample& sample : text_samples(draft.task(), draft.experiment.to)) {
        const bool here = sample.source == draft.text();
        if (button(ui, {"text.sample." + sample.name, sample.source, sample.expected, {}},
                   {here ? Emphasis::primary : Emphasis::plain, {}, -1, true})) {
            draft.read(sample.source);
            frame.commands().add(command::ShowDialog{});
        }
    }
    ImGui::EndChild();
    end_dialog();
}

}  // namespace vitrine
