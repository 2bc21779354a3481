#include <CLI/CLI.hpp>

#include "app/commands/commands.h"

namespace vitrine {

namespace {

constexpr const char* version = "vitrine " VITRINE_VERSION;
constexpr const char* image_words = "An image file, or the name of a bundled sample such as cat";

void add_model(CLI::App& command, ModelOptions& model) {
    command.add_option("--model", model.path,
                       "A folder (config.json, model.safetensors, preprocessor_config.json) or a weight file; "
                       "the bundled model without it");
    command.add_option("--heads", model.heads, "Number of attention heads, where the files do not say it")
        ->check(CLI::PositiveNumber);
}

void add_what_ifs(CLI::App& command, std::vector<std::string>& what_ifs) {
    command
        .add_option("--what-if", what_ifs,
                    "Comma-separated parts to switch off: head:BLOCK.HEAD, patch:TOKEN, mlp:BLOCK, positions")
        ->delimiter(',');
}

void add_threads(CLI::App& command, int& threads) {
    command.add_option("--threads", threads, "Threads to compute with; all cores without it")
        ->check(CLI::Range(1, 1024));
}

void add_trace(CLI::App& app, TraceOptions& o) {
    CLI::App& c =
        *app.add_subcommand("trace", "Run an image through the model; print the prediction, dump every tensor");
    c.add_option("IMAGE", o.image, image_words)->required();
    add_model(c, o.model);
    add_what_ifs(c, o.what_ifs);
    c.add_option("--dump", o.dump, "Write every tensor of the run to this safetensors file");
    c.add_flag("--json", o.json, "Print one JSON object");
    c.add_option("--top", o.top, "How many classes to print")->check(CLI::PositiveNumber)->capture_default_str();
    add_threads(c, o.threads);
}

void add_snapshot(CLI::App& app, SnapshotOptions& o) {
    CLI::App& c =
        *app.add_subcommand("snapshot", "Draw a step as the window shows it, to a PNG file, without a display");
    c.add_option("IMAGE", o.image, image_words)->required();
    add_model(c, o.model);
    add_what_ifs(c, o.what_ifs);
    c.add_option("--step", o.step, "The step's id; vitrine info lists them")->required();
    c.add_option("--block", o.block, "Block, from 1")->capture_default_str();
    c.add_option("--head", o.head, "Head, from 0")->capture_default_str();
    c.add_option("--token", o.token, "Query token, from 0, the class token")->capture_default_str();
    c.add_flag("--solo", o.solo, "Show the head alone, large");
    c.add_option("--size", o.size, "WIDTHxHEIGHT in pixels")->capture_default_str();
    c.add_option("--scale", o.scale, "Size of type and controls; that of a window of this size without it")
        ->check(CLI::Range(0.5, 4.0));
    c.add_option("--theme", o.theme, "dark or light")->check(CLI::IsMember({"dark", "light"}))->capture_default_str();
    c.add_option("--lang", o.language, "Language of the words")
        ->check(CLI::IsMember({"en", "ja", "ko"}))
        ->capture_default_str();
    c.add_flag("--lecture", o.lecture, "As the audience of a lecture sees it");
    c.add_option("--time", o.time, "Moment of the step's motion, 0 to 1")
        ->check(CLI::Range(0.0, 1.0))
        ->capture_default_str();
    c.add_option("--out", o.out, "The PNG file to write")->required();
}

void add_handout(CLI::App& app, HandoutOptions& o) {
    CLI::App& c = *app.add_subcommand("handout", "Write a lesson's pictures and words to one HTML file");
    c.add_option("LESSON", o.lesson, "tour, attention, normalisation, or a lesson file")->required();
    add_model(c, o.model);
    c.add_option("--lang", o.language, "Language of the words")
        ->check(CLI::IsMember({"en", "ja", "ko"}))
        ->capture_default_str();
    c.add_option("--out", o.out, "The HTML file to write")->required();
}

void add_info(CLI::App& app, InfoOptions& o) {
    CLI::App& c =
        *app.add_subcommand("info", "Describe a model: shapes, parameters, where they were read from; list the steps");
    add_model(c, o.model);
    c.add_flag("--json", o.json, "Print one JSON object");
}

void add_bench(CLI::App& app, BenchOptions& o) {
    CLI::App& c =
        *app.add_subcommand("bench", "Time the forward pass against its matrix products, or the frames of the window");
    add_model(c, o.model);
    c.add_option("--variant", o.variant, "A random model: vit-ti16, vit-s16, vit-b16, vit-l16 or vit-h14")
        ->check(CLI::IsMember({"vit-ti16", "vit-s16", "vit-b16", "vit-l16", "vit-h14"}))
        ->excludes("--model");
    c.add_option("--size", o.size, "Image side in pixels, of the variants")
        ->check(CLI::Range(14, 4096))
        ->capture_default_str();
    add_threads(c, o.threads);
    c.add_option("--runs", o.runs, "Runs of which the median counts")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    c.add_flag("--frames", o.frames, "Time the window's frames instead: own processor time, without drawing");
    c.add_flag("--json", o.json, "Print a JSON list");
}

/// Whether the user asked for help or the version, which is no mistake.
bool is_question(const CLI::ParseError& error) { return error.get_exit_code() == 0; }

}  // namespace

std::vector<Intervention> parse_what_ifs(const std::vector<std::string>& words, const Config& config) {
    std::vector<Intervention> what_ifs;
    for (const std::string& word : words) {
        try {
            what_ifs.push_back(parse_intervention(word, config));
        } catch (const Error& error) {
            throw UsageError(error.what());
        }
    }
    return what_ifs;
}

int run_command_line(int argc, char** argv) {
    CLI::App app("A Vision Transformer in a glass case: open an image, step through the encoder, see every number.",
                 "vitrine");
    app.set_version_flag("--version", version);
    app.set_help_flag("--help,-h", "Print this and stop");
    WindowOptions window;
    TraceOptions trace;
    SnapshotOptions snapshot;
    HandoutOptions handout;
    InfoOptions info;
    BenchOptions bench;
    app.add_option("IMAGE", window.image, image_words);
    add_model(app, window.model);
    app.add_option("--lang", window.language, "Language of the words")->check(CLI::IsMember({"en", "ja", "ko"}));
    add_trace(app, trace);
    add_snapshot(app, snapshot);
    add_handout(app, handout);
    add_info(app, info);
    add_bench(app, bench);
    app.require_subcommand(0, 1);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (is_question(error)) return app.exit(error);
        std::string words = error.what();
        for (char& c : words)
            if (c == '\n') c = ' ';
        throw UsageError(words + "; vitrine --help lists what there is");
    }
    if (app.got_subcommand("trace")) return trace_command(trace);
    if (app.got_subcommand("snapshot")) return snapshot_command(snapshot);
    if (app.got_subcommand("handout")) return handout_command(handout);
    if (app.got_subcommand("info")) return info_command(info);
    if (app.got_subcommand("bench")) return bench_command(bench);
    return window_command(window);
}

}  // namespace vitrine
