#include <algorithm>
#include <cmath>
#include <functional>

#include "app/rooms/figures/scene.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/text_result.h"
#include "core/measures/text/verdict_head.h"
#include "core/tensor/tensor.h"
#include "core/text/decoding.h"
#include "core/text/text_model.h"
#include "core/text/text_what_ifs.h"
#include "core/transformer/block_trace.h"

// The class token: an extra first word that collects the review's sentiment.

namespace vitrine {

namespace text_cls_parts {

int block_here(const TextTold& told) { return block_in(told.now, TextAttention::encoder, told.look()); }

std::string label_name(const Ui& ui, const TextModel& model, std::size_t label) {
    return label < model.labels.size() ? ui.text("text.label." + model.labels[label]) : std::to_string(label);
}

/// A label's probability: the softmax of the logits in double precision, since in float a probability near 1 becomes 1.
double label_probability(const TextRun& run, std::size_t label) {
    const Tensor2& logits = run.trace.generator->logits;
    double sum = 0;
    for (std::size_t i = 0; i < logits.shape()[1]; ++i)
        sum += std::exp(static_cast<double>(logits(0, i)) - static_cast<double>(logits(0, label)));
    return 1 / sum;
}

std::vector<BarRow> label_rows(const Ui& ui, const TextResult& now, const TextRun& run) {
    std::vector<BarRow> rows;
    const bool changed = !now.request.what_ifs.empty() || &run != &now.run;
    for (std::size_t i = 0; i < run.trace.generator->logits.shape()[1]; ++i) {
        BarRow row{label_name(ui, *now.model, i), label_probability(run, i), {}};
        if (changed) row.baseline = label_probability(now.plain, i);
        rows.push_back(row);
    }
    return rows;
}

void view(const TextScene& scene) {
    const float bars = bar_row_rect(scene.ui, {}, 0).height() * 2 + scene.px(8);
    const Rect& a = scene.area;
    attention_stage(scene.in({a.x0, a.y0, a.x1, a.y1 - bars - scene.px(10)}), TextAttention::encoder);
    const float width = std::min(a.width() * 0.48F, scene.px(560));
    const auto draw = [&](float x, const TextRun& run, const std::string& id) {
        const Rect rect{x, a.y1 - bars, x + width, a.y1};
        const std::vector<BarRow> rows = label_rows(scene.ui, scene.now, run);
        bar_list(scene.canvas, scene.ui, rect, {rows, 1.0, BarUnit::fraction, scene.palette().accent});
        for (std::size_t i = 0; i < rows.size(); ++i)
            scene.ui.probe.mark(id + "." + std::to_string(i), bar_row_rect(scene.ui, rect, static_cast<int>(i)),
                                rows[i].value, rows[i].label);
    };
    draw(a.x0, scene.now.run, "text.label");
    if (scene.now.swapped) draw(a.x1 - width, *scene.now.swapped, "text.swapped.label");
}

/// A word with the attention weight that the class token gives it.
struct Seen {
    int place;
    std::string word;
    float weight;
};
/// All words, by decreasing weight in one head of a block, or in the mean of its heads if `head` is −1.
std::vector<Seen> most_seen(const TextResult& now, const TextRun& run, int block, int head) {
    std::vector<Seen> words;
    const AttentionMap map = map_of(*attention_of(run, TextAttention::encoder, block), head);
    const TextTokens tokens = source_tokens(now, run);
    for (int i = 0; i < map.columns && i < tokens.size(); ++i)
        words.push_back({i, tokens.words[static_cast<std::size_t>(i)], map.at(0, i)});
    std::ranges::stable_sort(words, std::greater<>(), &Seen::weight);
    return words;
}

/// The model's verdict on the text without changes: an index into the labels.
int verdict_of(const TextResult& now) { return now.plain.label; }

/// The verdict's lead (in logits) over the other label without the deciding head; below 0 the verdict changes.
double lead_without(const TextResult& now) {
    return lead_of(now.plain.trace, verdict_of(now)) - now.deciding_head->change;
}

std::vector<Fact> facts(const TextTold& told) {
    const VerdictHead& head = *told.now.deciding_head;
    std::vector<Fact> facts = {{told.ui.text("text.fact.deciding"),
                                told.ui.text("text.head_of_layer", {{"head", told.ui.ordinal(head.head)},
                                                                    {"block", told.ui.ordinal(head.block - 1)}}),
                                {}},
                               number_fact(told.ui.text("text.fact.without_it"), told.now.lead_without)};
    const int block = block_here(told);
    if (is_idle(*attention_of(told.now.run, TextAttention::encoder, block), told.look().head)) {
        facts.push_back({told.ui.text("text.fact.looks"), told.ui.text("text.fact.nothing_comes"), {}});
    } else {
        const std::vector<Seen> words = most_seen(told.now, told.now.run, block, told.look().head);
        for (std::size_t i = 0; i < std::min<std::size_t>(3, words.size()); ++i) {
            const bool twice = std::ranges::count(words, words[i].word, &Seen::word) > 1;
            const std::string place = twice ? " (" + told.ui.ordinal(words[i].place) + ")" : "";
            facts.push_back(number_fact("[CLS] → " + words[i].word + place, static_cast<double>(words[i].weight)));
        }
    }
    const Tensor2& logits = told.now.run.trace.generator->logits;
    for (std::size_t i = 0; i < logits.shape()[1]; ++i)
        facts.push_back(
            number_fact(told.ui.text("text.fact.logit_of", {{"label", label_name(told.ui, *told.now.model, i)}}),
                        static_cast<double>(logits(0, i))));
    return facts;
}

std::vector<std::string> switches(const TextTold& told) {
    const VerdictHead& carries = *told.now.deciding_head;
    std::vector<std::string> words = {word_of_head(TextAttention::encoder, carries.block, carries.head)};
    if (told.look().head >= 0) {
        const std::string own = word_of_head(TextAttention::encoder, block_here(told), told.look().head);
        if (own != words.front()) words.push_back(own);
    }
    for (const char* const other : {"no-positions", "no-scale", "k=q"}) words.emplace_back(other);
    words.push_back(word_of_layer(TextAttention::encoder, block_here(told)));
    return words;
}

std::string answer(const TextTold& told) {
    const VerdictHead& head = *told.now.deciding_head;
    const std::vector<Seen> words = most_seen(told.now, told.now.plain, head.block, head.head);
    const double left = lead_without(told.now);
    return told.ui.text(
        left < 0 ? "text.cls.answer_turns" : "text.cls.answer",
        {{"head", told.ui.ordinal(head.head)},
         {"block", told.ui.ordinal(head.block - 1)},
         {"label", label_name(told.ui, *told.now.model, static_cast<std::size_t>(verdict_of(told.now)))},
         {"lead", number_text(left + head.change)},
         {"left", number_text(left)},
         {"word", in_quotes(words.front().word)},
         {"weight", percent_text(static_cast<double>(words.front().weight))}});
}

/// True if a head has been switched off.
bool answered(const TextTried& tried) {
    return std::ranges::any_of(tried.experiment.what_ifs,
                               [](const std::string& word) { return word.starts_with("head:encoder."); });
}

}  // namespace text_cls_parts

TextChapterRow cls_chapter() {
    return {.id = name_of(TextChapter::cls),
            .own = {.view = text_cls_parts::view, .depends = {.block = true, .head = true}, .swaps = true},
            .facts = text_cls_parts::facts,
            .switches = text_cls_parts::switches,
            .answer = text_cls_parts::answer,
            .answered = text_cls_parts::answered};
}

}  // namespace vitrine
