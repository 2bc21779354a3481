#include <cmath>
#include <optional>

#include "app/commands/options.h"
#include "app/library/library.h"
#include "app/library/source_words.h"
#include "core/base/error.h"
#include "core/base/names.h"
#include "core/vit/what_ifs.h"

// Options that several commands have.

namespace vitrine {

namespace {

std::vector<std::string> names_of_models() {
    std::vector<std::string> names;
    for (const BundledModel& model : bundled_models()) names.emplace_back(model.name);
    return names;
}

/// Parses a finite number; none if the word is not one.
std::optional<double> number_in(const std::string& word) {
    double number = 0;
    const bool read = CLI::detail::lexical_cast(word, number) && std::isfinite(number);
    return read ? std::optional(number) : std::nullopt;
}

}  // namespace

CLI::Validator above_zero() {
    return {[](std::string& word) {
                const std::optional<double> number = number_in(word);
                return number && *number > 0 ? std::string() : word + " is not a number above 0";
            },
            "POSITIVE"};
}

CLI::Validator from_zero() {
    return {[](std::string& word) {
                const std::optional<double> number = number_in(word);
                return number && *number >= 0 ? std::string() : word + " is not a number from 0 on";
            },
            "NONNEGATIVE"};
}

void add_model(CLI::App& command, ModelOptions& model) {
    command.add_option("--model,-m", model.path,
                       "A folder as on the Hugging Face hub, a weight file (.safetensors, .pth, .bin, .ckpt, .npz), "
                       "a bundled model's name (" +
                           comma_separated(names_of_models()) +
                           "), or owner/name[@revision] of one fetched by vitrine fetch (default: " +
                           bundled_models().front().name + ")");
    add_source_words(command, model);
}

void add_source_words(CLI::App& command, ModelOptions& model, const std::string& prefix) {
    for (const SourceWord& word : source_words()) {
        const std::string help =
            prefix.empty() ? word.help : "The value of " + word.option() + " for the run on the right";
        CLI::Option* const option = command.add_option_function<std::string>(
            word.option(prefix), [&](const std::string& value) { word.read(model.said, value); }, help);
        option->type_name(word.type);
        if (word.is_number()) option->check(above_zero());
        option->check(CLI::Validator(
            [&](std::string& value) -> std::string {
                try {
                    ModelSource source;
                    word.read(source, value);
                    return {};
                } catch (const Error& error) {
                    return error.what();
                }
            },
            ""));
    }
}

void add_memory(CLI::App& command, ModelOptions& model) {
    command.add_option("--memory", model.memory,
                       "Memory of runs beside the model's weights, such as 320M or 4G, automatic or all: blocks beyond "
                       "it are computed again when they are needed, with the same numbers");
}

void add_colours(CLI::App& command, ModelOptions& model) {
    command
        .add_option(
            "--colour", model.colour,
            "Colours of image files that the model is given: stored numbers, as in training, or managed, sRGB by "
            "the file's colour profile (default: stored)")
        ->check(CLI::IsMember(names_of(colours_names)));
}

void add_force(CLI::App& command, bool& force, const char* words) { command.add_flag("--force", force, words); }

void add_threads(CLI::App& command, int& threads, const char* words) {
    command.add_option("--threads", threads, words)->check(CLI::Range(1, 1024));
}

void add_quiet(CLI::App& command, bool& quiet) {
    command.add_flag("--quiet,-q", quiet, "Show no progress on the terminal");
}

void add_what_ifs(CLI::App& command, std::vector<std::string>& what_ifs) {
    command
        .add_option(
            "--what-if", what_ifs,
            "Comma-separated parts to switch off or change; @BLOCK after a change to all blocks limits it to one: " +
                what_if_forms())
        ->delimiter(',');
}

void add_session(CLI::App& command, std::filesystem::path& session) {
    command.add_option("--session", session, "A session file: its model, image, what-ifs and view");
}

}  // namespace vitrine
