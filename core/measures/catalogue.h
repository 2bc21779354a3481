#pragma once

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

/// Everything that can be measured of a run, by name: what `vitrine export` writes and the window lets take away.
struct MeasureEntry {
    const char* name;
    const char* shape;  // in the letters of core/tensor/tensor.h
    const char* words;  // what it is, in English, for help
    bool needs_classes = false;
};
const std::vector<MeasureEntry>& measure_catalogue();

/// A finished run, and what a user may choose.
struct MeasureOf {
    const Model& model;
    const Trace& trace;
    std::span<const Intervention> what_ifs = {};
    RolloutOptions rollout = {};
    std::optional<int> target = {}, against = {};  // class; none: the predicted one, against none
    int cover_size = 1;
    Cover cover = Cover::mean;
};

/// "class token", "register 1", "patch 1" …: what tokens are called in tables.      (N)
std::vector<std::string> token_labels(const Config& config);

/// What classes are called.      (classes)
std::vector<std::string> class_labels(const Config& config);

/// A ledger's rows by their names, its columns by the classes.
Table ledger_table(const Ledger& ledger, const Config& config);

/// Whether the catalogue has it or the trace has a tensor of this name ("block.3.q").
bool is_measure(const std::string& name, const Trace& trace);

/// Throws Error where the model has no classifier and the measure needs one.
void check_measure(const std::string& name, const Config& config);

/// Measures it. Throws Error where the model has no classifier and the measure needs one.
Table measure(const MeasureOf& of, const std::string& name, const Progress& progress = {});

}  // namespace vitrine
