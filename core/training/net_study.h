#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/training/recipe.h"

namespace vitrine {

/// A study of inductive bias: a Vision Transformer and a convolutional net with about as many parameters, both at the
/// standard recipe's 64 pixels, are trained on few and on many distinct pictures, with the same total number of
/// presentations.
struct NetStudyPlan {
    std::uint64_t pictures = 12'000;  // presentations per run, repetitions counted
    std::uint64_t seed = 1;           // of the first repetition; each further one adds 1
    int seeds = 5;                    // repetitions of every run
    int fresh = 2000;                 // unseen pictures for testing
};

/// The numbers of distinct pictures; 0: endless.
inline constexpr std::uint64_t study_counts[] = {100, 1'000, 10'000, 0};

/// Recipes of both nets for every number of distinct pictures, with the plan's first seed: by number, from few to
/// endless, and for each number the Vision Transformer first.
std::vector<Recipe> study_recipes(const NetStudyPlan& plan);

/// A run's accuracies in the study.
struct NetStudyPoint {
    Net net = Net::vit;
    std::uint64_t distinct = 0;  // 0: endless
    std::uint64_t seed = 1;
    double accuracy = 0;           // on fresh pictures
    double training_accuracy = 0;  // on its training pictures; 0 if these are endless
};
/// Accuracies over all seeds.
struct NetStudySpread {
    double mean = 0, least = 0, most = 0;
    double training_mean = 0;
};
struct NetStudy {
    NetStudyPlan plan;
    int threads = 1;  // of each run
    std::vector<NetStudyPoint> points;

    /// Throws Error if the study has no such run.
    NetStudySpread at(Net net, std::uint64_t distinct) const;
};

/// Carries out all runs, one after another; the same plan and threads give the same numbers on one machine.
NetStudy study_nets(const NetStudyPlan& plan, int threads, const Progress& progress = {});

/// The study's file format. Reading throws Error.
std::string to_json(const NetStudy& study);
NetStudy net_study_from_json(const std::string& text, const std::string& name);

}  // namespace vitrine
