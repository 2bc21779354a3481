#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/transformer/editor.h"
#include "core/transformer/edits.h"
#include "core/vit/forward.h"
#include "tests/example_edits.h"
#include "tests/lively_model.h"

namespace vitrine {
namespace {

/// Whether an edit changes numbers that it is handed itself.
bool edits_numbers(const Intervention& i) {
    Tensor3 numbers = tensor3(2, 4, 3), queries = tensor3(2, 4, 3);  // (h, N, d)
    for (std::size_t k = 0; k < numbers.size(); ++k) {
        numbers.data()[k] = static_cast<float>(k) + 1;
        queries.data()[k] = -static_cast<float>(k);
    }
    const Tensor3 before = numbers;
    const std::vector<Intervention> list = {i};
    Editor(list, {1, 4})(i.site, i.where.block.value_or(1), numbers, &queries);
    return numbers != before;
}

TEST(Edits, EveryKindHasAnExampleThatChangesAnswersAndWordsOfItsOwn) {
    const Model model = lively_model(small_measured(), 9);
    const Trace plain = forward(model, wavy_picture(model.config));
    std::set<std::string> words;
    std::size_t kind = 0;
    for (const Intervention& i : example_edits()) {
        EXPECT_EQ(i.edit.index(), kind++) << "the examples stand in the order of the kinds";
        const std::string said = describe(i);
        EXPECT_NE(what_if(model, plain, std::vector{i}).head->logits, plain.head->logits) << said;
        EXPECT_TRUE(words.insert(said.substr(said.find(": "))).second) << said << " is said of two kinds";
    }
}

TEST(Edits, ShowInTheEquationsOrInTheNumbersAndOfAnEmptyListInNeither) {
    const Config config = small_measured();
    const Equations plain = equations_of(config, {});
    for (const Intervention& i : example_edits()) {
        const Equations equations = equations_of(config, std::vector{i}, {.block = i.where.block.value_or(1)});
        if (equations == plain) {
            EXPECT_TRUE(edits_numbers(i)) << describe(i) << ": single numbers, which the edited tensor shows";
        }
    }
    EXPECT_EQ(plain.norm, config.norm);
    EXPECT_EQ(plain.activation, config.activation);
    EXPECT_EQ(plain.skip, SkipRule());
}

TEST(Edits, AreDescribedByTheirSiteTheirPlaceAndWhatBecomesOfIt) {
    EXPECT_EQ(describe({Site::scores, {2, 1, {}}, Scale{0.5F}}), "scores of block 2, head 1: times 0.5");
    EXPECT_EQ(describe(remove_attention({Stack::decoder, Attention::cross, 3})),
              "MSA of decoder, cross-attention, block 3: switched off");
    EXPECT_EQ(describe(normalise(Norm::none)), "norms: left out");
}

TEST(Equations, AreThoseOfAPlaceThatAllItsWhatIfsCover) {
    const Config config = small_measured();
    const auto at = [&](const Intervention& i, const Where& place) {
        return equations_of(config, std::vector{i}, place);
    };
    const Intervention warm_head{Site::scores, {2, 1, {}}, Scale{0.5F}};
    EXPECT_EQ(at(warm_head, {2, 1, 0}).scores.temperature, 2);
    EXPECT_EQ(at(warm_head, {2, 0, 0}).scores.temperature, 1);
    EXPECT_EQ(at(warm_head, {2}).scores.temperature, 1) << "not of all heads";
    EXPECT_EQ(at(warm_head, {1, 1, 0}).scores.temperature, 1);
    const Intervention crossing = softmax_over_queries_of({Stack::decoder, Attention::cross});
    EXPECT_TRUE(at(crossing, {.block = 1, .stack = Stack::decoder, .attention = Attention::cross}).over_queries);
    EXPECT_FALSE(at(crossing, {.block = 1, .stack = Stack::decoder}).over_queries);
    EXPECT_FALSE(at(crossing, {.block = 1}).over_queries);
}

TEST(Equations, FoldOneWhatIfAfterTheOther) {
    Config config = small_measured();
    const auto all = [&](const std::vector<Intervention>& list) { return equations_of(config, list, {1}); };
    EXPECT_EQ(all({normalise(Norm::after), normalise(Norm::none)}).norm, Norm::none);
    EXPECT_EQ(all({without_skips(), {Site::skip, {}, Scale{0.5F}}}).skip.factor, 0);
    EXPECT_FALSE(all({carry_normed(), normalise(Norm::after)}).skip.normed) << "there is no LN(z) then";
    config.skips = false;
    EXPECT_EQ(all({}).skip.factor, 0);
    const std::vector<int> first = shuffled_order(5, 4), second = shuffled_order(5, 7);
    const std::vector<int> order = all({shuffle_tokens(4), shuffle_tokens(7)}).order(5);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(order[i], first[static_cast<std::size_t>(second[i])]);
    EXPECT_TRUE(all({}).order(5).empty());
}

TEST(Edits, SayWhetherTheyAddUpAndWhetherTheyNameTokens) {
    EXPECT_TRUE(adds_up(KnockOut{{2}}));
    EXPECT_TRUE(adds_up(CoverPatches{}));
    EXPECT_FALSE(adds_up(Scale{2}));
    EXPECT_TRUE(names_tokens({Site::position, {}, Swap{1, 2}}));
    EXPECT_TRUE(names_tokens({Site::position, {}, Coarsen{}}));
    EXPECT_FALSE(names_tokens(temperature(2)));
    EXPECT_TRUE(names_tokens(remove_token(2)));
    Edit mean = SetMean{"folder"}, scale = Scale{0};
    needed_mean(mean)->numbers = std::make_shared<const std::vector<float>>(3, 1.0F);
    EXPECT_EQ(std::get<SetMean>(mean).numbers->size(), 3U);
    EXPECT_EQ(needed_mean(mean)->folder, "folder");
    EXPECT_FALSE(needed_mean(scale));
}

TEST(Edits, ActByRowWhereNoOtherRowCounts) {
    EXPECT_TRUE(acts_by_row(temperature(2)));
    EXPECT_FALSE(acts_by_row(remove_token(2))) << "it names a place among the rows";
    EXPECT_FALSE(acts_by_row(shuffle_tokens()));
    EXPECT_TRUE(is_removal(remove_mlp(1)));
    EXPECT_FALSE(is_removal(temperature(2)));
}

}  // namespace
}  // namespace vitrine
