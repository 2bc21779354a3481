#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "app/commands/bench/benches.h"
#include "app/commands/commands.h"
#include "app/commands/machine_facts.h"
#include "app/commands/outputs.h"
#include "app/library/library.h"
#include "app/platform/printable.h"
#include "app/platform/scratch_folder.h"
#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/base/team.h"
#include "core/files/tensor_file.h"
#include "core/vit/checkpoint/save.h"
#include "core/vit/cost.h"
#include "core/vit/forward.h"
#include "core/vit/run_memory.h"

namespace vitrine {

namespace {

using Json = nlohmann::ordered_json;

constexpr double mebibyte = 1 << 20;

/// What a model may take on a machine with 8 GB: a limit for the whole program, or for a run without the weights.
struct MemoryTarget {
    const char* variant;
    int size;
    const char* budget;  // the value of --memory; "": two blocks are kept, the least
    double most_mib;     // the limit
    bool whole_program;
};
constexpr MemoryTarget memory_targets[] = {{"vit-s14", 518, "320M", 750, true},
                                           {"vit-b14", 518, "700M", 1024, false},
                                           {"vit-l16", 384, "", 4096, true},
                                           {"vit-h14", 224, "", 5120, true}};

const MemoryTarget* target_of(const std::string& variant, const Config& c) {
    const auto* const found = std::ranges::find_if(memory_targets, [&](const MemoryTarget& t) {
        return variant == t.variant && c.image_height == t.size && c.image_width == t.size;
    });
    return found == std::end(memory_targets) ? nullptr : found;
}

/// The largest memory of the process since `forget_peak_memory`, in MiB. Throws Error if the system does not say.
double peak_mib() {
    const std::optional<double> peak = peak_memory();
    if (!peak) throw Error("bench --memory: this system does not say how much memory a program holds");
    return *peak / mebibyte;
}
/// The memory of the process now, in MiB; `peak_mib` counts from here.
double held_mib() {
    memory_pool::trim();
    forget_peak_memory();
    return peak_mib();
}

/// Memory in MiB. That of a run is its peak without the weights.
struct MemoryFigures {
    double counted_weights = 0;      // parameters times bytes
    double weights = 0;              // held once the model is open
    double opening = 0;              // peak of the whole program while the model is opened
    std::optional<double> all_kept;  // a run that keeps all blocks; none if it does not fit into this machine's memory
    double least = 0;                // a run that keeps two blocks
    int kept_blocks = 2;             // the number of blocks kept within the budget
    double within = 0;               // a run that keeps `kept_blocks`
    double program = 0;              // peak of the whole program: opening the model, then a run with `kept_blocks`
};

MemoryFigures measured_memory(const ModelSource& source, const ModelOptions& budget) {
    MemoryFigures f;
    const double before = held_mib();
    const std::shared_ptr<const Model> model = open_model(source);
    f.opening = peak_mib();
    f.counted_weights = cost_of(model->config).weight_bytes / mebibyte;
    f.weights = held_mib() - before;
    const auto image = open_image({"cat", {}});
    const auto peak_of_run = [&](int kept_blocks) {
        const Trace trace = forward_within(budget_of(model, kept_blocks),
                                           preprocess(image->full, model->preprocessing, model->config).pixels);
        return peak_mib();
    };
    peak_of_run(2);  // compiles the products, which stay in memory
    const double held = held_mib();
    f.kept_blocks = budget.runs(model, one_run).kept_blocks.value_or(2);
    f.least = peak_of_run(2) - held;
    held_mib();
    const double within = f.kept_blocks == 2 ? held + f.least : peak_of_run(f.kept_blocks);
    f.within = within - held;
    f.program = std::max(f.opening, within);
    held_mib();
    if (!blocks_in_free_memory(*model, one_run)) f.all_kept = peak_of_run(model->config.blocks) - held;
    return f;
}

Json figures_json(const MemoryFigures& f) {
    Json json = {{"counted_weights_mib", f.counted_weights}, {"weights_mib", f.weights}, {"opening_mib", f.opening}};
    json["all_kept_mib"] = f.all_kept ? Json(*f.all_kept) : Json();
    json.update(
        {{"least_mib", f.least}, {"kept_blocks", f.kept_blocks}, {"within_mib", f.within}, {"program_mib", f.program}});
    return json;
}

void print_figures(const MemoryFigures& f, const Config& c) {
    const auto line = [](const std::string& what, double mib, const std::string& words) {
        std::printf("  %-34s %9.1f MiB  %s\n", what.c_str(), mib, words.c_str());
    };
    char counted[64];
    std::snprintf(counted, sizeof counted, "%.1f MiB are numbers", f.counted_weights);
    line("weights", f.weights, counted);
    if (f.all_kept)
        line("a run, every block kept", *f.all_kept, "beside the weights");
    else
        std::printf("  a run, every block kept: does not fit into this machine's memory\n");
    line("a run, two blocks kept", f.least, "beside the weights");
    if (f.kept_blocks > 2)
        line("a run, " + std::to_string(f.kept_blocks) + " of " + std::to_string(c.blocks) + " blocks kept", f.within,
             "beside the weights");
    line("the whole program", f.program, "opening the model, then that run");
}

}  // namespace

int bench_memory(const BenchOptions& o, std::unique_ptr<Model> variant) {
    set_thread_count(o.threads > 0 ? o.threads : processor_count());
    ModelSource source = o.model.source();
    std::optional<ScratchFolder> scratch;
    const MemoryTarget* target = nullptr;
    if (variant != nullptr) {
        target = target_of(o.variant, variant->config);
        scratch.emplace();
        source = {*scratch / o.variant, {}};
        save_model(*variant, source.path, Precision::f32);
        variant.reset();
    }
    ModelOptions budget;
    budget.memory = o.budget.empty() && target != nullptr ? target->budget : o.budget;
    const Model header = open_header(source);
    const MemoryFigures f = measured_memory(source, budget);
    const double reached = target == nullptr ? 0 : target->whole_program ? f.program : f.within;
    if (o.json) {
        Json json = {{"name", o.variant.empty() ? header.provenance.name : o.variant},
                     {"image_size", {header.config.image_height, header.config.image_width}},
                     {"budget", budget.memory}};
        json.update(figures_json(f));
        if (target != nullptr)
            json["target"] = {{"of", target->whole_program ? "program_mib" : "within_mib"},
                              {"most_mib", target->most_mib},
                              {"met", reached <= target->most_mib}};
        json["machine"] = machine_facts();
        print_json(json);
        return 0;
    }
    std::printf("%s, %d x %d pixels%s\n", printable(o.variant.empty() ? header.provenance.name : o.variant).c_str(),
                header.config.image_width, header.config.image_height,
                budget.memory.empty() ? "" : (", --memory " + budget.memory).c_str());
    print_figures(f, header.config);
    if (target != nullptr)
        std::printf("  target: %s at most %.0f MiB: %s\n",
                    target->whole_program ? "the whole program" : "the run beside the weights", target->most_mib,
                    reached <= target->most_mib ? "met" : "missed");
    return 0;
}

}  // namespace vitrine
