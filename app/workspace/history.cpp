#include "app/workspace/history.h"

#include <algorithm>

#include "core/files/image.h"

namespace vitrine {

namespace {

constexpr double look_series_seconds = 0.8;  // views that follow one another this fast are undone together

}  // namespace

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
    const bool look = same_stop && here.experiment == moment.experiment;
    moments_.resize(at_ + 1);
    if (look && at_ > 0 && seconds - last_look_ < look_series_seconds)
        moments_[at_] = moment;
    else
        moments_.push_back(moment);
    at_ = moments_.size() - 1;
    last_look_ = look ? seconds : long_ago;
}

void History::forget(const Experiment& failed) {
    if (moments_.empty()) return;
    const auto fails = [&](const Moment& moment) { return moment.experiment == failed; };
    const auto behind = moments_.begin() + static_cast<std::ptrdiff_t>(at_) + 1;
    at_ -= std::min(at_, static_cast<std::size_t>(std::count_if(moments_.begin(), behind, fails)));
    std::erase_if(moments_, fails);
    last_look_ = long_ago;
}

}  // namespace vitrine
