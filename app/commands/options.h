#pragma once

#include <CLI/CLI.hpp>

#include "app/commands/commands.h"

namespace vitrine {

// Options of the command line. Those shared by several commands:
void add_model(CLI::App& command, ModelOptions& model);
/// Options of a model besides its name; a prefix such as "beside-" turns --heads into --beside-heads.
void add_source_words(CLI::App& command, ModelOptions& model, const std::string& prefix = "");
/// The memory budget of a run.
void add_memory(CLI::App& command, ModelOptions& model);
/// Which colours of an image file the model reads.
void add_colours(CLI::App& command, ModelOptions& model);
/// Validators for numbers above 0, or from 0 on, with short messages (CLI11's own print the largest double).
CLI::Validator above_zero();
CLI::Validator from_zero();
void add_force(CLI::App& command, bool& force, const char* words = "Also overwrite a file that Vitrine did not write");
void add_threads(CLI::App& command, int& threads, const char* words = "Threads to compute with (default: all cores)");
void add_quiet(CLI::App& command, bool& quiet);
void add_session(CLI::App& command, std::filesystem::path& session);
void add_settings(CLI::App& command, std::vector<std::string>& settings);
void add_what_ifs(CLI::App& command, std::vector<std::string>& what_ifs);
inline constexpr const char* image_words =
    "An image file, or the name of a drawn sample such as cat; picturebook:cat names the set, too";
inline constexpr const char* images_words =
    "Image files, names of drawn samples such as cat, folders of pictures, @FILE for a list with one path a line, or - "
    "for such a list on the standard input";
inline constexpr const char* models_words =
    "Models as --model takes them, folders of models, @FILE for a list with one a line, or - for such a list on the "
    "standard input";
/// "--task", the task of a text Transformer, and "--to", the direction of a translation.
CLI::Option* add_task(CLI::App& command, std::string& task, const std::string& words);
CLI::Option* add_direction(CLI::App& command, std::string& to);

// Options of the commands that draw, and that write numbers:
void add_snapshot(CLI::App& app, SnapshotOptions& options);
void add_describe(CLI::App& app, SnapshotOptions& options);
void add_export(CLI::App& app, ExportOptions& options);
void add_handout(CLI::App& app, HandoutOptions& options);
void add_sweep(CLI::App& app, SweepOptions& options);

// Options of the commands about learning:
void add_train(CLI::App& app, TrainOptions& options);
void add_text(CLI::App& app, TextOptions& options);
void add_draw(CLI::App& app, DrawPicturesOptions& options);
void add_evaluate(CLI::App& app, EvaluateOptions& options);
void add_probe(CLI::App& app, ProbeOptions& options);
void add_compare(CLI::App& app, CompareOptions& options);
void add_claims(CLI::App& app, ClaimsOptions& options);

}  // namespace vitrine
