#include "core/training/runs/run_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/files/safetensors.h"
#include "core/tensor/matmul.h"
#include "core/training/optimiser.h"
#include "core/training/recipe.h"
#include "core/training/text/text_recipe.h"

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
        p.window = json.value("window", "");
    } catch (const nlohmann::json::exception&) {
        throw Error(name + ": it does not say how far the run came" + new_run);
    }
    if (p.threads < 1 || p.threads > 1024) throw Error(name + ": its number of threads is out of range" + new_run);
    return p;
}

/// A run's file, opened for reading. Throws Error, with the remedy, if it is not one.
class RunFile {
public:
    explicit RunFile(Safetensors file) : file_(std::move(file)) {
        const auto& metadata = file_.metadata();
        if (!metadata.contains("recipe") || !metadata.contains("run"))
            throw Error(file_.name() + ": it is not a checkpoint of a training run" + new_run);
        recipe_ = metadata.at("recipe");
        progress_ = progress_from(metadata.at("run"), file_.name());
    }

    const std::string& name() const { return file_.name(); }
    const std::string& recipe() const { return recipe_; }
    const RunProgress& progress() const { return progress_; }

    /// Reads one row of numbers, of the length of the recipe's model.
    void read(const char* name, FlatNumbers& row) const {
        const auto found = file_.entries().find(name);
        if (found == file_.entries().end() || found->second.shape != std::vector<std::size_t>{row.values().size()})
            throw Error(file_.name() + ": the row of numbers \"" + name + "\" is missing or of another length" +
                        new_run);
        const std::shared_ptr<const float> numbers = file_.floats(name);
        std::copy_n(numbers.get(), row.values().size(), row.values().data());
    }

private:
    Safetensors file_;
    std::string recipe_;
    RunProgress progress_;
};

void read_recipe(const RunFile& file, Recipe& recipe) { recipe = recipe_from_json(file.recipe(), file.name()); }
void read_recipe(const RunFile& file, TextRecipe& recipe) {
    recipe = text_recipe_from_json(file.recipe(), file.name());
}

template <class Family>
void restore(const RunFile& file, Trainer<Family>& trainer) {
    typename Family::Weights parameters = trainer.parameters();
    OptimiserState moments = trainer.moments();
    file.read(parameters_row, parameters);
    file.read(first_row, moments.first);
    file.read(second_row, moments.second);
    moments.steps = file.progress().steps;
    trainer.restore(parameters, moments);
}

/// The content of a run's file; its rows point to the trainer's numbers.
struct RunContent {
    std::vector<NamedTensor> rows;
    WriteOptions options;
};
template <class Family>
RunContent content_of(const Trainer<Family>& trainer, const RunProgress& progress) {
    const OptimiserState& moments = trainer.moments();
    nlohmann::ordered_json run = {{"steps", moments.steps},
                                  {"threads", progress.threads},
                                  {"products", product_library()},
                                  {"seconds", progress.seconds},
                                  {"running_loss", progress.running_loss}};
    if (!progress.window.empty()) run["window"] = progress.window;
    return {{row_of(parameters_row, trainer.parameters()), row_of(first_row, moments.first),
             row_of(second_row, moments.second)},
            {.half = false, .metadata = {{"recipe", to_json(trainer.recipe())}, {"run", run.dump()}}}};
}

}  // namespace

template <class Family>
void save_run(const std::filesystem::path& folder, const Trainer<Family>& trainer, const RunProgress& progress) {
    const RunContent content = content_of(trainer, progress);
    write_safetensors(folder / file_name, content.rows, content.options);
}

template <class Family>
std::string run_bytes(const Trainer<Family>& trainer, const RunProgress& progress) {
    const RunContent content = content_of(trainer, progress);
    return safetensors_bytes(content.rows, content.options);
}

namespace {

RunFile file_in(const std::string& bytes) {
    const std::span raw{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
    return RunFile(Safetensors::from_bytes(raw, "the run that was kept"));
}

}  // namespace

template <class Family>
RunProgress restore_run(const std::string& bytes, Trainer<Family>& trainer) {
    const RunFile file = file_in(bytes);
    if (file.recipe() != to_json(trainer.recipe()))
        throw Error(file.name() + ": it has another recipe; start a new run");
    restore(file, trainer);
    return file.progress();
}

RunProgress progress_of_run(const std::filesystem::path& file) {
    const RunFile run(Safetensors::open(file));
    const int batch = is_text_recipe(run.recipe()) ? text_recipe_from_json(run.recipe(), run.name()).batch
                                                   : recipe_from_json(run.recipe(), run.name()).batch;
    RunProgress progress = run.progress();
    progress.seen = progress.steps * static_cast<std::uint64_t>(batch);
    return progress;
}

RunProgress progress_in(const std::string& bytes) { return file_in(bytes).progress(); }

template <class Family>
typename Family::Recipe recipe_in(const std::string& bytes) {
    typename Family::Recipe recipe;
    read_recipe(file_in(bytes), recipe);
    return recipe;
}

namespace {

template <class Family>
ResumedRun<Family> resumed(const RunFile& file, int niceness) {
    typename Family::Recipe recipe;
    read_recipe(file, recipe);
    ResumedRun<Family> run{file.progress(),
                           std::make_unique<Trainer<Family>>(recipe, Crew{file.progress().threads, niceness})};
    restore(file, *run.trainer);
    return run;
}

}  // namespace

template <class Family>
ResumedRun<Family> resume_run(const std::filesystem::path& folder, int niceness) {
    return resumed<Family>(RunFile(Safetensors::open(folder / file_name)), niceness);
}

template <class Family>
ResumedRun<Family> resume_bytes(const std::string& bytes, int niceness) {
    return resumed<Family>(file_in(bytes), niceness);
}

template Recipe recipe_in<Pictures>(const std::string&);
template TextRecipe recipe_in<Texts>(const std::string&);
template std::string run_bytes(const Trainer<Pictures>&, const RunProgress&);
template std::string run_bytes(const Trainer<Texts>&, const RunProgress&);
template RunProgress restore_run(const std::string&, Trainer<Pictures>&);
template RunProgress restore_run(const std::string&, Trainer<Texts>&);
template void save_run(const std::filesystem::path&, const Trainer<Pictures>&, const RunProgress&);
template void save_run(const std::filesystem::path&, const Trainer<Texts>&, const RunProgress&);
template ResumedRun<Pictures> resume_run(const std::filesystem::path&, int);
template ResumedRun<Texts> resume_run(const std::filesystem::path&, int);
template ResumedRun<Pictures> resume_bytes(const std::string&, int);
template ResumedRun<Texts> resume_bytes(const std::string&, int);

bool holds_run(const std::filesystem::path& folder) {
    std::error_code ignored;
    return std::filesystem::exists(folder / file_name, ignored);
}

bool holds_text_run(const std::filesystem::path& folder) {
    return holds_run(folder) && is_text_recipe(RunFile(Safetensors::open(folder / file_name)).recipe());
}

}  // namespace vitrine
