#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/claims/claims.h"
#include "core/measures/answer_change.h"
#include "core/training/pictures/pictures.h"
#include "core/transformer/intervention.h"
#include "core/vit/trace.h"

// Trials of claims about what-ifs, on unseen pictures of the bundled model's own set.

namespace vitrine {

/// An unseen picture and the model's run on it.
struct PictureRun {
    const Model& model;
    const DrawnPicture& picture;
    const Trace& trace;
    int index;  // index of the picture, which also chooses a block and a head

    Trace with(const std::vector<Intervention>& what_ifs) const;
    AnswerChange change(const std::vector<Intervention>& what_ifs) const;
    /// The class with the highest probability.
    int first() const { return first_of(trace); }
    static int first_of(const Trace& trace);
    /// 1 if the run's first class is the picture's, else 0.
    double right(const Trace& run) const { return first_of(run) == picture.label ? 1 : 0; }
    /// A block, or a head, that varies with the picture.
    int block() const { return 1 + index % model.config.blocks; }
    int head() const { return index % model.config.heads; }
};

/// A row of numbers for each picture; all rows have the same columns, or none.
using PictureNumbers = std::vector<std::vector<double>>;
using PictureCheck = std::function<std::vector<double>(const PictureRun&)>;

/// The numbers that `check` measures on each of `ground.pictures` unseen pictures drawn with a seed. Cached by name,
/// model, number of pictures and seed, since several claims may share them.
const PictureNumbers& try_pictures(const ClaimGround& ground, std::uint64_t seed, const std::string& name,
                                   const PictureCheck& check);

/// A measure averaged over all heads of the blocks `first` to `last`.
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
/// Mean entropy of the attention rows of the blocks `first` to `last`, in nats.
double mean_entropy(const Trace& trace, int first, int last);

/// Mean, median (the upper of two) and maximum of a column.
double mean_of(const PictureNumbers& numbers, std::size_t column);
double median_of(const PictureNumbers& numbers, std::size_t column);
double largest_of(const PictureNumbers& numbers, std::size_t column);
/// Share of the pictures whose number in a column is below a limit.
double share_below(const PictureNumbers& numbers, std::size_t column, double limit);

}  // namespace vitrine
