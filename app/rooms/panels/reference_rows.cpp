#include "app/rooms/panels/reference_rows.h"

#include <imgui.h>

#include <algorithm>

#include "app/ui/glyphs.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/command.h"

namespace vitrine {

namespace {

/// The full citation with the title as a link.
std::string marked_words(const Reference& r) {
    std::string words = full_words(r);
    const std::size_t at = words.find(r.title);
    words.insert(at + r.title.size(), "}");
    words.insert(at, "{accent|");
    return words;
}

}  // namespace

void reference_row(const Ui& ui, const std::string& id, const Reference& reference, Commands& commands) {
    const Theme& theme = ui.theme;
    if (ui.glyphs != nullptr) ui.glyphs->see(reference.title);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float copy_button = theme.px(36), pad = theme.px(6);
    const float width = ImGui::GetContentRegionAvail().x - copy_button - pad;
    const RichText words{marked_words(reference), Font::caption, theme.palette.text, Align::left};
    const float height = std::max(measure_rich(canvas, words, width - 2 * pad).y + 2 * pad, copy_button);
    const Rect area{at.x, at.y, at.x + width, at.y + height};
    const std::string address = address_of(reference);
    const Hit hit = hot_area(ui, id, area, full_words(reference));
    if (!address.empty()) tooltip(ui, ui.text("references.open_tip", {{"address", address}}));
    if (hit.at) canvas.fill(area, theme.palette.raised, theme.px(6));
    rich_text(canvas, ui, {area.x0 + pad, area.y0 + pad, area.x1 - pad, area.y1}, words);
    if (hit.clicked && !address.empty()) commands.add(command::OpenReference{reference.id});
    ImGui::SetCursorScreenPos({area.x1 + pad, at.y});
    if (icon_button(ui, {id + ".copy", {}, ui.text("references.copy_tip"), {}}, Icon::copy))
        commands.add(command::CopyReference{reference.id});
    ImGui::SetCursorScreenPos({at.x, area.y1});
    ImGui::Dummy({width, theme.px(4)});
}

void reference_rows(const Ui& ui, const std::string& place, Commands& commands) {
    for (const Reference* const reference : references_of(place))
        reference_row(ui, "reference." + reference->id, *reference, commands);
}

}  // namespace vitrine
