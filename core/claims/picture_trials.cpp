#include "core/claims/picture_trials.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <tuple>

#include "core/base/team.h"
#include "core/files/image.h"
#include "core/measures/analysis.h"
#include "core/measures/attention_measures.h"
#include "core/vit/forward.h"

namespace vitrine {

namespace {

/// Seeds that no model is trained on.
constexpr std::uint64_t first_fresh_seed = 770'000;

PictureSet fresh_set(const Model& model, std::uint64_t seed) {
    PictureSet set = set_with_classes(model.config.labels).value_or(PictureSet{});
    set.seed = first_fresh_seed + seed;
    return set;
}

}  // namespace

Trace PictureRun::with(const std::vector<Intervention>& what_ifs) const { return what_if(model, trace, what_ifs); }

AnswerChange PictureRun::change(const std::vector<Intervention>& what_ifs) const {
    return answer_change(*with(what_ifs).head, *trace.head);
}

int PictureRun::first_of(const Trace& trace) { return top_predictions(*trace.head, 1).front().index; }

const PictureNumbers& try_pictures(const ClaimGround& ground, std::uint64_t seed, const std::string& name,
                                   const PictureCheck& check) {
    static std::map<std::tuple<const Model*, int, std::uint64_t, std::string>, PictureNumbers> tried;
    const auto key = std::make_tuple(&ground.model, ground.pictures, seed, name);
    if (const auto known = tried.find(key); known != tried.end()) return known->second;
    PictureNumbers numbers(static_cast<std::size_t>(ground.pictures));
    const PictureSet set = fresh_set(ground.model, seed);
    parallel_for(numbers.size(), ground.threads, [&](std::size_t i) {
        const DrawnPicture picture = draw_picture({set, i, ground.model.config.image_height, {}});
        const Trace trace =
            forward(ground.model, preprocess(picture.image, ground.model.preprocessing, ground.model.config).pixels);
        numbers[i] = check({ground.model, picture, trace, static_cast<int>(i)});
    });
    return tried.emplace(key, std::move(numbers)).first->second;
}

double mean_entropy(const Trace& trace, int first, int last) {
    return mean_over_heads(trace, first, last, mean_attention_entropy);
}

double mean_of(const PictureNumbers& numbers, std::size_t column) {
    double sum = 0;
    for (const std::vector<double>& row : numbers) sum += row[column];
    return sum / static_cast<double>(numbers.size());
}

double median_of(const PictureNumbers& numbers, std::size_t column) {
    std::vector<double> values;
    for (const std::vector<double>& row : numbers) values.push_back(row[column]);
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
}

double largest_of(const PictureNumbers& numbers, std::size_t column) {
    double most = numbers.front()[column];
    for (const std::vector<double>& row : numbers) most = std::max(most, row[column]);
    return most;
}

double share_below(const PictureNumbers& numbers, std::size_t column, double limit) {
    const auto below = std::ranges::count_if(numbers, [&](const auto& row) { return row[column] < limit; });
    return static_cast<double>(below) / static_cast<double>(numbers.size());
}

}  // namespace vitrine
