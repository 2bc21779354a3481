#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "app/commands/commands.h"
#include "app/commands/drawing/paper.h"
#include "app/commands/help.h"
#include "app/commands/options.h"
#include "app/commands/text_settings.h"
#include "app/exports/manifest.h"
#include "app/jobs/frame_source.h"
#include "app/library/library.h"
#include "app/library/mean_patches.h"
#include "app/library/text_library.h"
#include "app/platform/terminal.h"
#include "app/ui/languages.h"
#include "app/workspace/focus_words.h"
#include "app/workspace/selection.h"
#include "core/base/names.h"
#include "core/base/numbers.h"
#include "core/text/text_what_ifs.h"
#include "core/training/pictures/picture_set.h"
#include "core/vit/experiment.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

void add_trace(CLI::App& app, TraceOptions& o) {
    CLI::App& c =
        *app.add_subcommand("trace", "Run an image through the model; print the prediction, dump every tensor");
    c.add_option("IMAGE", o.images, images_words)->required();
    add_model(c, o.model);
    add_memory(c, o.model);
    add_colours(c, o.model);
    add_what_ifs(c, o.what_ifs);
    c.add_option("--dump", o.dump, "Write every tensor of the run to this safetensors file");
    add_force(c, o.force);
    c.add_flag("--json", o.json, "Print one JSON object; of several images a line each");
    c.add_option("--top", o.top, "How many classes to print")->check(above_zero())->capture_default_str();
    add_threads(c, o.threads);
    add_quiet(c, o.quiet);
}

void add_find_edge(CLI::App& app, FindEdgeOptions& o) {
    CLI::App& c = *app.add_subcommand(
        "find-edge",
        "Find drawn pictures on which a what-if changes the answer most; two blocks of a run are in memory at a time");
    add_model(c, o.model);
    add_what_ifs(c, o.what_ifs);
    c.get_option("--what-if")->required();
    c.add_option("--scenes", o.scenes, "What the pictures show (default: what the model knows)")
        ->check(CLI::IsMember(names_of(scenes_names)));
    c.add_option("--difficulty", o.difficulty, "easy, normal or hard")
        ->check(CLI::IsMember(names_of(difficulty_names)))
        ->capture_default_str();
    c.add_option("--count", o.count, "Pictures to look through")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    c.add_option("--seed", o.seed, "Seed for drawing the pictures to look through")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    c.add_option("--tried", o.tried,
                 "Number of pictures to try the what-if on: correctly named, with the smallest margins")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    c.add_option("--top", o.top, "How many to print")->check(above_zero())->capture_default_str();
    add_threads(c, o.threads);
    c.add_flag("--json", o.json, "Print one JSON object");
    add_quiet(c, o.quiet);
}

void add_info(CLI::App& app, InfoOptions& o) {
    CLI::App& c = *app.add_subcommand(
        "info", "Describe a model from its header: shapes, preprocessing, what was inferred; list the steps");
    CLI::Option* const models = c.add_option("MODEL", o.models, models_words);
    add_model(c, o.model);
    c.get_option("--model")->excludes(models);
    c.add_flag("--cached", o.cached, "List the models in the hub's cache instead; nothing is asked of the hub")
        ->excludes("--model")
        ->excludes(models);
    c.add_flag("--machine", o.machine, "Describe this machine instead: processor, threads, vectors, matrix products")
        ->excludes("--model")
        ->excludes("--cached")
        ->excludes(models);
    c.add_flag("--json", o.json, "Print one JSON object; of several models a line each");
}

void add_fetch(CLI::App& app, FetchOptions& o) {
    CLI::App& c = *app.add_subcommand(
        "fetch", "Fetch models from the Hugging Face hub into its cache, which other programs share");
    c.add_option("MODEL", o.models, "owner/name or owner/name@revision: facebook/deit-tiny-patch16-224")->required();
    c.add_flag("--json", o.json, "Print one JSON object; of several models a line each");
    add_quiet(c, o.quiet);
}

void add_serve(CLI::App& app, ServeOptions& o) {
    CLI::App& c = *app.add_subcommand(
        "serve", "Answer other programs' requests about a model, one JSON line each; see docs/formats.md");
    c.add_flag("--stdio", o.stdio, "Read requests from the standard input, write answers to the standard output");
    add_model(c, o.model);
    add_memory(c, o.model);
    add_colours(c, o.model);
    add_threads(c, o.threads);
}

void add_bench(CLI::App& app, BenchOptions& o) {
    CLI::App& c =
        *app.add_subcommand("bench", "Time the forward pass against its matrix products, or the frames of the window");
    add_model(c, o.model);
    const std::vector<std::string> variants = {"vit-ti16", "vit-s16", "vit-s14", "vit-b16",
                                               "vit-b14",  "vit-l16", "vit-h14"};
    c.add_option("--variant", o.variant, "A random model: " + comma_separated(variants))
        ->check(CLI::IsMember(variants))
        ->excludes("--model");
    c.add_option("--size", o.size, "Image side of the variants, in pixels; --image-size is read, too")
        ->check(CLI::Range(14, 4096))
        ->capture_default_str();
    add_threads(c, o.threads);
    c.add_option("--runs", o.runs, "Number of runs; the median counts")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    c.add_flag("--turns", o.turns, "Time one pass, or its products, for each request line on standard input")
        ->needs("--variant");
    c.add_flag("--products", o.products,
               "Time matrix products with every method of this build, as rows of core/tensor/product_table.inc");
    c.add_option("--memory", o.budget,
                 "Measure the memory of a run instead: every block kept, the least that can be, and within this budget")
        ->expected(0, 1);
    c.add_flag("--what-if", o.what_if,
               "Time a what-if in every block instead, against its share of the pass; and activation patching");
    c.add_flag("--frames", o.frames, "Time the window's frames instead: own processor time, without drawing");
    c.add_option("--beside", o.beside, "With --frames: two runs side by side, the other one of this image")
        ->needs("--frames");
    c.add_flag("--learning", o.learning, "With --frames: those of the Train room while two models train")
        ->needs("--frames");
    c.add_flag("--train", o.train, "Time training steps instead, against their matrix products and PyTorch");
    add_direction(c, o.to)->needs(add_task(c, o.task, "With --train: train a text Transformer")->needs("--train"));
    c.add_option("--torch", o.torch, "With --train: the script that times PyTorch (default: that of tests/bench)");
    c.add_flag("--json", o.json, "Print a JSON list");
}

void add_references(CLI::App& app, ReferencesOptions& o) {
    CLI::App& c = *app.add_subcommand("references", "Print the papers Vitrine rests on, one per line");
    c.add_flag("--json", o.json, "Print a JSON list")
        ->excludes(c.add_flag("--bibtex", o.bibtex, "Print a BibTeX file instead"));
}

void add_words(CLI::App& app, WordsOptions& o) {
    CLI::App& c = *app.add_subcommand("words",
                                      "Compare an image with texts, by a model with a text tower (CLIP, SigLIP); two "
                                      "blocks of a run are in memory at a time");
    c.add_option("IMAGE", o.image, image_words)->required();
    c.add_option("--text", o.texts, "A text such as \"a photo of a dog\"; once for each")
        ->required()
        ->allow_extra_args(false);
    add_model(c, o.model);
    c.add_flag("--json", o.json, "Print one JSON object, with the tokens of each text and the cosines of all patches");
    add_threads(c, o.threads);
}

/// A command for packaging, hidden in the help.
void add_paper(CLI::App& app, std::string& kind) {
    CLI::App& c = *app.add_subcommand("paper", "Print the files a package installs beside the program")->group("");
    c.add_option("KIND", kind,
                 "man: the manual page; bash: the completion; types: the line of media types in the .desktop file")
        ->check(CLI::IsMember({"man", "bash", "types"}))
        ->required();
}

/// Why the words are no 64-bit whole number, else "": CLI11 reads -1 and numbers out of range as the largest number.
std::string why_no_count(const std::string& words) {
    return number_from<std::uint64_t>(words) ? "" : words + " is not a whole number from 0 to 18446744073709551615";
}

/// Why the words are no finite number, else "": infinity and NaN pass every range check of CLI11.
std::string why_no_number(const std::string& words) {
    char* end = nullptr;
    const double number = std::strtod(words.c_str(), &end);
    return *end != '\0' || std::isfinite(number) ? "" : words + " is not a finite number; give one that is";
}

/// Adds `why_no_count` and `why_no_number` as checks to every option with a number.
void check_numbers(CLI::App& command) {
    for (CLI::Option* const option : command.get_options()) {
        const std::string type = option->get_type_name();
        if (type.starts_with("UINT")) option->check(why_no_count);
        if (type.starts_with("FLOAT")) option->check(why_no_number);
    }
    for (CLI::App* const each : command.get_subcommands([](CLI::App*) { return true; })) check_numbers(*each);
}

/// "vitrine help [COMMAND]" prints what --help does.
void add_help(CLI::App& app, std::string& about) {
    CLI::App& c = *app.add_subcommand("help", "Print the help of a command, or of all");
    c.add_option("COMMAND", about, "The command");
}

int help_command(const CLI::App& app, const std::string& about) {
    for (const CLI::App* const command : app.get_subcommands([](const CLI::App*) { return true; }))
        if (command->get_name() == about) {
            std::fputs(command->help("vitrine").c_str(), stdout);
            return 0;
        }
    if (about.empty()) {
        std::fputs(app.get_formatter()->make_help(&app, "vitrine", CLI::AppFormatMode::Normal).c_str(), stdout);
        return 0;
    }
    const std::string nearest = nearest_command(app, about);
    throw UsageError("help " + about + ": is not a command" +
                     (nearest.empty() ? "" : "; did you mean " + nearest + "?") + "; vitrine --help lists them");
}

/// Refuses a word that is neither a file nor a sample, such as a mistyped command, so that no window opens for it.
void refuse_mistyped_command(const CLI::App& app, const std::string& word) {
    std::error_code unreachable;
    if (word.empty() || word.starts_with('-') || std::filesystem::exists(word, unreachable) ||
        !image_source(word).sample.empty())
        return;
    const std::string nearest = nearest_command(app, word);
    if (nearest.empty() && word.find_first_of("/.") != std::string::npos) return;  // a file that is missing
    throw UsageError(word + ": is neither a file nor a command" +
                     (nearest.empty() ? "" : "; did you mean vitrine " + nearest + "?") +
                     (nearest.empty() ? "; " : " ") + "vitrine --help lists the commands");
}

/// The hint after an error: where to find the help of the given command, or of all.
std::string help_for(const CLI::App& app) {
    const std::vector<const CLI::App*> given = app.get_subcommands([](const CLI::App* c) { return c->parsed(); });
    return given.empty() ? "vitrine --help lists the commands"
                         : "vitrine " + given.front()->get_name() + " --help explains the options";
}

/// True if the user asked for help or the version, which is not an error.
bool is_question(const CLI::ParseError& error) { return error.get_exit_code() == 0; }

}  // namespace

std::vector<Intervention> parse_what_ifs(const std::vector<std::string>& words, const Config& config) {
    std::vector<Intervention> what_ifs;
    for (const std::string& word : words) {
        try {
            put(what_ifs, parse_intervention(word, config));
        } catch (const Error& error) {
            throw UsageError(error.what());
        }
    }
    return what_ifs;
}

std::vector<Intervention> what_ifs_for(const Model& model, const std::vector<std::string>& words, Colours colours) {
    std::vector<Intervention> what_ifs = parse_what_ifs(words, model.config);
    MeanPatches means;
    fill_in_means(what_ifs, model, colours, means);
    return what_ifs;
}

void take_settings(const std::vector<std::string>& settings, const MutableView& view) {
    for (const std::string& setting : settings) {
        const std::size_t at = setting.find('=');
        if (at == std::string::npos) throw UsageError("--set " + setting + ": write NAME=VALUE");
        try {
            set_focus(view, {setting.substr(0, at), setting.substr(at + 1)});
        } catch (const Error& error) {
            throw UsageError(std::string("--set: ") + error.what());
        }
    }
}

void check_text_settings(const std::vector<std::string>& settings, const View& view) {
    constexpr std::string_view name = "text.what_ifs=";
    if (std::ranges::none_of(settings, [&](const std::string& setting) { return setting.starts_with(name); })) return;
    const TextTask task = view.text.task_in(view.focus.text.chapter);
    const auto model = open_text_model(bundled_text_model(task, view.text.to));
    try {
        check_text_what_ifs(view.text.what_ifs, model->config);
    } catch (const Error& error) {
        throw UsageError("--set text.what_ifs: " + std::string(error.what()));
    }
}

void check_settings(const std::vector<std::string>& settings, const View& view, const Config& config) {
    Selection inside;
    inside.focus = view.focus;
    inside.clamp_to(config);
    for (const std::string& setting : settings) {
        const std::string name = setting.substr(0, setting.find('='));
        const std::string nearest = focus_word({inside.focus, view.text}, name);
        if (focus_word(view, name) == nearest) continue;
        throw UsageError("--set " + setting + ": this model has " + std::to_string(config.blocks) + " blocks, " +
                         std::to_string(config.heads) + " heads, " + std::to_string(config.tokens()) + " tokens, " +
                         std::to_string(config.classes) + " classes and D = " + std::to_string(config.embedding_dim) +
                         "; there it would be '" + nearest + "'");
    }
}

int run_command_line(int argc, char** argv) {
    CLI::App app("A Vision Transformer in a glass case: open an image, step through the encoder, see every number.",
                 "vitrine");
    app.set_version_flag("--version,-V", program_version());
    app.formatter(std::make_shared<WrappedHelp>(terminal_width()));
    app.set_help_flag("--help,-h", "Print this help and exit");
    WindowOptions window;
    TraceOptions trace;
    SnapshotOptions snapshot, described;
    HandoutOptions handout;
    ExportOptions exported;
    SweepOptions sweep;
    InfoOptions info;
    FetchOptions fetch;
    ServeOptions serve;
    BenchOptions bench;
    TrainOptions train;
    DrawPicturesOptions draw;
    FindEdgeOptions edge;
    EvaluateOptions evaluate;
    TextOptions text;
    ProbeOptions probe;
    CompareOptions compare;
    ClaimsOptions claims;
    WordsOptions texts;
    ReferencesOptions references;
    std::string paper, about;
    app.add_option("IMAGE", window.image, std::string(image_words) + "; or a video, a session, a lesson or a model");
    add_model(app, window.model);
    add_memory(app, window.model);
    add_colours(app, window.model);
    app.add_option("--lang", window.language, "Language of the interface")->check(CLI::IsMember(language_codes()));
    app.add_option("--play", window.play, "Carry out the commands of a recording, writing only into a scratch folder");
    app.add_option("--record", window.record, "Write every command to this file, for --play and for bug reports");
    app.add_option("--stream", window.stream, "Play " + kinds_of_frame_sources() + ", as a stream");
    add_trace(app, trace);
    add_snapshot(app, snapshot);
    add_describe(app, described);
    add_handout(app, handout);
    add_export(app, exported);
    add_sweep(app, sweep);
    add_info(app, info);
    add_fetch(app, fetch);
    add_serve(app, serve);
    add_bench(app, bench);
    add_train(app, train);
    add_draw(app, draw);
    add_find_edge(app, edge);
    add_evaluate(app, evaluate);
    add_text(app, text);
    add_probe(app, probe);
    add_compare(app, compare);
    add_claims(app, claims);
    add_words(app, texts);
    add_references(app, references);
    add_help(app, about);
    add_paper(app, paper);
    app.require_subcommand(0, 1);
    check_numbers(app);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (is_question(error)) return app.exit(error);
        std::string words = error.what();
        for (char& c : words)
            if (c == '\n') c = ' ';
        if (app.get_subcommands().empty())
            refuse_mistyped_command(app, window.image.empty() && argc > 1 ? argv[1] : window.image);
        throw UsageError(words + "; " + help_for(app));
    }
    if (app.got_subcommand("help")) return help_command(app, about);
    if (app.got_subcommand("trace")) return trace_command(trace);
    if (app.got_subcommand("snapshot")) return snapshot_command(snapshot);
    if (app.got_subcommand("describe")) return describe_command(described);
    if (app.got_subcommand("handout")) return handout_command(handout);
    if (app.got_subcommand("export"))
        return exported.task.empty() ? export_command(exported) : export_text_command(exported);
    if (app.got_subcommand("sweep")) return sweep_command(sweep);
    if (app.got_subcommand("info")) return info_command(info);
    if (app.got_subcommand("fetch")) return fetch_command(fetch);
    if (app.got_subcommand("serve")) return serve_command(serve);
    if (app.got_subcommand("bench")) {
        bench.memory = app.get_subcommand("bench")->count("--memory") > 0;
        return bench_command(bench);
    }
    if (app.got_subcommand("train")) return train_command(train);
    if (app.got_subcommand("draw")) return draw_command(draw);
    if (app.got_subcommand("find-edge")) return find_edge_command(edge);
    if (app.got_subcommand("evaluate")) return evaluate_command(evaluate);
    if (app.got_subcommand("text")) return text_command(text);
    if (app.got_subcommand("probe")) return probe_command(probe);
    if (app.got_subcommand("compare")) return compare_command(compare);
    if (app.got_subcommand("claims")) return claims_command(claims);
    if (app.got_subcommand("words")) return words_command(texts);
    if (app.got_subcommand("references")) return references_command(references);
    if (app.got_subcommand("paper")) {
        const std::string page = paper == "man"    ? manual_page(app)
                                 : paper == "bash" ? bash_completion(app)
                                                   : desktop_types();
        std::fputs(page.c_str(), stdout);
        return 0;
    }
    refuse_mistyped_command(app, window.image);
    return window_command(window);
}

}  // namespace vitrine
