#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/workspace/selection.h"
#include "core/vit/experiment.h"

namespace vitrine {

/// A stop of a lesson that is lectured along.
struct StopOfLesson {
    std::string source;  // the lesson's
    int stop = 0;        // from 0

    bool operator==(const StopOfLesson&) const = default;
};

/// What was computed and looked at at one time.
struct Moment {
    Experiment experiment;
    TextExperiment text_experiment;
    Focus focus;
    std::string room;                       // where it was looked at; no change by itself
    int opening = 0;                        // the session that it belongs to, by the workspace's number; neither
    std::optional<StopOfLesson> stop = {};  // none outside a lesson; no change by itself, either

    bool same_as(const Moment& other) const {
        return experiment == other.experiment && text_experiment == other.text_experiment && focus == other.focus;
    }
};

/// The moments of a workspace that were shown, for undo.
class History {
public:
    /// Remembers a moment; a quick series of mere looks at one stop counts as one. Another stop is another moment,
    /// though it shows the same. `seconds` is the time at which it was shown.
    void record(const Moment& moment, double seconds);

    /// The moment that is shown; asserted to exist.
    const Moment& here() const { return moments_[at_]; }
    bool empty() const { return moments_.empty(); }
    /// Forgets what could not be computed, wherever it stands; the one before it is shown then.
    void forget(const Experiment& failed);

    bool can_undo() const { return at_ > 0; }
    bool can_redo() const { return at_ + 1 < moments_.size(); }
    const Moment& undo() { return go_to(at_ - 1); }
    const Moment& redo() { return go_to(at_ + 1); }

private:
    static constexpr double long_ago = -1e9;

    /// What was gone to is no part of the series of looks that follows.
    const Moment& go_to(std::size_t place) {
        last_look_ = long_ago;
        return moments_[at_ = place];
    }

    std::vector<Moment> moments_;
    std::size_t at_ = 0;
    double last_look_ = long_ago;  // when the newest moment was shown, if that was a mere look
};

}  // namespace vitrine
