#include <algorithm>
#include <optional>

#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/text_result.h"
#include "core/text/text_what_ifs.h"
#include "core/transformer/block_trace.h"

// Cross-attention: the decoder reads the encoder's output, the source words behind each word that it produces.

namespace vitrine {

namespace text_cross_attention_parts {

int block_here(const TextTold& told) { return block_in(told.now, TextAttention::cross, told.look()); }

void view(const TextScene& scene) { attention_stage(scene, TextAttention::cross); }

std::vector<Fact> facts(const TextTold& told) {
    const auto t = attention_of(told.now.run, TextAttention::cross, block_here(told));
    if (t == nullptr) return {};
    const TextTokens queries = produced_tokens(told.now, told.now.run), keys = source_tokens(told.now, told.now.run);
    const AttentionMap map = map_of(*t, told.look().head);
    const int row = std::min(target_in_view(told.now, told.selection), map.rows - 1), best = map.best(row);
    if (is_idle(*t, told.look().head))
        return {{told.ui.text("text.fact.producing"), queries.words[static_cast<std::size_t>(row)], {}},
                {told.ui.text("text.fact.looks_at"), told.ui.text("text.fact.nothing_comes"), {}}};
    int parked = 0;
    for (int i = 0; i < map.rows; ++i) parked += is_parking(keys.words[static_cast<std::size_t>(map.best(i))]) ? 1 : 0;
    return {{told.ui.text("text.fact.producing"), queries.words[static_cast<std::size_t>(row)], {}},
            {told.ui.text("text.fact.looks_at"), keys.words[static_cast<std::size_t>(best)], {}},
            number_fact(told.ui.text("text.fact.weight"), static_cast<double>(map.at(row, best))),
            {told.ui.text("text.fact.parked"), std::to_string(parked) + " / " + std::to_string(map.rows), {}},
            shape_fact("A", {told.now.model->config.heads, map.rows, map.columns})};
}

std::vector<std::string> switches(const TextTold& told) {
    std::vector<std::string> words = {"no-cross", "no-scale", "no-positions"};
    if (told.look().head >= 0) words.push_back(word_of_head(TextAttention::cross, block_here(told), told.look().head));
    return words;
}

std::string answer(const TextTold& told) {
    const auto t = attention_of(told.now.run, TextAttention::cross, block_here(told));
    if (t == nullptr) return told.ui.text("text.cross_attention.answer_plain");
    const TextTokens queries = produced_tokens(told.now, told.now.run), keys = source_tokens(told.now, told.now.run);
    const AttentionMap map = map_of(*t, -1);
    std::optional<int> strongest;
    for (int i = 0; i < map.rows; ++i)
        if (!is_parking(keys.words[static_cast<std::size_t>(map.best(i))]) &&
            (!strongest || map.at(i, map.best(i)) > map.at(*strongest, map.best(*strongest))))
            strongest = i;
    const int row = strongest.value_or(0);
    return told.ui.text("text.cross_attention.answer",
                        {{"word", in_quotes(queries.words[static_cast<std::size_t>(row)])},
                         {"source", in_quotes(keys.words[static_cast<std::size_t>(map.best(row))])},
                         {"weight", percent_text(static_cast<double>(map.at(row, map.best(row))))}});
}

bool answered(const TextTried& tried) { return is_on(tried.experiment, "no-cross"); }

/// Suffix of the sentence: "off" if nothing flows along the lines, else the state of the decoder's mask.
std::string aspect(const TextExperiment& experiment) {
    return is_on(experiment, "no-cross") ? "off" : mask_aspect(experiment);
}

}  // namespace text_cross_attention_parts

TextChapterRow cross_attention_chapter() {
    return {.id = name_of(TextChapter::cross_attention),
            .own = {.view = text_cross_attention_parts::view,
                    .depends = {.block = true, .head = true},
                    .aspect = text_cross_attention_parts::aspect,
                    .swaps = true},
            .facts = text_cross_attention_parts::facts,
            .switches = text_cross_attention_parts::switches,
            .sliders = {"temperature"},
            .answer = text_cross_attention_parts::answer,
            .answered = text_cross_attention_parts::answered};
}

}  // namespace vitrine
