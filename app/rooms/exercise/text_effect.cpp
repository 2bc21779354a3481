#include "app/rooms/exercise/text_effect.h"

#include <algorithm>
#include <cmath>

#include "app/workspace/selection.h"
#include "core/files/image.h"
#include "core/studies/normalisation.h"
#include "core/text/text_forward.h"

namespace vitrine {

namespace {

using Unit = Compared::Unit;

/// A measure of the drawn weights, for both codes.
template <class Measure>
Compared of_both_codes(const char* name, const TextRuns& runs, Measure measure) {
    const TextRun broken = runs.reading(true), repaired = runs.reading(false);
    return {name, static_cast<double>(measure(runs.attention(broken))),
            static_cast<double>(measure(runs.attention(repaired)))};
}

float heaviest(const AttentionMap& map) { return *std::ranges::max_element(map.weights); }

float largest_on_a_later_word(const AttentionMap& map) {
    float most = 0;
    for (int row = 0; row < map.rows; ++row)
        for (int key = row + 1; key < map.columns; ++key) most = std::max(most, map.at(row, key));
    return most;
}

/// Sum of the first word's attention weights in a decoder pass over [BOS] alone.
Compared sum_of_the_first(const TextRuns& runs) {
    const TextModel& model = *runs.now.model;
    Compared sums{"first_sum", 0, 0};
    for (const bool mistaken : {true, false}) {
        const std::span<const Intervention> edits =
            mistaken ? std::span<const Intervention>(runs.now.request.mistake->edits) : std::span<const Intervention>();
        PackedSentences first;
        first.add(std::vector{bos_id});
        TextRun run = runs.now.plain;
        run.trace = decode_text(model, encode_text(model, run.trace.batch, edits), std::move(first), edits);
        double& sum = mistaken ? sums.broken : sums.repaired;
        const AttentionMap map = runs.attention(run);
        for (const float weight : map.row(0)) sum += static_cast<double>(weight);
    }
    return sums;
}

/// The effective number of words attended to: e^H of each row's weights, averaged over the rows.
double words_looked_at(const AttentionMap& map) {
    double sum = 0;
    for (int row = 0; row < map.rows; ++row) {
        double entropy = 0;
        for (const float weight : map.row(row))
            if (weight > 0) entropy -= static_cast<double>(weight) * std::log(static_cast<double>(weight));
        sum += std::exp(entropy);
    }
    return sum / map.rows;
}

/// The repaired code's output, including [EOS], cut to the number of rows in its pass.
std::vector<int> words_wanted(const TextRun& plain) {
    std::vector<int> ids = plain.decoded.words;
    if (plain.decoded.ended) ids.push_back(eos_id);
    ids.resize(std::min(ids.size(), plain.trace.generator->probabilities.shape()[0]));
    return ids;
}

/// Adds the probability of the repaired code's output under teacher forcing, and how many of its words are the most
/// probable ones.
void add_wanted(const TextRuns& runs, std::vector<Compared>& numbers) {
    const std::vector<int> wanted = words_wanted(runs.now.plain);
    Compared probability{"text_probability", 1, 1, Unit::fraction}, first{"text_first", 0, 0, Unit::count};
    for (const bool mistaken : {true, false}) {
        const TextRun run = runs.reading(mistaken);
        const Tensor2& p = run.trace.generator->probabilities;
        double& product = mistaken ? probability.broken : probability.repaired;
        double& count = mistaken ? first.broken : first.repaired;
        for (std::size_t row = 0; row < wanted.size(); ++row) {
            const auto word = static_cast<std::size_t>(wanted[row]);
            product *= static_cast<double>(p(row, word));
            const float* const begin = &p(row, 0);
            count += std::max_element(begin, begin + p.shape()[1]) == begin + word ? 1 : 0;
        }
    }
    numbers.insert(numbers.end(), {first, probability});
}

/// The row with its mean removed, scaled to the standard deviation ε.
std::vector<float> scaled_to_epsilon(std::vector<float> row, double epsilon) {
    const Moments m = moments_of(row);
    if (m.deviation <= 0) return row;
    for (float& x : row) x = static_cast<float>((static_cast<double>(x) - m.mean) * epsilon / m.deviation);
    return row;
}

std::vector<float> scaled(const std::vector<float>& row, double epsilon, bool mistaken) {
    if (mistaken) return scaled_outside_root(row, epsilon);
    const Moments m = moments_of(row);
    std::vector<float> out;
    for (const float x : row)
        out.push_back(
            static_cast<float>((static_cast<double>(x) - m.mean) / std::sqrt(m.deviation * m.deviation + epsilon)));
    return out;
}

std::vector<float> row_into_norm(const TextRuns& runs) {
    return numbers_of(into_norm(runs.now.model->config, runs.now.plain.trace, runs.block()), runs.token());
}

std::vector<Compared> of_norm(const TextRuns& runs) {
    const auto epsilon = static_cast<double>(runs.now.model->config.layer_norm_epsilon);
    const std::vector<float> row = row_into_norm(runs), faint = scaled_to_epsilon(row, epsilon);
    const auto deviation = [&](const std::vector<float>& of, bool mistaken) {
        return moments_of(scaled(of, epsilon, mistaken)).deviation;
    };
    return {{"deviation", deviation(row, true), deviation(row, false)},
            {"faint_deviation", deviation(faint, true), deviation(faint, false)}};
}

std::string shape_of_three(int a, int b, int c) {
    return "(" + std::to_string(a) + ", " + std::to_string(b) + ", " + std::to_string(c) + ")";
}

}  // namespace

int TextRuns::block() const { return std::clamp(focus.block, 1, blocks_of(now.model->config, row.attention)); }
int TextRuns::head() const { return std::clamp(focus.head, 0, now.model->config.heads - 1); }
int TextRuns::token() const {
    return std::clamp(focus.token, 0, static_cast<int>(now.plain.trace.batch->source.ids.size()) - 1);
}

TextRun TextRuns::reading(bool mistaken) const {
    TextRun run = now.plain;
    if (mistaken && now.taught) run.trace = now.taught->trace;
    return run;
}

AttentionMap TextRuns::attention(const TextRun& run) const {
    return map_of(*attention_of(run, row.attention, block()), head());
}

std::vector<Compared> compared_numbers(Exercise exercise, const TextRuns& runs) {
    std::vector<Compared> numbers;
    switch (exercise) {
        case Exercise::text_epsilon: return of_norm(runs);
        case Exercise::text_root:
            numbers = {of_both_codes("text_looked_at", runs, words_looked_at),
                       of_both_codes("largest_weight", runs, heaviest)};
            break;
        case Exercise::text_mask: numbers = {of_both_codes("later_weight", runs, largest_on_a_later_word)}; break;
        case Exercise::text_softmax_axis: numbers = {sum_of_the_first(runs)}; break;
        case Exercise::text_eos: {
            const auto count = [&](const TextRun& run) {
                return static_cast<double>(written_words(*runs.now.model, run).size());
            };
            return {{"text_written", count(runs.now.run), count(runs.now.plain), Unit::count}};
        }
        default: return {};
    }
    add_wanted(runs, numbers);
    return numbers;
}

Tensor2 into_norm(const TextConfig& config, const TextTrace& trace, int block) {
    Tensor2 rows = trace.encoder.z(block - 1);
    if (config.norm != Norm::after) return rows;
    const auto held = trace.encoder.block(block);
    for (std::size_t i = 0; i < rows.size(); ++i) rows.data()[i] += held->msa.data()[i];
    return rows;
}

std::vector<float> normalised_word(const TextRuns& runs, bool mistaken) {
    return scaled(row_into_norm(runs), static_cast<double>(runs.now.model->config.layer_norm_epsilon), mistaken);
}

Printed printed_weights(const TextConfig& c, int source, bool mistaken) {
    const int d = c.head_dim();
    Printed said{{"A.shape        " + shape_of_three(c.heads, source, source),
                  "v.shape        " + shape_of_three(c.heads, source, d)},
                 {}};
    const bool fits = source == d || source == 1;  // a single column is broadcast
    if (!mistaken || fits)
        said.lines.push_back((mistaken ? "(A * v).shape  " : "(A @ v).shape  ") + shape_of_three(c.heads, source, d));
    else
        said.error = "RuntimeError: The size of tensor a (" + std::to_string(source) +
                     ") must match the size of tensor b (" + std::to_string(d) + ") at non-singleton dimension 2";
    return said;
}

std::vector<WrittenWord> written_words(const TextModel& model, const TextRun& run) {
    std::vector<WrittenWord> words;
    for (const DecodingStep& step : run.decoded.steps)
        words.push_back({model.target.word(step.taken.word), step.taken.probability});
    return words;
}

}  // namespace vitrine
