#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/training/recipe.h"

namespace vitrine {

/// A Vision Transformer and a convolutional net of about as many parameters, both at the standard recipe's 64 pixels,
/// learn from few and from many distinct pictures, each from equally many in all: what a bias is worth where data is
/// scarce, and whether more data makes up for it.
struct NetStudyPlan {
    std::uint64_t pictures = 12'000;  // that each run learns from, repetitions counted
    std::uint64_t seed = 1;
    int fresh = 2000;  // pictures that no run has seen, to measure on
};

/// The numbers of distinct pictures; 0: endless.
inline constexpr std::uint64_t study_counts[] = {100, 1'000, 10'000, 0};

/// Both nets for every number of distinct pictures: Vision Transformer, then net, from few to endless.
std::vector<Recipe> study_recipes(const NetStudyPlan& plan);

/// How well a run of the study names pictures that no run has seen.
struct NetStudyPoint {
    Net net = Net::vit;
    std::uint64_t distinct = 0;    // 0: endless
    double accuracy = 0;           // on fresh pictures
    double training_accuracy = 0;  // on its own; 0 where they are endless
};
struct NetStudy {
    NetStudyPlan plan;
    int threads = 1;  // that each run learned with
    std::vector<NetStudyPoint> points;

    /// Throws Error where the study has no such run.
    const NetStudyPoint& at(Net net, std::uint64_t distinct) const;
};

/// All runs, one after another; the same plan and threads give the same numbers on one machine.
NetStudy study_nets(const NetStudyPlan& plan, int threads, const Progress& progress = {});

/// As it is recorded, and back. Throws Error.
std::string to_json(const NetStudy& study);
NetStudy net_study_from_json(const std::string& text, const std::string& name);

}  // namespace vitrine
