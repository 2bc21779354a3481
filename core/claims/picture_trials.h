#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/claims/claims.h"
#include "core/measures/answer_change.h"
#include "core/training/pictures/pictures.h"
#include "core/transformer/intervention.h"
#include "core/vit/trace.h"

// How a claim about what-ifs is tried: on fresh pictures of the bundled model's own set, one after another.

namespace vitrine {

/// A fresh picture, the model's run of it, and what else may be asked.
struct PictureRun {
    const Model& model;
    const DrawnPicture& picture;
    const Trace& trace;
    int index;  // of the picture: another block, another head for each

    Trace with(const std::vector<Intervention>& what_ifs) const;
    AnswerChange change(const std::vector<Intervention>& what_ifs) const;
    /// The class that a run puts first.
    int first() const { return first_of(trace); }
    static int first_of(const Trace& trace);
    /// Whether a run names the picture rightly, as 0 or 1.
    double right(const Trace& run) const { return first_of(run) == picture.label ? 1 : 0; }
    /// A block, or a head, that is another one for the next picture.
    int block() const { return 1 + index % model.config.blocks; }
    int head() const { return index % model.config.heads; }
};

/// What every picture gave: the same numbers of each, in the order of the pictures.
using PictureNumbers = std::vector<std::vector<double>>;
using PictureCheck = std::function<std::vector<double>(const PictureRun&)>;

/// A hundred fresh pictures of a seed. A check of the same name, model and seed is not made twice: several claims may
/// rest on one.
const PictureNumbers& try_pictures(const ClaimGround& ground, std::uint64_t seed, const std::string& name,
                                   const PictureCheck& check);

/// A measure of a head, averaged over the blocks from one to another and all their heads.
template <class Measure>
double mean_over_heads(const Trace& trace, int first, int last, const Measure& measure) {
    double sum = 0;
    int count = 0;
    for (int block = first; block <= last; ++block) {
        const auto b = trace.block(block);
        for (int head = 0; head < static_cast<int>(b->attention.shape()[0]); ++head, ++count) sum += measure(*b, head);
    }
    return sum / count;
}
/// The mean entropy of their rows, in nats.
double mean_entropy(const Trace& trace, int first, int last);

double mean_of(const PictureNumbers& numbers, std::size_t column);
double median_of(const PictureNumbers& numbers, std::size_t column);
double largest_of(const PictureNumbers& numbers, std::size_t column);
/// The share of the pictures of which a column is below a limit.
double share_below(const PictureNumbers& numbers, std::size_t column, double limit);

}  // namespace vitrine
