#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/exports/numbers.h"
#include "core/base/spread.h"
#include "core/measures/pruning.h"

namespace vitrine {

inline constexpr const char* pruning_measure = "pruning";

/// The measures of many images at once: mean and standard deviation of each, and the pruning curve. Images are added
/// one by one and not kept.
class MeasuresOverAll {
public:
    MeasuresOverAll(const MeasureExport& what, HeadRanking ranking) : what_(what), ranking_(ranking) {}

    /// Adds an image's measures. Throws Error if its arrays have other shapes than those before.
    void add(const MeasuredPass& pass, const Progress& progress);
    /// True if the pruning curve is requested: `prune` is then to be called for every image, after the last `add`.
    bool prunes() const;
    /// Adds an image's answers as heads are removed, with its class if it is known.
    void prune(const MeasuredPass& pass, std::optional<int> label, const Progress& progress);

    /// Names of the tables: MEASURE_mean and MEASURE_sd, and `pruning`.
    std::vector<std::string> tables() const;
    Table table(const std::string& name) const;
    /// The settings that affect the numbers, besides model and images.
    Manifest::Json settings() const;

private:
    /// A measure's mean and deviation; its table is the first image's.
    struct Measure {
        Table table;
        Spread spread;
    };

    const MeasureExport& what_;
    HeadRanking ranking_;
    std::map<std::string, Measure> measures_;
    Spread importance_;             // of the heads, for pruning
    std::vector<HeadPlace> order_;  // of the heads, the least important first
    PruningCurve pruning_;
};

}  // namespace vitrine
