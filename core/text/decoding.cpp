#include "core/text/decoding.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <utility>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/text/beam_search.h"

namespace vitrine {

namespace {

/// Samples one of the candidates by probability; the first if all probabilities are 0.
WordCandidate draw(const std::vector<WordCandidate>& candidates, Random& random) {
    double mass = 0;
    for (const WordCandidate& c : candidates) mass += c.probability;
    double left = random.uniform() * mass;
    for (const WordCandidate& c : candidates) {
        left -= c.probability;
        if (left < 0) return c;
    }
    return mass > 0 ? candidates.back() : candidates.front();
}

/// Decodes greedily or by sampling, word by word.
DecodedText decode_left_to_right(TextWriter writer, const WritingTask& task) {
    const Decoding& how = task.how;
    Random random(how.seed);
    DecodedText text;
    Tensor2 logits = writer.read(task.prompt);
    for (int step = 0; step < task.steps; ++step) {
        const std::vector<WordCandidate> all = all_candidates(logits, how.temperature);
        DecodingStep taken{first_of(all, how.candidates), all.front(), false};
        if (static_cast<std::size_t>(step) < how.forced.size()) {
            taken.taken = candidate_of(logits, how.temperature, how.forced[static_cast<std::size_t>(step)]);
            taken.forced = true;
        } else if (how.method == DecodingMethod::sample) {
            taken.taken = draw(drawn_from(all, how), random);
        }
        const WordCandidate word = taken.taken;
        text.log_probability += std::log(word.probability);
        text.steps.push_back(std::move(taken));
        text.ended = word.word == eos_id && how.ending == Ending::at_eos;
        if (text.ended) break;
        text.words.push_back(word.word);
        if (step + 1 < task.steps) logits = writer.read(std::span(&word.word, 1));
    }
    text.rows = writer.rows();
    text.rows_recomputed = writer.rows_recomputed();
    return text;
}

/// Number of steps until the model's positions run out, but at most `limit` if it is not 0.
int steps_for(const TextConfig& config, int prompt, int limit) {
    const int all = config.longest - prompt + 1;
    return limit > 0 ? std::min(limit, all) : all;
}

std::vector<std::string> words_of(const Vocabulary& vocabulary, const std::vector<int>& ids) {
    std::vector<std::string> words;
    for (const int id : ids) words.push_back(vocabulary.word(id));
    return words;
}

void require_places(const TextModel& model, int rows) {
    if (rows <= model.config.longest) return;
    const int special = 1;
    throw Error("The text has " + std::to_string(rows - special) + " words, but the model has positions for " +
                std::to_string(model.config.longest - special) + "; shorten it.");
}

}  // namespace

DecodedText decode(const TextModel& model, const TextBatch& text, const Decoding& how,
                   std::span<const Intervention> interventions) {
    assert(text.target.lengths.size() == 1 && model.config.has_decoder());
    const TextTrace encoded = encode_text(model, std::make_shared<const TextBatch>(text), interventions);
    const Caching caching = can_cache(model.config, interventions) ? how.caching : Caching::off;
    const TextWriter writer(model, encoded, 1, caching, interventions);
    const WritingTask task{how, text.target.ids, steps_for(model.config, text.target.longest, how.longest)};
    return how.method == DecodingMethod::beam ? search_beam(writer, task) : decode_left_to_right(writer, task);
}

std::vector<std::vector<int>> decode_greedily(const TextModel& model, TextBatch texts,
                                              std::span<const Intervention> interventions) {
    const std::size_t count = texts.target.lengths.size(), prompt = static_cast<std::size_t>(texts.target.longest);
    assert(count * prompt == texts.target.ids.size());
    std::vector<int> next = texts.target.ids;
    const int steps = steps_for(model.config, texts.target.longest, 0);
    const TextTrace encoded = encode_text(model, std::make_shared<const TextBatch>(std::move(texts)), interventions);
    const Caching caching = can_cache(model.config, interventions) ? Caching::on : Caching::off;
    TextWriter writer(model, encoded, static_cast<int>(count), caching, interventions);

    std::vector<std::vector<int>> words(count);
    std::vector<bool> ended(count);
    std::size_t left = count;
    for (int step = 0; step < steps && left > 0; ++step) {
        const Tensor2 logits = writer.read(next);
        next.assign(count, eos_id);
        for (std::size_t b = 0; b < count; ++b) {
            if (ended[b]) continue;
            next[b] = word_candidates({&logits(b, 0), logits.shape()[1]}, 1, 1).front().word;
            ended[b] = next[b] == eos_id;
            if (ended[b])
                --left;
            else
                words[b].push_back(next[b]);
        }
    }
    return words;
}

TextRun run_text(const TextModel& model, std::span<const std::string> words, const Decoding& how,
                 std::span<const Intervention> interventions) {
    TextRun run;
    run.input.assign(words.begin(), words.end());
    const auto batch = std::make_shared<const TextBatch>(text_batch(model, words));
    require_places(model, std::max(batch->source.longest, batch->target.longest));
    if (!model.config.has_decoder()) {
        run.trace = text_forward(model, batch, interventions);
        const Tensor2& p = run.trace.generator->probabilities;
        run.label = static_cast<int>(std::max_element(p.begin(), p.end()) - p.begin());
        const auto label = static_cast<std::size_t>(run.label);
        if (label < model.labels.size()) run.output = {model.labels[label]};
        return run;
    }
    run.decoded = decode(model, *batch, how, interventions);
    run.output = words_of(model.target, run.decoded.words);
    std::vector<int> all = batch->target.ids;
    all.insert(all.end(), run.decoded.words.begin(), run.decoded.words.end());
    // The last word may have been produced without a position left to read it.
    all.resize(std::min(all.size(), static_cast<std::size_t>(model.config.longest)));
    PackedSentences target;
    target.add(all);
    run.trace = decode_text(model, encode_text(model, batch, interventions), std::move(target), interventions);
    return run;
}

}  // namespace vitrine
