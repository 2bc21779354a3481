#pragma once

#include <string>
#include <vector>

#include "core/measures/catalogue.h"

namespace vitrine {

struct PatchingMap;

/// A measure of two runs: one beside another.
struct PairEntry {
    const char* name;
    const char* shape;  // in the letters of core/tensor/tensor.h
    const char* words;  // description in English, for help
};
const std::vector<PairEntry>& pair_catalogue();

/// A run and the run that it is compared with, of the same model or of another one.
struct PairOf {
    const MeasureOf& of;
    const Model& other_model;
    const Trace& other;                        // without what-ifs
    PatchSite patch_site = PatchSite::stream;  // of `patching`: from `other` into the run
};

/// Ending of a measure's name for its difference: the run's numbers less those of the other run.
inline constexpr const char* difference_ending = "_difference";

/// Linear CKA of two runs' tokens after every block, 0 … 1: 1 where they are alike but for a rotation
/// and a factor (Kornblith et al. 2019). Throws Error if the runs have different numbers of tokens.
///   ->  (L + 1, L′ + 1)
Tensor2 linear_cka(const Trace& run, const Trace& other);

/// The shares that patching restores, a row for each block.
Table table_of_patching(const PatchingMap& map, PatchSite site, const Config& config);

/// True for a row of the catalogue, and for the difference of a measure or of a tensor of a dump.
bool is_pair_measure(const std::string& name, const Trace& trace);

/// Computes it. Throws Error where the runs cannot be compared, and as `measure` does.
Table pair_measure(const PairOf& of, const std::string& name, const Progress& progress = {});

}  // namespace vitrine
