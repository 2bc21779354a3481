#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "app/frame/learning_commands.h"
#include "app/jobs/jobs.h"
#include "app/jobs/learning.h"
#include "app/rooms/learning/learning_state.h"
#include "app/rooms/learning/run_names.h"
#include "app/sessions/autosave.h"
#include "app/sessions/kept_sessions.h"
#include "app/ui/text.h"
#include "core/training/learning_choice.h"
#include "core/training/presets.h"
#include "core/training/recipe.h"
#include "core/training/text/text_recipe.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "tests/ui/taking_away.h"

// Finished training that other training has replaced on the screen, and then the window is killed.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

Recipe short_recipe() {
    Recipe recipe = recipe_of({.size = LearningSize::tiny});
    recipe.promised_seconds.reset();
    recipe.promised_examples = static_cast<std::uint64_t>(recipe.batch);
    return recipe;
}

TEST_F(TakingAway, AFinishedRunIsKeptWhileOthersTrain) {
    Learning<Pictures>& job = h->app->context().jobs().learning();
    job.set({short_recipe()});
    job.start();
    h->wait_until([&] { return are_over(job.latest()) && job.latest()[0].checkpoint; });
    const std::uint64_t seen = job.latest()[0].now->report.seen;
    job.put_aside(job.latest());
    job.set({recipe_of({.size = LearningSize::tiny})});
    job.step();
    job.wait();
    Session session = h->app->session();
    const KeptRuns kept = keep_runs(h->app->context(), session);
    ASSERT_TRUE(kept.contains(name_of_kept_aside(false, 0)));
    EXPECT_TRUE(kept.contains(name_of_kept_run(false, 0))) << "beside those that train";
    EXPECT_EQ(session.unsaved, UnsavedLearning()) << "a kill would lose nothing";
    EXPECT_GE(unsaved_learning(h->app->context()).pictures, static_cast<int>(seen)) << "but nothing is saved";
}

TEST_F(TakingAway, AFinishedRunThatWasReplacedComesBackAsAModel) {
    const fs::path models = folder / "models";
    h->change()->settings.model_folder = models.string();
    Learning<Pictures> killed;
    killed.set({short_recipe()});
    killed.step();
    killed.wait();
    const RunView<Pictures> run = killed.latest()[0];
    ASSERT_TRUE(run.checkpoint);
    Session s = h->app->session();
    s.learning = to_json(LearningState());
    const fs::path left = folder / "autosave-0a1b.vitrine";
    fs::create_directories(Autosave::runs_of(left));
    std::ofstream(Autosave::runs_of(left) / name_of_kept_aside(false, 0), std::ios::binary) << *run.checkpoint;
    save_session(s, left);
    const KeptSession kept = kept_session(left);
    EXPECT_EQ(kept.aside, 1);
    EXPECT_EQ(training_notice(h->app->text(), kept), h->app->text()("recover.aside", {{"count", "1"}}));
    h->door().state.left = {kept};
    h->carry_out(command::Recover{left});
    h->settle();
    EXPECT_EQ(h->app->error(), "");
    const fs::path saved = models / ("learned-" + std::to_string(run.now->report.seen));
    ASSERT_TRUE(fs::exists(saved));
    const std::string told = h->app->text()("recover.aside_saved", {{"step", "1"}, {"path", saved.string()}});
    EXPECT_EQ(h->app->state().notice, told);
    const Model back = load_model(saved);
    EXPECT_EQ(back.weights.leading(0, 0), run.now->model->weights.leading(0, 0));
}

/// Experiments share their plain run, so its neighbour tells which one it was trained for.
TEST(FinishedRuns, AreNamedAfterTheirExperimentAndTheirSetting) {
    const Text text = load_text("en");
    const auto recipes = [](const char* id) { return recipes_of(*preset_named<Pictures>(id), 1); };
    const auto skips = recipes("skips"), activation = recipes("activation"), norms = recipes("norms");
    const std::vector<Recipe> runs{activation[0], activation[1], skips[0], skips[1], norms[0], skips[0]};
    const auto name = [&](std::size_t run) {
        const auto found = experiment_of_run<Pictures>(text, runs, run);
        return found ? found->name : std::string();
    };
    EXPECT_EQ(name(0), "GELU or ReLU, A: GELU");
    EXPECT_EQ(name(2), "Skip connections, A: with skips");
    EXPECT_EQ(name(3), "Skip connections, B: no skips");
    EXPECT_EQ(name(4).rfind("Layer norms, A", 0), 0U) << "the only experiment with this run: " << name(4);
    EXPECT_EQ(name(5), "") << "three experiments have it, and none of their others is beside it";
    EXPECT_EQ(experiment_of_run<Pictures>(text, runs, 3)->id, "skips");
    EXPECT_EQ(experiment_of_run<Pictures>(text, runs, 3)->letter, 'b');
    const std::vector<Recipe> own{recipe_of({.size = LearningSize::tiny})};
    EXPECT_FALSE(experiment_of_run<Pictures>(text, own, 0)) << "a custom run";
    const auto mask = recipes_of(*preset_named<Texts>("mask"), 1);
    EXPECT_EQ(experiment_of_run<Texts>(text, std::vector<TextRecipe>{mask[0], mask[1]}, 1)->name, "No mask, B");
}

}  // namespace
}  // namespace vitrine
