#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/rooms/room_parts.h"
#include "app/rooms/text/instruments/text_instrument.h"
#include "app/rooms/text/text_zones.h"
#include "app/ui/text.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "app/workspace/workspace.h"
#include "core/text/text_model.h"

namespace vitrine {

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
    const TextResult* const now = shown.workspace.told_text(experiment, look.chapter);
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
