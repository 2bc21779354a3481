#include "core/training/descent.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/tensor/rows.h"

namespace vitrine {

namespace {

/// Distributes the parts of an update so that the members' loads are about equal.
std::vector<std::vector<UpdatePart>> distribute(std::vector<UpdatePart> parts, std::size_t members) {
    std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.cost() > b.cost(); });
    std::vector<std::vector<UpdatePart>> by_member(members);
    std::vector<double> costs(members, 0);
    for (const UpdatePart& part : parts) {
        const auto least = static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
        by_member[least].push_back(part);
        costs[least] += part.cost();
    }
    return by_member;
}

}  // namespace

Descent::Descent(FlatNumbers& parameters, const std::vector<UpdatePart>& parts,
                 std::vector<std::shared_ptr<FlatNumbers>> buffers)
    : parameters_(parameters),
      mean_(std::move(buffers.front())),
      own_(std::make_move_iterator(buffers.begin() + 1), std::make_move_iterator(buffers.end())),
      squares_(own_.size()),
      moments_(parameters.values().size()),
      parts_by_member_(distribute(parts, own_.size())) {}

/// Sums the members' gradients; each member sums one slice, always in the same order.
void Descent::reduce(int member) {
    const auto [first, last] = share_of(mean_->values().size(), member, static_cast<int>(own_.size()));
    float* const sum = mean_->values().data();
    const std::span<const float> lead = std::as_const(*own_[0]).values();
    std::copy_n(lead.data() + first, last - first, sum + first);
    for (std::size_t m = 1; m < own_.size(); ++m)
        row_kernels().add_to(sum + first, own_[m]->values().data() + first, last - first);
    squares_[static_cast<std::size_t>(member)] = row_kernels().squares(sum + first, last - first);
}

double Descent::descend(Team& team, int member, UpdateStep how, double clip) {
    reduce(member);
    team.meet();
    const double norm = std::sqrt(std::accumulate(squares_.begin(), squares_.end(), 0.0));
    how.gradient_scale = norm > clip ? clip / norm : 1;
    how.step = moments_.steps + 1;
    for (const UpdatePart& part : parts_by_member_[static_cast<std::size_t>(member)])
        update(part, how, parameters_, *mean_, moments_);
    return norm;
}

}  // namespace vitrine
