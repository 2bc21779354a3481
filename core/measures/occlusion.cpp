#include "core/measures/occlusion.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "core/base/clock.h"
#include "core/base/team.h"
#include "core/measures/analysis.h"
#include "core/transformer/equations.h"
#include "core/vit/cost.h"
#include "core/vit/forward.h"
#include "core/vit/patch_covers.h"

namespace vitrine {

namespace {

/// 0 … count − 1 in an order in which every prefix is spread over the whole range: in steps of a number coprime to
/// `count`, near the golden ratio.
std::vector<int> spread_order(int count) {
    int step = std::max(1, static_cast<int>(std::lround(count * 0.6180339887)));
    while (std::gcd(step, count) != 1) ++step;
    std::vector<int> order;
    for (int i = 0; i < count; ++i) order.push_back(static_cast<int>((static_cast<long long>(i) * step) % count));
    return order;
}

/// The possible positions of a cover.
struct Places {
    int rows, columns;
    int count() const { return rows * columns; }
};

/// Number of covers tried at once, each on one thread: the threads of a single small forward pass would mostly wait for
/// each other, whereas a large pass uses all threads itself.
std::size_t covers_at_once(const Config& c) {
    constexpr double most_bytes = 64 << 20;  // of the activations of all passes
    return std::clamp(static_cast<std::size_t>(most_bytes / cost_of(c).block_bytes), std::size_t{1},
                      static_cast<std::size_t>(thread_count()));
}

constexpr double seconds_between_changes = 0.05;

/// Running means over the covers that overlap each patch.
class Means {
public:
    explicit Means(Tensor2& means) : means_(means), sums_(means.size(), 0.0) {
        std::fill(means.begin(), means.end(), 0.0F);
    }
    void add(std::size_t patch, double value, int count) {
        sums_[patch] += value;
        means_.data()[patch] = static_cast<float>(sums_[patch] / count);
    }

private:
    Tensor2& means_;
    std::vector<double> sums_;
};

}  // namespace

const Tensor2& OcclusionMap::of(Watched watched) const {
    switch (watched) {
        case Watched::probability: return drop;
        case Watched::logit: return logit;
        case Watched::margin: return margin;
        case Watched::loss: return loss;
    }
    return drop;
}

OcclusionMap occlusion(const OcclusionOf& of, const std::function<void(const OcclusionMap&)>& on_change,
                       const Progress& progress) {
    const Config& c = of.model.config;
    const int side = std::clamp(of.options.size, 1, std::min(c.grid_height(), c.grid_width()));
    const Places places{c.grid_height() - side + 1, c.grid_width() - side + 1};
    /// The numbers of the chosen class, and the first choice.
    struct Answer {
        ClassReading chosen;
        int first = 0;
    };
    const auto answer = [&](Tensor3 image, std::span<const Intervention> edits) {
        const HeadTrace head = head_of(of.model, std::move(image), edits);
        return Answer{reading_of(head, of.options.chosen), top_predictions(head, 1).front().index};
    };

    OcclusionMap map;
    map.total = places.count();
    map.drop = tensor2(static_cast<std::size_t>(c.grid_height()), static_cast<std::size_t>(c.grid_width()));
    map.logit = map.margin = map.loss = map.drop;
    Means drop(map.drop), logit(map.logit), margin(map.margin), loss(map.loss);
    map.counts.assign(static_cast<std::size_t>(c.patches()), 0);
    const Answer uncovered = answer(of.image, of.what_ifs);
    map.uncovered = uncovered.chosen;
    map.probability = static_cast<float>(map.uncovered.probability);
    const Tensor3 cover = of.options.cover == Cover::token ? Tensor3() : cover_of(of.image, c, of.options.cover);
    // Covers are placed in the picture; a what-if may shuffle its patches to other positions in the sequence.
    std::vector<std::size_t> token_of(map.counts.size());
    std::iota(token_of.begin(), token_of.end(), std::size_t{0});
    if (of.options.cover != Cover::token) {
        const std::vector<int> order = equations_of(c, of.what_ifs).order(c.patches());
        for (std::size_t token = 0; token < order.size(); ++token)
            token_of[static_cast<std::size_t>(order[token])] = token;
    }
    /// The patches under a cover, and the answer with it.
    struct Tried {
        std::vector<std::size_t> under;
        Answer now;
    };
    const auto tried = [&](int place) {
        const int row = place / places.columns, column = place % places.columns;
        Tried one;
        Tensor3 image = of.image;
        for (int y = row; y < row + side; ++y)
            for (int x = column; x < column + side; ++x)
                one.under.push_back(static_cast<std::size_t>(y * c.grid_width() + x));
        std::vector<Intervention> edits(of.what_ifs.begin(), of.what_ifs.end());
        for (const std::size_t under : one.under) {
            const int patch = static_cast<int>(under);
            if (of.options.cover == Cover::token)
                edits.push_back(remove_token(c.token_of(patch)));
            else
                copy_patch(c, patch, cover, image);
        }
        one.now = answer(std::move(image), edits);
        return one;
    };
    auto last_change = Clock::now();
    const std::vector<int> order = spread_order(places.count());
    const std::size_t at_once = covers_at_once(c);
    for (std::size_t first = 0; first < order.size(); first += at_once) {
        report(progress, static_cast<double>(map.done) / map.total);
        std::vector<Tried> group(std::min(at_once, order.size() - first));
        parallel_for(group.size(), static_cast<int>(group.size()),
                     [&](std::size_t i) { group[i] = tried(order[first + i]); });
        for (const Tried& one : group) {
            for (const std::size_t place_in_picture : one.under) {
                const std::size_t patch = token_of[place_in_picture];
                const int count = ++map.counts[patch];
                drop.add(patch, map.uncovered.probability - one.now.chosen.probability, count);
                logit.add(patch, map.uncovered.logit - one.now.chosen.logit, count);
                margin.add(patch, map.uncovered.margin - one.now.chosen.margin, count);
                loss.add(patch, one.now.chosen.loss - map.uncovered.loss, count);
            }
            ++map.done;
            if (one.now.first != uncovered.first) ++map.other_answers;
        }
        const bool due = std::chrono::duration<double>(Clock::now() - last_change).count() > seconds_between_changes;
        if (on_change && due) {
            on_change(map);
            last_change = Clock::now();
        }
    }
    report(progress, 1);
    if (on_change) on_change(map);
    return map;
}

}  // namespace vitrine
