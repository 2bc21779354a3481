#pragma once

#include <algorithm>
#include <memory>
#include <ranges>
#include <utility>
#include <vector>

#include "app/workspace/run_view.h"

namespace vitrine {

/// Sets of runs that a job keeps while others are trained, newest last. Beyond `most`, the oldest set without unsaved
/// runs is dropped; sets with unsaved runs never are.
template <class Family, class View = RunView<Family>>
class PausedRuns {
    using Recipe = typename Family::Recipe;

public:
    using Recipes = std::shared_ptr<const std::vector<Recipe>>;

    explicit PausedRuns(std::size_t most) : most_(most) {}

    /// `unsaved`: the runs that are not saved.
    void put(Recipes recipes, std::vector<View> unsaved) {
        const auto saved = std::ranges::find_if(sets_, [](const Set& set) { return set.unsaved.empty(); });
        if (sets_.size() >= most_ && saved != sets_.end()) sets_.erase(saved);
        sets_.push_back({std::move(recipes), std::move(unsaved)});
    }

    /// Removes and returns the newest runs with these recipes; null if there are none.
    Recipes take(const std::vector<Recipe>& recipes) {
        const auto same = [](const Recipe& a, const Recipe& b) { return to_json(a) == to_json(b); };
        const auto found = std::find_if(sets_.rbegin(), sets_.rend(), [&](const Set& set) {
            return std::ranges::equal(*set.recipes, recipes, same);
        });
        if (found == sets_.rend()) return nullptr;
        const Recipes taken = found->recipes;
        sets_.erase(std::next(found).base());
        return taken;
    }

    std::vector<Recipes> all() const {
        std::vector<Recipes> all;
        for (const Set& set : sets_) all.push_back(set.recipes);
        return all;
    }

    /// Marks the run whose latest moment this is as saved.
    void keep_saved(const std::shared_ptr<const RunMoment<Family>>& moment) {
        for (Set& set : sets_) std::erase_if(set.unsaved, [&](const View& run) { return run.now == moment; });
    }

    /// The unsaved runs.
    std::vector<View> unsaved() const {
        std::vector<View> all;
        for (const Set& set : sets_) all.insert(all.end(), set.unsaved.begin(), set.unsaved.end());
        return all;
    }

private:
    struct Set {
        Recipes recipes;
        std::vector<View> unsaved;
    };
    std::size_t most_;
    std::vector<Set> sets_;
};

}  // namespace vitrine
