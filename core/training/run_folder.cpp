#include "core/training/run_folder.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/files/safetensors.h"

namespace vitrine {

namespace {

constexpr const char* file_name = "training.safetensors";
constexpr const char* new_run = "; start a new run in another folder";

NamedTensor row_of(const char* name, const FlatNumbers& row) {
    return {name, {row.values().size()}, row.values().data()};
}

/// One row of numbers of the file, of the length that the recipe's model has.
void read_row(const Safetensors& file, const char* name, FlatNumbers& row) {
    const auto found = file.entries().find(name);
    if (found == file.entries().end() || found->second.shape != std::vector<std::size_t>{row.values().size()})
        throw Error(file.name() + ": the row of numbers \"" + name + "\" is missing or of another length" + new_run);
    const std::shared_ptr<const float> numbers = file.floats(name);
    std::copy_n(numbers.get(), row.values().size(), row.values().data());
}

}  // namespace

void save_run(const std::filesystem::path& folder, const Trainer& trainer, const RunState& state) {
    const std::vector<NamedTensor> rows = {row_of("parameters", trainer.parameters()),
                                           row_of("first_moments", trainer.moments().first),
                                           row_of("second_moments", trainer.moments().second)};
    const nlohmann::ordered_json run = {{"steps", trainer.moments().steps},
                                        {"threads", state.threads},
                                        {"seconds", state.seconds},
                                        {"running_loss", state.running_loss}};
    write_safetensors(folder / file_name, rows,
                      {.half = false, .metadata = {{"recipe", to_json(state.recipe)}, {"run", run.dump()}}});
}

bool holds_run(const std::filesystem::path& folder) {
    std::error_code ignored;
    return std::filesystem::exists(folder / file_name, ignored);
}

ResumedRun resume_run(const std::filesystem::path& folder, int niceness) {
    const Safetensors file = Safetensors::open(folder / file_name);
    const auto& metadata = file.metadata();
    if (!metadata.contains("recipe") || !metadata.contains("run"))
        throw Error(file.name() + ": it is no checkpoint of a training run" + new_run);
    ResumedRun run;
    run.state.recipe = recipe_from_json(metadata.at("recipe"), file.name());
    OptimiserState moments(run.state.recipe.model);
    try {
        const auto json = nlohmann::json::parse(metadata.at("run"));
        moments.steps = json.at("steps");
        run.state.threads = whole(json.at("threads").get<double>());
        run.state.seconds = json.at("seconds");
        run.state.running_loss = json.at("running_loss");
    } catch (const nlohmann::json::exception&) {
        throw Error(file.name() + ": it does not say how far the run came" + new_run);
    }
    if (run.state.threads < 1 || run.state.threads > 1024)
        throw Error(file.name() + ": its number of threads is out of range" + new_run);
    FlatWeights parameters(run.state.recipe.model);
    read_row(file, "parameters", parameters);
    read_row(file, "first_moments", moments.first);
    read_row(file, "second_moments", moments.second);
    run.trainer = std::make_unique<Trainer>(run.state.recipe, Trainer::Crew{run.state.threads, niceness});
    run.trainer->restore(parameters, moments);
    return run;
}

}  // namespace vitrine
