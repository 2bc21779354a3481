#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/spread.h"
#include "core/base/team.h"
#include "core/measures/analysis.h"
#include "core/measures/answer_change.h"
#include "core/measures/importance.h"
#include "core/measures/pair_measures.h"
#include "core/measures/patching.h"
#include "core/measures/perturbation.h"
#include "core/measures/pruning.h"
#include "core/measures/set_means.h"
#include "core/measures/sweep.h"
#include "core/vit/what_ifs.h"
#include "tests/example_edits.h"
#include "tests/golden_run.h"
#include "tests/lively_model.h"

namespace vitrine {
namespace {

void expect_equal_streams(const Trace& a, const Trace& b, const std::string& what) {
    for (int block = 0; block <= a.blocks(); ++block) EXPECT_EQ(a.z(block), b.z(block)) << what << ", " << block;
    EXPECT_EQ(a.head->logits, b.head->logits) << what;
}

Tensor3 squared_picture(const Config& c) {
    Tensor3 image = wavy_picture(c);
    for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = 1 - image.data()[i] * image.data()[i];
    return image;
}

Trace run_under(const Model& model, const Trace& plain, const char* word) {
    return what_if(model, plain, std::vector{parse_intervention(word, model.config)});
}

TEST(WhatIfLaws, AFactorOfOneAndNothingHiddenChangeNoBit) {
    const Model model = lively_model(small_measured(), 5);
    const Trace plain = forward(model, wavy_picture(model.config));
    for (const char* const word : {"head:2.1x1", "patch:1-9x1", "mlp:1x1", "attention:3x1", "block:2x1", "unit:1.3x1",
                                   "window:2", "window:9", "noise:1-9:0"})
        expect_equal_streams(run_under(model, plain, word), plain, word);
}

TEST(WhatIfLaws, ABlockLeftOutHandsItsInputOn) {
    const Model model = lively_model(small_measured(), 5);
    const Trace plain = forward(model, wavy_picture(model.config)), without = run_under(model, plain, "block:2");
    EXPECT_EQ(without.z(2), plain.z(1));
    EXPECT_NE(without.z(3), plain.z(3));
}

TEST(WhatIfLaws, OfASetIsTheSameAsOneAfterTheOther) {
    const Model model = lively_model(small_measured(), 5);
    const Trace plain = forward(model, wavy_picture(model.config));
    const auto one_by_one = [&](std::vector<const char*> words) {
        std::vector<Intervention> list;
        for (const char* const word : words) put(list, parse_intervention(word, model.config));
        EXPECT_EQ(list.size(), words.size());
        return what_if(model, plain, list);
    };
    expect_equal_streams(run_under(model, plain, "patch:2-3+7"), one_by_one({"patch:2", "patch:3", "patch:7"}),
                         "patches");
    expect_equal_streams(run_under(model, plain, "edge:2.1:0+4:1-2"),
                         one_by_one({"edge:2.1:0:1", "edge:2.1:0:2", "edge:2.1:4:1-2"}), "edges");
    expect_equal_streams(run_under(model, plain, "edge:2:0:1"), one_by_one({"edge:2.0:0:1", "edge:2.1:0:1"}),
                         "every head");
    expect_equal_streams(run_under(model, plain, "noise:2+5:0.5:3"), one_by_one({"noise:2:0.5:3", "noise:5:0.5:3"}),
                         "noise depends on seed and row alone");
}

TEST(WhatIfLaws, TheOtherWeightsOfAQueryStillSumToOneAndWithoutKeysItAttendsToNothing) {
    const Model model = lively_model(small_measured(), 5);
    const Trace plain = forward(model, wavy_picture(model.config));
    const auto some = run_under(model, plain, "edge:2.1:0:1-4").block(2);
    double sum = 0;
    for (std::size_t key = 0; key < 10; ++key) {
        const auto weight = static_cast<double>(some->attention(1, 0, key));
        if (key >= 1 && key <= 4) {
            EXPECT_EQ(weight, 0);
        }
        sum += weight;
    }
    EXPECT_NEAR(sum, 1, 1e-6);
    const Trace none = run_under(model, plain, "edge:2.1:0:0-9");
    for (std::size_t key = 0; key < 10; ++key) EXPECT_EQ(none.block(2)->attention(1, 0, key), 0);
    for (const float x : none.head->logits) EXPECT_TRUE(std::isfinite(x));
}

TEST(WhatIfLaws, FillingEveryPatchWithTheMeanPatchIsAveragingAllBeforePositions) {
    const Model model = lively_model(small_measured(), 5);
    const Config& c = model.config;
    const Tensor3 image = wavy_picture(c);
    Tensor3 filled = image;
    const auto p = static_cast<std::size_t>(c.patch_size), side = static_cast<std::size_t>(c.grid_width());
    for (std::size_t channel = 0; channel < 3; ++channel)
        for (std::size_t y = 0; y < p; ++y)
            for (std::size_t x = 0; x < p; ++x) {
                double sum = 0;
                for (std::size_t patch = 0; patch < side * side; ++patch)
                    sum += static_cast<double>(image(channel, patch / side * p + y, patch % side * p + x));
                for (std::size_t patch = 0; patch < side * side; ++patch)
                    filled(channel, patch / side * p + y, patch % side * p + x) =
                        static_cast<float>(sum / static_cast<double>(side * side));
            }
    const Trace averaged = run_under(model, forward(model, image), "mean:1-9"), painted = forward(model, filled);
    EXPECT_LE(difference(averaged.head->logits.data(), painted.head->logits.data(), 4), 1e-5);
}

/// The mean patch of these images in place of patches.
Trace with_mean_of(const Model& model, const Trace& plain, const char* word, const std::vector<Tensor3>& images) {
    MeanPatch mean(model.config);
    for (const Tensor3& image : images) mean.add(forward(model, image).embedding->tokens);
    Intervention set = parse_intervention(word, model.config);
    std::get<SetMean>(set.edit).numbers = mean.numbers();
    return what_if(model, plain, std::vector{set});
}

TEST(WhatIfLaws, TheMeanOverOneImageWithPatchesAllAlikeIsItsOwnMeanPatch) {
    const Model model = lively_model(small_measured(), 5);
    const Config& c = model.config;
    const auto p = static_cast<std::size_t>(c.patch_size);
    Tensor3 tiled = wavy_picture(c);
    for (std::size_t channel = 0; channel < 3; ++channel)
        for (std::size_t y = 0; y < tiled.shape()[1]; ++y)
            for (std::size_t x = 0; x < tiled.shape()[2]; ++x) tiled(channel, y, x) = tiled(channel, y % p, x % p);
    const Trace plain = forward(model, tiled);
    expect_equal_streams(with_mean_of(model, plain, "mean-set:2-3+7", {tiled}), run_under(model, plain, "mean:2-3+7"),
                         "its own mean");
    expect_equal_streams(with_mean_of(model, plain, "mean-set:1-9", {tiled}), plain, "which every patch is already");
}

TEST(WhatIfLaws, TheMeanOverASetOfImagesIsThatOfTheirPatchesAndTakesTheChosenOnesPlace) {
    const Model model = lively_model(small_measured(), 5);
    const std::vector<Tensor3> images = {wavy_picture(model.config), squared_picture(model.config)};
    const Trace plain = forward(model, images[0]), other = forward(model, images[1]),
                changed = with_mean_of(model, plain, "mean-set:2-3", images);
    for (std::size_t k = 0; k < static_cast<std::size_t>(model.config.embedding_dim); ++k) {
        double sum = 0;
        for (std::size_t patch = 1; patch < 10; ++patch)
            sum += static_cast<double>(plain.embedding->tokens(patch, k)) +
                   static_cast<double>(other.embedding->tokens(patch, k));
        for (std::size_t row = 0; row < 10; ++row) {
            const float expected =
                row == 2 || row == 3 ? static_cast<float>(sum / 18) : plain.embedding->tokens(row, k);
            EXPECT_NEAR(changed.embedding->tokens(row, k), expected, 1e-6) << row;
        }
    }
    SetMeans means(model.config);
    means.add(plain);
    means.add(other);
    expect_equal_streams(with_mean_of(model, plain, "mean-set:2", images),
                         what_if(model, plain, std::vector{means.patch(2)}), "that of a sweep");
}

TEST(WhatIfLaws, SwappingTwiceIsTheBaselineAndOnceMovesTwoPositions) {
    const Model model = lively_model(small_measured(), 5);
    const Trace plain = forward(model, wavy_picture(model.config));
    const Intervention swap = parse_intervention("swap:2:6", model.config);
    expect_equal_streams(what_if(model, plain, std::vector{swap, swap}), plain, "twice");
    const Trace once = what_if(model, plain, std::vector{swap});
    for (std::size_t row = 0; row < 10; ++row)
        EXPECT_EQ(once.embedding->z(row, 0) == plain.embedding->z(row, 0), row != 2 && row != 6) << row;
}

TEST(Patching, ARunIntoItselfChangesNoBit) {
    const Model model = lively_model(small_measured(), 5);
    const Trace run = forward(model, wavy_picture(model.config));
    for (const Named<PatchSite>& site : patch_site_names)
        for (int block = 1; block <= 3; ++block)
            for (const std::optional<int> part : {std::optional<int>(), std::optional(1)})
                expect_equal_streams(run_from(model, run, block, std::vector{patch_of(run, site.value, block, part)}),
                                     run, site.name);
}

TEST(Patching, AllCellsOfTheFirstStreamGiveTheOtherRun) {
    const Model model = lively_model(small_measured(), 5);
    const Trace a = forward(model, wavy_picture(model.config)), b = forward(model, squared_picture(model.config));
    std::vector<Intervention> all;
    for (int token = 0; token < model.config.tokens(); ++token) all.push_back(patch_of(a, PatchSite::stream, 1, token));
    const Trace patched = run_from(model, b, 1, all);
    EXPECT_EQ(patched.head->logits, a.head->logits);
    EXPECT_NE(b.head->logits, a.head->logits);
}

TEST(Patching, SaysWhereNothingCanComeBack) {
    const Model model = lively_model(small_measured(), 5);
    const Trace run = forward(model, wavy_picture(model.config));
    try {
        patching({model, run, run});
        ADD_FAILURE() << "both runs have the same logits";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("nothing can come back"), std::string::npos);
    }
}

TEST(Patching, TakesTheWhatIfsOfTheRunThatItPatches) {
    const Model model = lively_model(small_measured(), 5);
    const Trace a = forward(model, wavy_picture(model.config)), plain = forward(model, squared_picture(model.config));
    const std::vector<Intervention> what_ifs{remove_head(1, 0)};
    const Trace b = what_if(model, plain, what_ifs);
    const PatchingMap map = patching({model, a, b, what_ifs, PatchSite::attention});
    std::vector<Intervention> both = what_ifs;
    both.push_back(patch_of(a, PatchSite::attention, 3, 2));
    const double m = map.logits.in(*what_if(model, plain, both).head);
    EXPECT_NEAR(map.returned(2, 2), (m - map.logits.plain) / (map.logits.clean - map.logits.plain), 1e-5);
    EXPECT_EQ(map.done, map.total);
}

/// The golden run of `tiny_hf`, and that of image B in causes.safetensors.
struct GoldenCauses {
    GoldenRun a = golden_measures("models/tiny_hf");
    GoldenFile golden{"values/causes.safetensors"};

    Trace b() {
        Tensor3 image = a.trace.embedding->image;
        std::ranges::copy(golden["image.b"], image.begin());
        return forward(a.model, image);
    }
    std::array<const Trace*, 2> both(const Trace& b) const { return {&a.trace, &b}; }
    void expect(const std::string& name, const float* got, std::size_t count) {
        const std::span<const float> want = golden[name];
        ASSERT_EQ(want.size(), count) << name;
        EXPECT_LE(difference(got, want.data(), count), 1e-4) << name;
    }
};

TEST(Patching, AgreesWithPyTorchAtEverySite) {
    GoldenCauses causes;
    const Trace b = causes.b();
    for (const Named<PatchSite>& site : patch_site_names) {
        const PatchingMap map = patching({causes.a.model, causes.a.trace, b, {}, site.value});
        causes.expect("patching." + std::string(site.name), map.returned.data(), map.returned.size());
    }
}

TEST(Importance, AgreesWithPyTorch) {
    GoldenCauses causes;
    const ImportanceOf of{causes.a.model, causes.a.trace};
    for (const Ablation ablation : {Ablation::zero, Ablation::mean}) {
        const Importance found = importance(of, ablation);
        const std::string name = "importance." + std::string(name_in(ablation_names, ablation));
        causes.expect(name, found.heads.data(), found.heads.size());
        causes.expect(name + ".mlp", found.mlps.data(), found.mlps.size());
    }
    const Tensor2 by_gradient = gradient_importance(of);
    causes.expect("importance.gradient", by_gradient.data(), by_gradient.size());
}

/// A row of an importance's numbers: heads, or MLPs.
std::span<const float> heads_of(const Importance& i) { return {i.heads.data(), i.heads.size()}; }

TEST(Importance, OverImagesAgreesWithPyTorchsMeanAndDeviation) {
    GoldenCauses causes;
    const Trace b = causes.b();
    Spread heads, mlps;
    for (const Trace* const run : causes.both(b)) {
        const Importance one = importance({causes.a.model, *run});
        heads.add(heads_of(one));
        mlps.add(one.mlps);
    }
    for (const auto& [name, spread] : {std::pair("heads", &heads), std::pair("mlps", &mlps)}) {
        const std::string key = std::string("importance.over.") + name;
        causes.expect(key, spread->mean().data(), spread->mean().size());
        causes.expect(key + ".deviation", spread->deviation().data(), spread->deviation().size());
    }
}

TEST(Importance, IsTheFallOfTheMarginUnderEachRemoval) {
    const Model model = lively_model(small_measured(), 5);
    const Trace run = forward(model, wavy_picture(model.config));
    const Importance found = importance({model, run});
    for (const char* const word : {"head:1.0", "head:3.1"}) {
        const Intervention removal = parse_intervention(word, model.config);
        const double after = reading_of(*run_under(model, run, word).head, found.chosen).margin;
        EXPECT_NEAR(found.heads(static_cast<std::size_t>(*removal.where.block - 1),
                                static_cast<std::size_t>(*removal.where.head)),
                    found.margin - after, 1e-6)
            << word;
    }
}

TEST(Importance, IsReportedInBetweenWithManyThreads) {
    const Model model = lively_model(small_measured(), 5);
    const Trace run = forward(model, wavy_picture(model.config));
    const ThreadCount many(4);
    std::vector<double> told;
    importance({model, run}, Ablation::zero, [&](double fraction) { told.push_back(fraction); });
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_EQ(told.back(), 1);
    EXPECT_GE(std::ranges::count_if(told, [](double f) { return 0 < f && f < 1; }), 2);
}

TEST(Pruning, TakesTheSmallestNumbersFirstAndEqualOnesBlockByBlock) {
    Tensor2 numbers = tensor2(2, 2);
    numbers(0, 0) = 0.5F, numbers(0, 1) = -1, numbers(1, 0) = 0.25F, numbers(1, 1) = 0.5F;
    EXPECT_EQ(least_important_first(numbers), (std::vector<HeadPlace>{{1, 1}, {2, 0}, {1, 0}, {2, 1}}));
}

TEST(Pruning, OfNoHeadIsTheWholeModelAndOfAllIsEveryHeadOff) {
    const Model model = lively_model(small_measured(), 5);
    const Trace run = forward(model, wavy_picture(model.config));
    const std::vector<HeadPlace> order = least_important_first(importance({model, run}).heads);
    const std::vector<int> choices = choices_without({model, run}, order);
    ASSERT_EQ(choices.size(), order.size() + 1);
    std::vector<Intervention> off;
    for (std::size_t n = 0; n <= order.size(); ++n) {
        EXPECT_EQ(choices[n], top_predictions(*what_if(model, run, off).head, 1).front().index) << n;
        if (n < order.size()) off.push_back(remove_head(order[n].block, order[n].head));
    }
}

TEST(Pruning, SharesAreOfTheClassesWhereTheyAreKnownAndElseOfTheWholeModelsAnswers) {
    PruningCurve curve;
    curve.add(std::vector{3, 3, 1}, std::nullopt);
    curve.add(std::vector{2, 0, 2}, std::nullopt);
    EXPECT_EQ(curve.shares(), (std::vector{1.0F, 0.5F, 0.5F}));
    PruningCurve known;
    known.add(std::vector{3, 3, 1}, 1);
    known.add(std::vector{2, 0, 2}, 2);
    EXPECT_EQ(known.shares(), (std::vector{0.5F, 0.0F, 1.0F}));
}

TEST(Pruning, AgreesWithPyTorch) {
    GoldenCauses causes;
    const Trace b = causes.b();
    Spread heads;
    for (const Trace* const run : causes.both(b)) heads.add(heads_of(importance({causes.a.model, *run})));
    const Config& c = causes.a.model.config;
    Tensor2 mean = tensor2(static_cast<std::size_t>(c.blocks), static_cast<std::size_t>(c.heads));
    std::ranges::copy(heads.mean(), mean.begin());
    PruningCurve curve;
    for (const Trace* const run : causes.both(b))
        curve.add(choices_without({causes.a.model, *run}, least_important_first(mean)), std::nullopt);
    causes.expect("pruning", curve.shares().data(), curve.shares().size());
}

TEST(Positions, FromACoarserGridAgreeWithPyTorchAndFromTheirOwnChangeNoBit) {
    GoldenCauses causes;
    const auto logits = [&](int side) {
        return run_under(causes.a.model, causes.a.trace, ("positions-interpolate:" + std::to_string(side)).c_str())
            .head->logits;
    };
    for (const int side : {1, 2}) {
        const Tensor2 found = logits(side);
        causes.expect("positions." + std::to_string(side) + ".logits", found.data(), found.size());
    }
    EXPECT_EQ(logits(4), causes.a.trace.head->logits);
    EXPECT_NE(logits(3), causes.a.trace.head->logits);
}

TEST(KnockOut, AgreesWithPyTorch) {
    GoldenCauses causes;
    const auto expect = [&](const char* name, std::vector<const char*> words) {
        std::vector<Intervention> list;
        for (const char* const word : words) list.push_back(parse_intervention(word, causes.a.model.config));
        const Trace run = what_if(causes.a.model, causes.a.trace, list);
        causes.expect(name, run.head->logits.data(), run.head->logits.size());
    };
    expect("edges.logits", {"edge:2.1:0+3:2+5-7", "edge:2.2:0+3:2+5-7"});
    expect("edges.all.logits", {"edge:2.1:4:0-16", "edge:2.2:4:0-16"});
    expect("window.logits", {"window:1"});
}

TEST(Perturbation, AgreesWithPyTorch) {
    GoldenCauses causes;
    const PerturbationOf of{causes.a.model, causes.a.trace};
    for (const Named<Ranking>& ranking : ranking_names) {
        if (ranking.value == Ranking::random) continue;
        const std::vector<float> map = ranking_of(of, ranking.value);
        causes.expect("ranking." + std::string(ranking.name), map.data(), map.size());
        for (const Named<Perturbation>& way : perturbation_names)
            for (const Cover filling : perturbation_fillings) {
                const std::vector<float> curve = perturbation_curve(of, {map, way.value, filling});
                causes.expect(
                    "curve." + std::string(way.name) + "." + name_in(cover_names, filling) + "." + ranking.name,
                    curve.data(), curve.size());
            }
    }
}

TEST(Perturbation, BeginsAndEndsWithTheWholePictureAndWithNone) {
    const Model model = lively_model(small_measured(), 5);
    const Trace run = forward(model, wavy_picture(model.config));
    const PerturbationOf of{model, run};
    const std::vector<float> map = ranking_of(of, Ranking::random);
    const std::vector<float> gone = perturbation_curve(of, {map, Perturbation::deletion, Cover::blur}),
                             come = perturbation_curve(of, {map, Perturbation::insertion, Cover::blur});
    ASSERT_EQ(gone.size(), 21U);
    EXPECT_EQ(gone.front(), come.back());
    EXPECT_EQ(gone.back(), come.front());
    EXPECT_EQ(gone.front(), *std::ranges::max_element(run.head->probabilities));
    EXPECT_DOUBLE_EQ(area_under(std::vector{1.0F, 0.0F, 0.5F}), 0.375);
}

std::vector<std::string> names_of_edits(const std::vector<SweptEdit>& edits) {
    std::vector<std::string> names;
    for (const SweptEdit& edit : edits) names.push_back(edit.name);
    return names;
}

TEST(Sweep, GoesOverEveryPartAndAStarStandsForEveryNumber) {
    const Config c = small_measured();
    const auto of_word = [&](const std::string& word) { return names_of_edits(swept_edits(c, std::vector{word})); };
    EXPECT_EQ(of_word("head:*.*"),
              (std::vector<std::string>{"head:1.0", "head:1.1", "head:2.0", "head:2.1", "head:3.0", "head:3.1"}));
    EXPECT_EQ(of_word("mlp:*x0.5"), (std::vector<std::string>{"mlp:1x0.5", "mlp:2x0.5", "mlp:3x0.5"}));
    EXPECT_EQ(of_word("no-skip@*"), (std::vector<std::string>{"no-skip@1", "no-skip@2", "no-skip@3"}));
    EXPECT_EQ(of_word("edge:2:0:*").size(), 10U);
    EXPECT_EQ(of_word("edge:2.*:0:1"), (std::vector<std::string>{"edge:2.0:0:1", "edge:2.1:0:1"}));
    EXPECT_EQ(names_of_edits(swept_edits(c, SweptParts::heads, Ablation::mean)), of_word("head:*.*"));
    EXPECT_EQ(names_of_edits(swept_edits(c, SweptParts::edges, Ablation::zero)), of_word("edge:3.*:0:*"));
    EXPECT_EQ(swept_edits(c, SweptParts::patches, Ablation::zero).size(), 9U);
    EXPECT_EQ(swept_edits(c, SweptParts::blocks, Ablation::zero).size(), 3U);
    EXPECT_THROW(swept_edits(c, SweptParts::edges, Ablation::mean), Error);
    for (const char* const word : {"temperature:*", "positions*", "*", "head:*", "head:1.0.*", "shuffle:*"})
        EXPECT_THROW(of_word(word), Error) << word;
}

TEST(Sweep, AnEditIsTheWhatIfOfItsName) {
    const Model model = lively_model(small_measured(), 5);
    const Trace run = forward(model, wavy_picture(model.config));
    for (const Named<SweptParts>& parts : swept_parts_names) {
        const std::vector<SweptEdit> edits = swept_edits(model.config, parts.value, Ablation::zero);
        const SweptImage swept = sweep_image(model, run, nullptr, edits);
        ASSERT_EQ(swept.changes.size(), edits.size());
        for (std::size_t i = 0; i < edits.size(); ++i) {
            const AnswerChange alone =
                answer_change(*run_under(model, run, edits[i].name.c_str()).head, *run.head, swept.chosen);
            EXPECT_NEAR(swept.changes[i].margin(), alone.margin(), 1e-5) << edits[i].name;
        }
    }
}

TEST(Sweep, ResampledFromTheSameImageChangesNothingAndFromAnotherItDoes) {
    const Model model = lively_model(small_measured(), 5);
    const Trace run = forward(model, wavy_picture(model.config)), other = forward(model, squared_picture(model.config));
    for (const SweptParts parts : {SweptParts::heads, SweptParts::mlps, SweptParts::blocks, SweptParts::patches}) {
        const std::vector<SweptEdit> edits = swept_edits(model.config, parts, Ablation::resample);
        double least = 1;
        for (const AnswerChange& change : sweep_image(model, run, &run, edits).changes)
            EXPECT_NEAR(change.logit(), 0, 1e-5);
        for (const AnswerChange& change : sweep_image(model, run, &other, edits).changes)
            least = std::min(least, std::abs(change.logit()));
        EXPECT_GT(least, 0);
    }
}

TEST(Sweep, MeansOverImagesAgreeWithPyTorch) {
    GoldenCauses causes;
    const Trace b = causes.b();
    const auto means = std::make_shared<SetMeans>(causes.a.model.config);
    for (const Trace* const run : causes.both(b)) means->add(*run);
    EXPECT_EQ(means->images(), 2);
    for (const auto& [name, parts] :
         {std::pair("set.heads", SweptParts::heads), std::pair("set.mlps", SweptParts::mlps),
          std::pair("set.patches", SweptParts::patches)}) {
        const std::vector<SweptEdit> edits = swept_edits(causes.a.model.config, parts, means);
        std::vector<float> falls;
        for (const AnswerChange& change : sweep_image(causes.a.model, causes.a.trace, nullptr, edits).changes)
            falls.push_back(static_cast<float>(-change.margin()));
        causes.expect(name, falls.data(), falls.size());
    }
    EXPECT_THROW(swept_edits(causes.a.model.config, SweptParts::edges, means), Error);
}

TEST(Sweep, MeansOverOneImageAreThoseOfItsOwnTokens) {
    const Model model = lively_model(small_measured(), 5);
    const Trace run = forward(model, wavy_picture(model.config));
    const auto means = std::make_shared<SetMeans>(model.config);
    means->add(run);
    for (const SweptParts parts : {SweptParts::heads, SweptParts::mlps, SweptParts::blocks, SweptParts::patches}) {
        const SweptImage set = sweep_image(model, run, nullptr, swept_edits(model.config, parts, means)),
                         own = sweep_image(model, run, nullptr, swept_edits(model.config, parts, Ablation::mean));
        ASSERT_EQ(set.changes.size(), own.changes.size());
        for (std::size_t i = 0; i < own.changes.size(); ++i)
            EXPECT_NEAR(set.changes[i].margin(), own.changes[i].margin(), 1e-5);
    }
}

TEST(PairMeasures, OfARunWithItselfAreNoDifferenceAndFullLikeness) {
    const Model model = lively_model(small_measured(), 5);
    const Trace run = forward(model, wavy_picture(model.config)), other = forward(model, squared_picture(model.config));
    const MeasureOf of{model, run};
    for (const float x : pair_measure({of, model, run}, "rollout_difference").values) EXPECT_EQ(x, 0);
    const Tensor2 own = linear_cka(run, run), both = linear_cka(run, other);
    for (std::size_t level = 0; level <= 3; ++level) {
        EXPECT_NEAR(own(level, level), 1, 1e-5);
        EXPECT_LT(both(level, level), 0.9999F);
        EXPECT_GE(both(level, level), 0);
    }
    EXPECT_TRUE(is_pair_measure("block.2.q_difference", run));
    EXPECT_FALSE(is_pair_measure("nose_difference", run));
    EXPECT_FALSE(is_pair_measure("rollout", run));
}

TEST(PairMeasures, CkaIsThatOfKornblithsFormulaAndDoesNotSeeARotation) {
    const Model model = lively_model(small_measured(), 5);
    const Trace run = forward(model, wavy_picture(model.config));
    Trace turned = run;  // the last stream with its features in another order and twice as long
    const auto last = std::make_shared<BlockTrace>(*run.block(3));
    Tensor2 z = run.z(3);
    for (std::size_t i = 0; i < z.shape()[0]; ++i)
        for (std::size_t k = 0; k < z.shape()[1]; ++k) z(i, k) = 2 * run.z(3)(i, z.shape()[1] - 1 - k);
    last->z = std::make_shared<Tensor2>(z);
    turned.drop_blocks_after(2);
    turned.add_block(last);
    EXPECT_NEAR(linear_cka(run, turned)(3, 3), 1, 1e-5);

    // ‖YᵀX‖² / (‖XᵀX‖ ‖YᵀY‖) of centred columns
    const auto centred = [&](int level) {
        Tensor2 x = run.z(level);
        for (std::size_t k = 0; k < x.shape()[1]; ++k) {
            float mean = 0;
            for (std::size_t i = 0; i < x.shape()[0]; ++i) mean += x(i, k) / static_cast<float>(x.shape()[0]);
            for (std::size_t i = 0; i < x.shape()[0]; ++i) x(i, k) -= mean;
        }
        return x;
    };
    const auto squares = [](const Tensor2& a, const Tensor2& b) {
        double sum = 0;
        for (std::size_t k = 0; k < a.shape()[1]; ++k)
            for (std::size_t l = 0; l < b.shape()[1]; ++l) {
                double dot = 0;
                for (std::size_t i = 0; i < a.shape()[0]; ++i)
                    dot += static_cast<double>(a(i, k)) * static_cast<double>(b(i, l));
                sum += dot * dot;
            }
        return sum;
    };
    const Tensor2 x = centred(1), y = centred(3);
    EXPECT_NEAR(linear_cka(run, run)(1, 3), squares(x, y) / std::sqrt(squares(x, x) * squares(y, y)), 1e-5);
}

}  // namespace
}  // namespace vitrine
