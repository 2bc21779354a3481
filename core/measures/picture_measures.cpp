#include "core/measures/picture_measures.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "core/base/team.h"
#include "core/measures/analysis.h"
#include "core/tensor/rows.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace {

/// The quantile of values in rows of `columns`: a share of them is at most this. Many values are sampled at even steps.
float quantile_of(std::span<const float> values, std::size_t columns, double share) {
    constexpr std::size_t most = 1 << 16;
    if (values.empty()) return 0;
    std::size_t step = std::max<std::size_t>(1, values.size() / most);
    while (std::gcd(step, columns) != 1) ++step;  // so that all columns take part
    std::vector<float> sample;
    for (std::size_t i = 0; i < values.size(); i += step) sample.push_back(values[i]);
    const auto place = sample.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(sample.size() - 1));
    std::nth_element(sample.begin(), place, sample.end());
    return *place;
}

}  // namespace

AttentionReach attention_reach(const BlockTrace& block) {
    const std::size_t heads = block.scores.shape()[0], n = block.scores.shape()[1];
    AttentionReach reach{std::vector<float>(heads), std::vector<float>(heads), std::vector<float>(heads), 0, 0};
    constexpr double nanoseconds = 0.5;  // per score
    parallel_for(heads, threads_for(nanoseconds * 1e-3 * static_cast<double>(heads * n * n)), [&](std::size_t head) {
        const float* const scores = block.scores.data() + head * n * n;
        reach.scores[head] = row_kernels().largest_magnitude(scores, n * n);
        reach.attention[head] = row_kernels().largest_magnitude(block.attention.data() + head * n * n, n * n);
        reach.asymmetry[head] = asymmetry(block, static_cast<int>(head));
    });
    if (heads > 0) reach.largest_attention = *std::max_element(reach.attention.begin(), reach.attention.end());
    constexpr double usual = 0.98;
    reach.usual_attention = quantile_of({block.attention.data(), block.attention.size()}, n, usual);
    return reach;
}

StreamMeasures stream_measures(const Config& c, const Tensor2& z) {
    StreamMeasures measures{row_norms(z), 0};
    const Tensor2 read = read_out(c, z);
    const float length = row_norms(read)[0];
    for (int patch = 0; patch < c.patches(); ++patch) {
        const auto token = static_cast<std::size_t>(c.token_of(patch));
        const float product = length * measures.norms[token];
        const float cosine =
            product > 0.0F ? row_kernels().dot(&read(0, 0), &z(token, 0), z.shape()[1]) / product : 0.0F;
        measures.likeness += static_cast<double>(cosine) / static_cast<double>(c.patches());
    }
    return measures;
}

PictureMeasures picture_measures(const Config& config, const Trace& trace, const Progress& progress) {
    const Trace nothing;
    const PictureMeasures unknown;
    return picture_measures(config, trace, MeasuredRun{nothing, unknown}, progress);
}

PictureMeasures picture_measures(const Config& c, const Trace& trace, const MeasuredRun& before,
                                 const Progress& progress) {
    const auto& [other, known] = before;
    const int blocks = trace.blocks();
    PictureMeasures measures;
    const bool same_start = other.embedding && other.embedding == trace.embedding;
    measures.stream.push_back(same_start ? known.stream[0]
                                         : std::make_shared<StreamMeasures>(stream_measures(c, trace.z(0))));
    for (int block = 1; block <= blocks; ++block) {
        report(progress, static_cast<double>(block - 1) / blocks);
        const auto i = static_cast<std::size_t>(block);
        const bool same = block <= other.blocks() && shares_block(trace, other, block);
        measures.reach.push_back(same ? known.reach[i - 1]
                                      : std::make_shared<AttentionReach>(attention_reach(*trace.block(block))));
        measures.stream.push_back(same ? known.stream[i]
                                       : std::make_shared<StreamMeasures>(stream_measures(c, trace.z(block))));
    }
    return measures;
}

std::vector<float> cosines_to(const Tensor2& rows, std::span<const float> norms, int row) {
    const std::size_t n = rows.shape()[0], d = rows.shape()[1], own = static_cast<std::size_t>(row);
    std::vector<float> cosines(n);
    for (std::size_t i = 0; i < n; ++i) {
        const float product = norms[own] * norms[i];
        cosines[i] = product > 0.0F ? row_kernels().dot(&rows(own, 0), &rows(i, 0), d) / product : 0.0F;
    }
    return cosines;
}

}  // namespace vitrine
