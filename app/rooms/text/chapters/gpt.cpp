#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/rooms/figures/scene.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "core/measures/text/story_owners.h"
#include "core/text/decoded_text.h"
#include "core/text/text_what_ifs.h"
#include "core/text/vocabulary.h"
#include "core/training/head_tally.h"
#include "core/transformer/block_trace.h"
#include "core/transformer/intervention.h"

// A decoder alone continues a story: the induction head and the temperature.

namespace vitrine {

namespace text_gpt_parts {

int block_here(const TextTold& told) { return block_in(told.now, TextAttention::decoder, told.look()); }

/// The row in view, limited to the rows that the run has.
int row_here(const TextResult& now, const Selection& selection) {
    const int rows = target_tokens(now, now.run).size();
    return std::clamp(target_in_view(now, selection), 0, std::max(0, rows - 1));
}

/// A row's probabilities at the chosen temperature, most probable first.
std::vector<WordCandidate> candidates_at(const TextResult& now, int row, double temperature) {
    const std::vector<float> logits = numbers_of(now.run.trace.generator->logits, row);
    std::vector<WordCandidate> all;
    const float high = *std::ranges::max_element(logits);
    double sum = 0;
    for (const float l : logits) sum += std::exp(static_cast<double>(l - high) / temperature);
    for (int id = 0; id < static_cast<int>(logits.size()); ++id)
        if (id != pad_id && id != bos_id && id != unknown_id && id != cls_id)
            all.push_back(
                {id, std::exp(static_cast<double>(logits[static_cast<std::size_t>(id)] - high) / temperature) / sum});
    std::ranges::stable_sort(all, std::greater<>(), &WordCandidate::probability);
    return all;
}

/// Notes the first thing in the continuation that is attributed to the wrong owner, at the lower edge; returns the y
/// coordinate where the space above the note ends.
float draw_owners(const TextScene& scene) {
    std::vector<std::string> story = scene.now.words;
    story.insert(story.end(), scene.now.run.output.begin(), scene.now.run.output.end());
    std::vector<WrongOwner> wrong = wrong_owners(story);
    std::erase_if(wrong, [&](const WrongOwner& w) { return w.at < scene.now.words.size(); });
    if (wrong.empty()) return scene.area.y1;
    const WrongOwner& first = wrong.front();
    const std::string told =
        scene.ui.text(first.whose.empty() ? "text.gpt.nobodys" : "text.gpt.whose",
                      {{"owner", first.owner},
                       {"said", in_quotes(first.possessive + " " + first.colour + " " + first.thing)},
                       {"thing", first.colour + " " + first.thing},
                       {"whose", first.whose}});
    const float top = scene.area.y1 - caption_height(scene, told);
    text_caption(scene, {scene.area.x0, top}, told, scene.palette().danger);
    scene.ui.probe.mark("text.whose", {scene.area.x0, top, scene.area.x1, scene.area.y1},
                        static_cast<double>(wrong.size()), told);
    return top - scene.px(10);
}

void view(const TextScene& scene) {
    const Rect& a = scene.area;
    const float gap = scene.px(24), beside = std::clamp(a.width() * 0.27F, scene.px(240), scene.px(360));
    attention_stage(scene.in({a.x0, a.y0, a.x1 - beside - gap, a.y1}), TextAttention::decoder);
    const Rect right{a.x1 - beside, a.y0, a.x1, a.y1};
    const int row = row_here(scene.now, scene.selection);
    const TextTokens produced = produced_tokens(scene.now, scene.now.run);
    text_caption(
        scene.in(right), {right.x0, right.y0},
        scene.ui.text(
            "text.gpt.next",
            {{"word", in_quotes(target_tokens(scene.now, scene.now.run).words[static_cast<std::size_t>(row)])}}),
        scene.palette().muted);
    stage_slider(
        scene.in({right.x0, right.y0 + scene.px(26), right.x1, right.y0 + scene.px(92)}),
        {"text.temperature", {0.1F, 3, 0.1F, [](float x) { return "τ = " + number_text(static_cast<double>(x)); }}},
        scene.experiment().temperature);
    const std::vector<WordCandidate> all =
        candidates_at(scene.now, row, static_cast<double>(scene.experiment().temperature));
    const int clicked =
        candidate_list(scene.in({right.x0, right.y0 + scene.px(98), right.x1, draw_owners(scene.in(right))}),
                       {"text.candidate", all, produced.ids[static_cast<std::size_t>(row)], 14});
    if (clicked >= 0) take_word(scene, row, all[static_cast<std::size_t>(clicked)].word);
}

/// The word with the induction head's largest weight in a row, and that weight.
struct Induction {
    std::string from, to;
    float weight = 0;
    bool again = false;  // the row's word also occurs earlier
};
Induction induction_of(const TextResult& now, int row) {
    const TalliedHead& found = now.induction_head;
    const auto t = attention_of(now.run, TextAttention::decoder, std::max(1, found.block));
    const TextTokens keys = target_tokens(now, now.run);
    if (t == nullptr || keys.size() == 0) return {};
    const AttentionMap map = map_of(*t, found.head);
    const int best = map.best(row);
    const auto here = keys.words.begin() + row;
    return {*here, keys.words[static_cast<std::size_t>(best)], map.at(row, best),
            std::find(keys.words.begin(), here, *here) != here};
}

std::vector<Fact> facts(const TextTold& told) {
    const TalliedHead& found = told.now.induction_head;
    std::vector<Fact> facts;
    if (found.count > 0)
        facts.push_back({told.ui.text("text.fact.induction"),
                         told.ui.text("text.head_of_layer", {{"head", told.ui.ordinal(found.head)},
                                                             {"block", told.ui.ordinal(found.block - 1)}}),
                         {}});
    std::ranges::move(row_facts(told, block_here(told)), std::back_inserter(facts));
    facts.push_back({told.ui.text("text.fact.words"), count_text(target_tokens(told.now, told.now.run).size()), {}});
    return facts;
}

std::vector<std::string> switches(const TextTold& told) {
    std::vector<std::string> words = {"no-positions", "no-scale"};
    const TalliedHead& found = told.now.induction_head;
    if (found.count > 0) words.push_back(word_of_head(TextAttention::decoder, found.block, found.head));
    if (told.look().head >= 0) {
        const std::string own = word_of_head(TextAttention::decoder, block_here(told), told.look().head);
        if (std::ranges::find(words, own) == words.end()) words.push_back(own);
    }
    return words;
}

std::string answer(const TextTold& told) {
    const TalliedHead& found = told.now.induction_head;
    const Induction i = induction_of(told.now, row_here(told.now, told.selection));
    if (found.count == 0 || i.from.empty()) return told.ui.text("text.gpt.answer_plain");
    return told.ui.text("text.gpt.answer", {{"head", told.ui.ordinal(found.head)},
                                            {"block", told.ui.ordinal(found.block - 1)},
                                            {"count", count_text(found.count)},
                                            {"share", percent_text(found.mass)}}) +
           " " +
           told.ui.text(i.again ? "text.gpt.answer_here" : "text.gpt.answer_new",
                        {{"from", in_quotes(i.from)},
                         {"to", in_quotes(i.to)},
                         {"weight", number_text(static_cast<double>(i.weight))}});
}

bool answered(const TextTried& tried) {
    const TalliedHead& found = tried.now.induction_head;
    return found.count > 0 && is_on(tried.experiment, word_of_head(TextAttention::decoder, found.block, found.head));
}

}  // namespace text_gpt_parts

TextChapterRow gpt_chapter() {
    return {.id = name_of(TextChapter::gpt),
            .own = {.view = text_gpt_parts::view, .depends = {.block = true, .head = true}, .swaps = true},
            .facts = text_gpt_parts::facts,
            .switches = text_gpt_parts::switches,
            .answer = text_gpt_parts::answer,
            .answered = text_gpt_parts::answered};
}

}  // namespace vitrine
