#include "app/rooms/panels/linked_words.h"

#include <imgui.h>

#include <algorithm>
#include <map>

#include "app/library/references.h"
#include "app/ui/glossary.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/tips.h"
#include "app/workspace/command.h"
#include "app/workspace/focus_words.h"

namespace vitrine {

namespace {

/// Words with marked terms and citations; recomputed only when the words change.
struct Marked {
    std::uint64_t stamp = 0;  // of the language's texts
    std::string markup;
    std::vector<GlossaryTerm> terms;
    std::string marked;
};

const Marked& marked(const Text& text, const LinkedWords& words) {
    const std::string& markup = words.text.markup;
    static std::map<std::string, Marked> parts;
    Marked& last = parts[words.part];
    if (last.stamp == text.stamp() && last.markup == markup) return last;
    static const std::vector<std::string> citations = [] {
        std::vector<std::string> all;
        for (const Reference& reference : references()) all.push_back(citation_of(reference));
        return all;
    }();
    last = {text.stamp(), markup, words.terms ? glossary(text) : std::vector<GlossaryTerm>(), {}};
    last.marked = with_terms(with_citations(markup, citations), last.terms);
    return last;
}

/// Tooltip and click action of a linked place.
struct LinkAction {
    std::string id, tip;  // id without the part
    std::vector<Command> commands;
};

LinkAction link_action(const Text& text, const Marked& words, const MarkedPlace& place) {
    if (place.role == "link") {
        const std::string there = place.target.substr(place.target.find('.') + 1);
        const std::size_t dot = there.find('.');
        std::vector<FocusWord> words_of_place = {{"lab.instrument", there.substr(0, dot)}};
        if (dot != std::string::npos) words_of_place.push_back({"lab.cause", there.substr(dot + 1)});
        return {place.target, text("links.tip"), in_laboratory(std::move(words_of_place))};
    }
    if (place.role == "cite") {
        const auto cited = std::ranges::find(references(), place.words, citation_of);
        if (cited == references().end()) return {};
        return {cited->id, full_words(*cited), {command::LookUp{"references", place.words}}};
    }
    const GlossaryTerm* const term = term_of(words.terms, place.words);
    if (term == nullptr) return {};
    return {term->id, "{strong|" + term->term + "}\n" + term->words, {command::LookUp{"glossary", term->term}}};
}

}  // namespace

std::vector<Command> in_laboratory(std::vector<FocusWord> words) {
    return {command::Look{std::move(words)}, command::EnterRoom{"laboratory"}, command::Do{"panel.top"}};
}

float linked_words(const Ui& ui, Rect room, const LinkedWords& words, Commands& commands) {
    const Marked& told = marked(ui.text, words);
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    std::vector<MarkedPlace> places;
    RichText text = words.text;
    text.markup = told.marked;
    const float height = rich_text(canvas, ui, room, text, &places);
    int number = 0;
    for (const MarkedPlace& place : places) {
        const LinkAction link = link_action(ui.text, told, place);
        if (link.commands.empty()) continue;
        const std::string id = place.role + "." + words.part + "." + link.id + "." + std::to_string(number++);
        const Hit hit = hot_area(ui, id, place.rect, place.words);
        tooltip_in_zone(ui, link.tip);
        if (!hit.clicked) continue;
        for (const Command& command : link.commands) commands.add(command);
    }
    return height;
}

void linked_paragraph(const Ui& ui, const LinkedWords& words, Commands& commands) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Rect room{at.x, at.y, at.x + std::max(1.0F, ImGui::GetContentRegionAvail().x), at.y};
    const float height = linked_words(ui, room, words, commands);
    ImGui::SetCursorScreenPos(at);
    ImGui::Dummy({room.width(), height});
}

void linked_paragraph(const Ui& ui, const std::string& part, const std::string& markup, Commands& commands) {
    linked_paragraph(ui, LinkedWords{part, {markup, Font::body, ui.theme.palette.text, Align::left}}, commands);
}

}  // namespace vitrine
