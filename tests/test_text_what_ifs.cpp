#include <gtest/gtest.h>

#include "core/base/error.h"
#include "core/text/text_forward.h"
#include "core/text/text_what_ifs.h"

namespace vitrine {
namespace {

/// A model whose every part does something.
TextModel model_of(TextTask task) { return untrained_text_model(task, TextLanguage::japanese, 3); }

const std::vector<std::string> words = {"this", "is", "a", "pen", "."};

/// Whether a what-if changes what comes out of the last block of the decoder, or of the encoder where there is none.
bool changes(const TextModel& model, const std::string& word) {
    const std::vector<std::string> target = {"これ", "は", "ペン", "です"}, list = {word};
    const TextTrace plain = text_forward(model, text_batch(model, words, target));
    const TextTrace other =
        text_forward(model, text_batch(model, words, target), text_interventions(list, model.config));
    const auto last = [&](const TextTrace& t) {
        return model.config.has_decoder() ? t.decoder.z(model.config.decoder_blocks) : t.encoder.z(model.config.blocks);
    };
    return !(last(plain) == last(other));
}

TEST(TextWhatIfs, EachChangesWhatComesOut) {
    const TextModel model = model_of(TextTask::translate);
    for (const char* const word : {"no-mask", "mask-off-by-one", "no-root", "no-positions", "no-scale", "k=q",
                                   "no-cross", "temperature:0.5", "pre-norm", "no-norm", "only:1", "head:encoder.1.0",
                                   "head:decoder.2.1", "head:cross.2.3", "layer:encoder.1", "layer:decoder.2"})
        EXPECT_TRUE(changes(model, word)) << word;
    EXPECT_FALSE(changes(model, "post-norm")) << "it has that already";
    EXPECT_FALSE(changes(model, "temperature:1"));
}

TEST(TextWhatIfs, AWordThatMeansNothingOrNamesNoPartDoesNothing) {
    for (const char* const word :
         {"", "mask", "no-mask:1", "head", "head:", "head:cross", "head:cross.2", "head:cross.0.1", "head:cross.2.-1",
          "head:side.1.1", "head:1", "only:encoder.1.1", "layer:encoder", "temperature", "temperature:0",
          "temperature:x", "layer:decoder.1.1"})
        EXPECT_FALSE(known_text_what_if(word)) << word;
    const std::vector<std::string> beyond = {"head:cross.9.1", "head:cross.1.9", "layer:encoder.3", "only:8"};
    EXPECT_TRUE(text_interventions(beyond, model_of(TextTask::translate).config).size() <= 4);
    const std::vector<std::string> elsewhere = {"no-cross", "no-mask", "head:cross.1.0", "head:decoder.1.0"};
    EXPECT_TRUE(text_interventions(elsewhere, model_of(TextTask::sentiment).config).empty());
}

TEST(TextWhatIfs, WhatAModelDoesNotHaveIsRefusedInASentence) {
    const auto refusal = [](const std::string& word, TextTask task) {
        const std::vector<std::string> list = {word};
        try {
            check_text_what_ifs(list, model_of(task).config);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    for (const char* const word : {"no-mask", "head:decoder.2.3", "head:cross.1.0", "only:3", "layer:encoder.1"})
        EXPECT_EQ(refusal(word, TextTask::translate), "") << word;
    EXPECT_EQ(refusal("head:decoder.2.4", TextTask::translate),
              "what-if 'head:decoder.2.4': this model has no head 4; choose 0 to 3");
    EXPECT_EQ(refusal("head:cross.9.0", TextTask::translate),
              "what-if 'head:cross.9.0': this model has no block 9; choose 1 to 2");
    for (const char* const word : {"no-mask", "no-cross", "head:cross.1.0", "head:decoder.1.0", "layer:decoder.1"})
        EXPECT_NE(refusal(word, TextTask::sentiment).find("this model has nothing that it changes; leave it out"),
                  std::string::npos)
            << word;
    EXPECT_NE(refusal("nonsense", TextTask::translate).find("is not known to Vitrine; write"), std::string::npos);
}

TEST(TextWhatIfs, TheirWordsAreReadBack) {
    const auto known = known_text_what_if(word_of_head(TextAttention::cross, 2, 3));
    ASSERT_TRUE(known);
    EXPECT_EQ(attention_at(known->value.where), TextAttention::cross);
    EXPECT_EQ(known->value.where.block, 2);
    EXPECT_EQ(known->value.where.head, 3);
    EXPECT_TRUE(known_text_what_if(word_of_layer(TextAttention::decoder, 1)));
    for (const WhatIf& row : text_what_if_table())
        if (row.argument == Argument::none) {
            EXPECT_TRUE(known_text_what_if(row.name)) << row.name;
        }
}

TEST(TextWhatIfs, AreReadByTheGrammarOfAllFamiliesWhoseSentencesNameTheMistake) {
    const ModelParts parts{.blocks = 2, .decoder_blocks = 2, .heads = 4, .crosses = false};
    const auto refused = [&](const std::string& word) {
        try {
            read_what_if(text_what_if_table(), word, parts);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(refused("head:decoder.3.0").find("has no block 3; choose 1 to 2"), std::string::npos);
    EXPECT_NE(refused("head:decoder.2.4").find("has no head 4; choose 0 to 3"), std::string::npos);
    EXPECT_NE(refused("layer:cross.1").find("layer:STACK.BLOCK"), std::string::npos) << "it has no cross-attention";
    for (const char* const word : {"head:decoder.2.3", "layer:encoder.1", "only:3", "temperature:0.5", "k=q"}) {
        EXPECT_EQ(refused(word), "") << word;
        EXPECT_EQ(word_of(read_what_if(text_what_if_table(), word, parts), parts), word);
    }
}

TEST(TextWhatIfs, WithoutCrossAttentionTheSourceSaysNothing) {
    const TextModel model = model_of(TextTask::translate);
    const std::vector<std::string> list = {"no-cross"}, other = {"that", "is", "a", "dog", "."};
    const std::vector<Intervention> what_ifs = text_interventions(list, model.config);
    const TextTrace one = text_forward(model, text_batch(model, words), what_ifs),
                    two = text_forward(model, text_batch(model, other), what_ifs);
    EXPECT_EQ(one.decoder.z(2), two.decoder.z(2));
}

}  // namespace
}  // namespace vitrine
