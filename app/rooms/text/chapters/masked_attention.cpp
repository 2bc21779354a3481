#include <algorithm>
#include <cmath>

#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/text_result.h"
#include "core/text/text_what_ifs.h"
#include "core/transformer/block_trace.h"

// The decoder's words attend to the words before them.

namespace vitrine {

namespace text_masked_attention_parts {

int block_here(const TextTold& told) { return block_in(told.now, TextAttention::decoder, told.look()); }

/// Number of words visible to a row: those with unmasked scores.
int seen_by(const AttentionTrace& t, int row) {
    const std::size_t words = t.scores.shape()[2];
    const float* const scores = &t.scores(0, static_cast<std::size_t>(row), 0);
    return static_cast<int>(std::count_if(scores, scores + words, [](float x) { return std::isfinite(x); }));
}

void view(const TextScene& scene) { attention_stage(scene, TextAttention::decoder); }

std::vector<Fact> facts(const TextTold& told) {
    const auto t = attention_of(told.now.run, TextAttention::decoder, block_here(told));
    if (t == nullptr) return {};
    std::vector<Fact> facts = row_facts(told, block_here(told));
    const int row = std::min(target_in_view(told.now, told.selection), static_cast<int>(t->scores.shape()[1]) - 1);
    facts.push_back({told.ui.text("text.fact.sees"), count_text(seen_by(*t, row)), {}});
    return facts;
}

std::vector<std::string> switches(const TextTold& told) {
    std::vector<std::string> words = {"no-mask", "no-scale", "no-positions"};
    if (told.look().head >= 0)
        words.push_back(word_of_head(TextAttention::decoder, block_here(told), told.look().head));
    words.push_back(word_of_layer(TextAttention::decoder, block_here(told)));
    return words;
}

std::string answer(const TextTold& told) {
    const auto t = attention_of(told.now.run, TextAttention::decoder, block_here(told));
    if (t == nullptr) return {};
    const int n = static_cast<int>(t->scores.shape()[1]), first = seen_by(*t, 0);
    int left = 0;
    for (int row = 0; row < n; ++row) left += seen_by(*t, row);
    const char* const words = first == 1                                  ? "text.masked_attention.answer"
                              : is_on(told.experiment, "mask-off-by-one") ? "text.masked_attention.answer_late"
                                                                          : "text.masked_attention.answer_open";
    const std::vector<std::string> produced = produced_tokens(told.now, told.now.run).words;
    return told.ui.text(words, {{"word", in_quotes(produced[static_cast<std::size_t>(n - 1)])},
                                {"count", count_text(n)},
                                {"pairs", count_text(n * (n + 1) / 2)},
                                {"first", count_text(first)},
                                {"left", count_text(left)}});
}

std::string equation(const TextTold& told) {
    return "text_masked_attention" + ending_of(norm_in_view(told.now, told.experiment));
}

bool answered(const TextTried& tried) { return is_on(tried.experiment, "no-mask"); }

}  // namespace text_masked_attention_parts

TextChapterRow masked_attention_chapter() {
    return {.id = name_of(TextChapter::masked_attention),
            .own = {.view = text_masked_attention_parts::view,
                    .depends = {.block = true, .head = true},
                    .aspect = mask_aspect,
                    .swaps = true},
            .facts = text_masked_attention_parts::facts,
            .switches = text_masked_attention_parts::switches,
            .sliders = {"temperature"},
            .answer = text_masked_attention_parts::answer,
            .answered = text_masked_attention_parts::answered,
            .equation = text_masked_attention_parts::equation};
}

}  // namespace vitrine
