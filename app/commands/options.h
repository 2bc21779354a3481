#pragma once

#include <CLI/CLI.hpp>

#include "app/commands/commands.h"

namespace vitrine {

// The options of the command line. What several commands have:
void add_model(CLI::App& command, ModelOptions& model);
void add_force(CLI::App& command, bool& force, const char* words = "Also write over a file that Vitrine did not write");
void add_threads(CLI::App& command, int& threads);

// The commands about learning, each with its options:
void add_train(CLI::App& app, TrainOptions& options);
void add_draw(CLI::App& app, DrawPicturesOptions& options);
void add_evaluate(CLI::App& app, EvaluateOptions& options);
void add_probe(CLI::App& app, ProbeOptions& options);
void add_compare(CLI::App& app, CompareOptions& options);
void add_claims(CLI::App& app, ClaimsOptions& options);

}  // namespace vitrine
