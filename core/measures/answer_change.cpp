#include "core/measures/answer_change.h"

#include <algorithm>
#include <limits>

#include "core/measures/analysis.h"

namespace vitrine {

namespace {

std::span<const float> logits_of(const HeadTrace& head) { return {head.logits.data(), head.logits.size()}; }

}  // namespace

double margin_of(std::span<const float> logits, int chosen) {
    const auto own = static_cast<double>(logits[static_cast<std::size_t>(chosen)]);
    if (logits.size() < 2) return own;
    float other = -std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < logits.size(); ++i)
        if (i != static_cast<std::size_t>(chosen)) other = std::max(other, logits[i]);
    return own - static_cast<double>(other);
}

ClassReading reading_of(const HeadTrace& head, int chosen) {
    const Prediction p = prediction_of(head, chosen);
    return {static_cast<double>(p.probability), static_cast<double>(p.logit), margin_of(logits_of(head), chosen),
            cross_entropy(logits_of(head), chosen)};
}

AnswerChange answer_change(const HeadTrace& now, const HeadTrace& before, int chosen) {
    return {chosen, top_predictions(now, 1).front().index, reading_of(before, chosen), reading_of(now, chosen)};
}

AnswerChange answer_change(const HeadTrace& now, const HeadTrace& before) {
    return answer_change(now, before, top_predictions(before, 1).front().index);
}

}  // namespace vitrine
