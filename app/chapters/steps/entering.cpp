#include "app/chapters/steps/entering.h"

#include "app/chapters/step.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/measures/weight_agreement.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

/// Selects the class token and the head whose attention weights agree least with the norms ‖A v‖.
void look_at_least_agreeing_head(const Result& now, Focus& focus) {
    focus.token = now.model->config.first_of(TokenKind::class_token).value_or(focus.token);
    const PlacedHead head = least_agreeing_head(now.baseline, focus.token);
    focus.block = head.block;
    focus.head = head.head;
}

/// Selects the key with the largest weight, unless the user has chosen one.
void look_at_heaviest_key(const Result& now, Focus& focus) {
    if (focus.key != Focus().key) return;
    focus.key = largest(attention_row(*now.trace.block(focus.block), focus.head, focus.token), 1).front();
}

}  // namespace

void look_on_entering(int step, const Result& now, Focus& focus) {
    if (step == step_index("explanation")) look_at_least_agreeing_head(now, focus);
    if (step == step_index("scores")) look_at_heaviest_key(now, focus);
}

}  // namespace vitrine
