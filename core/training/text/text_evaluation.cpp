#include "core/training/text/text_evaluation.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "core/base/denormals.h"
#include "core/text/bag_of_words.h"
#include "core/text/text_forward.h"
#include "core/text/text_loss.h"
#include "core/training/head_tally.h"
#include "core/training/text/text_passes.h"
#include "core/training/text/text_score.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

constexpr int evaluated_at_once = 32;   // examples per pass
constexpr double asked_pronouns = 0.4;  // sentences with "it", as a share of `count`
constexpr std::size_t far_kinds = std::size(far_kind_names);

/// Sums over the passes of an evaluation.
struct TextSums {
    TextScore score;
    std::map<std::string, TextScore> patterns;
    double loss = 0;
    int rows = 0;
    AlignmentQuality alignment;
    HeadTally noun, other;
    TextScore named;
    HeadTally deciding, idle, negation, negated;
    std::array<TextScore, far_kinds> far_words = {};
    std::array<HeadTally, far_kinds> far_heads;

    TextSums& operator+=(const TextSums& o) {
        score += o.score;
        for (const auto& [pattern, s] : o.patterns) patterns[pattern] += s;
        loss += o.loss;
        rows += o.rows;
        alignment.nouns += o.alignment.nouns;
        alignment.content_words += o.alignment.content_words;
        alignment.all += o.alignment.all;
        noun += o.noun;
        other += o.other;
        named += o.named;
        deciding += o.deciding;
        idle += o.idle;
        negation += o.negation;
        negated += o.negated;
        for (std::size_t k = 0; k < far_kinds; ++k) {
            far_words[k] += o.far_words[k];
            far_heads[k] += o.far_heads[k];
        }
        return *this;
    }
};

/// The positions, shifted by one for a leading special word.
std::vector<int> shifted_by_one(std::vector<int> positions) {
    for (int& p : positions) ++p;
    return positions;
}

/// Checks the largest weight in the row of every produced word against its aligned source words.
void measure_alignment(const TextModel& model, const TextTrace& trace, std::size_t b, const TextExample& example,
                       AlignmentQuality& quality) {
    const auto last = trace.decoder.block(trace.decoder.blocks());
    const Tensor3& attention = last->cross.attention;
    for (std::size_t t = 0; t < example.target.size(); ++t) {
        if (example.gold[t].empty()) continue;
        const std::vector<float> row = mean_of_heads(attention, model.config.heads, b, t);
        const TextScore hit = {1, points_at(row, example.gold[t]) ? 1 : 0};
        quality.all += hit;
        if (example.kinds[t] == WordKind::noun) quality.nouns += hit;
        if (example.kinds[t] == WordKind::content) quality.content_words += hit;
    }
}

void measure_pronoun(const TextModel& model, const TextTrace& trace, std::size_t b, const TextExample& example,
                     TextSums& sums) {
    const Pronoun& it = *example.it;
    for (int number = 1; number <= trace.encoder.blocks(); ++number) {
        const auto block = trace.encoder.block(number);
        const Tensor3& attention = block->attention;
        const auto query = static_cast<std::size_t>(it.it);
        sums.noun.add(number, attention, model.config.heads, {b, query, {&it.noun, 1}});
        sums.other.add(number, attention, model.config.heads, {b, query, {&it.other, 1}});
    }
}

/// Accuracy of the auxiliary head on each "it" of a pass.
TextScore named_rightly(const TextTrace& trace) {
    TextScore named;
    if (!trace.it) return named;
    const Tensor2& logits = trace.it->logits;
    for (std::size_t i = 0; i < trace.batch->it.size(); ++i) {
        const float* const z = &logits(i, 0);
        named += {1, std::max_element(z, z + logits.shape()[1]) - z == trace.batch->it[i].noun ? 1 : 0};
    }
    return named;
}

void measure_class_token(const TextModel& model, const TextTrace& trace, std::size_t b, const TextExample& example,
                         TextSums& sums) {
    const int heads = model.config.heads;
    const std::vector<int> word = shifted_by_one(example.deciding), negation = shifted_by_one(example.negation),
                           idle = shifted_by_one(example.idle);
    std::vector<int> deciding = word;
    deciding.insert(deciding.end(), negation.begin(), negation.end());
    for (int number = 1; number <= trace.encoder.blocks(); ++number) {
        const auto block = trace.encoder.block(number);
        const Tensor3& attention = block->attention;
        sums.deciding.add(number, attention, heads, {b, 0, deciding});
        if (!idle.empty()) sums.idle.add(number, attention, heads, {b, 0, idle});
        if (negation.empty() || word.empty()) continue;
        sums.negation.add(number, attention, heads, {b, 0, negation});
        sums.negated.add(number, attention, heads, {b, static_cast<std::size_t>(word.back()), negation});
    }
}

/// Row p of the decoder produces the word at position p; the word at position q is the input of row q + 1.
void measure_far_words(const TextModel& model, const TextTrace& trace, std::size_t b, const TextExample& example,
                       TextSums& sums) {
    const std::size_t first = PackedRows(*trace.batch).target[b];
    for (const FarWord& far : example.far) {
        const auto kind = static_cast<std::size_t>(far.kind), query = static_cast<std::size_t>(far.position);
        const std::size_t row = first + query;
        sums.far_words[kind] += {1, predicted_word(trace, row) == trace.batch->gold[row] ? 1 : 0};
        const std::vector<int> deciding = shifted_by_one(far.deciding);
        for (int block = 1; block <= trace.decoder.blocks(); ++block)
            sums.far_heads[kind].add(block, trace.decoder.block(block)->self.attention, model.config.heads,
                                     {b, query, deciding});
    }
}

/// One pass over some examples, with all measurements.
TextSums measure_examples(const TextModel& model, std::span<const TextExample> examples) {
    TextSums sums;
    const TextTrace trace = text_forward(model, text_batch(model, examples));
    const bool one_pass_scores = model.config.causal || model.task != TextTask::translate;
    const std::vector<TextScore> scores =
        one_pass_scores ? scores_of(model, trace, examples) : scores_of(model, examples);
    const TextLoss loss = text_loss(trace, {});
    sums.loss = loss.sum;
    sums.rows = loss.rows;
    sums.named = named_rightly(trace);
    for (std::size_t i = 0; i < examples.size(); ++i) {
        sums.score += scores[i];
        sums.patterns[examples[i].pattern] += scores[i];
        if (model.task == TextTask::translate) measure_alignment(model, trace, i, examples[i], sums.alignment);
        if (examples[i].it) measure_pronoun(model, trace, i, examples[i], sums);
        if (model.task == TextTask::sentiment) measure_class_token(model, trace, i, examples[i], sums);
        if (model.task == TextTask::story) measure_far_words(model, trace, i, examples[i], sums);
    }
    return sums;
}

/// Further held-out examples with "it", beyond the first `count`: as many as `have` falls short of `asked_pronouns`.
std::vector<TextExample> more_pronouns(const TextSet& set, int count, int have) {
    std::vector<TextExample> more;
    const int wanted = static_cast<int>(asked_pronouns * count) - have;
    for (auto number = static_cast<std::uint64_t>(count); static_cast<int>(more.size()) < wanted; ++number) {
        TextExample example = draw_example(set, TextStream::held_out, number);
        if (example.it) more.push_back(std::move(example));
    }
    return more;
}

/// Distributes passes over examples to a team; sums are in the order of the examples.
class Measurement {
public:
    Measurement(const TextModel& model, Team& team, const Progress& progress)
        : model_(model), team_(team), progress_(progress) {}

    /// `draw(first, count)` returns examples; `from` and `to` are shares of the whole evaluation.
    template <class Draw>
    TextSums run(int count, double from, double to, const Draw& draw) {
        const int passes = (count + evaluated_at_once - 1) / evaluated_at_once;
        std::vector<TextSums> parts(static_cast<std::size_t>(passes));
        std::atomic<int> next = 0;
        team_.run([&](int member) {
            const FlushDenormals flush;
            for (int pass = next.fetch_add(1); pass < passes; pass = next.fetch_add(1)) {
                const int first = pass * evaluated_at_once, some = std::min(evaluated_at_once, count - first);
                const std::vector<TextExample> examples = draw(first, some);
                parts[static_cast<std::size_t>(pass)] = measure_examples(model_, examples);
                if (member == 0) report(progress_, from + (to - from) * pass / passes);
            }
        });
        TextSums sums;
        for (const TextSums& part : parts) sums += part;
        return sums;
    }

private:
    const TextModel& model_;
    Team& team_;
    const Progress& progress_;
};

PronounQuality quality_of_pronouns(const TextSums& sums) {
    PronounQuality q{.head = sums.noun.best(), .named = sums.named};
    q.other_mass = sums.other.mass(q.head.block, q.head.head);
    return q;
}

ClassTokenQuality quality_of_class_token(const TextSums& sums) {
    ClassTokenQuality q{
        .deciding = sums.deciding.best(), .negation = sums.negation.best(), .negated = sums.negated.best()};
    q.idle_mass = sums.idle.mass(q.deciding.block, q.deciding.head);
    return q;
}

}  // namespace

TextEvaluation evaluate(const TextModel& model, const TextEvaluationRequest& request) {
    Team team(request.threads);
    Measurement measurement(model, team, request.progress);
    const TextSet set = measured_set(model.task, model.to, request.seed + 1);
    const auto stream = [&](TextStream which) {
        return [&set, which](int first, int count) {
            return draw_examples({set, which, 0}, static_cast<std::uint64_t>(first), count);
        };
    };
    TextSums sums = measurement.run(request.count, 0, 0.5, stream(TextStream::held_out));
    TextSums fresh;
    if (!request.brief) fresh = measurement.run(request.count, 0.5, 0.9, stream(TextStream::fresh));

    TextEvaluation e;
    e.count = request.count;
    e.held_out = sums.score;
    e.fresh = fresh.score;
    e.perplexity = std::exp(sums.loss / std::max(1, sums.rows));
    e.patterns = sums.patterns;
    if (model.task == TextTask::translate) e.alignment = sums.alignment;
    if (const int have = sums.noun.best().count; have > 0) {
        const std::vector<TextExample> more =
            request.brief ? std::vector<TextExample>() : more_pronouns(set, request.count, have);
        sums += measurement.run(static_cast<int>(more.size()), 0.9, 1, [&](int first, int count) {
            return std::vector<TextExample>(more.begin() + first, more.begin() + first + count);
        });
        e.it = quality_of_pronouns(sums);
    }
    if (model.task == TextTask::sentiment) {
        e.class_token = quality_of_class_token(sums);
        if (!request.brief) e.bag_of_words = bag_of_words_accuracy({.tried = request.count, .seed = request.seed + 1});
    }
    if (model.task == TextTask::story)
        for (const auto& [kind, name] : far_kind_names) {
            const auto k = static_cast<std::size_t>(kind);
            e.far[kind] = {sums.far_words[k], sums.far_heads[k].best()};
        }
    return e;
}

double right_of(const TextEvaluation& e) {
    const auto object = e.far.find(FarKind::object);
    return object == e.far.end() ? e.held_out.share() : object->second.words.share();
}

double attention_of(const TextEvaluation& e) {
    if (e.alignment) return e.alignment->nouns.share();
    if (e.class_token) return e.class_token->deciding.mass;
    const auto object = e.far.find(FarKind::object);
    return object == e.far.end() ? 0 : object->second.head.share;
}

TalliedHead head_of(const TextEvaluation& e) {
    if (e.class_token) return e.class_token->deciding;
    const auto object = e.far.find(FarKind::object);
    return object == e.far.end() ? TalliedHead() : object->second.head;
}

}  // namespace vitrine
