#include "app/commands/options.h"
#include "core/training/recipe.h"

namespace vitrine {

namespace {

/// What a run is made of; a run that goes on brings it along.
void add_recipe(CLI::App& c, TrainOptions& o) {
    std::vector<CLI::Option*> options = {
        c.add_option("--pictures", o.pictures, "Pictures to learn from; with the same seed and threads, the same bits")
            ->check(CLI::PositiveNumber)
            ->capture_default_str(),
        c.add_option("--seconds", o.seconds, "Time to learn in instead, by the clock: for live shows, not reproducible")
            ->check(CLI::PositiveNumber)
            ->excludes("--pictures"),
        c.add_option("--size", o.size, "Image side in pixels; 64 without it"),
        c.add_option("--patch", o.patch, "Patch side P in pixels")->capture_default_str(),
        c.add_option("--dim", o.dim, "Embedding length D")->capture_default_str(),
        c.add_option("--blocks", o.blocks, "Encoder blocks L")->capture_default_str(),
        c.add_option("--heads", o.heads, "Attention heads h")->capture_default_str(),
        c.add_option("--mlp", o.mlp, "Hidden width of the MLP; twice D without it"),
        c.add_option("--activation", o.activation, "gelu, relu or elu")
            ->check(CLI::IsMember({"gelu", "relu", "elu"}))
            ->capture_default_str(),
        c.add_option("--norm", o.norm, "Layer norms before each branch, after each sum, or none")
            ->check(CLI::IsMember({"before", "after", "none"}))
            ->capture_default_str(),
        c.add_flag("--no-skips", o.no_skips, "Leave the residual connections out"),
        c.add_flag("--no-positions", o.no_positions, "Leave the position embedding out"),
        c.add_option("--scenes", o.scenes, "What the pictures show: pictograms, or the picture book, larger and harder")
            ->check(CLI::IsMember(names_of(scenes_names)))
            ->capture_default_str(),
        c.add_flag("--pairs", o.pairs, "Also learn pictures of two things, alike or different"),
        c.add_option("--difficulty", o.difficulty, "Of the pictures: easy, normal, hard, or mixed of the three")
            ->check(CLI::IsMember(difficulty_words()))
            ->capture_default_str(),
        c.add_option("--distinct", o.distinct, "So many different pictures, again and again; endless without it")
            ->check(CLI::PositiveNumber),
        c.add_option("--optimiser", o.optimiser, "muon or adamw")
            ->check(CLI::IsMember(names_of(optimiser_names)))
            ->capture_default_str(),
        c.add_option("--learning-rate", o.learning_rate, "Largest learning rate")->capture_default_str(),
        c.add_option("--momentum", o.momentum,
                     "Muon's momentum; 0.95 with --vector-rate 1 learns more slowly but looks more sharply")
            ->capture_default_str(),
        c.add_option("--vector-rate", o.vector_rate, "Share of the learning rate for what Muon leaves to AdamW")
            ->capture_default_str(),
        c.add_option("--weight-decay", o.weight_decay, "Of the matrices")->capture_default_str(),
        c.add_option("--label-smoothing", o.label_smoothing, "Share of the probability spread over all classes")
            ->capture_default_str(),
        c.add_option("--dropout", o.dropout, "On attention weights, after W_O and after both layers of the MLP")
            ->capture_default_str(),
        c.add_option("--batch", o.batch, "Pictures a step")->capture_default_str(),
        c.add_option("--seed", o.seed, "Of the first weights and of the pictures")->capture_default_str(),
        c.add_option("--threads", o.threads, "Workers, each on its share of the batch; all cores without it")
            ->check(CLI::Range(1, 1024))};
    CLI::Option* const from =
        c.add_option("--from", o.from, "Begin with this model's weights, of its sizes but --size");
    for (const char* const shape :
         {"--patch", "--dim", "--blocks", "--heads", "--mlp", "--activation", "--norm", "--no-skips", "--no-positions"})
        from->excludes(shape);
    options.push_back(from);
    CLI::Option* const resume = c.add_flag("--resume", o.resume, "Go on with the run in the folder, by its own recipe");
    for (CLI::Option* const option : options) resume->excludes(option);
}

}  // namespace

void add_train(CLI::App& app, TrainOptions& o) {
    CLI::App& c = *app.add_subcommand("train", "Train a model from nothing on pictures drawn by code");
    c.add_option("--out", o.out, "Folder for the model, its checkpoint and its metrics")->required();
    add_recipe(c, o);
    c.add_option("--every", o.every, "Seconds between checkpoints")->check(CLI::PositiveNumber)->capture_default_str();
    c.add_flag("--half", o.half, "Save the model's weights as F16");
    add_force(c, o.force, "Also write over a model in the folder that Vitrine did not write");
    c.add_flag("--json", o.json, "Print a JSON line for each checkpoint");
}

void add_draw(CLI::App& app, DrawPicturesOptions& o) {
    CLI::App& c = *app.add_subcommand("draw", "Draw a sheet of the pictures that models learn from, as a PNG file");
    c.add_option("--scenes", o.scenes, "What they show: pictograms or picturebook")
        ->check(CLI::IsMember(names_of(scenes_names)))
        ->capture_default_str();
    c.add_option("--difficulty", o.difficulty, "easy, normal, hard, or mixed of the three")
        ->check(CLI::IsMember(difficulty_words()))
        ->capture_default_str();
    c.add_option("--class", o.label, "Of one class, by its name; of all without it");
    c.add_flag("--pairs", o.pairs, "Also two things, alike or different");
    c.add_option("--size", o.size, "Side of a picture in pixels")->check(CLI::Range(8, 4096))->capture_default_str();
    c.add_option("--columns", o.columns, "Pictures in a row")->check(CLI::Range(1, 100))->capture_default_str();
    c.add_option("--rows", o.rows, "Rows of pictures")->check(CLI::Range(1, 100))->capture_default_str();
    c.add_option("--seed", o.seed, "Of the pictures")->capture_default_str();
    c.add_option("--first", o.first, "Number of the first picture")->capture_default_str();
    c.add_option("--out", o.out, "The PNG file to write")->required();
    add_force(c, o.force);
}

void add_evaluate(CLI::App& app, EvaluateOptions& o) {
    CLI::App& c =
        *app.add_subcommand("evaluate", "Measure a model of our own on fresh pictures: accuracy, attention, depth");
    add_model(c, o.model);
    c.add_option("--ablated", o.ablated, "Pictures of each difficulty on which heads are taken away one by one")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str();
    c.add_option("--count", o.count, "Pictures of each difficulty")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    c.add_option("--seed", o.seed, "Which fresh pictures")->capture_default_str();
    add_threads(c, o.threads);
    c.add_flag("--json", o.json, "Print one JSON object");
}

void add_probe(CLI::App& app, ProbeOptions& o) {
    CLI::App& c = *app.add_subcommand("probe", "Teach a model one's own pictures: a new head, learned in seconds");
    c.add_option("FOLDER", o.folder, "A folder with a subfolder of pictures for each class")->required();
    add_model(c, o.model);
    c.add_option("--out", o.out, "Keep the model with its new head in this folder");
    c.add_option("--weight-decay", o.decay, "Of the head, on features of deviation 1")
        ->check(CLI::Range(1e-6, 1e3))
        ->capture_default_str();
    c.add_option("--seed", o.seed, "Which quarter of each class is held out")->capture_default_str();
    add_threads(c, o.threads);
    c.add_flag("--json", o.json, "Print one JSON object");
    add_force(c, o.force, "Also write over a model in the folder that Vitrine did not write");
}

void add_compare(CLI::App& app, CompareOptions& o) {
    CLI::App& c = *app.add_subcommand(
        "compare", "Let a Vision Transformer and a convolutional net learn from few and from many pictures");
    c.add_option("--pictures", o.pictures, "That each of the eight runs learns from, repetitions counted")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    c.add_option("--fresh", o.fresh, "Pictures that no run has seen, to measure on")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    c.add_option("--seed", o.seed, "Of the first weights and of the pictures")->capture_default_str();
    add_threads(c, o.threads);
    c.add_option("--out", o.out, "The JSON file to write")->required();
    add_force(c, o.force);
}

void add_claims(CLI::App& app, ClaimsOptions& o) {
    CLI::App& c = *app.add_subcommand(
        "claims", "Try what the words on the screen say that experiments show; exit status 1 where one fails");
    c.add_option("--only", o.only, "Ids of claims, comma-separated; --list says them")->delimiter(',');
    c.add_flag("--list", o.list, "Print all claims and the texts that say them, and try nothing");
    CLI::Option* const full = c.add_flag("--full", o.full, "Ten seeds, of which nine must agree, instead of three");
    c.add_option("--seeds", o.seeds, "So many seeds instead")->check(CLI::Range(1, 1000))->excludes(full);
    c.add_flag("--quick", o.quick, "Leave out claims that need models to learn");
    c.add_option("--runs", o.runs, "A folder where finished runs are kept: what lies there is not run again");
    c.add_option("--log", o.log, "Write all tries to this JSON file; rows of claims that were not tried stay");
    c.add_option("--record", o.record, "Write the first seed's runs of all experiments of Learn to this folder");
    add_threads(c, o.threads);
    c.add_flag("--json", o.json, "Print one JSON object");
    add_force(c, o.force);
}

}  // namespace vitrine
