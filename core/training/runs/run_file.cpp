#include "core/training/runs/run_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/tensor/matmul.h"

namespace vitrine {

namespace {

constexpr const char* file_name = "training.safetensors";
constexpr const char* new_run = "; start a new run in another folder";
constexpr const char *parameters_row = "parameters", *first_row = "first_moments", *second_row = "second_moments";

NamedTensor row_of(const char* name, const FlatNumbers& row) {
    return {name, {row.values().size()}, row.values().data()};
}

RunProgress progress_from(const std::string& text, const std::string& name) {
    RunProgress p;
    try {
        if (nests_too_deeply(text)) throw Error(name + ": it nests too deeply" + new_run);
        const auto json = nlohmann::json::parse(text);
        p.steps = json.at("steps");
        p.threads = whole(json.at("threads").get<double>());
        p.products = json.value("products", "");
        p.seconds = json.at("seconds");
        p.running_loss = json.at("running_loss");
    } catch (const nlohmann::json::exception&) {
        throw Error(name + ": it does not say how far the run came" + new_run);
    }
    if (p.threads < 1 || p.threads > 1024) throw Error(name + ": its number of threads is out of range" + new_run);
    return p;
}

}  // namespace

void write_run_file(const std::filesystem::path& folder, const std::string& recipe, const RunProgress& progress,
                    const FlatNumbers& parameters, const OptimiserState& moments) {
    const std::vector<NamedTensor> rows = {row_of(parameters_row, parameters), row_of(first_row, moments.first),
                                           row_of(second_row, moments.second)};
    const nlohmann::ordered_json run = {{"steps", progress.steps},
                                        {"threads", progress.threads},
                                        {"products", product_library()},
                                        {"seconds", progress.seconds},
                                        {"running_loss", progress.running_loss}};
    write_safetensors(folder / file_name, rows, {.half = false, .metadata = {{"recipe", recipe}, {"run", run.dump()}}});
}

bool has_run_file(const std::filesystem::path& folder) {
    std::error_code ignored;
    return std::filesystem::exists(folder / file_name, ignored);
}

RunFile::RunFile(const std::filesystem::path& folder) : file_(Safetensors::open(folder / file_name)) {
    const auto& metadata = file_.metadata();
    if (!metadata.contains("recipe") || !metadata.contains("run"))
        throw Error(name() + ": it is no checkpoint of a training run" + new_run);
    recipe_ = metadata.at("recipe");
    progress_ = progress_from(metadata.at("run"), name());
}

void RunFile::read(FlatNumbers& parameters, OptimiserState& moments) const {
    read_row(parameters_row, parameters);
    read_row(first_row, moments.first);
    read_row(second_row, moments.second);
    moments.steps = progress_.steps;
}

/// One row of numbers of the file, of the length that the recipe's model has.
void RunFile::read_row(const char* name, FlatNumbers& row) const {
    const auto found = file_.entries().find(name);
    if (found == file_.entries().end() || found->second.shape != std::vector<std::size_t>{row.values().size()})
        throw Error(file_.name() + ": the row of numbers \"" + name + "\" is missing or of another length" + new_run);
    const std::shared_ptr<const float> numbers = file_.floats(name);
    std::copy_n(numbers.get(), row.values().size(), row.values().data());
}

}  // namespace vitrine
