#include "app/commands/learning/driven_run.h"
#include "app/commands/outputs.h"
#include "core/text/text_checkpoint.h"
#include "core/training/text/text_run_folder.h"

namespace vitrine {

namespace {

constexpr const char* text_run_files[] = {"training.safetensors", "metrics.jsonl", "model.safetensors", "config.json",
                                          "vocabulary.json"};

void take_text_shape(TextConfig& c, const TrainOptions& o) {
    take_widths(c, o);
    if (o.blocks && c.has_encoder()) c.blocks = *o.blocks;
    if (o.blocks && c.has_decoder()) c.decoder_blocks = *o.blocks;
    if (o.no_positions) c.positions = Positions::none;
    if (o.text.learned_positions) c.positions = Positions::learned;
    c.scaled = c.scaled && !o.text.no_scale;
    c.causal = c.causal && !o.text.no_mask;
    if (o.text.it_weight) c.names_it = c.names_it && *o.text.it_weight > 0;
}

TextRecipe text_recipe_of(const TrainOptions& o) {
    TextRecipe r =
        standard_text_recipe(*value_in(text_task_names, o.text.task), *value_in(text_language_names, o.text.to));
    take_text_shape(r.model, o);
    r.sentences.seed = o.seed;
    take_optimiser(r, o);
    r.it_weight = o.text.it_weight.value_or(r.it_weight);
    if (o.text.sentences > 0) r.promised_sentences = o.text.sentences;
    if (o.seconds > 0) {
        r.promised_seconds = o.seconds;
        r.promised_sentences.reset();
    }
    try {
        check(r);
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
    return r;
}

ResumedTextRun begin_text_run(const TrainOptions& o) {
    check_run_folder(o, guard_of(o.force, {}), text_run_files);
    const TextRecipe recipe = text_recipe_of(o);
    const int threads = threads_of_run(o, recipe.batch);
    return {{.threads = threads}, std::make_unique<TextTrainer>(recipe, Crew{threads, 0})};
}

ResumedTextRun go_on_with_text_run(const TrainOptions& o) {
    enter_run_folder(o, text_run_files);
    return resume_text_run(o.out);
}

class TextRunDriven : public DrivenRun {
public:
    explicit TextRunDriven(ResumedTextRun run) : begun_(run.progress), trainer_(std::move(run.trainer)) {}

    const char* things() const override { return "sentences"; }
    const char* tried_on() const override { return "held-out sentences"; }
    RunProgress begun() const override { return begun_; }
    std::uint64_t seen() const override { return trainer_->sentences(); }
    double promised_share() const override { return trainer_->progress(); }
    std::optional<double> promised_seconds() const override { return trainer_->recipe().promised_seconds; }

    Step step(double progress) override {
        const TextStepReport r = trainer_->step(progress);
        return {r.step, r.loss, r.learning_rate, r.gradient_norm};
    }
    nlohmann::ordered_json tries(int count) override { return {{"accuracy", trainer_->held_out(count).share()}}; }
    void save(const std::filesystem::path& folder, const RunProgress& progress, Precision precision) const override {
        save_text_run(folder, *trainer_, progress);
        save_text_model(trainer_->model(), folder, precision);
    }
    const TrainerTimes& times() const override { return trainer_->times(); }

private:
    RunProgress begun_;
    std::unique_ptr<TextTrainer> trainer_;
};

}  // namespace

std::unique_ptr<DrivenRun> open_text_run(const TrainOptions& o) {
    return std::make_unique<TextRunDriven>(o.resume ? go_on_with_text_run(o) : begin_text_run(o));
}

}  // namespace vitrine
