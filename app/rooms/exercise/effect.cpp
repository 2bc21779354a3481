#include "app/rooms/exercise/effect.h"

#include <algorithm>
#include <cmath>

#include "app/workspace/selection.h"
#include "core/measures/analysis.h"
#include "core/measures/answer_change.h"
#include "core/measures/attention_measures.h"
#include "core/studies/normalisation.h"

namespace vitrine {

namespace {

using Unit = Compared::Unit;

/// A measure of the chosen head in the chosen block, for both runs.
template <class Measure>
Compared in_both(const char* name, const BothRuns& runs, Measure measure) {
    const auto broken = runs.broken.block(runs.focus.block), repaired = runs.repaired.block(runs.focus.block);
    return {name, static_cast<double>(measure(*broken)), static_cast<double>(measure(*repaired))};
}

double largest_weight(const BlockTrace& block, const Focus& f) {
    const auto head = static_cast<std::size_t>(f.head), n = block.attention.shape()[1];
    float most = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) most = std::max(most, block.attention(head, i, j));
    return static_cast<double>(most);
}

double sum_of_row(const BlockTrace& block, const Focus& f) {
    double sum = 0;
    for (const float a : attention_row(block, f.head, f.token)) sum += static_cast<double>(a);
    return sum;
}

/// Largest absolute difference between values and queries.
double value_gap(const BlockTrace& block, const Focus& f) {
    const auto head = static_cast<std::size_t>(f.head);
    double most = 0;
    for (std::size_t i = 0; i < block.v.shape()[1]; ++i)
        for (std::size_t j = 0; j < block.v.shape()[2]; ++j)
            most = std::max(
                most, std::abs(static_cast<double>(block.v(head, i, j)) - static_cast<double>(block.q(head, i, j))));
    return most;
}

/// Number of tokens whose numbers end up in a head if (N, D) is reinterpreted as (h, N, d).
double tokens_in_slice(const Config& c, int head) {
    const int first = head * c.tokens() / c.heads, last = ((head + 1) * c.tokens() - 1) / c.heads;
    return last - first + 1;
}

std::vector<Compared> moments(const std::vector<float>& broken, const std::vector<float>& repaired) {
    const Moments b = moments_of(broken), r = moments_of(repaired);
    const auto most = [](const std::vector<float>& values) {
        double largest = 0;
        for (const float v : values) largest = std::max(largest, std::abs(static_cast<double>(v)));
        return largest;
    };
    return {
        {"mean", b.mean, r.mean}, {"deviation", b.deviation, r.deviation}, {"magnitude", most(broken), most(repaired)}};
}

/// Probability in both runs of the class that the repaired model predicts.
void add_prediction(const BothRuns& runs, std::vector<Compared>& numbers) {
    if (runs.model.config.classes == 0) return;
    const int best = top_predictions(*runs.repaired.head, 1).front().index;
    const ClassReading broken = reading_of(*runs.broken.head, best), repaired = reading_of(*runs.repaired.head, best);
    numbers.insert(numbers.end(), {{"probability", broken.probability, repaired.probability, Unit::fraction},
                                   {"logit", broken.logit, repaired.logit},
                                   {"margin", broken.margin, repaired.margin},
                                   {"loss", broken.loss, repaired.loss}});
}

/// Cosine similarity of the chosen token's last states in both runs.
Compared likeness(const BothRuns& runs) {
    const Tensor2 &last = runs.broken.z(runs.broken.blocks()), &other = runs.repaired.z(runs.repaired.blocks());
    const auto token = static_cast<std::size_t>(runs.focus.token);
    const std::size_t features = last.shape()[1];
    return {"likeness", static_cast<double>(cosine({&last(token, 0), features}, {&other(token, 0), features})), 1};
}

std::string shape_of(std::initializer_list<int> sizes) {
    std::string words;
    for (const int size : sizes) words += (words.empty() ? "" : ", ") + std::to_string(size);
    return "(" + words + ")";
}

Printed token_count(const Config& c, bool mistaken) {
    const int rows = mistaken ? c.patch_size * c.patch_size + c.leading_tokens() : c.tokens();
    Printed said{{"x.shape      " + shape_of({c.tokens(), c.embedding_dim}),
                  "E_pos.shape  " + shape_of({rows, c.embedding_dim})},
                 {}};
    if (rows == c.tokens())
        said.lines.push_back("z_0.shape    " + shape_of({c.tokens(), c.embedding_dim}));
    else
        said.error = "RuntimeError: The size of tensor a (" + std::to_string(c.tokens()) +
                     ") must match the size of tensor b (" + std::to_string(rows) + ") at non-singleton dimension 0";
    return said;
}

Printed bare_return(const Config& c, bool mistaken) {
    if (!mistaken) return {{"encode(blocks, z).shape  " + shape_of({c.tokens(), c.embedding_dim})}, {}};
    if (c.blocks == 1) return {{"encode(blocks, z)  None"}, {}};
    return {{"blocks[0](z)  None"},
            "TypeError: layer_norm(): argument 'input' (position 1) must be Tensor, not NoneType"};
}

Printed doc_comment(const Config& c, bool mistaken) {
    const std::string is = "head(z).shape  " + shape_of({1, c.classes});
    if (!mistaken) return {{is, "head(z)[:, 0].shape  (1)"}, {}};
    return {{is, "head(z)[:, 0, 0]"}, "IndexError: too many indices for tensor of dimension 2"};
}

}  // namespace

std::vector<Compared> compared_numbers(Exercise exercise, const BothRuns& runs) {
    const Focus& f = runs.focus;
    std::vector<Compared> numbers;
    switch (exercise) {
        case Exercise::maximum_one:
        case Exercise::norm_axis:
            return moments(normalised_features(exercise, runs, true), normalised_features(exercise, runs, false));
        case Exercise::token_count:
        case Exercise::bare_return:
        case Exercise::doc_comment:
        // Exercises of text: see text_effect.
        case Exercise::text_epsilon:
        case Exercise::text_root:
        case Exercise::text_values:
        case Exercise::text_mask:
        case Exercise::text_softmax_axis:
        case Exercise::text_eos: return {};
        case Exercise::positions: numbers = {likeness(runs)}; break;
        case Exercise::key_is_query:
            numbers = {in_both("asymmetry", runs, [&](const BlockTrace& b) { return asymmetry(b, f.head); })};
            break;
        case Exercise::value_is_query:
            numbers = {in_both("value_gap", runs, [&](const BlockTrace& b) { return value_gap(b, f); })};
            break;
        case Exercise::head_slices: {
            const Config& c = runs.model.config;
            numbers = {{"tokens_seen", tokens_in_slice(c, f.head), static_cast<double>(c.tokens()), Unit::count}};
            break;
        }
        case Exercise::root_of_width:
            numbers = {in_both("tokens_looked_at", runs,
                               [&](const BlockTrace& b) { return mean_effective_tokens(b, f.head); }),
                       in_both("largest_weight", runs, [&](const BlockTrace& b) { return largest_weight(b, f); })};
            break;
        case Exercise::softmax_axis:
            numbers = {in_both("row_sum", runs, [&](const BlockTrace& b) { return sum_of_row(b, f); })};
            break;
        case Exercise::normed_residual:
            numbers = {{"last_length", static_cast<double>(token_lengths(runs.broken, f.token).back()),
                        static_cast<double>(token_lengths(runs.repaired, f.token).back())},
                       likeness(runs)};
            break;
    }
    add_prediction(runs, numbers);
    return numbers;
}

std::vector<float> normalised_features(Exercise exercise, const BothRuns& runs, bool mistaken) {
    const Tensor2& z = runs.repaired.z(runs.focus.block - 1);
    const std::size_t features = z.shape()[1];
    const std::span<const float> a{&z(static_cast<std::size_t>(runs.focus.token), 0), features};
    const auto epsilon = static_cast<double>(runs.model.config.layer_norm_epsilon);
    if (mistaken && exercise == Exercise::maximum_one) return scaled_to_maximum(a, epsilon);
    if (mistaken) return scaled_over_rows(z, runs.focus.token, epsilon);
    const auto block = static_cast<std::size_t>(runs.focus.block - 1);
    return norm_stages(a, runs.model.weights.blocks[block].ln1, epsilon).scaled;
}

std::vector<float> token_lengths(const Trace& trace, int token) {
    std::vector<float> lengths;
    for (int block = 0; block <= trace.blocks(); ++block) {
        const Tensor2& z = trace.z(block);
        double sum = 0;
        for (std::size_t i = 0; i < z.shape()[1]; ++i) {
            const auto x = static_cast<double>(z(static_cast<std::size_t>(token), i));
            sum += x * x;
        }
        lengths.push_back(static_cast<float>(std::sqrt(sum)));
    }
    return lengths;
}

Printed printed_by(Exercise exercise, const Config& config, bool mistaken) {
    if (exercise == Exercise::token_count) return token_count(config, mistaken);
    if (exercise == Exercise::bare_return) return bare_return(config, mistaken);
    return doc_comment(config, mistaken);
}

}  // namespace vitrine
