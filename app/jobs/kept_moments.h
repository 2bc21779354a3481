#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace vitrine {

/// Moments of a run for scrubbing: if there are more than `most`, every other one is dropped, and the rate is halved.
template <class Moment>
class KeptMoments {
public:
    explicit KeptMoments(std::size_t most) : most_(most) {}

    /// True if a step should be kept.
    bool wants(std::uint64_t step) const { return step % every_ == 0; }

    void keep(std::shared_ptr<const Moment> moment) {
        all_.push_back(std::move(moment));
        if (all_.size() <= most_) return;
        std::vector<std::shared_ptr<const Moment>> thinned;  // the first one stays
        for (std::size_t i = 0; i < all_.size(); i += 2) thinned.push_back(std::move(all_[i]));
        all_ = std::move(thinned);
        every_ *= 2;
    }

    const std::vector<std::shared_ptr<const Moment>>& all() const { return all_; }
    /// Replaces a moment by another view of it.
    void replace(std::size_t place, std::shared_ptr<const Moment> moment) { all_[place] = std::move(moment); }

private:
    std::size_t most_;
    std::uint64_t every_ = 1;  // in steps
    std::vector<std::shared_ptr<const Moment>> all_;
};

}  // namespace vitrine
