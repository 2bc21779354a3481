#include "app/commands/options.h"
#include "core/text/text_kinds.h"
#include "core/training/recipe.h"

namespace vitrine {

namespace {

/// Adds and returns the options for text Transformers alone, which exclude those for pictures alone.
std::vector<CLI::Option*> add_text_recipe(CLI::App& c, TextTrainOptions& o) {
    CLI::Option* const task = add_task(c, o.task, "Train on text instead, drawn by code");
    std::vector<CLI::Option*> options = {
        add_direction(c, o.to)->needs(task),
        c.add_option("--sentences", o.sentences, "With --task: training sentences (default: as many as the task needs)")
            ->check(above_zero())
            ->excludes("--seconds"),
        c.add_flag("--no-scale", o.no_scale, "With --task: leave out the factor √D of the word vectors"),
        c.add_flag("--no-mask", o.no_mask, "With --task: let the decoder see later words"),
        c.add_flag("--learned-positions", o.learned_positions, "With --task: learn the positions, no sines and cosines")
            ->excludes("--no-positions"),
        c.add_option("--it-weight", o.it_weight,
                     "With --task translate: weight of the loss of the head that names the noun of \"it\" (default: 1)")
            ->check(from_zero())};
    for (CLI::Option* const option : options) option->needs(task);
    for (const char* const picture : {"--pictures", "--size", "--patch", "--scenes", "--pairs", "--difficulty",
                                      "--distinct", "--dropout", "--from"})
        task->excludes(picture);
    options.push_back(task);
    return options;
}

/// Adds the options of a recipe; --resume excludes them, since a continued run has its own recipe.
void add_recipe(CLI::App& c, TrainOptions& o) {
    std::vector<CLI::Option*> options = {
        c.add_option("--pictures", o.pictures, "Training pictures; with the same seed and threads, the same bits")
            ->check(above_zero())
            ->capture_default_str(),
        c.add_option("--seconds", o.seconds, "Training time instead, by the clock: for live shows, not reproducible")
            ->check(above_zero())
            ->excludes("--pictures"),
        c.add_option("--size", o.size, "Image side in pixels (default: 64)"),
        c.add_option("--patch", o.patch, "Patch side P in pixels")->capture_default_str(),
        c.add_option("--dim", o.dim, "Embedding length D (default: 64)"),
        c.add_option("--blocks", o.blocks, "Blocks L (default: 4; for text 2 in each stack)"),
        c.add_option("--heads", o.heads, "Attention heads h (default: 4; for reviews 2)"),
        c.add_option("--mlp", o.mlp, "Hidden width of the MLP (default: 2 D)"),
        c.add_option("--activation", o.activation, "gelu, relu or elu (default: gelu; for text relu)")
            ->check(CLI::IsMember({"gelu", "relu", "elu"})),
        c.add_option("--norm", o.norm,
                     "Layer norms before each sublayer, after each sum, or none (default: before; to translate, after)")
            ->check(CLI::IsMember({"before", "after", "none"})),
        c.add_flag("--no-skips", o.no_skips, "Leave the residual connections out"),
        c.add_flag("--no-positions", o.no_positions, "Leave the position embedding out"),
        c.add_option("--scenes", o.scenes, "What the pictures show: pictograms, or the picture book, larger and harder")
            ->check(CLI::IsMember(names_of(scenes_names)))
            ->capture_default_str(),
        c.add_flag("--pairs", o.pairs, "Also train on pictures of two things, alike or different"),
        c.add_option("--difficulty", o.difficulty, "Difficulty of the pictures: easy, normal, hard, or all three mixed")
            ->check(CLI::IsMember(difficulty_words()))
            ->capture_default_str(),
        c.add_option("--distinct", o.distinct, "Number of different pictures, repeated (default: endless)")
            ->check(above_zero()),
        c.add_option("--optimiser", o.optimiser, "muon or adamw (default: muon)")
            ->check(CLI::IsMember(names_of(optimiser_names))),
        c.add_option("--learning-rate", o.learning_rate,
                     "Peak learning rate (default: 0.01; with adamw 0.002, for text 0.003)"),
        c.add_option(
            "--momentum", o.momentum,
            "Muon's momentum (default: 0.9; for text 0.95); 0.95 with --vector-rate 1 trains more slowly on pictures "
            "but looks more sharply"),
        c.add_option("--vector-rate", o.vector_rate,
                     "Share of the learning rate for what Muon leaves to AdamW (default: 0.3; for text 1)"),
        c.add_option("--weight-decay", o.weight_decay, "Weight decay of the matrices (default: 0.05; for text 0.01)"),
        c.add_option("--label-smoothing", o.label_smoothing,
                     "Share of the probability spread over all classes, or words")
            ->capture_default_str(),
        c.add_option("--dropout", o.dropout, "Dropout on attention weights, after W_O and after both layers of the MLP")
            ->capture_default_str(),
        c.add_option("--batch", o.batch, "Pictures or sentences per step (default: 32; for text 64)"),
        c.add_option("--seed", o.seed, "Seed of initial weights and of pictures or sentences")->capture_default_str(),
        c.add_option("--threads", o.threads, "Workers, each on its share of the batch (default: all cores)")
            ->check(CLI::Range(1, 1024))};
    CLI::Option* const from =
        c.add_option("--from", o.from,
                     "Start from this model's weights (a folder or a bundled one's name) and sizes, except --size");
    for (const char* const shape :
         {"--patch", "--dim", "--blocks", "--heads", "--mlp", "--activation", "--norm", "--no-skips", "--no-positions"})
        from->excludes(shape);
    options.push_back(from);
    for (CLI::Option* const option : add_text_recipe(c, o.text)) options.push_back(option);
    CLI::Option* const resume = c.add_flag("--resume", o.resume, "Resume the run in the folder, with its own recipe");
    for (CLI::Option* const option : options) resume->excludes(option);
}

}  // namespace

CLI::Option* add_task(CLI::App& command, std::string& task, const std::string& words) {
    return command.add_option("--task", task, words)->check(CLI::IsMember(names_of(text_task_names)));
}

CLI::Option* add_direction(CLI::App& command, std::string& to) {
    return command.add_option("--to", to, "The target language of --task translate: ja from English, en from Japanese")
        ->check(CLI::IsMember(names_of(text_language_names)))
        ->capture_default_str();
}

void add_text(CLI::App& app, TextOptions& o) {
    CLI::App& c = *app.add_subcommand("text", "Run a text Transformer on a text: translate, judge, or continue");
    add_task(c, o.task, "translate, sentiment (is a review good?) or story (how does it continue?)")->required();
    c.add_option("TEXT", o.words, "The text; words the model does not know become [UNK]")->required();
    add_direction(c, o.to);
    c.add_option("--model", o.model, "A folder made by vitrine train --task (default: the bundled model)");
    c.add_option("--temperature", o.temperature,
                 "Draw words from softmax(logits / T) instead of choosing the most probable")
        ->check(CLI::Range(0.01, 100.0));
    c.add_option("--top-k", o.top_k, "Draw only from the K most probable words")->check(above_zero());
    c.add_option("--top-p", o.top_p, "Draw only from the most probable words that together have P")
        ->check(CLI::Range(0.0, 1.0));
    CLI::Option* const beam =
        c.add_option("--beam", o.beam, "Follow the B most probable beginnings")->check(CLI::Range(1, 64));
    for (const char* const drawing : {"--temperature", "--top-k", "--top-p"}) beam->excludes(drawing);
    c.add_option("--seed", o.seed, "Seed for sampling")->capture_default_str();
    c.add_option("--top", o.top, "How many candidates to print for each word")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    c.add_option("--dump", o.dump, "Write every tensor of the run to this safetensors file");
    add_force(c, o.force);
    add_threads(c, o.threads);
    c.add_flag("--json", o.json, "Print one JSON object");
}

void add_train(CLI::App& app, TrainOptions& o) {
    CLI::App& c = *app.add_subcommand("train", "Train a model from nothing on pictures or sentences drawn by code");
    c.add_option("--out", o.out, "Folder for the model, its checkpoint and its metrics")->required();
    add_recipe(c, o);
    c.add_option("--every", o.every, "Seconds between checkpoints")->check(above_zero())->capture_default_str();
    c.add_flag("--half", o.half, "Save the model's weights as F16");
    add_force(c, o.force, "Also overwrite a model in the folder that Vitrine did not write");
    c.add_flag("--json", o.json, "Print a JSON line for each checkpoint");
    add_quiet(c, o.quiet);
}

void add_draw(CLI::App& app, DrawPicturesOptions& o) {
    CLI::App& c = *app.add_subcommand("draw", "Draw a sheet of training pictures, as a PNG file");
    c.add_option("--scenes", o.scenes, "What the pictures show: pictograms or picturebook")
        ->check(CLI::IsMember(names_of(scenes_names)))
        ->capture_default_str();
    c.add_option("--difficulty", o.difficulty, "easy, normal, hard, or all three mixed")
        ->check(CLI::IsMember(difficulty_words()))
        ->capture_default_str();
    c.add_option("--class", o.label, "Name of the one class to draw (default: all)");
    c.add_flag("--pairs", o.pairs, "Also draw pictures of two things, alike or different");
    c.add_option("--size", o.size, "Side of a picture in pixels")->check(CLI::Range(8, 4096))->capture_default_str();
    c.add_option("--columns", o.columns, "Pictures in a row")->check(CLI::Range(1, 100))->capture_default_str();
    c.add_option("--rows", o.rows, "Rows of pictures")->check(CLI::Range(1, 100))->capture_default_str();
    c.add_option("--seed", o.seed, "Seed of the pictures")->capture_default_str();
    c.add_option("--first", o.first, "Number of the first picture")->capture_default_str();
    c.add_option("--out", o.out, "The PNG file to write")->required();
    add_force(c, o.force);
    c.add_flag("--json", o.json, "Print one JSON object");
}

void add_evaluate(CLI::App& app, EvaluateOptions& o) {
    CLI::App& c = *app.add_subcommand(
        "evaluate", "Measure a model trained by Vitrine on unseen pictures or sentences: accuracy, attention, depth");
    CLI::Option* const models = c.add_option("MODEL", o.models, models_words);
    add_model(c, o.model);
    add_memory(c, o.model);
    c.get_option("--model")->excludes(models);
    add_direction(c, o.to)->needs(
        add_task(c, o.task, "Measure a text Transformer: the bundled one, or --model FOLDER"));
    c.add_option("--ablated", o.ablated, "Pictures of each difficulty on which heads are removed one by one")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str();
    c.add_option("--count", o.count,
                 "Pictures of each difficulty; or sentences with unseen pairs of words, and as many without")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    c.add_option("--seed", o.seed, "Seed of the unseen pictures or sentences")->capture_default_str();
    add_threads(c, o.threads);
    c.add_flag("--json", o.json, "Print one JSON object; of several models a line each");
    add_quiet(c, o.quiet);
}

void add_probe(CLI::App& app, ProbeOptions& o) {
    CLI::App& c = *app.add_subcommand(
        "probe",
        "Train a model on your own pictures: a new head, in seconds; two blocks of a run are in memory at a time");
    c.add_option(
         "FOLDER", o.folder,
         "A folder with a subfolder of pictures for each class, or with train and val, each with such subfolders")
        ->required();
    add_model(c, o.model);
    c.add_option("--out", o.out, "Save the model with its new head in this folder");
    c.add_option("--weight-decay", o.decay, "Weight decay of the head, on features of deviation 1")
        ->check(CLI::Range(1e-6, 1e3))
        ->capture_default_str();
    c.add_option("--seed", o.seed, "Seed of the draw: which quarter of each class stays unseen")->capture_default_str();
    c.add_option("--layer", o.layer, "Read the tokens after this block, 0 before the first (default: the last)")
        ->check(CLI::Range(0, 1000));
    c.add_option("--read", o.read, "Read the class token, or the mean of the patches (default: as the model's head)")
        ->check(CLI::IsMember({"class", "mean"}));
    c.add_option("--folds", o.folds, "Number of folds, each unseen once (default: a quarter stays unseen)")
        ->check(CLI::Range(2, 100));
    add_threads(c, o.threads);
    c.add_flag("--json", o.json, "Print one JSON object, with the answer for each unseen picture");
    add_quiet(c, o.quiet);
    add_force(c, o.force, "Also overwrite a model in the folder that Vitrine did not write");
}

void add_compare(CLI::App& app, CompareOptions& o) {
    CLI::App& c = *app.add_subcommand("compare",
                                      "Train a Vision Transformer and a convolutional net on few and on many pictures");
    c.add_option("--pictures", o.pictures, "Training pictures for each run, counting repetitions")
        ->check(above_zero())
        ->capture_default_str();
    c.add_option("--fresh", o.fresh, "Number of unseen pictures to measure on")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    c.add_option("--seed", o.seed, "Seed of the initial weights and of the pictures")->capture_default_str();
    c.add_option("--seeds", o.seeds, "How often to make every run, counting the seed on")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    add_threads(c, o.threads, "Threads for each run (default: 1)");
    c.add_option("--out", o.out, "The JSON file to write")->required();
    add_force(c, o.force);
    c.add_flag("--json", o.json, "Print one JSON object");
    add_quiet(c, o.quiet);
}

void add_claims(CLI::App& app, ClaimsOptions& o) {
    CLI::App& c = *app.add_subcommand(
        "claims", "Test the claims the interface makes about experiments; exit status 1 if one fails");
    c.add_option("--only", o.only, "Comma-separated ids of claims; --list shows them")->delimiter(',');
    c.add_flag("--list", o.list, "Print all claims and the texts that make them, without testing");
    CLI::Option* const full = c.add_flag("--full", o.full, "Ten seeds, of which nine must agree, instead of three");
    c.add_option("--seeds", o.seeds, "Number of seeds instead")->check(CLI::Range(1, 1000))->excludes(full);
    c.add_flag("--quick", o.quick, "Leave out claims that need training");
    c.add_option("--runs", o.runs, "A folder to keep finished runs in; those already there are not run again");
    c.add_option("--log", o.log, "Write all tries to this JSON file; rows of untried claims stay");
    c.add_option("--record", o.record, "Write the first seed's runs of all experiments to this folder");
    add_threads(c, o.threads);
    c.add_flag("--json", o.json, "Print one JSON object");
    add_quiet(c, o.quiet);
    add_force(c, o.force);
}

}  // namespace vitrine
