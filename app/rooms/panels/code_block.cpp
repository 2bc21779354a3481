#include "app/rooms/panels/code_block.h"

#include <imgui.h>

#include <algorithm>

#include "app/rooms/panels/code_listing.h"
#include "app/ui/probe.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"

namespace vitrine {

void code_block(const Ui& ui, const std::string& listing) {
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, pad = theme.px(10);
    const Point letter = canvas.measure("0", Font::mono);
    const int columns = code_columns(width - 2 * pad, letter.x);
    const std::vector<std::string> lines = wrapped_code(listing, columns);
    const Rect rect{at.x, at.y, at.x + width, at.y + 2 * pad + letter.y * static_cast<float>(lines.size())};
    canvas.fill(rect, theme.palette.raised, theme.px(6));
    float y = rect.y0 + pad;
    for (const std::string& line : lines) {
        const std::size_t comment = std::min(line.find('#'), line.size());
        const std::string code = line.substr(0, comment), rest = line.substr(comment);
        canvas.text({rect.x0 + pad, y}, code, {Font::mono, theme.palette.text, Align::left});
        canvas.text({rect.x0 + pad + canvas.measure(code, Font::mono).x, y}, rest,
                    {Font::mono, theme.palette.muted, Align::left});
        y += letter.y;
    }
    ui.probe.mark("code", rect, static_cast<double>(lines.size()), listing);
    ImGui::Dummy({width, rect.height()});
}

}  // namespace vitrine
