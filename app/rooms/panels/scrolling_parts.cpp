#include "app/rooms/panels/scrolling_parts.h"

#include <imgui.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "app/platform/imgui_compat.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"

namespace vitrine {

namespace {

constexpr float page = 0.8F;  // share of the visible height by which a long part scrolls at a time

struct PanelPart {
    std::string title;
    float top;  // distance from the top of all parts, px
};

/// The parts being drawn; null outside `scrolling_parts`.
std::vector<PanelPart>* being_drawn = nullptr;

/// Makes `begin_part` record parts during its lifetime.
class Noting {
public:
    explicit Noting(std::vector<PanelPart>& parts) : before_(being_drawn) { being_drawn = &parts; }
    ~Noting() { being_drawn = before_; }
    Noting(const Noting&) = delete;
    Noting& operator=(const Noting&) = delete;

private:
    std::vector<PanelPart>* before_;
};

/// Fades an edge beyond which the parts continue.
void fade(const Ui& ui, float from, float to) {
    const Color ground = ui.theme.palette.panel;
    const ImU32 whole = IM_COL32(ground.r, ground.g, ground.b, 255), none = IM_COL32(ground.r, ground.g, ground.b, 0);
    const ImVec2 low = ImGui::GetWindowPos();
    const float right = low.x + ImGui::GetWindowWidth() - ImGui::GetStyle().ScrollbarSize;
    ImGui::GetWindowDrawList()->AddRectFilledMultiColor({low.x, std::min(from, to)}, {right, std::max(from, to)},
                                                        from < to ? none : whole, from < to ? none : whole,
                                                        from < to ? whole : none, from < to ? whole : none);
}

/// Fades both edges that cut off something.
void fade_edges(const Ui& ui) {
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
    const float above = std::min(ImGui::GetScrollY(), ui.theme.px(20));
    const float below = std::min(ImGui::GetScrollMaxY() - ImGui::GetScrollY(), ui.theme.px(26));
    if (above >= 1) fade(ui, top + above, top);
    if (below >= 1) fade(ui, bottom - below, bottom);
}

/// The titles of the parts that end below `seen`, as many as fit, and the top of the first; only “more” if content
/// before the first part is cut off.
PanelPart what_follows(const Ui& ui, const std::vector<PanelPart>& parts, float seen, float whole) {
    const ControlCanvas canvas(ui);
    const float room = ImGui::GetContentRegionAvail().x - ui.theme.px(2 * 14 + 16 + 8);
    const float line = canvas.measure("", Font::body).y;
    if (parts.empty() || parts.front().top > seen + line / 2) return {ui.text("panel.more"), 0};  // none visible
    std::optional<PanelPart> next;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const float end = i + 1 < parts.size() ? parts[i + 1].top : whole;
        if (end <= seen + line / 2) continue;
        const std::string names = next ? next->title + " · " + parts[i].title : parts[i].title;
        if (next && canvas.measure(names, Font::body).x > room) break;
        next = PanelPart{names, next ? next->top : parts[i].top};
    }
    return next.value_or(PanelPart{ui.text("panel.more"), 0});
}

}  // namespace

void begin_part(const std::string& title) {
    if (being_drawn != nullptr) being_drawn->push_back({title, ImGui::GetCursorPosY()});
}

void scrolling_parts(const Ui& ui, const ScrollingParts& place, const std::function<void()>& draw) {
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const std::string id = place.id;
    const ImGuiID whole_id = ImGui::GetID((id + ".whole").c_str()), go_id = ImGui::GetID((id + ".go").c_str()),
                  shown_id = ImGui::GetID((id + ".shown").c_str());
    const bool more = kept.GetFloat(whole_id) > place.height + 1;  // as of the last frame
    const float row = ui.theme.px(36) + ImGui::GetStyle().ItemSpacing.y;
    const float height = more ? place.height - row : place.height;

    begin_child({place.id, 0, height, false, false, 0});
    if (kept.GetInt(shown_id, -1) != place.subject) ImGui::SetScrollY(0);
    if (const float go_to = kept.GetFloat(go_id, -1); go_to >= 0) ImGui::SetScrollY(go_to);
    kept.SetInt(shown_id, place.subject);
    kept.SetFloat(go_id, -1);
    std::vector<PanelPart> parts;
    {
        const Noting noting(parts);
        draw();
    }
    const float whole = ImGui::GetCursorPosY();
    kept.SetFloat(whole_id, whole);
    const float scrolled = ImGui::GetScrollY(), seen = scrolled + height;
    const bool at_end = seen > whole - ui.theme.px(2);
    if (place.ground) fade_edges(ui);
    ImGui::EndChild();
    if (!more) return;
    const PanelPart next = what_follows(ui, parts, seen, whole);
    const Control control{id + ".more", at_end ? ui.text("panel.top") : next.title, {}, {}};
    if (!button(ui, control, {Emphasis::quiet, at_end ? Icon::up : Icon::down, -1, true})) return;
    const bool begins_below = next.top > scrolled + ui.theme.px(8);
    kept.SetFloat(go_id, at_end ? 0 : begins_below ? next.top : scrolled + height * page);
}

}  // namespace vitrine
