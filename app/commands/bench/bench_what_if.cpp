#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/commands/bench/bench_forward.h"
#include "app/commands/bench/benches.h"
#include "app/commands/bench/median.h"
#include "app/commands/commands.h"
#include "app/commands/machine_facts.h"
#include "app/commands/outputs.h"
#include "core/base/team.h"
#include "core/measures/patching.h"
#include "core/vit/forward.h"

namespace vitrine {

namespace {

/// Medians for a what-if at a block: milliseconds, ratio to a whole pass, and the share of blocks that it computes.
struct AtBlock {
    double ms = 0, of_pass = 0, share = 0;
};

AtBlock time_at(const Model& model, const Trace& run, Laps& laps, int block, int runs) {
    const std::vector<Intervention> edits = {remove_head(block, 0)};
    std::vector<double> times, ratios;
    for (int r = 0; r < runs; ++r) {
        const double pass = laps.pass();
        times.push_back(milliseconds([&] { what_if(model, run, edits); }));
        ratios.push_back(times.back() / pass);
    }
    const double blocks = model.config.blocks;
    return {median(times), median(ratios), (blocks - block + 1) / blocks};
}

constexpr int most_cells = 2000;

/// The time of activation patching for all cells, in units of a pass; none for over `most_cells` cells, fewer than two
/// classes, or equal logits.
std::optional<double> passes_of_patching(const Model& model, const Trace& run, Laps& laps) {
    const Config& c = model.config;
    if (c.blocks * c.tokens() > most_cells || c.classes < 2) return {};
    Tensor3 other = run.embedding->image;
    for (float& x : other) x = -x;
    const Trace from = forward(model, other);
    if (!logits_to_patch(from, run).differ()) return {};
    const double pass = laps.pass();
    return milliseconds([&] { patching({model, from, run}); }) / pass;
}

}  // namespace

int bench_what_if(const BenchOptions& o, const Model& model, int threads) {
    using Json = nlohmann::ordered_json;
    set_thread_count(threads);
    const Config& c = model.config;
    Laps laps(model, threads);
    const Trace run = laps.trace();
    Json blocks = Json::array();
    if (!o.json) std::printf("%s\n", machine_line().c_str());
    for (int block = 1; block <= c.blocks; ++block) {
        const AtBlock t = time_at(model, run, laps, block, o.runs);
        if (o.json)
            blocks.push_back({{"block", block}, {"ms", t.ms}, {"of_pass", t.of_pass}, {"share", t.share}});
        else
            std::printf("  block %2d  %9.3f ms  %5.1f %% of the pass; its share is %5.1f %%\n", block, t.ms,
                        100 * t.of_pass, 100 * t.share);
        std::fflush(stdout);
    }
    const std::optional<double> passes = passes_of_patching(model, run, laps);
    const double expected = c.tokens() * (c.blocks + 1) / 2.0;
    if (o.json) {
        Json json = {{"name", model.provenance.name}, {"threads", threads}, {"runs", o.runs}, {"blocks", blocks}};
        if (passes) json["patching"] = {{"passes", *passes}, {"by_blocks", expected}};
        json["machine"] = machine_facts();
        print_json(Json::array({json}));
    } else if (passes) {
        std::printf("  patching of %d x %d cells: %.0f passes; by their blocks %.0f\n", c.blocks, c.tokens(), *passes,
                    expected);
    }
    return 0;
}

}  // namespace vitrine
