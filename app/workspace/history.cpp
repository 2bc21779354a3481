#include "app/workspace/history.h"

#include <algorithm>

#include "core/files/image.h"

namespace vitrine {

namespace {

constexpr double look_series_seconds = 0.8;  // views that follow one another this fast are undone together

/// The experiments and the focus of one half; with a single workspace both halves are the same.
struct Shown {
    const Experiment& experiment;
    const TextExperiment& text_experiment;
    const Focus& focus;
};
Shown half_of(const Moment& moment, bool left) {
    if (const auto& other = moment.other; other && other->left == left)
        return {other->experiment, other->text_experiment, other->focus};
    return {moment.experiment, moment.text_experiment, moment.focus};
}

}  // namespace

bool Moment::same_runs(const Moment& to) const {
    if (other.has_value() != to.other.has_value()) return false;
    return half_of(*this, true).experiment == half_of(to, true).experiment &&
           half_of(*this, false).experiment == half_of(to, false).experiment;
}

bool Moment::same_as(const Moment& to) const {
    if (!same_runs(to) || (other && other->side_by_side != to.other->side_by_side)) return false;
    for (const bool left : {true, false}) {
        const Shown a = half_of(*this, left), b = half_of(to, left);
        if (!(a.text_experiment == b.text_experiment && a.focus == b.focus)) return false;
    }
    return true;
}

void History::record(const Moment& moment, double seconds) {
    if (moments_.empty()) {
        moments_.push_back(moment);
        return;
    }
    Moment& here = moments_[at_];
    const bool same_stop = here.stop == moment.stop;
    if (here.same_as(moment)) {
        here.opening = moment.opening;
        if (same_stop || !moment.stop) return;
        if (!here.stop) {  // a lesson begins with the current view
            here = moment;
            return;
        }
    }
    const bool look = same_stop && here.same_runs(moment), same_room = here.room == moment.room;
    moments_.resize(at_ + 1);
    undone_from_.clear();
    if (look && same_room && at_ > 0 && seconds - last_look_ < look_series_seconds)
        moments_[at_] = moment;
    else
        moments_.push_back(moment);
    at_ = moments_.size() - 1;
    last_look_ = look ? seconds : long_ago;
}

void History::join_after(std::size_t place, bool pending) {
    if (moments_.empty() || at_ <= place) return;
    const auto after = moments_.begin() + static_cast<std::ptrdiff_t>(place) + 1;
    moments_.erase(after, pending ? moments_.end() : moments_.begin() + static_cast<std::ptrdiff_t>(at_));
    at_ = pending ? place : place + 1;
    undone_from_.clear();
    last_look_ = long_ago;
}

void History::forget(const Experiment& failed) {
    if (moments_.empty()) return;
    const auto fails = [&](const Moment& moment) {
        return moment.experiment == failed || (moment.other && moment.other->experiment == failed);
    };
    const auto behind = moments_.begin() + static_cast<std::ptrdiff_t>(at_) + 1;
    at_ -= std::min(at_, static_cast<std::size_t>(std::count_if(moments_.begin(), behind, fails)));
    std::erase_if(moments_, fails);
    undone_from_.clear();
    last_look_ = long_ago;
}

}  // namespace vitrine
