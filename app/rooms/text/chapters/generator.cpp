#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "app/rooms/figures/scene.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "core/text/decoded_text.h"
#include "core/text/text_model.h"
#include "core/text/text_trace.h"
#include "core/text/vocabulary.h"

// From the decoder's last state to a word: one linear layer, log-softmax.

namespace vitrine {

namespace text_generator_parts {

/// A row's logits, their softmax, log Σ exp of the logits, and the most probable word.
struct Row {
    int row = 0;
    std::vector<float> logits, probabilities;
    double log_sum = 0;
    int best = 0;
};
Row row_in(const TextResult& now, const Selection& selection) {
    Row r;
    r.row = target_in_view(now, selection);
    const GeneratorTrace& g = *now.run.trace.generator;
    r.row = std::min(r.row, static_cast<int>(g.logits.shape()[0]) - 1);
    r.logits = numbers_of(g.logits, r.row);
    r.probabilities = numbers_of(g.probabilities, r.row);
    const float high = *std::ranges::max_element(r.logits);
    double sum = 0;
    for (const float l : r.logits) sum += std::exp(static_cast<double>(l - high));
    r.log_sum = static_cast<double>(high) + std::log(sum);
    r.best = static_cast<int>(std::ranges::max_element(r.logits) - r.logits.begin());
    return r;
}

/// True if a final norm follows the last block, as in pre-norm models.
bool has_last_norm(const TextResult& now) { return now.run.trace.generator->ln.out.size() > 0; }

/// "log p(cat) = 14.53 − 14.56 = −0.03", all three with as many decimals as the difference needs. The difference is
/// that of the rounded numbers, so that the sum is right as written.
std::string difference_words(const std::string& word, double logit, double log_sum) {
    constexpr double fewest = 2, most = 7;
    const double order = std::floor(std::log10(std::abs(logit - log_sum)));
    const int decimals = static_cast<int>(std::clamp(fewest - order, fewest, most));
    const double unit = std::pow(10, -decimals);
    const double difference = (std::round(logit / unit) - std::round(log_sum / unit)) * unit;
    return "log {accent|p}(" + word + ") = " + fixed_text(logit, decimals) + " − " + fixed_text(log_sum, decimals) +
           " = {accent|" + fixed_text(difference, decimals) + "}";
}

/// A row's words, most probable first, without the special words that are never produced.
std::vector<WordCandidate> candidates_of(const Row& r) {
    std::vector<WordCandidate> all;
    for (int id = 0; id < static_cast<int>(r.probabilities.size()); ++id)
        if (id != pad_id && id != bos_id && id != unknown_id && id != cls_id)
            all.push_back({id, static_cast<double>(r.probabilities[static_cast<std::size_t>(id)])});
    std::ranges::stable_sort(all, std::greater<>(), &WordCandidate::probability);
    return all;
}

void view(const TextScene& scene) {
    const TextModel& model = *scene.now.model;
    const Row r = row_in(scene.now, scene.selection);
    const TextTokens produced = produced_tokens(scene.now, scene.now.run);
    const Palette& p = scene.palette();
    const float gap = scene.px(28), middle = scene.area.x0 + scene.area.width() * 0.52F;
    const Rect left{scene.area.x0, scene.area.y0, middle - gap, scene.area.y1},
        right{middle, scene.area.y0, scene.area.x1, scene.area.y1};
    const float height = (left.height() - scene.px(110)) / 2 - scene.px(14);
    const bool normed = has_last_norm(scene.now);
    const std::vector<float> state =
        normed ? numbers_of(scene.now.run.trace.generator->ln.out, r.row)
               : numbers_of(scene.now.run.trace.decoder.z(model.config.decoder_blocks), r.row);
    const std::string word = in_quotes(produced.words[static_cast<std::size_t>(r.row)]);
    text_vector(
        scene.in({left.x0, left.y0, left.x1, left.y0 + height}),
        {"text.state", scene.ui.text(normed ? "text.generator.state_pre" : "text.generator.state", {{"word", word}}),
         state, 0, p.residual});
    text_vector(scene.in({left.x0, left.y0 + height + scene.px(14), left.x1, left.y0 + 2 * height + scene.px(14)}),
                {"text.logits", scene.ui.text("text.generator.logits", {{"count", count_text(model.target.size())}}),
                 r.logits, 0, p.accent});
    const float best = r.logits[static_cast<std::size_t>(r.best)];
    const double log_p = static_cast<double>(best) - r.log_sum;
    const std::string sum = difference_words(model.target.word(r.best), static_cast<double>(best), r.log_sum) +
                            "     {accent|p}: {accent|" + probability_text(std::exp(log_p)) + "}";
    const Rect told{left.x0, left.y1 - scene.px(84), left.x1, left.y1};
    text_note(scene.in(told), sum, Font::body);
    scene.ui.probe.mark("text.log_p", told, log_p, without_markup(sum));
    text_caption(scene.in(right), {right.x0, right.y0},
                 scene.ui.text(scene.ui.bare ? "text.generator.candidates_bare" : "text.generator.candidates"),
                 p.muted);
    const std::vector<WordCandidate> all = candidates_of(r);
    const DecodingStep* const step = step_of_row(scene.now, r.row);
    const int taken = step != nullptr ? step->taken.word : -1;
    const int clicked = candidate_list(scene.in({right.x0, right.y0 + scene.px(28), right.x1, right.y1}),
                                       {"text.candidate", all, taken, 16});
    if (clicked < 0 || step == nullptr) return;
    take_word(scene, r.row, all[static_cast<std::size_t>(clicked)].word);
}

std::vector<Fact> facts(const TextTold& told) {
    const Row r = row_in(told.now, told.selection);
    const TextModel& model = *told.now.model;
    double nats = 0;
    for (const float p : r.probabilities)
        if (p > 0) nats -= static_cast<double>(p) * std::log(static_cast<double>(p));
    return {
        {told.ui.text("text.fact.best"), model.target.word(r.best), {}},
        number_fact(told.ui.text("text.fact.logit"), static_cast<double>(r.logits[static_cast<std::size_t>(r.best)])),
        number_fact("log Σ exp", r.log_sum),
        number_fact(told.ui.text("text.fact.entropy"), nats),
        shape_fact("W", {model.target.size(), model.config.embedding_dim})};
}

/// The most probable word of a row, and by how much its logit leads the second.
struct Choice {
    int best = 0;
    double probability = 0, lead = 0;
};
Choice choice_in(const GeneratorTrace& g, std::size_t row) {
    std::vector<float> sorted = numbers_of(g.logits, static_cast<int>(row));
    const auto best = static_cast<int>(std::ranges::max_element(sorted) - sorted.begin());
    std::ranges::partial_sort(sorted, sorted.begin() + 2, std::greater<>());
    return {best, static_cast<double>(g.probabilities(row, static_cast<std::size_t>(best))),
            static_cast<double>(sorted[0]) - static_cast<double>(sorted[1])};
}

/// The choices with the largest and the smallest lead among all rows of a run.
std::pair<Choice, Choice> extremes(const TextResult& now) {
    const GeneratorTrace& g = *now.run.trace.generator;
    Choice surest = choice_in(g, 0), least = surest;
    for (std::size_t row = 1; row < g.logits.shape()[0]; ++row) {
        const Choice c = choice_in(g, row);
        if (c.lead > surest.lead) surest = c;
        if (c.lead < least.lead) least = c;
    }
    return {surest, least};
}

std::string answer(const TextTold& told) {
    const auto [surest, least] = extremes(told.now);
    const auto& words = told.now.model->target;
    return told.ui.text("text.generator.answer", {{"sure", in_quotes(words.word(surest.best))},
                                                  {"sure_p", probability_text(surest.probability)},
                                                  {"sure_lead", number_text(surest.lead)},
                                                  {"word", in_quotes(words.word(least.best))},
                                                  {"p", probability_text(least.probability)},
                                                  {"lead", number_text(least.lead)}});
}

std::string equation(const TextTold& told) { return has_last_norm(told.now) ? "text_generator_pre" : "text_generator"; }

bool answered(const TextTried& tried) { return tried.look.target > 0; }

}  // namespace text_generator_parts

TextChapterRow generator_chapter() {
    return {.id = name_of(TextChapter::generator),
            .own = {.view = text_generator_parts::view, .depends = {.token = true}},
            .facts = text_generator_parts::facts,
            .answer = text_generator_parts::answer,
            .answered = text_generator_parts::answered,
            .equation = text_generator_parts::equation};
}

}  // namespace vitrine
