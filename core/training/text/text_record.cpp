#include "core/training/text/text_record.h"

#include <algorithm>

#include "core/training/text/text_trainer.h"

namespace vitrine {

namespace {

constexpr std::uint64_t last_steps = 10, check_every = 640;  // steps of the last loss; sentences

TextEvaluation measure_text(const TextTrainer& trainer, int count, int threads) {
    return evaluate(trainer.model(), {.count = count, .threads = threads, .brief = true});
}

}  // namespace

double right_of(const TextEvaluation& e) {
    const auto object = e.far.find(FarKind::object);
    return object == e.far.end() ? e.held_out.share() : object->second.words.share();
}

double attention_of(const TextEvaluation& e) {
    if (e.alignment) return e.alignment->nouns.share();
    if (e.class_token) return e.class_token->deciding.mass;
    const auto object = e.far.find(FarKind::object);
    return object == e.far.end() ? 0 : object->second.head.share;
}

TalliedHead head_of(const TextEvaluation& e) {
    if (e.class_token) return e.class_token->deciding;
    const auto object = e.far.find(FarKind::object);
    return object == e.far.end() ? TalliedHead() : object->second.head;
}

TextRecord record_run(const TextRecipe& recipe, const TextRecording& how) {
    TextTrainer trainer(recipe, {how.threads, 0});
    TextRecord record;
    const std::uint64_t batch = static_cast<std::uint64_t>(recipe.batch),
                        steps = (recipe.promised_sentences.value_or(1) + batch - 1) / batch;
    std::uint64_t next = check_every;
    while (trainer.progress() < 1) {
        const TextStepReport step = trainer.step(trainer.progress());
        if (step.step + last_steps > steps) record.loss += step.loss / static_cast<double>(std::min(last_steps, steps));
        report(how.progress, std::min(1.0, trainer.progress()));
        if (how.checked == 0 || step.sentences < next) continue;
        const TextEvaluation e = measure_text(trainer, how.checked, how.threads);
        record.sentences.push_back(static_cast<double>(step.sentences));
        record.right.push_back(right_of(e));
        record.attention.push_back(attention_of(e));
        next = step.sentences + check_every;
    }
    record.evaluation = measure_text(trainer, how.count, how.threads);
    return record;
}

}  // namespace vitrine
