#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/text/decoding.h"
#include "core/text/sentences.h"
#include "core/transformer/edits.h"
#include "tests/text_golden_model.h"

namespace vitrine {
namespace {

/// A translation that stands at its beginning.
TextBatch beginning(const GoldenTextModel& golden, std::vector<int> target = {bos_id}) {
    TextBatch text = golden.batch(1);
    text.target = {};
    text.gold = {};
    text.target.add(target);
    return text;
}

/// log P(words, [EOS]) by the forward pass over all of them.
double log_probability(const GoldenTextModel& golden, const std::vector<int>& words, bool ended) {
    std::vector<int> read = {bos_id};
    read.insert(read.end(), words.begin(), words.end());
    const TextTrace t = text_forward(golden.model, beginning(golden, read));
    double sum = 0;
    for (std::size_t i = 0; i < words.size() + (ended ? 1 : 0); ++i)
        sum += std::log(static_cast<double>(
            t.generator->probabilities(i, static_cast<std::size_t>(i < words.size() ? words[i] : eos_id))));
    return sum;
}

bool can_be_said(int word) { return word == eos_id || word > cls_id; }

// ---- the cache ------------------------------------------------------------------------------------------------------

TEST(Cache, GivesTheNumbersOfAPassOverAllWords) {
    for (const char* const name : {"text_post", "text_pre", "text_story"}) {
        SCOPED_TRACE(name);
        const GoldenTextModel golden(name);
        const TextTrace encoded = encode_text(golden.model, std::make_shared<const TextBatch>(golden.batch(1)));
        TextWriter kept(golden.model, encoded, 1, Caching::on), again(golden.model, encoded, 1, Caching::off);
        const std::vector<int> words = {bos_id, 6, 11, 5, 12, 7};
        for (std::size_t i = 0; i < words.size(); ++i) {
            const Tensor2 a = kept.read(std::span(&words[i], 1)), b = again.read(std::span(&words[i], 1));
            EXPECT_LT(difference(a.data(), b.data(), a.size()), 1e-5) << "word " << i;
        }
        EXPECT_EQ(kept.rows(), 6);
        EXPECT_EQ(again.rows(), 1 + 2 + 3 + 4 + 5 + 6);
    }
}

TEST(Cache, ReadsSeveralWordsAtOnceAndSeveralTextsAtOnce) {
    const GoldenTextModel golden("text_post");
    const auto batch = std::make_shared<const TextBatch>(golden.batch());
    const TextTrace encoded = encode_text(golden.model, batch);
    TextWriter one(golden.model, encoded, 3, Caching::on), other(golden.model, encoded, 3, Caching::on);
    one.read(std::vector{1, 1, 1});
    const Tensor2 a = one.read(std::vector{6, 7, 8}), b = other.read(std::vector{1, 6, 1, 7, 1, 8});
    EXPECT_LT(difference(a.data(), b.data(), a.size()), 1e-5);
}

TEST(Cache, HoldsUnderEveryInterventionThatLeavesEarlierWordsAlone) {
    const GoldenTextModel golden("text_post");
    const std::vector<std::vector<Intervention>> all = {{remove_head_of({Stack::decoder, Attention::cross, 2}, 1)},
                                                        {temperature_of({Stack::decoder}, 0.5F)},
                                                        {without_word_scaling()},
                                                        {remove_positions()},
                                                        {remove_mlp_of(Stack::decoder, 1)},
                                                        {normalise(Norm::before)},
                                                        {normalise(Norm::before), carry_normed()},
                                                        {without_scaling_of({Stack::decoder, Attention::self})}};
    for (const std::vector<Intervention>& edits : all) {
        SCOPED_TRACE(describe(edits.back()));
        ASSERT_TRUE(can_cache(golden.model.config, edits));
        const DecodedText a = decode(golden.model, beginning(golden), {.caching = Caching::on}, edits);
        const DecodedText b = decode(golden.model, beginning(golden), {.caching = Caching::off}, edits);
        EXPECT_EQ(a.words, b.words);
        EXPECT_NEAR(a.log_probability, b.log_probability, 1e-4);
        EXPECT_LT(a.rows, b.rows);
    }
}

TEST(Cache, TellsOfEveryMethodHowManyRowsItSaves) {
    const GoldenTextModel golden("text_post");
    for (const Named<DecodingMethod>& method : decoding_methods) {
        const DecodedText a =
            decode(golden.model, beginning(golden), {.method = method.value, .width = 3, .caching = Caching::on});
        const DecodedText b =
            decode(golden.model, beginning(golden), {.method = method.value, .width = 3, .caching = Caching::off});
        EXPECT_EQ(a.rows_recomputed, b.rows) << method.name;
        EXPECT_EQ(b.rows_recomputed, b.rows) << method.name;
        EXPECT_LT(a.rows, a.rows_recomputed) << method.name;
    }
}

TEST(Cache, IsOffWhereALaterWordChangesAnEarlierRow) {
    const GoldenTextModel golden("text_post"), open("text_open");
    EXPECT_TRUE(can_cache(golden.model.config, {}));
    EXPECT_FALSE(can_cache(open.model.config, {}));
    EXPECT_FALSE(can_cache(golden.model.config, std::vector{look_ahead()}));
    EXPECT_FALSE(can_cache(golden.model.config, std::vector{softmax_over_queries()}));
    EXPECT_TRUE(can_cache(golden.model.config, std::vector{look_ahead(0, {Stack::encoder, Attention::self})}));
    const DecodedText text = decode(golden.model, beginning(golden), {.longest = 4}, std::vector{look_ahead()});
    EXPECT_GT(text.rows, static_cast<std::int64_t>(text.steps.size()));
}

// ---- greedy ---------------------------------------------------------------------------------------------------------

TEST(GreedyDecoding, TakesTheMostProbableWordOfEachRowOfThePass) {
    const GoldenTextModel golden("text_post");
    const DecodedText text = decode(golden.model, beginning(golden), {});
    EXPECT_TRUE(text.ended);
    ASSERT_EQ(text.steps.size(), text.words.size() + 1);
    EXPECT_NEAR(text.log_probability, log_probability(golden, text.words, true), 1e-4);
    std::vector<int> read = {bos_id};
    read.insert(read.end(), text.words.begin(), text.words.end());
    const TextTrace t = text_forward(golden.model, beginning(golden, read));
    for (std::size_t i = 0; i < text.steps.size(); ++i) {
        const DecodingStep& step = text.steps[i];
        EXPECT_EQ(step.taken.word, step.candidates.front().word);
        for (const WordCandidate& c : step.candidates) {
            EXPECT_NEAR(c.probability,
                        static_cast<double>(t.generator->probabilities(i, static_cast<std::size_t>(c.word))), 1e-5);
            EXPECT_TRUE(can_be_said(c.word));
        }
        EXPECT_TRUE(std::is_sorted(step.candidates.begin(), step.candidates.end(),
                                   [](const auto& a, const auto& b) { return a.probability > b.probability; }));
    }
}

TEST(GreedyDecoding, NeverSaysASpecialWordHoweverProbable) {
    GoldenTextModel golden("text_post");
    float* const bias = golden.flat.at(golden.flat.weights().generator.bias);
    for (const int word : {pad_id, bos_id, unknown_id, cls_id}) bias[word] = 50;
    for (const DecodingMethod method : {DecodingMethod::greedy, DecodingMethod::beam, DecodingMethod::sample}) {
        const DecodedText text = decode(golden.model, beginning(golden), {.method = method});
        for (const DecodingStep& step : text.steps) {
            EXPECT_TRUE(can_be_said(step.taken.word));
            for (const WordCandidate& c : step.candidates) EXPECT_TRUE(can_be_said(c.word));
        }
    }
}

TEST(GreedyDecoding, OfABatchIsThatOfEachText) {
    const TextModel model = untrained_text_model(TextTask::translate, TextLanguage::japanese, 1);
    GoldenTextModel golden("text_post");
    TextBatch all = golden.batch();
    all.target = {};
    for (int b = 0; b < 3; ++b) all.target.add(std::vector{bos_id});
    const std::vector<std::vector<int>> words = decode_greedily(golden.model, all);
    const std::vector<std::vector<int>> sources = {{6, 8, 5, 2}, {9, 2}, {10, 7, 7, 5, 2}};
    for (std::size_t b = 0; b < 3; ++b) {
        TextBatch one;
        one.source.add(sources[b]);
        one.target.add(std::vector{bos_id});
        EXPECT_EQ(words[b], decode(golden.model, one, {}).words) << "text " << b;
    }
    EXPECT_EQ(words, decode_greedily(golden.model, all, std::vector{look_ahead(0)})) << "and without a cache";
}

TEST(GreedyDecoding, TakesWordsThatWereChosenAlready) {
    const GoldenTextModel golden("text_post");
    const DecodedText own = decode(golden.model, beginning(golden), {});
    const int other =
        own.steps[0].candidates[1].word == eos_id ? own.steps[0].candidates[2].word : own.steps[0].candidates[1].word;
    for (const DecodingMethod method : {DecodingMethod::greedy, DecodingMethod::beam, DecodingMethod::sample}) {
        const DecodedText text = decode(golden.model, beginning(golden), {.method = method, .forced = {other}});
        ASSERT_FALSE(text.words.empty());
        EXPECT_EQ(text.words[0], other);
        EXPECT_TRUE(text.steps[0].forced);
        EXPECT_EQ(text.steps[0].candidates.front().word, own.steps[0].candidates.front().word) << "what else there was";
        EXPECT_FALSE(text.steps[1].forced);
    }
}

TEST(GreedyDecoding, EndsWhereTheModelsPlacesEnd) {
    GoldenTextModel golden("text_pre");
    float* const bias = golden.flat.at(golden.flat.weights().generator.bias);
    bias[eos_id] = -50;
    for (const DecodingMethod method : {DecodingMethod::greedy, DecodingMethod::beam}) {
        const DecodedText text = decode(golden.model, beginning(golden), {.method = method});
        EXPECT_FALSE(text.ended);
        EXPECT_EQ(text.words.size(), 8U) << "eight places: [BOS] and seven words are read, an eighth is said";
        EXPECT_EQ(decode(golden.model, beginning(golden), {.method = method, .longest = 3}).words.size(), 3U);
    }
}

// ---- beams ----------------------------------------------------------------------------------------------------------

TEST(Beam, OfWidthOneIsGreedy) {
    for (const char* const name : {"text_post", "text_pre"}) {
        const GoldenTextModel golden(name);
        const DecodedText greedy = decode(golden.model, beginning(golden), {});
        const DecodedText beam = decode(golden.model, beginning(golden), {.method = DecodingMethod::beam, .width = 1});
        EXPECT_EQ(greedy.words, beam.words);
        EXPECT_NEAR(greedy.log_probability, beam.log_probability, 1e-9);
    }
}

TEST(Beam, ThatHoldsEverythingFindsTheMostProbableText) {
    const GoldenTextModel golden("text_post");
    const int longest = 3, words = golden.model.config.target_words;
    double best = -1e9;
    std::vector<int> found;
    const std::function<void(std::vector<int>)> visit = [&](const std::vector<int>& text) {
        const bool full = static_cast<int>(text.size()) == longest;
        const double cost = log_probability(golden, text, !full);
        if (cost > best) {
            best = cost;
            found = text;
        }
        if (full) return;
        for (int word = cls_id + 1; word < words; ++word) {
            std::vector<int> longer = text;
            longer.push_back(word);
            visit(longer);
        }
    };
    visit({});
    const DecodedText beam =
        decode(golden.model, beginning(golden), {.method = DecodingMethod::beam, .width = 2000, .longest = longest});
    // One that ended is chosen before one that had to stop.
    if (beam.words != found) {
        EXPECT_LT(static_cast<int>(beam.words.size()), longest);
    }
    double best_ended = -1e9;
    for (const BeamNode& n : beam.tree)
        if (n.ended) best_ended = std::max(best_ended, n.log_probability);
    EXPECT_NEAR(beam.log_probability, best_ended, 1e-9);
    EXPECT_NEAR(beam.log_probability, log_probability(golden, beam.words, true), 1e-4);
}

TEST(Beam, KeepsTheWholeTreeOfWhatItLookedAt) {
    const GoldenTextModel golden("text_post");
    const int width = 3;
    const DecodedText beam = decode(golden.model, beginning(golden), {.method = DecodingMethod::beam, .width = width});
    std::map<int, int> kept;
    std::vector<int> path;
    for (std::size_t i = 1; i < beam.tree.size(); ++i) {
        const BeamNode& n = beam.tree[i];
        const BeamNode& parent = beam.tree[static_cast<std::size_t>(n.parent)];
        EXPECT_EQ(n.depth, parent.depth + 1);
        EXPECT_NEAR(n.log_probability, parent.log_probability + std::log(n.probability), 1e-9);
        EXPECT_TRUE(parent.kept && !parent.ended) << "only what was followed has words behind it";
        kept[n.depth] += n.kept ? 1 : 0;
        if (n.best && !n.ended) path.push_back(n.word);
    }
    for (const auto& [depth, count] : kept) EXPECT_LE(count, width) << "depth " << depth;
    EXPECT_EQ(path, beam.words);
    EXPECT_GE(beam.log_probability, decode(golden.model, beginning(golden), {}).log_probability) << "here it pays";
}

// ---- sampling -------------------------------------------------------------------------------------------------------

TEST(Sampling, DrawsTheSameWordsForTheSameSeed) {
    const GoldenTextModel golden("text_post");
    std::set<std::vector<int>> texts;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const Decoding how{.method = DecodingMethod::sample, .seed = seed};
        const std::vector<int> words = decode(golden.model, beginning(golden), how).words;
        EXPECT_EQ(words, decode(golden.model, beginning(golden), how).words);
        texts.insert(words);
    }
    EXPECT_GT(texts.size(), 5U);
}

TEST(Sampling, DrawsWordsAsOftenAsTheyAreProbable) {
    const GoldenTextModel golden("text_post");
    const int draws = 4000;
    std::map<int, int> count;
    std::vector<WordCandidate> candidates;
    for (int i = 0; i < draws; ++i) {
        const DecodedText text = decode(golden.model, beginning(golden),
                                        {.method = DecodingMethod::sample,
                                         .temperature = 2,
                                         .seed = static_cast<std::uint64_t>(i),
                                         .longest = 1,
                                         .candidates = 100});
        ++count[text.steps[0].taken.word];
        candidates = text.steps[0].candidates;
    }
    double mass = 0;
    for (const WordCandidate& c : candidates) mass += c.probability;
    for (const WordCandidate& c : candidates) {
        const double p = c.probability / mass;
        EXPECT_NEAR(count[c.word], draws * p, 4.5 * std::sqrt(draws * p * (1 - p)) + 1) << "word " << c.word;
    }
}

TEST(Sampling, OfOneWordOrAtNoTemperatureIsGreedy) {
    const GoldenTextModel golden("text_post");
    const std::vector<int> greedy = decode(golden.model, beginning(golden), {}).words;
    for (const Decoding& how : {Decoding{.method = DecodingMethod::sample, .top_k = 1},
                                Decoding{.method = DecodingMethod::sample, .top_p = 1e-6},
                                Decoding{.method = DecodingMethod::sample, .temperature = 1e-3}})
        EXPECT_EQ(decode(golden.model, beginning(golden), how).words, greedy);
}

TEST(Sampling, CutsTheTailAway) {
    const std::vector<WordCandidate> all = {{5, 0.5}, {6, 0.25}, {7, 0.125}, {8, 0.0625}};
    const auto left = [&](int k, double p) { return drawn_from(all, {.top_k = k, .top_p = p}).size(); };
    EXPECT_EQ(left(0, 1), 4U);
    EXPECT_EQ(left(2, 1), 2U);
    EXPECT_EQ(left(0, 0.5), 1U) << "of 0.9375";
    EXPECT_EQ(left(0, 0.6), 2U);
    EXPECT_EQ(left(3, 0.9), 3U);
    EXPECT_EQ(left(9, 1), 4U);
}

TEST(WordCandidates, TemperatureSharpensAndFlattens) {
    const std::vector<float> logits = {9, 9, 0, 9, 9, 2, 1, 2};
    const auto at = [&](double t) { return word_candidates(logits, t, 3); };
    EXPECT_EQ(at(1)[0].word, 5) << "the first of equals";
    EXPECT_EQ(at(1)[1].word, 7);
    EXPECT_EQ(at(1).size(), 3U);
    EXPECT_GT(at(0.5)[0].probability / at(0.5)[2].probability, at(1)[0].probability / at(1)[2].probability);
    EXPECT_NEAR(at(1)[0].probability / at(1)[2].probability, std::exp(1.0), 1e-6);
    EXPECT_EQ(at(1e-4)[0].word, 5) << "though all of them are 0 beside [PAD]";
}

// ---- a whole run ----------------------------------------------------------------------------------------------------

TEST(TextRuns, KeepOnePassOverAllThatWasReadAndSaid) {
    for (const TextTask task : {TextTask::translate, TextTask::sentiment, TextTask::story}) {
        SCOPED_TRACE(name_of(task));
        TextModel model = untrained_text_model(task, TextLanguage::japanese, 2);
        FlatTextWeights flat = untrained_text_weights(model.config, 2);
        float* const bias = flat.at(flat.weights().generator.bias);
        for (std::size_t i = 0; i < flat.weights().generator.bias.size(); ++i) bias[i] = static_cast<float>(i % 7);
        model.weights = flat.weights();
        const TextExample e = draw_example({task}, TextStream::learning, 1);
        const std::vector<std::string> words(e.source.begin(), e.source.begin() + 3);
        const TextRun run = run_text(model, words);
        EXPECT_EQ(run.input, words);
        ASSERT_TRUE(run.trace.generator);
        if (task == TextTask::sentiment) {
            EXPECT_EQ(run.output, std::vector{model.labels[static_cast<std::size_t>(run.label)]});
            continue;
        }
        const std::size_t prompt = task == TextTask::story ? 4 : 1;
        ASSERT_EQ(run.output.size(), run.decoded.words.size());
        const Tensor2& p = run.trace.generator->probabilities;
        for (std::size_t i = 0; i < run.decoded.steps.size() && prompt - 1 + i < p.shape()[0]; ++i) {
            const WordCandidate& taken = run.decoded.steps[i].taken;
            EXPECT_NEAR(taken.probability, static_cast<double>(p(prompt - 1 + i, static_cast<std::size_t>(taken.word))),
                        1e-5);
        }
    }
}

TEST(TextRuns, RefuseMoreWordsThanThereArePlaces) {
    const TextModel model = untrained_text_model(TextTask::translate, TextLanguage::japanese, 2);
    const std::vector<std::string> words(40, "is");
    EXPECT_THROW(run_text(model, words), Error);
    EXPECT_NO_THROW(run_text(model, std::vector<std::string>(14, "is")));
    EXPECT_NO_THROW(run_text(model, std::vector<std::string>{}));
}

}  // namespace
}  // namespace vitrine
