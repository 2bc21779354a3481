#include <algorithm>

#include "app/rooms/app_context.h"
#include "app/rooms/panels/chapter_parts.h"
#include "app/rooms/text/room.h"
#include "app/rooms/text/text_scene.h"
#include "app/rooms/text/text_zones.h"
#include "app/workspace/text_result.h"
#include "core/measures/text/text_heads.h"
#include "core/text/text_what_ifs.h"

// Commands of the Text room.

namespace vitrine {

namespace {

TextLook& look_of(AppContext& context) { return context.focus().text; }
const TextResult* result_of(const AppContext& context) { return context.workspace().text.result.get(); }

void walk_chapters(AppContext& context, int by) {
    TextLook& look = look_of(context);
    if (look.lab.open) {
        const int end = static_cast<int>(std::size(text_instrument_names)) - 1;
        look.lab.instrument = text_instrument_names[std::clamp(place_of(look.lab.instrument) + by, 0, end)].value;
        return;
    }
    const int last = static_cast<int>(std::size(text_chapter_names)) - 1;
    context.workspace().text_draft().enter(text_chapter_names[std::clamp(place_of(look.chapter) + by, 0, last)].value);
    context.state.answer_shown = false;
}

/// The attention of the chapter, or the encoder's.
TextAttention attention_in(const TextLook& look) {
    return attention_of_chapter(look.chapter).value_or(TextAttention::encoder);
}

void walk_layers(AppContext& context, int by) {
    const TextResult* const now = result_of(context);
    if (now == nullptr) return;
    TextLook& look = look_of(context);
    const TextAttention kind = attention_in(look);
    const int blocks = blocks_of(now->model->config, kind);
    if (blocks > 0) look.block = std::clamp(block_in(*now, kind, look) + by, 1, blocks);
}

/// Chooses a head by a digit key, numbered as displayed; the digit before the first head chooses the mean of all.
void choose_text_head(AppContext& context, int digit) {
    const TextResult* const now = result_of(context);
    if (now == nullptr) return;
    const int head = digit - context.state.settings.count_from;
    if (head < now->model->config.heads) look_of(context).head = std::max(-1, head);
}

/// Switches the hovered head, else the chosen one, off or on.
void switch_head(AppContext& context) {
    const TextResult* const now = result_of(context);
    TextLook& look = look_of(context);
    const int head = context.workspace().selection.hovered_head().value_or(look.head);
    if (now == nullptr || head < 0 || head >= now->model->config.heads) return;
    const TextAttention kind = attention_in(look);
    const std::string word = word_of_head(kind, block_in(*now, kind, look), head);
    const std::string list[] = {word};
    if (!text_interventions(list, now->model->config).empty())
        switch_what_if(context.workspace().text_experiment, word);
}

void restore_text(AppContext& context) {
    TextExperiment& experiment = context.workspace().text_experiment;
    experiment.what_ifs.clear();
    experiment.forced.clear();
    experiment.swap = {};
}

bool has_back(const AppContext& context) {
    TextExperiment experiment = context.workspace().text_experiment;
    TextLook look = context.focus().text;
    return context.state.error.empty() && !context.state.lecture.on && TextDraft{experiment, look}.back();
}

/// False for a chapter's features while an instrument is shown in its place.
bool shows_chapter(const AppContext& context) { return !context.focus().text.lab.open; }

constexpr KeyContext in_texts{.room = "text"}, texts_outside_lectures{.room = "text", .skin = KeyContext::Skin::window};

std::vector<CommandRow> make_text_commands() {
    std::vector<CommandRow> rows = {
        {"text.chapter.previous",
         "help.text_chapter",
         {{Key::left}},
         texts_outside_lectures,
         [](AppContext& h) { walk_chapters(h, -1); }},
        {"text.chapter.next",
         "help.text_chapter",
         {{Key::right}},
         texts_outside_lectures,
         [](AppContext& h) { walk_chapters(h, 1); }},
        {"text.block.previous", "help.text_block", {{Key::up}}, in_texts, [](AppContext& h) { walk_layers(h, -1); }},
        {"text.block.next", "help.text_block", {{Key::down}}, in_texts, [](AppContext& h) { walk_layers(h, 1); }},
        {"text.sample.previous",
         "help.text_sample",
         {{Key::p}},
         texts_outside_lectures,
         [](AppContext& h) { show_sample(h.workspace().text_draft(), -1); }},
        {"text.sample.next",
         "help.text_sample",
         {{Key::n}},
         texts_outside_lectures,
         [](AppContext& h) { show_sample(h.workspace().text_draft(), 1); }},
        {"text.draw",
         "help.text_draw",
         {{Key::d}},
         texts_outside_lectures,
         [](AppContext& h) { draw_sentence(h.workspace().text_draft()); }},
        {"text.matrix",
         "help.text_matrix",
         {{Key::v}},
         in_texts,
         [](AppContext& h) { look_of(h).matrix = !look_of(h).matrix; }},
        {"text.switch", "help.text_switch", {{Key::x}}, in_texts, switch_head, nullptr, true, false},
        {"text.restore", "help.restore", {{Key::backspace}}, in_texts, restore_text},
        {"text.back",
         "help.back",
         {{Key::escape}},
         in_texts,
         [](AppContext& h) { h.workspace().text_draft().back(); },
         has_back,
         false},
        {"text.answer", "help.answer", {{Key::a}}, texts_outside_lectures, show_answer, shows_chapter},
        {"text.copy_code", "help.copy", {{Key::c}}, texts_outside_lectures, copy_listing, shows_chapter},
    };
    for (int digit = 0; digit < 10; ++digit)
        rows.push_back({"text.head." + std::to_string(digit),
                        "help.text_head",
                        {{static_cast<Key>(static_cast<int>(Key::digit_0) + digit)}},
                        in_texts,
                        [digit](AppContext& h) { choose_text_head(h, digit); },
                        nullptr,
                        false});
    return rows;
}

}  // namespace

const std::vector<CommandRow>& text_commands() {
    static const std::vector<CommandRow> rows = make_text_commands();
    return rows;
}

}  // namespace vitrine
