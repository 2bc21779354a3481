#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/jobs/text_running.h"
#include "app/rooms/exercise/text_effect.h"
#include "app/rooms/text/text_scene.h"
#include "app/workspace/workspace.h"
#include "core/studies/normalisation.h"
#include "core/text/sentences.h"
#include "core/text/text_forward.h"
#include "core/text/typed_words.h"
#include "tests/files.h"
#include "tests/text_golden_model.h"

namespace vitrine {
namespace {

/// The exercise's code as it stands, with edits for a model like this one.
std::vector<Intervention> edits_of(Exercise exercise, const TextConfig& config) {
    const TextMistake& row = *row_of(exercise).text;
    return row.edits == nullptr ? std::vector<Intervention>() : row.edits(config);
}

/// An exercise run on the bundled translator as the room runs it.
struct RunExercise {
    explicit RunExercise(Exercise which, const std::string& text = {}) : exercise(which) {
        Workspace workspace;
        workspace.selection.focus.exercise = which;
        if (!text.empty()) workspace.text_experiment.texts[0] = text;
        Settings settings;
        settings.exercises[name_of(which)].predicted = 0;
        result = run_request(*text_to_repair(workspace, settings));
    }
    TextRuns runs() const { return {*row_of(exercise).text, *result, focus}; }
    Compared number(const std::string& name) const {
        for (const Compared& n : compared_numbers(exercise, runs()))
            if (n.name == name) return n;
        ADD_FAILURE() << name_of(exercise) << " has no number " << name;
        return {};
    }

    Exercise exercise;
    Focus focus;
    std::shared_ptr<const TextResult> result;
};

TEST(TextExercises, TheMistakesGiveThePyTorchCodesNumbers) {
    const GoldenTextModel golden("text_post");
    GoldenFile values("values/exercises.safetensors");
    const TextConfig& c = golden.model.config;
    const auto expect = [&](Exercise exercise, const float* got, std::size_t count) {
        const std::span<const float> want = values[name_of(exercise)];
        ASSERT_EQ(want.size(), count) << name_of(exercise);
        EXPECT_LE(difference(got, want.data(), count), 1e-4) << name_of(exercise);
    };
    const auto with = [&](Exercise exercise) {
        return text_forward(golden.model, golden.batch(1), edits_of(exercise, c));
    };
    const TextTrace mask = with(Exercise::text_mask), axis = with(Exercise::text_softmax_axis),
                    root = with(Exercise::text_root), plain = text_forward(golden.model, golden.batch(1));
    expect(Exercise::text_mask, mask.decoder.block(1)->self.msa.data(), mask.decoder.block(1)->self.msa.size());
    expect(Exercise::text_softmax_axis, axis.decoder.block(1)->cross.msa.data(),
           axis.decoder.block(1)->cross.msa.size());
    expect(Exercise::text_root, root.encoder.block(1)->msa.data(), root.encoder.block(1)->msa.size());

    const LayerNormWeights& w = golden.model.weights.encoder[0].ln1;
    const Tensor2 rows = into_norm(c, plain, 1);
    std::vector<float> normed;
    for (int row = 0; row < static_cast<int>(rows.shape()[0]); ++row) {
        const std::vector<float> scaled =
            scaled_outside_root(numbers_of(rows, row), static_cast<double>(c.layer_norm_epsilon));
        for (std::size_t i = 0; i < scaled.size(); ++i) normed.push_back(w.gamma(i) * scaled[i] + w.beta(i));
    }
    expect(Exercise::text_epsilon, normed.data(), normed.size());

    Decoding how;
    how.ending = row_of(Exercise::text_eos).text->ending;
    TextBatch begun = golden.batch(1);
    begun.target = {};
    begun.target.add(std::vector{bos_id});
    const std::vector<int> words = decode(golden.model, begun, how).words;
    const std::vector<float> numbers(words.begin(), words.end());
    expect(Exercise::text_eos, numbers.data(), numbers.size());
}

TEST(TextExercises, SayWhatPythonSaysOfWeightsTimesValues) {
    const auto run = nlohmann::json::parse(read(golden_folder / "exercises.json"));
    const TextConfig c = GoldenTextModel::config_of("text_post");
    EXPECT_EQ(printed_weights(c, 3, true).error, run["text_values"]["error"].get<std::string>());
    EXPECT_EQ(printed_weights(c, 3, false).error, "");
    for (const int fits : {c.head_dim(), 1}) EXPECT_EQ(printed_weights(c, fits, true).error, "") << fits;
}

TEST(TextExercises, ARunWithoutAnEndHasTheSameWordsUpToItsFirstEos) {
    const GoldenTextModel golden("text_post");
    TextBatch begun = golden.batch(1);
    begun.target = {};
    begun.target.add(std::vector{bos_id});
    Decoding how;
    const DecodedText ends = decode(golden.model, begun, how);
    how.ending = Ending::at_longest;
    const DecodedText goes_on = decode(golden.model, begun, how);
    ASSERT_TRUE(ends.ended);
    EXPECT_FALSE(goes_on.ended);
    ASSERT_GT(goes_on.words.size(), ends.words.size() + 1);
    EXPECT_TRUE(std::equal(ends.words.begin(), ends.words.end(), goes_on.words.begin()));
    EXPECT_EQ(goes_on.words[ends.words.size()], eos_id);
    EXPECT_EQ(static_cast<int>(goes_on.words.size()), golden.model.config.longest);
}

TEST(TextExercises, AMaskThatIsOffByOneLeavesWritingAloneAndReadingAtOnceRuined) {
    const RunExercise mask(Exercise::text_mask);
    EXPECT_EQ(mask.result->run.output, mask.result->plain.output);
    EXPECT_GT(mask.number("later_weight").broken, 0.1);
    EXPECT_EQ(mask.number("later_weight").repaired, 0);
    EXPECT_LT(mask.number("text_probability").broken, 1e-6);
    EXPECT_GT(mask.number("text_probability").repaired, 0.99);
    EXPECT_LT(mask.number("text_first").broken, mask.number("text_first").repaired);
}

TEST(TextExercises, ASoftmaxOverTheWrittenWordsGivesTheFirstOneOfEverything) {
    const RunExercise axis(Exercise::text_softmax_axis);
    const auto source = static_cast<double>(axis.result->plain.trace.batch->source.ids.size());
    EXPECT_NEAR(axis.number("first_sum").broken, source, 1e-4);
    EXPECT_NEAR(axis.number("first_sum").repaired, 1, 1e-5);
    EXPECT_NE(axis.result->run.output, axis.result->plain.output);
    EXPECT_LT(axis.number("text_probability").broken, 0.01);
    const AttentionMap map = axis.runs().attention(axis.runs().reading(true));
    for (int key = 0; key < map.columns; ++key) {
        double sum = 0;
        for (int row = 0; row < map.rows; ++row) sum += static_cast<double>(map.at(row, key));
        EXPECT_NEAR(sum, 1, 1e-5);
    }
}

TEST(TextExercises, TheRootOfTheWidthMakesWeightsMoreEvenAndOftenChangesNoWord) {
    const RunExercise root(Exercise::text_root);
    EXPECT_GT(root.number("text_looked_at").broken, root.number("text_looked_at").repaired);
    EXPECT_LT(root.number("text_probability").broken, root.number("text_probability").repaired);
    const TextModel& model = *root.result->model;
    const auto edits = root.result->request.mistake->edits;
    const Tensor3 &scores = root.result->plain.trace.encoder.block(1)->scores,
                  &broken = root.result->run.trace.encoder.block(1)->scores;
    for (std::size_t i = 0; i < scores.size(); ++i)
        EXPECT_NEAR(broken.data()[i] * std::sqrt(static_cast<float>(model.config.heads)), scores.data()[i], 1e-4);
    int same = 0;
    constexpr std::uint64_t count = 40;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::vector<std::string> words = draw_example({.seed = 7}, TextStream::fresh, i).source;
        const TextRun a = run_text(model, words), b = run_text(model, words, {}, edits);
        same += a.output == b.output ? 1 : 0;
    }
    EXPECT_GT(same, 20);
}

TEST(TextExercises, EpsilonOutsideTheRootShowsInWordsThatAreNearlyFlat) {
    const RunExercise norm(Exercise::text_epsilon);
    const auto width = static_cast<double>(norm.result->model->config.embedding_dim);
    const double epsilon = static_cast<double>(norm.result->model->config.layer_norm_epsilon);
    EXPECT_NEAR(norm.number("deviation").broken, std::sqrt((width - 1) / width), 1e-3);
    EXPECT_NEAR(norm.number("deviation").repaired, 1, 1e-3);
    EXPECT_NEAR(norm.number("faint_deviation").broken, 0.5, 0.01);
    EXPECT_NEAR(norm.number("faint_deviation").repaired, std::sqrt(epsilon), 1e-4);
}

TEST(TextExercises, WithoutAnEndTheTranslatorGoesOnBehindEosUntilItsLastPlace) {
    const RunExercise eos(Exercise::text_eos);
    const std::vector<WrittenWord> with = written_words(*eos.result->model, eos.result->run),
                                   plain = written_words(*eos.result->model, eos.result->plain);
    ASSERT_GT(with.size(), plain.size());
    EXPECT_EQ(plain.back().word, special_words[eos_id]);
    for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(with[i].word, plain[i].word);
    EXPECT_EQ(static_cast<int>(with.size()), eos.result->model->config.longest);
    EXPECT_EQ(eos.number("text_written").broken, static_cast<double>(with.size()));
    EXPECT_EQ(eos.number("text_written").repaired, static_cast<double>(plain.size()));
}

TEST(TextExercises, RunWithTheTypedTextOrTheFirstWhereItIsBlank) {
    EXPECT_EQ(RunExercise(Exercise::text_root, "The cat slept.").result->words.at(1), "cat");
    EXPECT_EQ(RunExercise(Exercise::text_root, "  \n").result->request.text, TextExperiment{}.texts[0]);
    Workspace workspace;
    workspace.selection.focus.exercise = Exercise::text_root;
    EXPECT_FALSE(text_to_repair(workspace, {})) << "nothing runs before it is predicted";
    workspace.selection.focus.exercise = Exercise::positions;
    EXPECT_FALSE(text_to_repair(workspace, {}));
}

}  // namespace
}  // namespace vitrine
