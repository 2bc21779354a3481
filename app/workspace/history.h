#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/workspace/selection.h"
#include "core/vit/experiment.h"

namespace vitrine {

/// A stop of the lesson that is open in a lecture.
struct StopOfLesson {
    std::string source;  // source of the lesson
    int stop = 0;        // index

    bool operator==(const StopOfLesson&) const = default;
};

/// How two workspaces are shown side by side.
struct SideBySide {
    bool linked = true;       // a change of the focus applies to both
    bool difference = false;  // A − B is drawn, too

    bool operator==(const SideBySide&) const = default;
};

/// The other of two workspaces side by side: in the history, in a session, and in the initial state of a window.
struct OtherHalf {
    Experiment experiment;
    TextExperiment text_experiment;
    Focus focus;
    bool left = false;  // its place in the window
    SideBySide side_by_side = {};

    bool operator==(const OtherHalf&) const = default;
};

/// A state in the history: the experiment and the focus; for two workspaces side by side, those of both.
struct Moment {
    Experiment experiment;
    TextExperiment text_experiment;
    Focus focus;
    std::string room;                       // in which it was shown; not compared
    int opening = 0;                        // number of the session in the workspace; not compared
    std::optional<StopOfLesson> stop = {};  // none outside a lesson; not compared
    std::optional<OtherHalf> other = {};    // none with a single workspace

    /// True if both show the same; which of two halves was clicked last does not count.
    bool same_as(const Moment& to) const;
    /// True if both have the same image experiments, whatever the focus.
    bool same_runs(const Moment& to) const;
};

/// The states of a workspace that were shown, for undo.
class History {
public:
    /// Adds a state; a quick series of changes to the focus at one stop counts as one. Another stop is another state
    /// even if it shows the same. `seconds` is the time at which it was shown.
    void record(const Moment& moment, double seconds);

    /// The current state; there must be one.
    const Moment& here() const { return moments_[at_]; }
    bool empty() const { return moments_.empty(); }
    /// The index of the current state.
    std::size_t place() const { return at_; }
    /// Removes the states after a place, but keeps the current one, so that one undo leads from it to that place; with
    /// `pending`, removes all, since another state is still to come.
    void join_after(std::size_t place, bool pending);
    /// Removes all states with a failed experiment; the one before becomes current.
    void forget(const Experiment& failed);

    bool can_undo() const { return at_ > 0; }
    bool can_redo() const { return at_ + 1 < moments_.size(); }
    const Moment& undo() { return go_to(at_ - 1); }
    const Moment& redo() { return go_to(at_ + 1); }

    std::size_t size() const { return moments_.size(); }
    const Moment& at(std::size_t place) const { return moments_[place]; }
    /// The place to which redo leads from a place: where the undo that ended there began, else the next one.
    std::size_t redo_place(std::size_t place) const {
        const auto found = undone_from_.find(place);
        return found == undone_from_.end() ? place + 1 : found->second;
    }
    /// Makes another state the current one. After a jump, a new series of focus changes begins.
    const Moment& go_to(std::size_t place) {
        if (place < at_) undone_from_[place] = at_;
        last_look_ = long_ago;
        return moments_[at_ = place];
    }

private:
    static constexpr double long_ago = -1e9;

    std::vector<Moment> moments_;
    std::size_t at_ = 0;
    std::map<std::size_t, std::size_t> undone_from_;  // by the place at which an undo ended: where it began
    double last_look_ = long_ago;                     // time of the newest state, if only the focus changed
};

}  // namespace vitrine
