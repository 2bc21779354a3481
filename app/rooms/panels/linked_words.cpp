#include "app/rooms/panels/linked_words.h"

#include <imgui.h>

#include <algorithm>
#include <map>

#include "app/rooms/panels/panels.h"
#include "app/ui/glossary.h"
#include "app/ui/keyboard_focus.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/rich_text.h"

namespace vitrine {

namespace {

/// Words with their terms marked: worked out when they change, not in every frame.
struct Marked {
    std::uint64_t stamp = 0;  // of the language
    std::string markup;
    std::vector<GlossaryTerm> terms;
    std::string marked;
};

const Marked& marked(const Text& text, const std::string& part, const std::string& markup) {
    static std::map<std::string, Marked> parts;
    Marked& last = parts[part];
    if (last.stamp == text.stamp() && last.markup == markup) return last;
    last = {text.stamp(), markup, glossary(text), {}};
    last.marked = with_terms(markup, last.terms);
    return last;
}

}  // namespace

void glossary_paragraph(const Ui& ui, const std::string& part, const std::string& markup, Commands& commands) {
    const Marked& words = marked(ui.text, part, markup);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect room{at.x, at.y, at.x + std::max(1.0F, ImGui::GetContentRegionAvail().x), at.y};
    std::vector<TermPlace> places;
    const float height = rich_text(canvas, ui, room, {words.marked, Font::body, ui.theme.palette.text}, &places);
    int number = 0;
    for (const TermPlace& place : places) {
        const GlossaryTerm* const term = term_of(words.terms, place.term);
        if (term == nullptr) continue;
        const std::string id = "term." + part + "." + term->id + "." + std::to_string(number++);
        ImGui::SetCursorScreenPos({place.rect.x0, place.rect.y0});
        bool pressed = ImGui::InvisibleButton(id.c_str(), {place.rect.width(), place.rect.height()});
        ui.probe.mark_item(id, 0, place.term);
        if (ui.keyboard != nullptr) {
            ui.keyboard->announce(id, place.rect);
            pressed = pressed || ui.keyboard->pressed_last();
            focus_ring(ui, canvas, place.rect, ui.theme.px(3));
        }
        tooltip(ui, "{strong|" + term->term + "}\n" + term->words);
        if (pressed) commands.add(command::ShowDialog{"glossary"});
    }
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({room.width(), height});
}

}  // namespace vitrine
