#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <sstream>

#include "core/base/error.h"
#include "core/vit/what_ifs.h"
#include "tests/block_models.h"

namespace vitrine {
namespace {

TEST(WhatIfWords, GoThereAndBack) {
    for (const char* const word :
         {"head:2.1", "patch:4", "mlp:1", "positions", "shuffle", "shuffle:7", "positions-interpolate:1", "no-scale",
          "no-scale@2", "temperature:2", "temperature:0.25@1", "k=q", "v=q@2", "no-skip", "no-norm@1", "post-norm",
          "activation:relu", "activation:elu@2", "activation:gelu"})
        EXPECT_EQ(to_word(parse_intervention(word, four_patches()), four_patches()), word);
}

TEST(WhatIfWords, MistakesAreSentencesThatNameTheWord) {
    for (const char* const word : {"",
                                   "head",
                                   "head:1",
                                   "head:0.0",
                                   "head:3.0",
                                   "head:1.2",
                                   "head:1.-1",
                                   "head:a.b",
                                   "patch:0",
                                   "patch:5",
                                   "patch:",
                                   "mlp:3",
                                   "mlp:1.5",
                                   "positions:1",
                                   "nose:1",
                                   "patch:99999999999",
                                   "k=q@3",
                                   "no-skip@0",
                                   "no-skip@x",
                                   "temperature:0",
                                   "temperature:x",
                                   "temperature:nan",
                                   "activation:sine",
                                   "shuffle:0",
                                   "positions-interpolate",
                                   "positions-interpolate:0",
                                   "positions-interpolate:3",
                                   "patch:3-1",
                                   "patch:1+",
                                   "patch:-1",
                                   "patch:1-",
                                   "patch:1x",
                                   "patch:1xa",
                                   "head:1.0x",
                                   "mlp:1x1e9",
                                   "mlp:1xnan",
                                   "unit:1.24",
                                   "unit:1",
                                   "edge:1.0:0",
                                   "edge:1:0:5",
                                   "edge:1:0:",
                                   "edge:1.2:0:1",
                                   "mean-set",
                                   "mean-set:",
                                   "mean-set:5",
                                   "mean-set:5:photos",
                                   "mean-set@1",
                                   "noise:1",
                                   "noise:1:-1",
                                   "noise:1:1:0",
                                   "swap:1",
                                   "swap:1:1",
                                   "swap:1:5",
                                   "direction:1:0:1",
                                   "direction:1:5:1:1",
                                   "direction:3:0:1:1",
                                   "direction:1:0:1:1e9",
                                   "cover-blur:5",
                                   "window",
                                   "window:-1",
                                   "window:1.5",
                                   "block:3",
                                   "block:0x2",
                                   "attention:0",
                                   "k=qx2"}) {
        try {
            parse_intervention(word, four_patches());
            ADD_FAILURE() << word << " was taken";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(std::string("'") + word + "'"), std::string::npos) << error.what();
        }
    }
}

/// What a user can say of a row: an argument of every kind, and a block where the row takes one.
std::vector<std::string> words_of(const WhatIf& row) {
    std::vector<std::string> arguments;
    switch (row.argument) {
        case Argument::none: arguments = {""}; break;
        case Argument::head: arguments = {":1.0", ":2.1"}; break;
        case Argument::patches: arguments = {":1", ":4", ":1-2+4", ":1-4"}; break;
        case Argument::unit: arguments = {":1.0", ":2.23"}; break;
        case Argument::edge: arguments = {":1.0:0:4", ":2:0-1+3:2-4", ":2.1:0-4:0-4"}; break;
        case Argument::set_of_images:
            arguments = {":1", ":2-4:/photos/a b@c/x2:d", ":1-2+4:100%25/a%2Cb%2Ac", ":1:%20a"};
            break;
        case Argument::noise: arguments = {":1:0.5", ":2-3:2:7"}; break;
        case Argument::pair: arguments = {":1:4"}; break;
        case Argument::direction: arguments = {":1:0:4:0.5", ":2:3:0-1+4:-2"}; break;
        case Argument::count: arguments = {":0", ":2"}; break;
        case Argument::grid: arguments = {":1", ":2"}; break;
        case Argument::block: arguments = {":1", ":2"}; break;
        case Argument::seed: arguments = {"", ":7", ":999999"}; break;
        case Argument::number:
            for (const float n : {row.numbers.low, row.numbers.high, (row.numbers.low + row.numbers.high) / 2}) {
                std::ostringstream digits;
                digits << ':' << n;
                arguments.push_back(digits.str());
            }
            break;
        case Argument::activation: arguments = {":relu", ":gelu_tanh", ":quick_gelu"}; break;
        case Argument::stack_block:
        case Argument::attention_head:
        case Argument::every_head: ADD_FAILURE() << "a ViT has one stack"; break;
    }
    std::vector<std::string> words;
    for (const std::string& argument : arguments) {
        words.push_back(row.name + argument);
        if (row.scaled) words.push_back(row.name + argument + "x-1.5");
        if (row.any_block) words.push_back(row.name + argument + "@2");
    }
    return words;
}

TEST(WhatIfTable, EveryRowParsesPrintsAndIsKnownAgain) {
    std::set<std::string> names;
    for (const WhatIf& row : what_if_table()) {
        EXPECT_TRUE(names.insert(row.name).second) << row.name << " stands there twice";
        EXPECT_NE(what_if_forms().find(row.name), std::string::npos);
        for (const std::string& word : words_of(row)) {
            const Intervention made = parse_intervention(word, four_patches());
            EXPECT_EQ(to_word(made, four_patches()), word);
            const std::optional<KnownWhatIf> known = known_what_if(made);
            ASSERT_TRUE(known) << word;
            EXPECT_EQ(known->row, &row) << word << " is taken for another row's";
            const bool names_a_block = row.argument == Argument::head || row.argument == Argument::block ||
                                       row.argument == Argument::unit || row.argument == Argument::edge ||
                                       row.argument == Argument::direction;
            EXPECT_EQ(made.where.block.has_value(), word.ends_with("@2") || names_a_block) << word;
        }
        if (!row.any_block) {
            EXPECT_THROW(parse_intervention(words_of(row)[0] + "@1", four_patches()), Error) << row.name;
        }
    }
}

TEST(WhatIfWords, SayASetInOrderAndAFactorAfterAnX) {
    EXPECT_EQ(to_word(parse_intervention("patch:4+1-2+2", four_patches()), four_patches()), "patch:1-2+4");
    EXPECT_EQ(parse_intervention("patch:1-1", four_patches()), remove_token(1));
    EXPECT_EQ(parse_intervention("head:2.1x0", four_patches()), remove_head(2, 1));
    EXPECT_EQ(to_word(parse_intervention("swap:4:1", four_patches()), four_patches()), "swap:1:4");
}

TEST(WhatIfWords, NameAnyFolderWithoutACommaOrAStar) {
    for (const char* const folder : {"a,b", "*", "100%", "%2C", " a ", "caf\u00e9", "\xFF\x01", "a:b@2", "\n"}) {
        const Intervention made{Site::tokens, {.token = 2}, SetMean{folder}};
        const std::string word = to_word(made, four_patches());
        EXPECT_EQ(word.find_first_of(",*\n\xFF"), std::string::npos) << word;
        EXPECT_EQ(parse_intervention(word, four_patches()), made) << word;
    }
    EXPECT_EQ(to_word({Site::tokens, {.token = 2}, SetMean{"caf\u00e9"}}, four_patches()), "mean-set:2:caf\u00e9");
    EXPECT_EQ(parse_intervention("mean-set:2:50%/a", four_patches()),
              (Intervention{Site::tokens, {.token = 2}, SetMean{"50%/a"}}));
}

TEST(WhatIfTable, NoWhatIfOfAModelWiredOtherwiseLosesItsWord) {
    EXPECT_EQ(to_word(normalise(Norm::before), four_patches()), "pre-norm");
    EXPECT_EQ(to_word(normalise(Norm::before, 2), four_patches()), "pre-norm@2");
    EXPECT_EQ(to_word(activate_with(Activation::quick_gelu, 1), four_patches()), "activation:quick_gelu@1");
}

TEST(WhatIfTable, EveryPlaceOfASliderComesBackFromItsWordBitForBit) {
    for (const WhatIf& row : what_if_table()) {
        const NumberSlider& s = row.numbers.slider;
        for (float place = s.first; s.step > 0 && place <= s.last; place += s.step) {
            const float number = s.steps == Steps::octaves ? std::exp2(place) : place;
            ASSERT_GE(number, row.numbers.low) << row.name;
            ASSERT_LE(number, row.numbers.high) << row.name;
            const Intervention made = row.make({.number = number});
            EXPECT_EQ(parse_intervention(to_word(made, four_patches()), four_patches()), made)
                << to_word(made, four_patches());
        }
    }
}

TEST(WhatIfTable, KnowsNothingOfWhatOnlyTrainingMakes) {
    for (const Intervention& drop : dropout(0.1F, 1)) EXPECT_EQ(to_word(drop, four_patches()), "");
    EXPECT_FALSE(known_what_if({Site::scores, {}, Scale{0}}));
}

}  // namespace
}  // namespace vitrine
