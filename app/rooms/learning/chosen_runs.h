#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "core/training/presets.h"

namespace vitrine {

/// Which runs of a family learn: one, or two side by side.
template <class Family>
struct ChosenRuns {
    using Choices = std::array<typename Family::Choice, 2>;

    /// Runs of one's own, kept while those of an experiment stand in their place.
    struct Own {
        Choices choices;
        bool two = false;

        bool operator==(const Own&) const = default;
    };

    Choices choices = {};
    bool two = false;         // runs side by side
    int edited = 0;           // whose choices the controls show
    bool own = false;         // the controls show choices of one's own, instead of the list of experiments
    std::optional<Own> kept;  // where an experiment stands in their place

    bool operator==(const ChosenRuns&) const = default;

    std::vector<typename Family::Recipe> recipes() const;
    /// Whether the same runs learn, whatever is looked at.
    bool same_runs(const ChosenRuns& other) const {
        return two == other.two && choices[0] == other.choices[0] && (!two || choices[1] == other.choices[1]);
    }

protected:
    /// Takes the kept runs back, with the controls of their choices.
    void take_kept() {
        const Own mine = *std::exchange(kept, {});
        choices = mine.choices;
        two = mine.two;
        edited = std::min(edited, two ? 1 : 0);
        own = true;
    }
};

/// The experiment that both runs are, unchanged; null where they are none.
template <class Family>
const Preset<Family>* experiment_of(const ChosenRuns<Family>& runs) {
    const auto is_it = [&](const Preset<Family>& p) { return runs.choices[0] == p.a && runs.choices[1] == p.b; };
    const auto found = std::ranges::find_if(presets<Family>(), is_it);
    return !runs.two || found == presets<Family>().end() ? nullptr : &*found;
}

}  // namespace vitrine
