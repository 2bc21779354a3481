#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "core/text/text_config.h"
#include "core/text/text_what_ifs.h"
#include "core/training/head_tally.h"
#include "core/transformer/block_trace.h"

// Words attend to words of the same sentence: the reference of "it".

namespace vitrine {

namespace text_self_attention_parts {

int block_here(const TextTold& told) { return block_in(told.now, TextAttention::encoder, told.look()); }

/// The word with the largest weight from the chosen one, and that weight.
struct Best {
    std::string from, to;
    float weight = 0;
};
Best best_of(const TextResult& now, const Selection& selection, int block, int head) {
    const TextTokens tokens = source_tokens(now, now.run);
    const auto t = attention_of(now.run, TextAttention::encoder, block);
    if (t == nullptr || tokens.size() == 0) return {};
    const AttentionMap map = map_of(*t, head);
    const int row = std::min(source_in_view(now, selection), map.rows - 1), best = map.best(row);
    return {tokens.words[static_cast<std::size_t>(row)], tokens.words[static_cast<std::size_t>(best)],
            map.at(row, best)};
}

void view(const TextScene& scene) { attention_stage(scene, TextAttention::encoder); }

std::vector<Fact> facts(const TextTold& told) {
    const Best best = best_of(told.now, told.selection, block_here(told), told.look().head);
    const TextConfig& c = told.now.model->config;
    const auto t = attention_of(told.now.run, TextAttention::encoder, block_here(told));
    if (t != nullptr && is_idle(*t, told.look().head))
        return {{told.ui.text("text.fact.looks"), told.ui.text("text.fact.nothing_comes"), {}}};
    const int n = source_tokens(told.now, told.now.run).size();
    std::vector<Fact> facts = {{told.ui.text("text.fact.looks"), best.from + " → " + best.to, {}},
                               number_fact(told.ui.text("text.fact.weight"), static_cast<double>(best.weight)),
                               shape_fact("A", {c.heads, n, n}),
                               number_fact("√d", std::sqrt(static_cast<double>(c.head_dim())))};
    const TalliedHead& it = told.now.it_head;
    if (it.count > 0 && told.now.request.what_ifs.empty())  // found in the unchanged model
        facts.push_back({told.ui.text("text.fact.it_head"),
                         told.ui.text("text.head_of_layer",
                                      {{"head", told.ui.ordinal(it.head)}, {"block", told.ui.ordinal(it.block - 1)}}),
                         {}});
    return facts;
}

std::vector<std::string> switches(const TextTold& told) {
    std::vector<std::string> words = {"no-scale", "k=q", "no-positions"};
    if (told.look().head >= 0) {
        words.push_back(word_of_head(TextAttention::encoder, block_here(told), told.look().head));
        words.push_back("only:" + std::to_string(told.look().head));
    }
    return words;
}

std::string answer(const TextTold& told) {
    const TalliedHead& it = told.now.it_head;
    if (it.count == 0) return told.ui.text("text.self_attention.answer_plain");
    const Best best = best_of(told.now, told.selection, it.block, it.head);
    return told.ui.text("text.self_attention.answer", {{"head", told.ui.ordinal(it.head)},
                                                       {"block", told.ui.ordinal(it.block - 1)},
                                                       {"count", count_text(it.count)},
                                                       {"share", percent_text(it.mass)},
                                                       {"from", in_quotes(best.from)},
                                                       {"to", in_quotes(best.to)},
                                                       {"weight", number_text(static_cast<double>(best.weight))}});
}

/// True if `text` contains `word` as a whole word; case-sensitive.
bool has_word(std::string_view text, std::string_view word) {
    const auto is_letter = [&](std::size_t i) {
        return i < text.size() && std::isalpha(static_cast<unsigned char>(text[i]));
    };
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
        if (!is_letter(at - 1) && !is_letter(at + word.size())) return true;
    return false;
}

/// Empty for an English sentence with "it" translated to Japanese, whose noun the model learned to find; else "plain".
std::string aspect(const TextExperiment& experiment) {
    const bool from_english = experiment.task_in(TextChapter::self_attention) == TextTask::translate &&
                              experiment.to == TextLanguage::japanese;
    return from_english && has_word(experiment.text_in(TextChapter::self_attention), "it") ? "" : "plain";
}

bool answered(const TextTried& tried) { return tried.now.swapped.has_value() && tried.look.head >= 0; }

}  // namespace text_self_attention_parts

TextChapterRow self_attention_chapter() {
    return {.id = name_of(TextChapter::self_attention),
            .own = {.view = text_self_attention_parts::view,
                    .depends = {.block = true, .head = true},
                    .narrow = true,
                    .aspect = text_self_attention_parts::aspect,
                    .swaps = true},
            .facts = text_self_attention_parts::facts,
            .switches = text_self_attention_parts::switches,
            .sliders = {"temperature"},
            .answer = text_self_attention_parts::answer,
            .answered = text_self_attention_parts::answered};
}

}  // namespace vitrine
