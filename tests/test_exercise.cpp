#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "app/chapters/step.h"
#include "app/rooms/exercise/effect.h"
#include "core/files/image.h"
#include "core/measures/attention_measures.h"
#include "core/studies/normalisation.h"
#include "core/transformer/editor.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/forward.h"
#include "tests/files.h"
#include "tests/golden_files.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

nlohmann::json what_was_run() { return nlohmann::json::parse(read(golden_folder / "exercises.json")); }

/// The run that make_exercises.py repeats in PyTorch.
struct Golden {
    Model model = load_model(golden_folder / "models/tiny_hf");
    Trace trace = forward(
        model, preprocess(load_image(golden_folder / "images/golden.png"), model.preprocessing, model.config).pixels);

    Trace with(Exercise exercise) const { return what_if(model, trace, row_of(exercise).mistake(model.config)); }
};

/// Both runs of an exercise on the golden model, as the room looks at them.
struct Both {
    explicit Both(Exercise which, int block = 1, int head = 1, int token = 3) : exercise(which) {
        focus.block = block;
        focus.head = head;
        focus.token = token;
        if (row_of(which).mistake != nullptr) broken = golden.with(which);
    }
    BothRuns runs() const { return {golden.model, broken, golden.trace, focus}; }
    Compared number(const std::string& name) const {
        for (const Compared& n : compared_numbers(exercise, runs()))
            if (n.name == name) return n;
        ADD_FAILURE() << name_of(exercise) << " has no number " << name;
        return {};
    }

    Exercise exercise;
    Golden golden;
    Trace broken = golden.trace;
    Focus focus;
};

TEST(Exercises, AreTheOnesThatWereRunInPyTorch) {
    const nlohmann::json run = what_was_run();
    for (const Named<Exercise>& entry : exercise_names) {
        ASSERT_TRUE(run.contains(entry.name)) << entry.name << " was never run: ./dev golden --write";
        EXPECT_EQ(run[entry.name]["code"].get<std::string>(),
                  read(fs::path(VITRINE_SOURCE) / "assets/exercises" / (std::string(entry.name) + ".py")))
            << entry.name << " has changed since: ./dev golden --write";
    }
    EXPECT_EQ(run.size(), std::size(exercise_names));
}

TEST(Exercises, HaveTenToTwentyLinesOneWrongAndOneRightRepairOfThree) {
    const Config config = Golden().model.config;
    for (const Named<Exercise>& entry : exercise_names) {
        const Listing listing = listing_of(entry.value, config);
        EXPECT_GE(listing.lines.size(), 10U) << entry.name;
        EXPECT_LE(listing.lines.size(), static_cast<std::size_t>(most_lines)) << entry.name;
        ASSERT_EQ(listing.repairs.size(), static_cast<std::size_t>(repairs_offered)) << entry.name;
        std::set<std::string> different(listing.repairs.begin(), listing.repairs.end());
        different.insert(listing.lines[static_cast<std::size_t>(listing.wrong)]);
        EXPECT_EQ(different.size(), 4U) << entry.name;
        EXPECT_LT(row_of(entry.value).prediction, predictions_offered);
        const ExerciseRow& row = row_of(entry.value);
        EXPECT_TRUE(row.text ? row.step == nullptr : step_index(row.step) >= 0) << entry.name;
        for (const std::string& line : listing.repaired(listing.right)) {
            EXPECT_EQ(line.find('{'), std::string::npos) << line;
            EXPECT_FALSE(line.ends_with("#!") || line.ends_with("#=")) << line;
        }
    }
}

TEST(Exercises, TheRightAnswerIsNotAlwaysTheSameLetter) {
    std::set<int> predictions, repairs;
    for (const Named<Exercise>& entry : exercise_names) {
        predictions.insert(row_of(entry.value).prediction);
        repairs.insert(listing_of(entry.value, Golden().model.config).right);
    }
    EXPECT_EQ(predictions.size(), 3U);
    EXPECT_EQ(repairs.size(), 3U);
}

TEST(Exercises, TheMistakesGiveThePyTorchCodesNumbers) {
    const Golden golden;
    GoldenFile values("values/exercises.safetensors");
    std::size_t compared = 0;
    const auto expect = [&](Exercise exercise, const float* got, std::size_t count) {
        const std::span<const float> want = values[name_of(exercise)];
        ASSERT_EQ(want.size(), count) << name_of(exercise);
        EXPECT_LE(difference(got, want.data(), count), 1e-4) << name_of(exercise);
        ++compared;
    };
    for (const Exercise e : {Exercise::key_is_query, Exercise::value_is_query, Exercise::head_slices,
                             Exercise::root_of_width, Exercise::softmax_axis}) {
        const Trace broken = golden.with(e);
        expect(e, broken.block(1)->msa.data(), broken.block(1)->msa.size());
    }
    const Trace without = golden.with(Exercise::positions), normed = golden.with(Exercise::normed_residual);
    expect(Exercise::positions, without.z(0).data(), without.z(0).size());
    expect(Exercise::normed_residual, normed.z(1).data(), normed.z(1).size());

    const Tensor2& z = golden.trace.z(0);
    const LayerNormWeights& w = golden.model.weights.blocks[0].ln1;
    for (const Exercise e : {Exercise::maximum_one, Exercise::norm_axis}) {
        std::vector<float> all;
        for (int token = 0; token < golden.model.config.tokens(); ++token) {
            Focus focus;
            focus.token = token;
            const std::vector<float> row =
                normalised_features(e, {golden.model, golden.trace, golden.trace, focus}, true);
            for (std::size_t i = 0; i < row.size(); ++i) all.push_back(w.gamma(i) * row[i] + w.beta(i));
        }
        ASSERT_EQ(all.size(), z.size());
        expect(e, all.data(), all.size());
    }
    const auto of_text = std::count_if(std::begin(exercise_names), std::end(exercise_names), [](const auto& entry) {
        return row_of(entry.value).text && row_of(entry.value).drawn != Drawn::printed;
    });
    EXPECT_EQ(compared + static_cast<std::size_t>(of_text), values.file().entries().size());
}

TEST(Exercises, SayWhatPythonSaysWhereTheCodeDoesNotRun) {
    const nlohmann::json run = what_was_run();
    const Config config = Golden().model.config;
    for (const Named<Exercise>& entry : exercise_names) {
        const std::string error = run[entry.name]["error"].get<std::string>();
        if (row_of(entry.value).text) continue;
        if (row_of(entry.value).drawn != Drawn::printed) {
            EXPECT_EQ(error, "") << entry.name;
            continue;
        }
        EXPECT_EQ(printed_by(entry.value, config, true).error, error);
        EXPECT_EQ(printed_by(entry.value, config, false).error, "");
    }
}

TEST(Exercises, PositionsByThePatchSizeRunWhereThereHappenToBeAsManyPatches) {
    Config c;
    c.image_height = c.image_width = 64;
    c.patch_size = 8;
    c.embedding_dim = 64;
    EXPECT_EQ(printed_by(Exercise::token_count, c, true).error, "");
    c.image_width = 72;
    EXPECT_NE(printed_by(Exercise::token_count, c, true).error, "");
}

TEST(Exercises, WithoutPositionsShuffledPatchesGiveTheSameClassToken) {
    const Golden golden;
    std::vector<Intervention> mistake = row_of(Exercise::positions).mistake(golden.model.config);
    const Trace in_order = golden.with(Exercise::positions);
    mistake.push_back(shuffle_tokens(5));
    const Trace shuffled = what_if(golden.model, golden.trace, mistake);
    EXPECT_LE(difference(shuffled.head->logits.data(), in_order.head->logits.data(), in_order.head->logits.size()),
              1e-4);
}

TEST(Exercises, MaximumOneMakesEveryTokensLargestMagnitudeOneAndItsDeviationAnother) {
    std::set<int> deviations;
    for (int token = 0; token < 5; ++token) {
        const Both both(Exercise::maximum_one, 1, 0, token);
        EXPECT_NEAR(both.number("magnitude").broken, 1, 1e-4);
        EXPECT_NEAR(both.number("mean").broken, 0, 1e-6);
        EXPECT_NEAR(both.number("deviation").repaired, 1, 1e-3);
        deviations.insert(static_cast<int>(std::lround(1e4 * both.number("deviation").broken)));
    }
    EXPECT_GT(deviations.size(), 3U);
}

TEST(Exercises, ANormOverTheWrongAxisGivesEveryFeatureMeanNoughtAndNoToken) {
    const Golden golden;
    const Tensor2& z = golden.trace.z(0);
    std::vector<double> sums(z.shape()[1], 0.0), squares = sums;
    double off = 0;
    for (int token = 0; token < golden.model.config.tokens(); ++token) {
        const std::vector<float> row = scaled_over_rows(z, token, 1e-12);
        off = std::max(off, std::abs(moments_of(row).mean));
        for (std::size_t i = 0; i < row.size(); ++i) {
            sums[i] += static_cast<double>(row[i]);
            squares[i] += static_cast<double>(row[i]) * static_cast<double>(row[i]);
        }
    }
    const auto n = static_cast<double>(z.shape()[0]);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        EXPECT_NEAR(sums[i] / n, 0, 1e-5);
        EXPECT_NEAR(squares[i] / n, 1, 1e-3);
    }
    EXPECT_GT(off, 0.05);
}

TEST(Exercises, KeysThatAreQueriesMakeTheScoresSymmetricButNotTheWeights) {
    const Both both(Exercise::key_is_query);
    EXPECT_EQ(both.number("asymmetry").broken, 0);
    EXPECT_GT(both.number("asymmetry").repaired, 0);
    const auto t = both.broken.block(1);
    double most = 0;
    for (std::size_t i = 0; i < t->attention.shape()[1]; ++i)
        for (std::size_t j = 0; j < i; ++j)
            most = std::max(most, static_cast<double>(std::abs(t->attention(1, i, j) - t->attention(1, j, i))));
    EXPECT_GT(most, 1e-3);
}

TEST(Exercises, ValuesThatAreQueriesLeaveTheFirstBlocksWeights) {
    const Both both(Exercise::value_is_query);
    EXPECT_EQ(both.number("value_gap").broken, 0);
    EXPECT_GT(both.number("value_gap").repaired, 0);
    EXPECT_EQ(both.broken.block(1)->attention, both.golden.trace.block(1)->attention);
}

/// How many tokens' numbers a head's slice holds, counted in a matrix whose numbers are its tokens'.
TEST(Exercises, AHeadThatIsCutWithoutATransposeGetsWholeRowsOfAFewTokens) {
    const Both some(Exercise::head_slices);
    const Config& c = some.golden.model.config;
    const Batch batch{1, c.tokens()};
    Tensor2 x = tensor2(static_cast<std::size_t>(c.tokens()), static_cast<std::size_t>(c.embedding_dim));
    for (std::size_t i = 0; i < x.shape()[0]; ++i)
        for (std::size_t j = 0; j < x.shape()[1]; ++j) x(i, j) = static_cast<float>(i);
    Tensor3 cut = split_heads(x, batch, c.heads);
    const std::vector<Intervention> mistake = {slice_without_transpose()};
    Editor(mistake, batch)(Site::slices, 1, cut);
    for (int head = 0; head < c.heads; ++head) {
        std::set<float> tokens;
        for (std::size_t i = 0; i < cut.shape()[1]; ++i)
            for (std::size_t j = 0; j < cut.shape()[2]; ++j) tokens.insert(cut(static_cast<std::size_t>(head), i, j));
        EXPECT_EQ(static_cast<double>(tokens.size()),
                  Both(Exercise::head_slices, 1, head).number("tokens_seen").broken);
        EXPECT_LT(static_cast<int>(tokens.size()), c.tokens());
    }
}

TEST(Exercises, TheRootOfTheWidthMakesTheScoresSmallerByTheRootOfTheHeadsAndTheWeightsMoreEven) {
    const Both both(Exercise::root_of_width);
    const auto broken = both.broken.block(1), repaired = both.golden.trace.block(1);
    const float root = std::sqrt(static_cast<float>(both.golden.model.config.heads));
    for (std::size_t i = 0; i < repaired->scores.size(); ++i)
        EXPECT_NEAR(broken->scores.data()[i] * root, repaired->scores.data()[i], 1e-4);
    EXPECT_GT(both.number("tokens_looked_at").broken, both.number("tokens_looked_at").repaired);
    EXPECT_LT(both.number("largest_weight").broken, both.number("largest_weight").repaired);
}

TEST(Exercises, ASoftmaxOverTheQueriesMakesTheColumnsSumToOneAndNotTheRows) {
    const Both both(Exercise::softmax_axis);
    const auto t = both.broken.block(1);
    const std::size_t n = t->attention.shape()[1];
    for (std::size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(t->attention(1, i, j));
        EXPECT_NEAR(sum, 1, 1e-5);
    }
    EXPECT_NEAR(both.number("row_sum").repaired, 1, 1e-5);
    EXPECT_GT(std::abs(both.number("row_sum").broken - 1), 1e-3);
}

TEST(Exercises, ANormedResidualAddsTheLayerNormsOutput) {
    const Both both(Exercise::normed_residual);
    const auto t = both.broken.block(2);
    for (std::size_t i = 0; i < t->residual.size(); ++i)
        EXPECT_NEAR(t->residual.data()[i], t->msa.data()[i] + t->ln1.out.data()[i], 1e-5);
    for (std::size_t i = 0; i < t->z->size(); ++i)
        EXPECT_NEAR(t->z->data()[i], t->mlp.out.data()[i] + t->ln2.out.data()[i], 1e-5);
    EXPECT_NE(both.number("last_length").broken, both.number("last_length").repaired);
}

TEST(Exercises, EveryMistakeOfTheForwardPassComparesThePredictedClass) {
    for (const Named<Exercise>& entry : exercise_names) {
        if (row_of(entry.value).mistake == nullptr) continue;
        const Compared p = Both(entry.value).number("probability");
        EXPECT_EQ(p.unit, Compared::Unit::fraction);
        EXPECT_NE(p.broken, p.repaired) << entry.name;
    }
}

TEST(Exercises, GoFromPredictionToLineToRepairAndTakeNothingElse) {
    const Listing listing = parse_listing("a\nb  #!\nc\n#?\nx\ny  #=\n");
    EXPECT_EQ(listing.repaired(listing.right), (std::vector<std::string>{"a", "y", "c"}));
    EXPECT_EQ(listing.repaired({}), (std::vector<std::string>{"a", "b", "c"}));
    ExerciseProgress p;
    choose(p, listing, 7);
    EXPECT_EQ(task_of(p, listing), Task::predict);
    choose(p, listing, 2);
    EXPECT_EQ(task_of(p, listing), Task::find);
    choose(p, listing, 0);
    EXPECT_EQ(task_of(p, listing), Task::find) << "that line is right";
    choose(p, listing, 1);
    EXPECT_EQ(task_of(p, listing), Task::repair);
    choose(p, listing, 0);
    EXPECT_EQ(task_of(p, listing), Task::repair) << "that repair is wrong";
    choose(p, listing, 1);
    EXPECT_EQ(task_of(p, listing), Task::done);
    const ExerciseProgress done = p;
    choose(p, listing, 0);
    EXPECT_EQ(p, done);
}

}  // namespace
}  // namespace vitrine
