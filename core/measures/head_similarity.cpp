#include "core/measures/head_similarity.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>

#include "core/base/team.h"
#include "core/tensor/entropy.h"

namespace vitrine {

namespace {

/// Entropy of every row of a block's attention.      (h, N, N)  ->  (h·N)
std::vector<float> entropies_of(const Tensor3& attention) {
    std::vector<float> entropies;
    for (std::size_t head = 0; head < attention.shape()[0]; ++head)
        for (std::size_t i = 0; i < attention.shape()[1]; ++i)
            entropies.push_back(entropy(attention_row(attention, head, i)));
    return entropies;
}

/// A block's heads, and their first row in the matrix of divergences.
struct Heads {
    const Tensor3& attention;
    const std::vector<float>& entropies;  // (h·N)
    std::size_t first;
};

/// Writes the divergences of every head of one block from every head of another, or from the later heads of the same
/// block.
void compare(const Heads& a, const Heads& b, Tensor2& divergences) {
    const std::size_t heads = a.attention.shape()[0], queries = a.attention.shape()[1];
    parallel_for(heads * heads, [&](std::size_t pair) {
        const std::size_t x = pair / heads, y = pair % heads;
        if (b.first + y <= a.first + x) return;
        double sum = 0.0;
        for (std::size_t i = 0; i < queries; ++i) {
            const float own = 0.5F * (a.entropies[x * queries + i] + b.entropies[y * queries + i]);
            sum += static_cast<double>(std::max(
                0.0F, entropy_of_mean(attention_row(a.attention, x, i), attention_row(b.attention, y, i)) - own));
        }
        const auto divergence = static_cast<float>(sum / static_cast<double>(queries));
        divergences(a.first + x, b.first + y) = divergences(b.first + y, a.first + x) = divergence;
    });
}

/// Clusters of heads, each an ordered list.
using Clusters = std::vector<std::vector<int>>;

/// Joins the two nearest clusters until `count` are left.
Clusters join_nearest(const Tensor2& divergences, std::size_t count) {
    const std::size_t n = divergences.shape()[0];
    // Distances between clusters, updated by the Lance–Williams rule for average linkage.
    std::vector<std::vector<double>> distance(n, std::vector<double>(n));
    std::vector<double> total_divergence(
        n);  // sum of a head's divergences; sorted first, so that the order of heads does not change its rounding
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) distance[i][j] = static_cast<double>(divergences(i, j));
        std::vector<double> sorted = distance[i];
        std::sort(sorted.begin(), sorted.end());
        total_divergence[i] = std::accumulate(sorted.begin(), sorted.end(), 0.0);
    }
    Clusters clusters(n);
    std::vector<double> height(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) clusters[i] = {static_cast<int>(i)};
    std::vector<std::size_t> alive(n);
    std::iota(alive.begin(), alive.end(), std::size_t{0});

    const auto first_of_pair = [&](std::size_t a, std::size_t b) {
        const auto key = [&](std::size_t c) {
            const int front = clusters[c].front();
            return std::tuple(height[c], total_divergence[static_cast<std::size_t>(front)], front);
        };
        return key(a) < key(b);
    };
    while (alive.size() > std::max<std::size_t>(1, count)) {
        std::size_t a = alive[0], b = alive[1];
        double nearest = distance[a][b];
        for (std::size_t i = 0; i < alive.size(); ++i)
            for (std::size_t j = i + 1; j < alive.size(); ++j)
                if (distance[alive[i]][alive[j]] < nearest) {
                    nearest = distance[alive[i]][alive[j]];
                    a = alive[i];
                    b = alive[j];
                }
        if (!first_of_pair(a, b)) std::swap(a, b);
        const auto size_a = static_cast<double>(clusters[a].size()), size_b = static_cast<double>(clusters[b].size());
        for (const std::size_t k : alive) {
            if (k == a || k == b) continue;
            distance[a][k] = distance[k][a] = (size_a * distance[a][k] + size_b * distance[b][k]) / (size_a + size_b);
        }
        clusters[a].insert(clusters[a].end(), clusters[b].begin(), clusters[b].end());
        height[a] = nearest;
        alive.erase(std::find(alive.begin(), alive.end(), b));
    }
    Clusters left;
    for (const std::size_t c : alive) left.push_back(clusters[c]);
    return left;
}

}  // namespace

Tensor2 head_divergences(const Trace& trace, const Progress& progress) {
    const auto blocks = static_cast<std::size_t>(trace.blocks());
    const std::size_t heads = trace.block(1)->attention.shape()[0];
    std::vector<std::vector<float>> entropies;  // by block
    for (int l = 1; l <= trace.blocks(); ++l) entropies.push_back(entropies_of(trace.block(l)->attention));

    Tensor2 divergences = tensor2(blocks * heads, blocks * heads);
    for (std::size_t i = 0; i < blocks * heads; ++i) divergences(i, i) = 0.0F;
    // Keeps only two blocks in memory at a time.
    const double pairs = static_cast<double>(blocks * (blocks + 1)) / 2;
    double done = 0;
    for (std::size_t i = 0; i < blocks; ++i) {
        const auto a = trace.block(static_cast<int>(i) + 1);
        for (std::size_t j = i; j < blocks; ++j) {
            report(progress, done++ / pairs);
            const auto b = trace.block(static_cast<int>(j) + 1);
            compare({a->attention, entropies[i], i * heads}, {b->attention, entropies[j], j * heads}, divergences);
        }
    }
    return divergences;
}

std::vector<int> cluster_order(const Tensor2& divergences) {
    return divergences.shape()[0] == 0 ? std::vector<int>() : join_nearest(divergences, 1).front();
}

std::vector<int> cluster_branches(const Tensor2& divergences, int count) {
    const std::vector<int> order = cluster_order(divergences);
    std::vector<int> place(order.size()), branch(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    Clusters clusters = join_nearest(divergences, static_cast<std::size_t>(std::max(1, count)));
    std::sort(clusters.begin(), clusters.end(), [&](const auto& a, const auto& b) {
        return place[static_cast<std::size_t>(a.front())] < place[static_cast<std::size_t>(b.front())];
    });
    for (std::size_t c = 0; c < clusters.size(); ++c)
        for (const int head : clusters[c]) branch[static_cast<std::size_t>(head)] = static_cast<int>(c);
    return branch;
}

}  // namespace vitrine
