#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "app/rooms/text/text_scene.h"
#include "app/rooms/text/text_zones.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/text_result.h"
#include "core/text/text_model.h"
#include "core/text/typed_words.h"

// What speaks for and against a run's output, computed from this run.

namespace vitrine {

namespace {

constexpr std::size_t most_named = 3;  // words or pairs in a line

std::string listed_in_quotes(const std::vector<std::string>& all) {
    std::string words;
    for (std::size_t i = 0; i < std::min(all.size(), most_named); ++i) words += (i > 0 ? ", " : "") + in_quotes(all[i]);
    return all.size() > most_named ? words + ", …" : words;
}

/// Neighbours as they are read: "street was", どの猫; one with the text's start or end is written with "…".
std::vector<std::string> pairs_in_words(const Familiarity& familiar, TextLanguage language) {
    std::vector<std::string> pairs;
    for (const auto& [first, second] : familiar.apart) {
        const std::string blank = language == TextLanguage::english ? " " : "";
        pairs.push_back((first.empty() ? "…" : first) + blank + (second.empty() ? "…" : second));
    }
    return pairs;
}

/// How probable the output was, and its least probable word; of a review the label.
std::string sure_words(const Ui& ui, const TextResult& now) {
    const DecodedText& d = now.run.decoded;
    if (now.model->config.shape == TextShape::classifier) {
        const Tensor2& p = now.run.trace.generator->probabilities;
        return ui.text("text.sure.label",
                       {{"value", percent_text(static_cast<double>(p(0, static_cast<std::size_t>(now.run.label))))}});
    }
    const DecodingStep* least = nullptr;
    for (const DecodingStep& step : d.steps)
        if (!step.forced && (least == nullptr || step.taken.probability < least->taken.probability)) least = &step;
    if (least == nullptr) return {};
    const std::string word = in_quotes(now.model->target.word(least->taken.word)),
                      low = percent_text(least->taken.probability);
    if (now.model->config.shape == TextShape::language_model || !d.ended)
        return ui.text("text.sure.word", {{"word", word}, {"low", low}});
    return ui.text("text.sure.all",
                   {{"value", percent_text(std::exp(d.log_probability))}, {"word", word}, {"low", low}});
}

}  // namespace

Sureness sureness_of(const Ui& ui, const TextResult& now) {
    const Familiarity& f = now.familiarity;
    const TextLanguage language = source_language(now.request.task, now.request.to);
    Sureness told;
    if (!f.unknown.empty())
        told.warnings.push_back(ui.text("text.unseen.words", {{"words", listed_in_quotes(f.unknown)}}));
    if (!f.apart.empty())
        told.warnings.push_back(
            ui.text("text.unseen.pairs", {{"pairs", listed_in_quotes(pairs_in_words(f, language))},
                                          {"count", count_text(static_cast<std::size_t>(f.drawn))}}));
    if (f.longer())
        told.warnings.push_back(ui.text("text.unseen.length",
                                        {{"words", std::to_string(f.words)}, {"longest", std::to_string(f.longest)}}));
    told.sure = sure_words(ui, now);
    return told;
}

}  // namespace vitrine
