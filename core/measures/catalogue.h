#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/files/table.h"
#include "core/measures/ledger.h"
#include "core/measures/occlusion.h"
#include "core/measures/rollout.h"
#include "core/transformer/intervention.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

struct HeadStatistics;
struct Importance;
struct PerturbationCurves;

/// A measure of a run, which `vitrine export` and the window export by name.
struct MeasureEntry {
    const char* name;
    const char* shape;  // in the letters of core/tensor/tensor.h
    const char* words;  // description in English, for help
    bool needs_classes = false;
};
const std::vector<MeasureEntry>& measure_catalogue();

/// Results shared by several measures of one run with the same options.
struct MeasureMemo {
    std::shared_ptr<const HeadStatistics> heads;
    std::shared_ptr<const OcclusionMap> occlusion;
    std::shared_ptr<const Importance> importance;
    std::shared_ptr<const PerturbationCurves> perturbation;
    std::shared_ptr<const Tensor2> rollout, relevance;
};

/// A finished run and the options of its measures.
struct MeasureOf {
    const Model& model;
    const Trace& trace;
    std::span<const Intervention> what_ifs = {};
    RolloutOptions rollout = {};
    std::optional<int> target = {}, against = {};  // classes; none: the predicted one, not compared with another
    int cover_size = 1;
    Cover cover = Cover::mean;
    MeasureMemo* memo = nullptr;         // filled and used; null: nothing is kept
    Ablation ablation = Ablation::zero;  // for `importance`: zero or mean
    std::uint64_t seed = 1;              // of the random order of `perturbation`
};

/// Names of tokens in tables: "class token", "register 1", "patch 1" …      (N)
std::vector<std::string> token_labels(const Config& config);

/// Names of classes.      (classes)
std::vector<std::string> class_labels(const Config& config);

/// A ledger as a table: rows are its entries, columns the classes.
Table ledger_table(const Ledger& ledger, const Config& config);

/// True if the catalogue has the measure, or the trace a tensor of this name ("block.3.q").
bool is_measure(const std::string& name, const Trace& trace);

/// Throws Error if the model lacks what the measure needs: a classifier, or position embeddings.
void check_measure(const std::string& name, const Config& config);

/// Computes a measure, or copies a tensor of the trace (`is_measure` must be true). Throws Error as `check_measure`
/// does.
Table measure(const MeasureOf& of, const std::string& name, const Progress& progress = {});

}  // namespace vitrine
