#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace vitrine {

template <class Family>
struct Preset;

/// The chosen runs of a family (pictures or texts): one, or two side by side.
template <class Family>
struct ChosenRuns {
    using Choices = std::array<typename Family::Choice, 2>;

    /// Custom runs, kept while an experiment's runs replace them.
    struct Own {
        Choices choices;
        bool two = false;

        bool operator==(const Own&) const = default;
    };

    Choices choices = {};
    bool two = false;         // two runs side by side
    int edited = 0;           // the run shown in the controls
    bool own = false;         // the controls show custom runs instead of the list of experiments
    std::optional<Own> kept;  // the custom runs, while an experiment replaces them

    bool operator==(const ChosenRuns&) const = default;

    std::vector<typename Family::Recipe> recipes() const;
    /// True if the runs are the same; `edited`, `own` and `kept` may differ.
    bool same_runs(const ChosenRuns& other) const {
        return two == other.two && choices[0] == other.choices[0] && (!two || choices[1] == other.choices[1]);
    }

protected:
    /// Restores the kept custom runs and shows their controls. `kept` must have a value.
    void take_kept() {
        const Own mine = *std::exchange(kept, {});
        choices = mine.choices;
        two = mine.two;
        edited = std::min(edited, two ? 1 : 0);
        own = true;
    }
};

/// The experiment whose two runs are chosen without changes; null if there is none.
template <class Family>
const Preset<Family>* experiment_of(const ChosenRuns<Family>& runs);

}  // namespace vitrine
