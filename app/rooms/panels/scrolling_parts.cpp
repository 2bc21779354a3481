#include "app/rooms/panels/scrolling_parts.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/platform/imgui_compat.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"

namespace vitrine {

namespace {

/// Every part that a panel may have.
constexpr std::array part_names = {"words",   "equation", "switches", "controls",
                                   "numbers", "code",     "question", "references"};

struct PanelPart {
    int name;   // place in `part_names`
    float top;  // distance from the top of all parts, px
};

/// The parts being drawn; null outside `scrolling_parts`.
std::vector<PanelPart>* being_drawn = nullptr;

/// Makes `begin_part` record parts during its lifetime.
class PartRecorder {
public:
    explicit PartRecorder(std::vector<PanelPart>& parts) : before_(being_drawn) { being_drawn = &parts; }
    ~PartRecorder() { being_drawn = before_; }
    PartRecorder(const PartRecorder&) = delete;
    PartRecorder& operator=(const PartRecorder&) = delete;

private:
    std::vector<PanelPart>* before_;
};

/// State of a panel's parts from the previous frame, kept in ImGui's storage.
class KeptParts {
public:
    enum Number : ImGuiID {
        whole,
        scrolled,
        height,
        go,
        shown,
        count,
        clicked,
        changes,
        changed_at,
        served,
        boxed,
        boxed_at,
        first_part
    };

    explicit KeptParts(const char* id) : id_(ImGui::GetID(id)), storage_(*ImGui::GetStateStorage()) {}

    float number(Number which, float otherwise = 0) const { return storage_.GetFloat(id_ + which, otherwise); }
    void keep(Number which, float value) { storage_.SetFloat(id_ + which, value); }

    std::vector<PanelPart> parts() const {
        std::vector<PanelPart> all(static_cast<std::size_t>(storage_.GetInt(id_ + count, 0)));
        ImGuiID at = id_ + first_part;
        for (PanelPart& part : all) part = {storage_.GetInt(at++, 0), storage_.GetFloat(at++, 0)};
        return all;
    }
    void keep(const std::vector<PanelPart>& all) {
        storage_.SetInt(id_ + count, static_cast<int>(all.size()));
        ImGuiID at = id_ + first_part;
        for (const PanelPart& part : all) {
            storage_.SetInt(at++, part.name);
            storage_.SetFloat(at++, part.top);
        }
    }

private:
    ImGuiID id_;
    ImGuiStorage& storage_;
};

/// The visible stretch of all parts, px.
struct InSight {
    float from = 0, to = 0, whole = 0;
};

/// True if at least a line of a part is visible.
bool is_in_sight(const std::vector<PanelPart>& parts, std::size_t part, const InSight& sight, float line) {
    const float end = part + 1 < parts.size() ? parts[part + 1].top : sight.whole;
    return std::min(end, sight.to) - std::max(parts[part].top, sight.from) >= line;
}

/// Draws the headings in rows, from the cursor across the remaining width. Returns the height of all rows; sets
/// `chosen` to the clicked part.
float headings_row(const Ui& ui, const std::string& id, const std::vector<PanelPart>& parts, const InSight& sight,
                   const PanelPart*& chosen) {
    const Theme& theme = ui.theme;
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x;
    const float pad = theme.px(7), height = std::max(28.0F, theme.px(32)), line = canvas.measure("", Font::body).y;
    Point corner{at.x - pad, at.y};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string name = part_names[static_cast<std::size_t>(parts[i].name)];
        const std::string& title = ui.text("section." + name);
        const float width = canvas.measure(title, Font::caption).x + 2 * pad;
        if (corner.x + width > right + pad) corner = {at.x - pad, corner.y + height};
        const Rect rect{corner.x, corner.y, corner.x + width, corner.y + height};
        const bool bright = is_in_sight(parts, i, sight, line);
        const Hit hit = hot_area(ui, id + ".to." + name, rect, title);
        if (hit.at) {
            canvas.fill(rect.inset(theme.px(1)), theme.palette.raised, theme.px(6));
            tooltip(ui, ui.text("panel.to_tip"));
        }
        const Color ink = bright ? theme.palette.text : theme.palette.muted;
        const float words = canvas.measure(title, Font::caption).y, y = rect.centre().y - words / 2;
        canvas.text({rect.x0 + pad, y}, title, {Font::caption, ink, Align::left});
        if (bright)
            canvas.fill({rect.x0 + pad, y + words + theme.px(1), rect.x1 - pad, y + words + theme.px(3)},
                        theme.palette.accent, 0);
        if (hit.clicked) chosen = &parts[i];
        corner.x += width;
    }
    return corner.y + height - at.y + theme.px(4);
}

constexpr float faded_below = 26;  // px at scale 1

/// Fades an edge beyond which the parts continue: from transparent at `from` to the panel's colour at `to`, y in px.
void fade(const Ui& ui, float from, float to) {
    const Color ground = ui.theme.palette.panel;
    const ImU32 whole = IM_COL32(ground.r, ground.g, ground.b, 255), none = IM_COL32(ground.r, ground.g, ground.b, 0);
    const ImVec2 low = ImGui::GetWindowPos();
    const float right = low.x + ImGui::GetWindowWidth() - ImGui::GetStyle().ScrollbarSize;
    ImGui::GetWindowDrawList()->AddRectFilledMultiColor({low.x, std::min(from, to)}, {right, std::max(from, to)},
                                                        from < to ? none : whole, from < to ? none : whole,
                                                        from < to ? whole : none, from < to ? whole : none);
}

/// Fades the upper and the lower edge if they cut off parts.
void fade_edges(const Ui& ui) {
    const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
    const float above = std::min(ImGui::GetScrollY(), ui.theme.px(20));
    const float below = std::min(ImGui::GetScrollMaxY() - ImGui::GetScrollY(), ui.theme.px(faded_below));
    if (above >= 1) fade(ui, top + above, top);
    if (below >= 1) fade(ui, bottom - below, bottom);
}

/// Scrolls if the area below the parts grows and leaves them less height, but no further than needed to keep the
/// control clicked last in sight. All switches stay in sight after a what-if was added elsewhere and when the list of
/// changes is opened by its own line. Growth for another reason, such as a new run, does not scroll.
void keep_click_in_sight(const Ui& ui, KeptParts& kept, float height, const ScrollingParts& place) {
    constexpr float settling = 2;  // seconds from a change to its run
    const float scrolled = ImGui::GetScrollY(),
                row = ui.theme.px(12 + faded_below);  // most of a switch, above the faded edge
    const auto now = static_cast<float>(ImGui::GetTime()), changes = static_cast<float>(place.changes);
    const bool opened = kept.number(KeptParts::shown, -1) != static_cast<float>(place.subject);
    if (opened) kept.keep(KeptParts::clicked, 0);
    const bool added = changes > kept.number(KeptParts::changes);
    if (opened || changes < kept.number(KeptParts::changes)) kept.keep(KeptParts::changed_at, now - settling);
    if (!opened && added) kept.keep(KeptParts::changed_at, now);
    kept.keep(KeptParts::changes, changes);
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
        ImGui::IsMouseClicked(0))
        kept.keep(KeptParts::clicked, ImGui::GetMousePos().y - ImGui::GetWindowPos().y + scrolled);
    if (place.box && !opened && !added && kept.number(KeptParts::boxed) == 0) kept.keep(KeptParts::boxed_at, now);
    kept.keep(KeptParts::boxed, place.box ? 1.0F : 0.0F);
    const float clicked = kept.number(KeptParts::clicked), before = kept.number(KeptParts::height);
    if (height >= before) return;
    const bool in_sight = clicked > 0 && clicked >= scrolled && clicked <= scrolled + before;
    const auto since = [&](KeptParts::Number when) { return now < kept.number(when, -settling) + settling; };
    const bool all = (clicked == 0 && since(KeptParts::changed_at)) || since(KeptParts::boxed_at);
    float wanted = in_sight ? std::max(scrolled, clicked + row - height) : scrolled;
    const std::vector<PanelPart> parts = kept.parts();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const float top = parts[i].top, end = i + 1 < parts.size() ? parts[i + 1].top : kept.number(KeptParts::whole);
        if (part_names[static_cast<std::size_t>(parts[i].name)] == std::string_view("switches") &&
            top + row <= scrolled + before && all)
            wanted = std::max(wanted, std::min(top, end - height));
    }
    if (wanted > scrolled) ImGui::SetScrollY(wanted);
}

}  // namespace

void begin_part(std::string_view part) {
    const auto found = std::ranges::find(part_names, part);
    if (being_drawn != nullptr && found != part_names.end())
        being_drawn->push_back({static_cast<int>(found - part_names.begin()), ImGui::GetCursorPosY()});
}

void scrolling_parts(const Ui& ui, const ScrollingParts& place, const std::function<void()>& draw) {
    KeptParts kept(place.id);
    std::vector<PanelPart> parts = kept.parts();
    float height = place.height;
    if (kept.number(KeptParts::whole) > place.height + 1 && parts.size() > 1) {  // as of the last frame
        const float scrolled = kept.number(KeptParts::scrolled);
        const PanelPart* chosen = nullptr;
        const float top = ImGui::GetCursorPosY();
        const float rows =
            headings_row(ui, place.id, parts,
                         {scrolled, scrolled + kept.number(KeptParts::height), kept.number(KeptParts::whole)}, chosen);
        if (chosen != nullptr) kept.keep(KeptParts::go, chosen->top);
        ImGui::SetCursorPosY(top + rows);
        height -= rows;
    }
    begin_child({place.id, 0, height, false, false, 0});
    if (kept.number(KeptParts::shown, -1) != static_cast<float>(place.subject)) ImGui::SetScrollY(0);
    keep_click_in_sight(ui, kept, height, place);
    if (const float go_to = kept.number(KeptParts::go, -1); go_to >= 0) ImGui::SetScrollY(go_to);
    kept.keep(KeptParts::shown, static_cast<float>(place.subject));
    kept.keep(KeptParts::go, -1);
    parts.clear();
    {
        const PartRecorder recorder(parts);
        draw();
    }
    kept.keep(parts);
    const bool asked = place.request != 0 && kept.number(KeptParts::served) != static_cast<float>(place.request);
    for (const PanelPart& part : parts)
        if (asked && (place.show == "top" || part_names[static_cast<std::size_t>(part.name)] == place.show)) {
            kept.keep(KeptParts::go, place.show == "top" ? 0 : part.top);
            kept.keep(KeptParts::served, static_cast<float>(place.request));
        }
    kept.keep(KeptParts::whole, ImGui::GetCursorPosY());
    kept.keep(KeptParts::scrolled, ImGui::GetScrollY());
    kept.keep(KeptParts::height, height);
    if (place.ground) fade_edges(ui);
    ImGui::EndChild();
}

}  // namespace vitrine
