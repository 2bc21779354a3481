#include <gtest/gtest.h>

#include "core/error.h"
#include "core/experiment.h"
#include "core/forward.h"
#include "core/intervention.h"

namespace vitrine {
namespace {

Config small() {
    Config c;
    c.image_height = c.image_width = 16;
    c.patch_size = 8;
    c.embedding_dim = 16;
    c.heads = 2;
    c.blocks = 2;
    c.mlp_dim = 24;
    c.classes = 3;
    return c;
}

Trace run(const std::vector<Intervention>& edits) {
    static const Model model = random_model(small(), 3);
    Tensor3 image = tensor3(3, 16, 16);
    for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = static_cast<float>(i % 13) / 13;
    return what_if(model, forward(model, image), edits);
}

template <class T>
bool all_zero(const T& tensor) {
    return std::all_of(tensor.begin(), tensor.end(), [](float x) { return x == 0.0F; });
}

TEST(Intervention, EverySiteOfABlockCanBeSwitchedOffAndItsNeighbourBlockIsUntouched) {
    const auto at = [](Site site) { return run({{site, {2, {}, {}}, {0.0F}}}); };
    EXPECT_TRUE(all_zero(at(Site::q).blocks[1]->q));
    EXPECT_TRUE(all_zero(at(Site::k).blocks[1]->k));
    EXPECT_TRUE(all_zero(at(Site::v).blocks[1]->v));
    EXPECT_TRUE(all_zero(at(Site::scores).blocks[1]->scores));
    EXPECT_TRUE(all_zero(at(Site::attention).blocks[1]->attention));
    EXPECT_TRUE(all_zero(at(Site::heads).blocks[1]->heads));
    EXPECT_TRUE(all_zero(at(Site::msa).blocks[1]->msa));
    EXPECT_TRUE(all_zero(at(Site::mlp_hidden).blocks[1]->mlp.hidden));
    EXPECT_TRUE(all_zero(at(Site::mlp_activation).blocks[1]->mlp.activation));
    EXPECT_TRUE(all_zero(at(Site::mlp_out).blocks[1]->mlp.out));
    EXPECT_FALSE(all_zero(at(Site::mlp_out).blocks[0]->mlp.out));
}

TEST(Intervention, AHeadATokenAndAScaleTouchOnlyTheirPart) {
    const Trace base = run({});
    const Trace head = run({remove_head(1, 1)});
    EXPECT_EQ(head.blocks[0]->heads(1, 2, 3), 0.0F);
    EXPECT_EQ(head.blocks[0]->heads(0, 2, 3), base.blocks[0]->heads(0, 2, 3));
    const Trace patch = run({remove_patch(3)});
    EXPECT_EQ(patch.embedding->tokens(3, 5), 0.0F);
    EXPECT_EQ(patch.embedding->tokens(2, 5), base.embedding->tokens(2, 5));
    const Trace half = run({{Site::scores, {1, 0, 2}, {0.5F}}});
    EXPECT_FLOAT_EQ(half.blocks[0]->scores(0, 2, 1), 0.5F * base.blocks[0]->scores(0, 2, 1));
    EXPECT_EQ(half.blocks[0]->scores(1, 2, 1), base.blocks[0]->scores(1, 2, 1));
    EXPECT_EQ(half.blocks[0]->scores(0, 1, 1), base.blocks[0]->scores(0, 1, 1));
}

TEST(Intervention, WithoutPositionsZ0IsTheTokensThemselves) {
    const Trace trace = run({remove_positions()});
    EXPECT_EQ(trace.embedding->z, trace.embedding->tokens);
}

TEST(Intervention, IsFirstFeltInItsOwnBlock) {
    EXPECT_EQ(first_block(std::vector<Intervention>{remove_mlp(2)}, 2), 2);
    EXPECT_EQ(first_block(std::vector<Intervention>{remove_mlp(2), remove_patch(1)}, 2), 0);
    EXPECT_EQ(first_block({}, 2), 3);
}

TEST(WhatIfWords, GoThereAndBack) {
    for (const char* const word : {"head:2.1", "patch:4", "mlp:1", "positions"})
        EXPECT_EQ(to_word(parse_intervention(word, small())), word);
}

TEST(WhatIfWords, MistakesAreSentencesThatNameTheWord) {
    for (const char* const word :
         {"", "head", "head:1", "head:0.0", "head:3.0", "head:1.2", "head:1.-1", "head:a.b", "patch:0", "patch:5",
          "patch:", "mlp:3", "mlp:1.5", "positions:1", "nose:1", "patch:99999999999"}) {
        try {
            parse_intervention(word, small());
            ADD_FAILURE() << word << " was taken";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(std::string("'") + word + "'"), std::string::npos) << error.what();
        }
    }
}

TEST(Experiment, ToggleSwitchesOffAndOnAgain) {
    std::vector<Intervention> list;
    toggle(list, remove_mlp(1));
    EXPECT_TRUE(contains(list, remove_mlp(1)));
    EXPECT_FALSE(contains(list, remove_mlp(2)));
    toggle(list, remove_mlp(1));
    EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace vitrine
