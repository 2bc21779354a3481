#pragma once

#include <string>
#include <vector>

#include "core/measures/catalogue.h"

namespace vitrine {

struct PatchingMap;

/// A measure that compares two runs.
struct PairEntry {
    const char* name;
    const char* shape;  // in the letters of core/tensor/tensor.h
    const char* words;  // description in English, for help
};
const std::vector<PairEntry>& pair_catalogue();

/// A run, and another run of the same or another model with which it is compared.
struct PairOf {
    const MeasureOf& of;
    const Model& other_model;
    const Trace& other;                        // without what-ifs
    PatchSite patch_site = PatchSite::stream;  // where `patching` copies from `other` into the run
};

/// Ending of the names of differences: the run's numbers minus those of the other run.
inline constexpr const char* difference_ending = "_difference";

/// Linear CKA of two runs' tokens after every block, 0 … 1: 1 if they are equal up to a rotation, a shift and a factor
/// (Kornblith et al. 2019). Throws Error if the runs have different numbers of tokens.
///   ->  (L + 1, L′ + 1)
Tensor2 linear_cka(const Trace& run, const Trace& other);

/// The shares of the answer that patching restores, as a table (block, head or token).
Table table_of_patching(const PatchingMap& map, PatchSite site, const Config& config);

/// True for a measure of `pair_catalogue`, and for the difference of a measure or of a tensor of the trace.
bool is_pair_measure(const std::string& name, const Trace& trace);

/// Computes a pair measure. Throws Error if the runs cannot be compared, and as `measure` does.
Table pair_measure(const PairOf& of, const std::string& name, const Progress& progress = {});

}  // namespace vitrine
