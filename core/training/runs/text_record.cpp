#include "core/training/runs/text_record.h"

#include <algorithm>

#include "core/training/text/text_recipe.h"
#include "core/training/trainer.h"

namespace vitrine {

TextRecord record_run(const TextRecipe& recipe, int threads, const Progress& progress) {
    constexpr std::uint64_t last_steps = 10;  // averaged for the loss
    constexpr int held_out_examples = 2000;
    Trainer<Texts> trainer(recipe, {threads, 0});
    TextRecord record;
    const std::uint64_t batch = static_cast<std::uint64_t>(recipe.batch),
                        steps = (recipe.promised_examples.value_or(1) + batch - 1) / batch;
    while (trainer.progress() < 1) {
        const StepReport step = trainer.step(trainer.progress());
        if (step.step + last_steps > steps) record.loss += step.loss / static_cast<double>(std::min(last_steps, steps));
        report(progress, std::min(1.0, trainer.progress()));
    }
    record.evaluation = evaluate(trainer.model(), {.count = held_out_examples, .threads = threads, .brief = true});
    return record;
}

}  // namespace vitrine
