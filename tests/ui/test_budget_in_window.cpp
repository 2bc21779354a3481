#include <cmath>
#include <map>
#include <string>

#include "app/library/library.h"
#include "app/workspace/exercises.h"
#include "app/workspace/settings.h"
#include "core/measures/lens.h"
#include "core/vit/forward.h"
#include "core/vit/run_memory.h"
#include "core/vit/what_ifs.h"
#include "tests/ui/harness.h"
#include "tests/ui/laboratory_room.h"

// The window with a run whose blocks do not all stay in memory: a job computes them again, never the drawing thread.

namespace vitrine {
namespace {

/// The least memory for the small model's runs, as settings name it.
std::string least_memory() {
    const Model model = *open_model(small_model());
    return std::to_string(needs_of_runs(model.config, shown_run).least / (1 << 20) + 1e-5) + "M";
}

Opening within_the_least() {
    Opening opening = Harness::with_image("cat");
    opening.state.settings.memory = least_memory();
    return opening;
}

/// Counts the blocks that the drawing thread computes while it lives.
class NothingIsComputedHere {
public:
    ~NothingIsComputedHere() { expect("the end"); }
    void expect(const std::string& where) {
        EXPECT_EQ(NoPassHere::broken(), before_) << "a block was computed by who draws " << where;
        before_ = NoPassHere::broken();
    }

private:
    int before_ = NoPassHere::broken();
};

void look_at_block(Harness& h, int block) {
    h.change().focus().block = block;
    h.settle();
    EXPECT_FALSE(h.shows("waiting.zone.stage")) << "block " << block;
    EXPECT_FALSE(h.shows("waiting.zone.explanation")) << "block " << block;
}

/// Two runs of the window: with what-ifs in early and late blocks, and without.
std::vector<std::vector<std::string>> lists_of_what_ifs() { return {{}, {"head:2.1", "mlp:3"}}; }

void switch_off(Harness& h, const std::vector<std::string>& words) {
    std::vector<Intervention> what_ifs;
    for (const std::string& word : words) what_ifs.push_back(parse_intervention(word, h.result().model->config));
    h.carry_out(command::SetWhatIfs{what_ifs});
    h.settle();
}

TEST(BudgetInTheWindow, EveryChapterIsDrawnInEveryBlockByBlocksThatAreThere) {
    NothingIsComputedHere drawing;
    Harness h(within_the_least());
    ASSERT_TRUE(h.result().baseline.budget);
    EXPECT_EQ(h.result().baseline.budget->cache->most(), 3U);
    const int blocks = h.result().model->config.blocks;
    for (const auto& what_ifs : lists_of_what_ifs()) {
        switch_off(h, what_ifs);
        for (const Step& step : curriculum()) {
            go_to(h, step.id);
            for (int block = blocks; block >= 1; --block) {
                look_at_block(h, block);
                for (const float time : {0.0F, 0.5F, 1.0F}) {
                    h.change()->motion = {time, false};
                    h.frame();
                }
                drawing.expect(std::string(step.id) + ", block " + std::to_string(block));
            }
        }
    }
}

TEST(BudgetInTheWindow, AttentionHasOneScaleForTheWholeModel) {
    NothingIsComputedHere drawing;
    Harness h(within_the_least());
    go_to(h, "attention");
    for (const bool looked_at : {false, true})
        for (const Scope scope : {Scope::head, Scope::block, Scope::model, Scope::fixed})
            for (int token = 0; token < 3; ++token) {
                h.change().focus().scope = scope;
                h.change().focus().looked_at = looked_at;
                h.change().focus().token = token;
                look_at_block(h, token + 1);
                drawing.expect("attention");
            }
}

TEST(BudgetInTheWindow, EveryInstrumentMeasuresAndIsDrawnByBlocksThatAreThere) {
    NothingIsComputedHere drawing;
    Opening opening = within_the_least();
    opening.state.room = "laboratory";
    Harness h(std::move(opening));
    const Config& c = h.result().model->config;
    for (const auto& what_ifs : lists_of_what_ifs()) {
        switch_off(h, what_ifs);
        for (const Named<Instrument>& instrument : instrument_names) {
            h.change().focus().lab.instrument = instrument.value;
            for (const Scope scope : {Scope::head, Scope::block, Scope::model})
                for (int block = 1; block <= c.blocks; ++block) {
                    h.change().focus().scope = scope;
                    h.change().focus().token = block;
                    look_at_block(h, block);
                    drawing.expect(instrument.name);
                }
        }
        h.change().focus().lab.instrument = Instrument::depth;
        for (const DepthMethod method : {DepthMethod::rollout, DepthMethod::relevance}) {
            h.change().focus().lab.method = method;
            h.settle();
        }
        h.change().focus().lab.instrument = Instrument::heads;
        h.change().focus().lab.order = HeadOrder::similarity;
        h.settle();
        h.change().focus().lab.order = HeadOrder::block;
        for (const TokenFigure figure : {TokenFigure::similarity, TokenFigure::norms, TokenFigure::components}) {
            h.change().focus().lab.instrument = Instrument::tokens;
            h.change().focus().lab.figure = figure;
            h.settle();
        }
        h.change().focus().lab.instrument = Instrument::causes;
        h.change().focus().lab.cause = CauseFigure::perturbation;
        h.settle();
        h.change().focus().lab.cause = CauseFigure::importance;
        EXPECT_EQ(h.app->error(), "");
    }
}

TEST(BudgetInTheWindow, HeadsOfManyBlocksAreComparedAtOnce) {
    NothingIsComputedHere drawing;
    Opening opening = within_the_least();
    opening.state.room = "laboratory";
    opening.selection.focus.lab.instrument = Instrument::compare;
    opening.selection.focus.lab.picks = {{1, 0, {}}, {2, 1, 7}, {3, 2, {}}, {4, 3, 9}};
    Harness h(std::move(opening));
    EXPECT_TRUE(h.shows("compare.map.W"));
    for (const Combine combine : {Combine::side_by_side, Combine::mean, Combine::difference, Combine::uniform}) {
        h.change().focus().lab.combine = combine;
        h.settle();
        EXPECT_FALSE(h.shows("waiting.zone.stage"));
    }
    h.change().focus().lab.picks.clear();
    h.change().focus().lab.instrument = Instrument::heads;
    h.settle();
    h.change().focus().lab.instrument = Instrument::compare;
    h.settle();
    EXPECT_EQ(h.focus().lab.picks.size(), 2U) << "a pair is picked on arrival";
    h.carry_out(command::Do{"copy_numbers"});
}

TEST(BudgetInTheWindow, EveryExerciseIsDrawnByBlocksThatAreThere) {
    NothingIsComputedHere drawing;
    Opening opening = within_the_least();
    opening.state.room = "exercise";
    Harness h(std::move(opening));
    for (const Named<Exercise>& exercise : exercise_names) {
        h.change().focus().exercise = exercise.value;
        h.settle();
        for (int block = 1; block <= h.result().model->config.blocks; ++block) {
            look_at_block(h, block);
            drawing.expect(exercise.name);
        }
    }
}

TEST(BudgetInTheWindow, LecturesNumbersAndCopiesReadBlocksThatAreThere) {
    NothingIsComputedHere drawing;
    Harness h(within_the_least());
    begin_lecture(h);
    for (int block = 1; block <= 4; ++block)
        for (const char* const alone : {"lecture.question", "lecture.answer", "lecture.equation"}) {
            h.change().focus().block = block;
            h.carry_out(command::Do{alone});
            h.frame(2);
            h.settle();
            drawing.expect(alone);
        }
    h.press(Key::escape);
    h.settle();
    // A number of another block, pinned: its sources are there.
    go_to(h, "residual");
    for (int block = 1; block <= 4; ++block) {
        h.change().focus().cell = Cell{Quantity::mlp_out, block, 0, 3, 5};
        h.change().focus().block = block % 4 + 1;
        h.settle();
        drawing.expect("a pinned number");
        h.carry_out(command::Do{"copy_numbers"});
        h.carry_out(command::Do{"copy_text"});
        drawing.expect("copies");
    }
}

TEST(BudgetInTheWindow, AFrameDoesNotWaitForABlockButSaysThatItIsComputed) {
    NothingIsComputedHere drawing;
    Harness h(within_the_least());
    go_to(h, "attention");
    look_at_block(h, 4);
    look_at_block(h, 3);
    int missing = 0;
    for (int block = 1; block <= 4; ++block)
        if (!h.result().trace.block_if_there(block)) missing = block;
    ASSERT_NE(missing, 0) << "three of four blocks are kept";
    h.change().focus().block = missing;
    h.frame();
    EXPECT_TRUE(h.shows("waiting.zone.stage"));
    EXPECT_TRUE(h.shows("waiting.zone.explanation"));
    EXPECT_FALSE(h.shows("waiting.zone.map")) << "the map reads no block";
    h.settle();
    EXPECT_FALSE(h.shows("waiting.zone.stage"));
    EXPECT_TRUE(h.shows("attention.map.0"));
}

/// The numbers and texts of every chapter in a block, and of the laboratory's heads.
std::map<std::string, std::pair<double, std::string>> all_told(Opening opening) {
    std::map<std::string, std::pair<double, std::string>> told;
    Harness h(std::move(opening));
    switch_off(h, {"head:2.1"});
    for (const Step& step : curriculum()) {
        go_to(h, step.id);
        look_at_block(h, 2);
        for (const auto& [id, item] : h.app->probe().items())
            told[std::string(step.id) + ": " + id] = {std::isnan(item.value) ? 0 : item.value, item.text};
    }
    return told;
}

TEST(BudgetInTheWindow, EveryNumberIsThatOfAWindowThatKeepsAllBlocks) {
    const auto within = all_told(within_the_least()), whole = all_told(Harness::with_image("cat"));
    for (const auto& [id, expected] : whole) {
        const auto found = within.find(id);
        ASSERT_NE(found, within.end()) << id;
        EXPECT_EQ(found->second, expected) << id;
    }
}

TEST(BudgetInTheWindow, TheSettingSaysWhatTheModelNeedsAndActsAtOnce) {
    Harness h;
    EXPECT_FALSE(h.result().baseline.budget) << "automatic: this model fits";
    h.press(Key::g);
    const double least = needs_of_runs(h.result().model->config, shown_run).least;
    EXPECT_EQ(h.item("language.memory.need").value, least);
    h.tap("language.memory.512M");
    EXPECT_EQ(h.app->state().settings.memory, "512M");
    EXPECT_EQ(h.result().memory, "512M");
    EXPECT_FALSE(h.result().baseline.budget);
    h.carry_out(command::ChangeSettings{{{"memory", "\"" + least_memory() + "\""}}});
    h.settle();
    EXPECT_TRUE(h.result().baseline.budget);
    h.carry_out(command::ChangeSettings{{{"memory", "\"a lot\""}}});
    EXPECT_EQ(h.app->state().settings.memory, "automatic") << "other words are none";
    h.carry_out(command::ChangeSettings{{{"memory", "\"0.01M\""}}});
    h.settle();
    EXPECT_NE(h.app->error().find("give at least"), std::string::npos) << h.app->error();
    EXPECT_TRUE(h.shows("question")) << "what was open stays open";
}

TEST(BudgetInTheWindow, RunsOfOneModelShareIt) {
    Harness h(within_the_least());
    const auto cache = h.result().baseline.budget->cache;
    h.carry_out(command::OpenImage{{"key", {}}});
    h.settle();
    EXPECT_EQ(h.result().baseline.budget->cache, cache);
    switch_off(h, {"mlp:2"});
    EXPECT_EQ(h.result().trace.budget->cache, cache);
}

}  // namespace
}  // namespace vitrine
