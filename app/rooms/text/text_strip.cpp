#include <imgui.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/chapter_parts.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/text/instruments/text_instrument.h"
#include "app/rooms/text/text_scene.h"
#include "app/rooms/text/text_zones.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/hot_area.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "app/workspace/workspace.h"
#include "core/measures/text/text_heads.h"
#include "core/text/text_config.h"
#include "core/text/text_model.h"

namespace vitrine {

namespace {

/// A row of words; a single one may wrap to a second line.
struct StripRow {
    const char* id;
    const char* title;
    const TextTokens& tokens;
    int chosen, first;  // `first`: number of words given, not written
    Color color;
    int lines = 1;
};
WordHit draw_strip_row(const Frame& frame, const StripRow& row, float height) {
    const Ui& ui = frame.ui;
    const Palette& p = ui.theme.palette;
    WordHit result;
    begin_child({row.id, 0, height, false, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse});
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float line = canvas.measure("", Font::body).y, chip = line + ui.theme.px(4);
    canvas.text({at.x, at.y + ui.theme.px(2)}, ui.text(row.title), {Font::caption, row.color, Align::left});
    float widest = 0;
    for (const char* const title : {"text.strip.reads", "text.strip.writes"})
        widest = std::max(widest, canvas.measure(ui.text(title), Font::caption).x);
    const float begin = at.x + widest + ui.theme.px(14), room = at.x + ImGui::GetContentRegionAvail().x - begin;
    const auto width_of = [&](const std::string& word, Font font) {
        return canvas.measure(word, font).x + ui.theme.px(font == Font::body ? 17 : 12);
    };
    // Japanese words are followed by their English glosses, if all of these fit, if need be in a smaller font.
    const auto beside = [&](const std::string& word) {
        const std::string gloss = gloss_of(frame, word);
        return gloss.empty() ? 0.0F : canvas.measure(gloss, Font::caption).x + ui.theme.px(6);
    };
    float needed = 0, smaller = 0, glosses = 0;
    for (const std::string& word : row.tokens.words) {
        needed += width_of(word, Font::body);
        smaller += width_of(word, Font::caption);
        glosses += beside(word);
    }
    const auto lines = static_cast<float>(row.lines);
    const bool explains = glosses > 0 && smaller + glosses <= room * lines * 0.95F;
    const bool large = needed + (explains ? glosses : 0) <= room * lines * 0.95F;
    const Font font = large ? Font::body : Font::caption;  // long rows have a smaller font
    const float step = (height + ui.theme.px(3)) / lines;
    float x = begin, y = at.y;
    int filled = 1;
    for (int i = 0; i < row.tokens.size(); ++i) {
        const auto place = static_cast<std::size_t>(i);
        const std::string& word = row.tokens.words[place];
        const float aside = explains ? beside(word) : 0, width = width_of(word, font) - ui.theme.px(5) + aside;
        if (x + width > begin + room && filled < row.lines) x = begin, y += step, ++filled;
        const Rect rect{x, y, x + width, y + chip};
        const Hit hit = hot_area(ui, std::string(row.id) + "." + std::to_string(i), rect, word);
        const bool unknown = row.tokens.unknown[place] != 0;
        tooltip(ui, ui.text(unknown ? "text.unknown_tip" : "text.word_tip",
                            {{"word", glossed(frame, word)}, {"id", std::to_string(row.tokens.ids[place])}}));
        canvas.fill(rect, i == row.chosen ? row.color.with_alpha(0.30F) : p.raised, ui.theme.px(5));
        if (unknown) hatch(canvas, rect, p.danger.with_alpha(0.5F), ui.theme.px(7));
        if (hit.at || i == row.chosen) canvas.stroke(rect, row.color, ui.theme.px(2), ui.theme.px(5));
        const Color ink = unknown ? p.danger : i < row.first && i != row.chosen ? p.muted : p.text;
        canvas.text({rect.centre().x - aside / 2, rect.centre().y - canvas.measure("", font).y / 2}, word,
                    {font, ink, Align::centre});
        if (aside > 0) {
            const std::string gloss = gloss_of(frame, word);
            canvas.text({rect.x1 - ui.theme.px(6), rect.centre().y - canvas.measure("", Font::caption).y / 2}, gloss,
                        {Font::caption, p.muted, Align::right});
            ui.probe.mark(std::string(row.id) + ".gloss." + std::to_string(i), rect, 0, gloss);
        }
        if (i == row.chosen && rect.x1 > begin + room) ImGui::SetScrollX(rect.x1 - at.x);
        if (hit.at) result.hovered = i;
        if (hit.clicked) result.clicked = i;
        x += width + ui.theme.px(5);
    }
    ImGui::SetCursorScreenPos({x, y});
    ImGui::Dummy({1, chip});
    ImGui::EndChild();
    return result;
}

/// Opens the laboratory, or returns to the chapters; returns the button's width.
float laboratory_switch(const Frame& frame) {
    const Ui& ui = frame.ui;
    bool& open = frame.selection.focus.text.lab.open;
    const char* const words = open ? "text.lab.close" : "text.lab.open";
    const std::string key = frame.key_of(open ? "room.text" : "room.laboratory");
    if (button(ui, {words, ui.text(words), ui.text(open ? "text.lab.close_tip" : "text.lab.open_tip_all"), key}))
        open = !open;
    return ImGui::GetItemRectSize().x;
}

/// The instruments in a line, after the button back to the chapters.
void instruments_line(const Frame& frame) {
    const Ui& ui = frame.ui;
    TextInstrument& instrument = frame.selection.focus.text.lab.instrument;
    laboratory_switch(frame);
    ImGui::SameLine(0, ui.theme.px(18));
    std::vector<Control> tabs;
    for (const Named<TextInstrument>& row : text_instrument_names) {
        const std::string name = row.name;
        tabs.push_back({"text.lab.tab." + name, ui.text("text.lab.tab." + name), ui.text("text.lab." + name + ".title"),
                        frame.key_of("text.chapter.next")});
    }
    int chosen = place_of(instrument);
    if (segmented(ui, tabs, chosen)) instrument = text_instrument_names[chosen].value;
}

void chapters_row(const Frame& frame) {
    const Ui& ui = frame.ui;
    laboratory_switch(frame);
    ImGui::SameLine(0, ui.theme.px(14));
    const int last = static_cast<int>(std::size(text_chapter_names)) - 1;
    const int here = place_of(frame.selection.focus.text.chapter);
    int wanted = here;
    if (icon_button(ui, {"text.back", {}, ui.text("time.back"), frame.key_of("text.chapter.previous"), here > 0},
                    Icon::left, Emphasis::plain))
        --wanted;
    ImGui::SameLine();
    if (icon_button(ui, {"text.next", {}, ui.text("time.next"), frame.key_of("text.chapter.next"), here < last},
                    Icon::right, Emphasis::plain))
        ++wanted;
    ImGui::SameLine();
    const int clicked = chapters_line(
        frame, {.segment = "text.chapter.", .number = "text.chapter", .here = here, .inset = 10, .number_width = 80});
    if (clicked != here) wanted = clicked;
    if (wanted != here) frame.text().enter(text_chapter_names[wanted].value);
}

}  // namespace

std::string text_selection(const Frame& frame, const TextResult& now) {
    const Ui& ui = frame.ui;
    const TextLook& look = frame.selection.focus.text;
    if (look.lab.open) return ui.text("text.lab." + std::string(name_of(look.lab.instrument)) + ".title");
    const std::optional<TextAttention> kind = attention_of_chapter(look.chapter);
    if (!kind || blocks_of(now.model->config, *kind) == 0) return ui.text(key_of(chapter_of(look), "title"));
    const int head = head_in(now, look);
    const std::string name = head < 0 ? ui.text("text.mean") : ui.text("text.head", {{"head", ui.ordinal(head)}});
    return ui.text("text.layer", {{"block", ui.ordinal(block_in(now, *kind, look) - 1)}}) + " · " + name;
}

void text_strip(const Frame& frame) {
    const Ui& ui = frame.ui;
    TextLook& look = frame.selection.focus.text;
    const TextResult* const now = frame.workspace.text.result.get();
    const float line = std::max(ui.theme.px(28), measure_text(ui.theme, "", Font::body).y + ui.theme.px(6));
    const float start = ImGui::GetCursorPosY();
    if (now != nullptr && !now->empty()) {
        const TextTokens source = source_tokens(*now, now->run), produced = produced_tokens(*now, now->run);
        const bool alone = source.size() == 0 || produced.size() == 0;
        const float height = alone ? 2 * line + ui.theme.px(3) : line;
        const int lines = alone ? 2 : 1;
        const bool story = now->model->config.shape == TextShape::language_model;
        const Selection& s = frame.selection;
        if (source.size() > 0) {
            const WordHit hit =
                draw_strip_row(frame,
                               {"text.strip.source", "text.strip.reads", source,
                                s.hovered_source().value_or(look.source), 0, ui.theme.palette.key, lines},
                               height);
            ImGui::SetCursorPosY(start + line + ui.theme.px(3));
            if (hit.hovered >= 0) frame.selection.hover_source(hit.hovered);
            if (hit.clicked >= 0) look.source = look.source == hit.clicked ? -1 : hit.clicked;
        }
        if (produced.size() > 0) {
            const WordHit hit = draw_strip_row(
                frame,
                {"text.strip.target", "text.strip.writes", produced, s.hovered_target().value_or(look.target),
                 story ? static_cast<int>(now->words.size()) : 0, ui.theme.palette.query, lines},
                height);
            if (hit.hovered >= 0) frame.selection.hover_target(hit.hovered);
            if (hit.clicked >= 0) look.target = look.target == hit.clicked ? -1 : hit.clicked;
        }
    }
    ImGui::SetCursorPosY(start + 2 * (line + ui.theme.px(3)));
    look.lab.open ? instruments_line(frame) : chapters_row(frame);
}

namespace {

std::string word_in_row(const TextTokens& tokens, int row) {
    if (tokens.size() == 0) return {};
    return in_quotes(tokens.words[static_cast<std::size_t>(std::clamp(row, 0, tokens.size() - 1))]);
}
std::string read_in_view(const TextResult& now, const Selection& selection) {
    return word_in_row(source_tokens(now, now.run), source_in_view(now, selection));
}
std::string said_in_view(const TextResult& now, const Selection& selection) {
    return word_in_row(produced_tokens(now, now.run), target_in_view(now, selection));
}

std::vector<std::string> parts_of_chapter(const InView& shown, const TextResult& now) {
    const Ui& ui = shown.ui;
    const TextLook& look = shown.selection.focus.text;
    const DependsOn& depends = chapter_of(look).own.depends;
    const std::optional<TextAttention> kind = attention_of_chapter(look.chapter);
    std::vector<std::string> words;
    if (kind && depends.block && blocks_of(now.model->config, *kind) > 0)
        words.push_back(ui.text("text.layer", {{"block", ui.ordinal(block_in(now, *kind, look) - 1)}}));
    if (const int head = head_in(now, look); kind && depends.head)
        words.push_back(head < 0 ? ui.text("caption.fusion.mean") : ui.text("text.head", {{"head", ui.ordinal(head)}}));
    const bool reads = now.model->config.has_encoder() && look.chapter != TextChapter::generator;
    if (depends.token) words.push_back(reads ? read_in_view(now, shown.selection) : said_in_view(now, shown.selection));
    return words;
}

std::vector<std::string> parts_of_instrument(const InView& shown, const TextResult& now) {
    const Ui& ui = shown.ui;
    const TextLook& look = shown.selection.focus.text;
    const TextAttention kind = kind_in(now, look);
    const bool encoder = kind == TextAttention::encoder;
    const int blocks = encoder ? now.model->config.blocks : now.model->config.decoder_blocks;
    switch (look.lab.instrument) {
        case TextInstrument::heads:
        case TextInstrument::statistics: return {ui.text("text.lab.kind." + std::string(name_of(kind)))};
        case TextInstrument::rollout:
            return {ui.text(encoder ? "text.lab.stack.encoder" : "text.lab.stack.decoder"),
                    ui.text("caption.blocks",
                            {{"first", "1"},
                             {"last", std::to_string(look.lab.level > 0 ? std::min(look.lab.level, blocks) : blocks)}}),
                    ui.text("caption.fusion.mean"),
                    encoder ? read_in_view(now, shown.selection) : said_in_view(now, shown.selection)};
        case TextInstrument::lens:
        case TextInstrument::ledger:
        case TextInstrument::occlusion:
            if (now.model->config.has_decoder()) return {said_in_view(now, shown.selection)};
    }
    return {};
}

}  // namespace

std::vector<std::string> text_caption(const InView& shown) {
    const TextExperiment& experiment = shown.workspace.text_experiment;
    const TextLook& look = shown.selection.focus.text;
    const TextResult* const now = shown.workspace.text_to_explain(experiment, look.chapter);
    if (now == nullptr || now->empty()) return {};
    std::vector<std::string> words = look.lab.open ? parts_of_instrument(shown, *now) : parts_of_chapter(shown, *now);
    for (const std::string& change : text_changes(shown.ui, experiment)) words.push_back(change);
    words.push_back(in_quotes(experiment.text_in(look.chapter)));
    const TextTask task = experiment.task_in(look.chapter);
    words.push_back(task == TextTask::translate ? shown.ui.text("text.to." + std::string(name_of(experiment.to)))
                                                : shown.ui.text("text.task." + std::string(name_of(task))));
    return words;
}

}  // namespace vitrine
