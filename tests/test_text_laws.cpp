#include <gtest/gtest.h>

#include <cmath>

#include "core/base/random.h"
#include "core/text/sentences.h"
#include "core/text/text_backward.h"
#include "core/text/text_embedding.h"
#include "core/text/text_forward.h"
#include "core/text/text_loss.h"
#include "core/transformer/encoder_block.h"
#include "tests/text_golden_model.h"

namespace vitrine {
namespace {

void expect_rows_equal(const Tensor2& a, const Tensor2& b, std::size_t rows) {
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t i = 0; i < a.shape()[1]; ++i) ASSERT_EQ(a(r, i), b(r, i)) << "row " << r;
}

double largest_difference(const Tensor2& a, const Tensor2& b) {
    EXPECT_EQ(a.shape(), b.shape());
    return difference(a.data(), b.data(), a.size());
}

TextBatch with_target_word(TextBatch batch, std::size_t place, int word) {
    batch.target.ids[place] = word;
    return batch;
}

// ---- what masks and packing promise ---------------------------------------------------------------------------------

TEST(TextLaws, ALaterWordChangesNoEarlierNumberOfTheDecoder) {
    for (const char* const name : {"text_post", "text_pre", "text_story"}) {
        SCOPED_TRACE(name);
        const GoldenTextModel golden(name);
        const TextTrace a = text_forward(golden.model, golden.batch(1));
        const TextTrace b = text_forward(golden.model, with_target_word(golden.batch(1), 2, 9));
        for (int block = 1; block <= 2; ++block) expect_rows_equal(a.decoder.z(block), b.decoder.z(block), 2);
        expect_rows_equal(a.generator->logits, b.generator->logits, 2);
        EXPECT_GT(largest_difference(a.generator->logits, b.generator->logits), 1e-3) << "the last row reads the word";
    }
}

TEST(TextLaws, WithoutTheMaskAnEarlierWordSeesALaterOne) {
    const GoldenTextModel golden("text_post");
    const std::vector open = {look_ahead()};
    const TextTrace a = text_forward(golden.model, golden.batch(1), open);
    const TextTrace b = text_forward(golden.model, with_target_word(golden.batch(1), 2, 9), open);
    EXPECT_NE(a.generator->logits(0, 0), b.generator->logits(0, 0));
    EXPECT_GT(a.decoder.block(1)->self.attention(0, 0, 2), 0.0F);
    EXPECT_EQ(text_forward(golden.model, golden.batch(1)).decoder.block(1)->self.attention(0, 0, 2), 0.0F);
}

TEST(TextLaws, AMaskThatIsOneTokenOffShowsTheAnswer) {
    const GoldenTextModel golden("text_story");
    const TextTrace t = text_forward(golden.model, golden.batch(), std::vector{look_ahead(1)});
    const Tensor3& attention = t.decoder.block(1)->self.attention;
    EXPECT_GT(attention(0, 0, 1), 0.0F);
    EXPECT_EQ(attention(0, 0, 2), 0.0F);
    const TextTrace strict = text_forward(golden.model, golden.batch(), std::vector{look_ahead(-1)});
    EXPECT_EQ(strict.decoder.block(1)->self.attention(0, 0, 0), 1.0F) << "somebody must be seen";
    EXPECT_EQ(strict.decoder.block(1)->self.attention(0, 1, 1), 0.0F);
}

TEST(TextLaws, ABatchIsEachSentenceAlone) {
    for (const char* const name : {"text_post", "text_pre", "text_open", "text_class", "text_story"}) {
        SCOPED_TRACE(name);
        const GoldenTextModel golden(name);
        const TextTrace all = text_forward(golden.model, golden.batch()),
                        one = text_forward(golden.model, golden.batch(1));
        const Tensor2& own = one.generator->logits;
        for (std::size_t r = 0; r < own.shape()[0]; ++r)
            EXPECT_LT(difference(&all.generator->logits(r, 0), &own(r, 0), own.shape()[1]), 1e-5) << "row " << r;
    }
}

TEST(TextLaws, WhatStandsBehindASentencesEndIsNothing) {
    const GoldenTextModel golden("text_post");
    const TextTrace t = text_forward(golden.model, golden.batch());
    const auto held = t.encoder.block(1);
    const BlockTrace& b = *held;
    const std::size_t second = 2;  // the first head of the second sentence, which has 2 tokens of 5
    for (std::size_t query = 0; query < 5; ++query)
        for (std::size_t key = 0; key < 5; ++key) {
            if (query < 2 && key < 2) continue;
            EXPECT_EQ(b.attention(second, query, key), 0.0F);
            EXPECT_EQ(b.scores(second, query, key), -std::numeric_limits<float>::infinity());
        }
    const Tensor3& cross = t.decoder.block(1)->cross.attention;
    ASSERT_EQ(cross.shape()[1], 5U);
    for (std::size_t query = 0; query < 5; ++query) {
        float sum = 0;
        for (std::size_t key = 0; key < 5; ++key) sum += cross(second, query, key);
        EXPECT_NEAR(sum, 1, 1e-6) << "the second target has 5 words";
        EXPECT_EQ(cross(second, query, 2), 0.0F) << "but its source 2";
    }
}

TEST(TextLaws, WithoutPositionsOtherOrderOfWordsGivesTheEncodersRowsInThatOrder) {
    GoldenTextModel golden("text_post");
    TextBatch other = golden.batch(1);
    std::swap(other.source.ids[0], other.source.ids[2]);
    const std::vector without = {remove_positions_of(Stack::encoder)};
    const TextTrace a = text_forward(golden.model, golden.batch(1), without),
                    b = text_forward(golden.model, other, without);
    const std::size_t columns = a.memory().shape()[1];
    for (const auto& [from, to] : {std::pair(0, 2), std::pair(2, 0), std::pair(1, 1), std::pair(3, 3)})
        EXPECT_LT(difference(&a.memory()(static_cast<std::size_t>(from), 0),
                             &b.memory()(static_cast<std::size_t>(to), 0), columns),
                  1e-5);
    const TextTrace c = text_forward(golden.model, golden.batch(1)), d = text_forward(golden.model, other);
    EXPECT_GT(difference(&c.memory()(0, 0), &d.memory()(2, 0), columns), 1e-2) << "with positions they differ";
}

TEST(TextLaws, APackedSequenceGivesTheEncoderBlocksOwnNumbers) {
    const GoldenTextModel golden("text_post");
    const Tensor2 z = text_forward(golden.model, golden.batch(1)).encoder.z(0);
    const std::vector<int> lengths = {4};
    const Editor none;
    const BlockWeights& w = golden.model.weights.encoder[0];
    const Tensor2 packed = *encoder_block({golden.model.config, 1, {1, 4, lengths}, none}, w, z).z;
    const Tensor2 plain = *encoder_block({golden.model.config, 1, {1, 4}, none}, w, z).z;
    EXPECT_LT(largest_difference(packed, plain), 1e-5);
}

TEST(TextLaws, CausalAttentionIsAttentionUnderTheCausalMask) {
    const GoldenTextModel golden("text_post");
    const TextTrace t = text_forward(golden.model, golden.batch(1));
    const Tensor2& x = t.decoder.z(0);
    const Editor none;
    const Layer layer{golden.model.config, 1, {1, 3}, none};
    AttentionTrace masked, causal;
    const Tensor3 mask = causal_mask(3);
    attend(layer, golden.model.weights.decoder[0].self, x, masked, {.mask = &mask});
    attend(layer, golden.model.weights.decoder[0].self, x, causal, {.causal = true});
    EXPECT_LT(largest_difference(masked.msa, causal.msa), 1e-6);
    EXPECT_EQ(masked.attention, causal.attention);
}

TEST(TextLaws, SinePositionsAreThePapers) {
    const Tensor2 p = sine_positions(20, 8);
    EXPECT_EQ(p(0, 0), 0.0F);
    EXPECT_EQ(p(0, 1), 1.0F);
    EXPECT_NEAR(p(7, 2), std::sin(7 / std::pow(10000.0, 2 / 8.0)), 1e-6);
    EXPECT_NEAR(p(7, 3), std::cos(7 / std::pow(10000.0, 2 / 8.0)), 1e-6);
    // A step of places turns each pair of numbers by the same angle wherever it begins (§ 3.5).
    for (std::size_t pair = 0; pair < 8; pair += 2) {
        const auto product = [&](std::size_t a, std::size_t b) {
            return p(a, pair) * p(b, pair) + p(a, pair + 1) * p(b, pair + 1);
        };
        EXPECT_NEAR(product(0, 5), product(11, 16), 1e-5);
    }
    EXPECT_EQ(sine_positions(3, 8, 4)(1, 2), p(5, 2)) << "a text that goes on keeps its places";
}

// ---- what-ifs -------------------------------------------------------------------------------------------------------

/// One of each kind, and the model that shows it.
std::vector<std::vector<Intervention>> text_what_ifs() {
    return {{look_ahead()},
            {without_word_scaling()},
            {remove_positions()},
            {remove_positions_of(Stack::decoder)},
            {remove_head_of({Stack::decoder, Attention::cross, 2}, 1)},
            {remove_head_of({Stack::encoder, {}, 1}, 0)},
            {remove_attention({Stack::decoder, Attention::cross})},
            {remove_mlp_of(Stack::decoder, 1)},
            remove_block(Stack::encoder, 2),
            {without_scaling_of({Stack::decoder, Attention::self})},
            {temperature_of({Stack::encoder}, 0.5F)},
            {key_is_query_of({Stack::decoder, Attention::self})},
            {softmax_over_queries()},
            {softmax_over_queries_of({Stack::decoder, Attention::cross})},
            {normalise(Norm::before)},
            {without_skips(1)},
            {activate_with(Activation::elu)}};
}

TEST(TextWhatIf, IsTheForwardPassWithTheSameInterventions) {
    const GoldenTextModel golden("text_post");
    const TextTrace baseline = text_forward(golden.model, golden.batch());
    for (const std::vector<Intervention>& edits : text_what_ifs()) {
        const TextTrace whole = text_forward(golden.model, golden.batch(), edits);
        const TextTrace shared = text_what_if(golden.model, baseline, edits);
        EXPECT_EQ(whole.generator->logits, shared.generator->logits);
        EXPECT_NE(whole.generator->logits, baseline.generator->logits) << "it does something";
    }
}

TEST(TextWhatIf, SharesEveryStageThatItLeavesAsItWas) {
    const GoldenTextModel golden("text_post");
    const TextTrace a = text_forward(golden.model, golden.batch());
    const TextTrace b =
        text_what_if(golden.model, a, std::vector{remove_head_of({Stack::decoder, Attention::cross, 2}, 0)});
    for (int block = 1; block <= 2; ++block) EXPECT_TRUE(shares_block(a.encoder, b.encoder, block));
    EXPECT_EQ(a.decoder.embedding, b.decoder.embedding);
    EXPECT_TRUE(shares_block(a.decoder, b.decoder, 1));
    EXPECT_FALSE(shares_block(a.decoder, b.decoder, 2));
    const TextTrace c = text_what_if(golden.model, a, std::vector{remove_mlp_of(Stack::encoder, 2)});
    EXPECT_EQ(a.encoder.embedding, c.encoder.embedding);
    EXPECT_TRUE(shares_block(a.encoder, c.encoder, 1));
    EXPECT_FALSE(shares_block(a.encoder, c.encoder, 2));
    EXPECT_EQ(a.decoder.embedding, c.decoder.embedding);
    EXPECT_FALSE(shares_block(a.decoder, c.decoder, 1)) << "cross-attention reads the encoder";
    EXPECT_EQ(text_what_if(golden.model, a, {}).generator, a.generator);
}

TEST(TextTraces, CountTheBlocksOfBothStacksFromOneAndEachEndsInItsZ) {
    const GoldenTextModel golden("text_post");
    const TextTrace t = text_forward(golden.model, golden.batch());
    const auto expect_stack = [](const auto& stack) {
        ASSERT_EQ(stack.blocks(), 2);
        EXPECT_EQ(&stack.z(0), &stack.embedding->z);
        for (int block = 1; block <= 2; ++block) EXPECT_EQ(&stack.z(block), stack.block(block)->z.get());
        auto shorter = stack;
        shorter.drop_blocks_after(1);
        EXPECT_EQ(shorter.blocks(), 1);
        EXPECT_TRUE(shares_block(shorter, stack, 1));
        shorter.drop_blocks_after(-1);
        EXPECT_EQ(shorter.blocks(), 0);
        shorter.add_block_before(stack.block(2));
        shorter.add_block_before(stack.block(1));
        for (int block = 1; block <= 2; ++block) EXPECT_EQ(&shorter.z(block), &stack.z(block));
    };
    expect_stack(t.encoder);
    expect_stack(t.decoder);
}

TEST(TextWhatIf, NamesOneAttentionOfOneStack) {
    const GoldenTextModel golden("text_post");
    const TextTrace t = text_forward(golden.model, golden.batch(1),
                                     std::vector{remove_head_of({Stack::decoder, Attention::cross, 1}, 1)});
    const auto size = [](const Tensor3& heads, std::size_t head) {
        float sum = 0;
        for (std::size_t i = 0; i < heads.shape()[1] * heads.shape()[2]; ++i)
            sum += std::abs(heads.data()[head * heads.shape()[1] * heads.shape()[2] + i]);
        return sum;
    };
    EXPECT_EQ(size(t.decoder.block(1)->cross.heads, 1), 0.0F);
    for (const Tensor3* const heads :
         {&t.decoder.block(1)->self.heads, &t.decoder.block(2)->cross.heads, &t.encoder.block(1)->heads})
        EXPECT_GT(size(*heads, 1), 0.0F);
    EXPECT_GT(size(t.decoder.block(1)->cross.heads, 0), 0.0F);
}

TEST(TextWhatIf, WithoutRootDWordsAreTheEmbeddingsRows) {
    const GoldenTextModel golden("text_post");
    const TextTrace t = text_forward(golden.model, golden.batch(), std::vector{without_word_scaling()});
    EXPECT_LT(largest_difference(t.encoder.embedding->tokens, t.encoder.embedding->embedded), 1e-6);
    EXPECT_LT(largest_difference(t.decoder.embedding->tokens, t.decoder.embedding->embedded), 1e-6);
}

/// Along its own gradient a loss grows by the gradient's length.
void expect_gradient(GoldenTextModel& golden, const TextBatch& batch, const std::vector<Intervention>& what_ifs,
                     const TextLossOptions& options) {
    const auto loss = [&] { return text_loss(text_forward(golden.model, batch, what_ifs), options); };
    const TextTrace trace = text_forward(golden.model, batch, what_ifs);
    FlatTextWeights gradients(golden.model.config);
    text_backward({golden.model, trace, what_ifs}, text_loss(trace, options).gradient, gradients);
    double squares = 0;
    for (const float g : gradients.values()) squares += static_cast<double>(g) * static_cast<double>(g);
    const double length = std::sqrt(squares), step = 2e-3;
    const std::vector<float> before(golden.flat.values().begin(), golden.flat.values().end());
    const auto cost_at = [&](double along) {
        for (std::size_t k = 0; k < before.size(); ++k)
            golden.flat.values()[k] =
                before[k] + static_cast<float>(along * static_cast<double>(gradients.values()[k]) / length);
        const TextLoss l = loss();
        return options.scale * l.sum + options.it_scale * l.it_sum + options.look_scale * l.look_sum;
    };
    EXPECT_NEAR((cost_at(step) - cost_at(-step)) / (2 * step), length, 0.01 * length);
}

TEST(TextWhatIf, HasTheGradientThatSmallStepsShow) {
    std::vector<std::vector<Intervention>> all = text_what_ifs();
    all.push_back({});
    all.push_back(dropout(0.2F, 5));
    for (const char* const name : {"text_post", "text_pre"})
        for (std::size_t i = 0; i < all.size(); ++i) {
            SCOPED_TRACE(std::string(name) + ", what-if " + std::to_string(i));
            GoldenTextModel golden(name);
            expect_gradient(golden, golden.batch(), all[i], {.label_smoothing = 0.1, .scale = 1, .it_scale = 0.5});
        }
}

TEST(TextLosses, TheAskedHeadsGradientIsThatOfSmallSteps) {
    GoldenTextModel golden("text_post");
    TextBatch batch = golden.batch();
    ASSERT_GT(batch.it.size(), 1U);
    batch.it[0] = {.row = batch.it[0].row, .noun = batch.it[0].noun, .sentence = 0, .place = 2, .noun_place = 1};
    batch.it[1] = {.row = batch.it[1].row, .noun = batch.it[1].noun, .sentence = 1, .place = 1, .noun_place = 0};
    const TextTrace trace = text_forward(golden.model, batch);
    const Tensor3& attention = trace.encoder.block(trace.encoder.blocks())->attention;
    const auto heads = static_cast<std::size_t>(golden.model.config.heads);
    const TextLoss loss = text_loss(trace, {.look_scale = 1});
    EXPECT_NEAR(loss.look_sum, -std::log(attention(asked_head, 2, 1)) - std::log(attention(heads + asked_head, 1, 0)),
                1e-4);
    expect_gradient(golden, batch, {}, {.scale = 0, .it_scale = 0, .look_scale = 1});
    expect_gradient(golden, batch, {}, {.scale = 0.3, .it_scale = 0.2, .look_scale = 0.7});
}

TEST(TextLosses, TheAskedHeadsLossIsExactWhereItsWeightIsStoredAsZero) {
    GoldenTextModel golden("text_post");
    TextBatch batch = golden.batch();
    ASSERT_GT(batch.it.size(), 0U);
    batch.it.resize(1);
    batch.it[0] = {.row = batch.it[0].row, .noun = batch.it[0].noun, .sentence = 0, .place = 2, .noun_place = 1};
    TextTrace trace = text_forward(golden.model, batch);
    const int blocks = trace.encoder.blocks();
    const auto last = std::make_shared<BlockTrace>(*trace.encoder.block(blocks));
    for (std::size_t key = 0; key < last->scores.shape()[2]; ++key) {
        last->scores(asked_head, 2, key) = key == 1 ? -200.0F : key == 0 ? 0.0F : -300.0F;
        last->attention(asked_head, 2, key) = key == 0 ? 1.0F : 0.0F;  // e⁻²⁰⁰ is no float
    }
    trace.encoder.drop_blocks_after(blocks - 1);
    trace.encoder.add_block(last);
    EXPECT_NEAR(text_loss(trace, {.look_scale = 1}).look_sum, 200, 1e-3);
}

// ---- batches, beginnings, losses ------------------------------------------------------------------------------------

TEST(TextBatches, FrameSentencesAsTheModelsReadThem) {
    const TextModel model = untrained_text_model(TextTask::translate, TextLanguage::japanese, 1);
    TextExample e;
    e.source = {"this", "is", "zebra"};
    e.target = {"これ", "です"};
    const TextBatch b = text_batch(model, std::span(&e, 1));
    EXPECT_EQ(b.source.ids, (std::vector{model.source.id("this"), model.source.id("is"), unknown_id, eos_id}));
    EXPECT_EQ(b.target.ids, (std::vector{bos_id, model.target.id("これ"), model.target.id("です")}));
    EXPECT_EQ(b.gold, (std::vector{model.target.id("これ"), model.target.id("です"), eos_id}));

    const TextModel review = untrained_text_model(TextTask::sentiment, TextLanguage::english, 1);
    const TextBatch c = text_batch(review, std::vector<std::string>{"good"});
    EXPECT_EQ(c.source.ids, (std::vector{cls_id, review.source.id("good")}));
    EXPECT_TRUE(c.target.ids.empty());
    const TextModel story = untrained_text_model(TextTask::story, TextLanguage::english, 1);
    const TextBatch d = text_batch(story, std::vector<std::string>{"Tom"});
    EXPECT_EQ(d.target.ids, (std::vector{bos_id, story.target.id("Tom")}));
    EXPECT_EQ(d.sentences(), 1);
}

TEST(TextBatches, AskForTheNounThatItStandsFor) {
    const TextModel model = untrained_text_model(TextTask::translate, TextLanguage::japanese, 1);
    std::vector<TextExample> examples;
    for (std::uint64_t i = 0; i < 200; ++i) examples.push_back(draw_example({}, TextStream::learning, i));
    const TextBatch b = text_batch(model, examples);
    ASSERT_FALSE(b.it.empty());
    const int it = model.source.id("it");
    for (const ItGold& gold : b.it) EXPECT_EQ(b.source.ids[static_cast<std::size_t>(gold.row)], it);
    const TextTrace t = text_forward(model, b);
    ASSERT_TRUE(t.it);
    EXPECT_EQ(t.it->logits.shape()[0], b.it.size());
}

TEST(UntrainedTextModel, KnowsNothingAndIsTheSameForTheSameSeed) {
    for (const TextTask task : {TextTask::translate, TextTask::sentiment, TextTask::story}) {
        const TextModel model = untrained_text_model(task, TextLanguage::japanese, 4);
        const TextExample e = draw_example({task}, TextStream::learning, 3);
        const TextLoss loss = text_loss(text_forward(model, text_batch(model, std::span(&e, 1))), {});
        EXPECT_NEAR(loss.sum / loss.rows, std::log(model.config.outputs()), 1e-5) << name_of(task);
        const FlatTextWeights a = untrained_text_weights(model.config, 4), b = untrained_text_weights(model.config, 5);
        EXPECT_TRUE(
            std::equal(a.values().begin(), a.values().end(), untrained_text_weights(model.config, 4).values().begin()));
        EXPECT_FALSE(std::equal(a.values().begin(), a.values().end(), b.values().begin()));
    }
    const TextModel model = untrained_text_model(TextTask::translate, TextLanguage::japanese, 4);
    const Parameter& e = model.weights.source_embedding;
    double squares = 0;
    for (std::size_t i = 0; i < e.size(); ++i)
        squares += static_cast<double>(e.data()[i]) * static_cast<double>(e.data()[i]);
    EXPECT_NEAR(squares / static_cast<double>(e.size()) * model.config.embedding_dim, 1, 0.05) << "N(0, 1/D)";
    EXPECT_EQ(model.weights.decoder[1].cross.query.bias.data()[0], 0.0F);
}

TEST(TextParameters, StandInTheRowInTheOrderOfTheirNames) {
    for (const char* const name : {"text_post", "text_pre", "text_open", "text_class", "text_story"}) {
        const FlatTextWeights flat(GoldenTextModel::config_of(name));
        std::size_t at = 0;
        for (const NamedParameter& p : parameters_of(flat.weights())) {
            EXPECT_EQ(flat.offset_of(p.parameter), at) << p.name;
            EXPECT_EQ(p.in_block_matrix, p.parameter.shape().size() == 2 && p.name.find("coder.") == 2) << p.name;
            at += p.parameter.size();
        }
        EXPECT_EQ(at, flat.values().size());
    }
}

TEST(TextLosses, CountWordsAndWholeSentences) {
    const GoldenTextModel golden("text_post");
    TextBatch batch = golden.batch();
    const TextTrace t = text_forward(golden.model, batch);
    const Tensor2& z = t.generator->logits;
    for (std::size_t r = 0; r < z.shape()[0]; ++r)
        batch.gold[r] = static_cast<int>(std::max_element(&z(r, 0), &z(r, 0) + z.shape()[1]) - &z(r, 0));
    batch.gold[4] = batch.gold[4] == 7 ? 8 : 7;  // a word of the second sentence
    const TextLoss loss = text_loss(text_forward(golden.model, batch), {});
    EXPECT_EQ(loss.rows, 9);
    EXPECT_EQ(loss.correct, 8);
    EXPECT_EQ(loss.sentences, 3);
    EXPECT_EQ(loss.right, 2);
    EXPECT_EQ(loss.it_rows, 2);
}

}  // namespace
}  // namespace vitrine
