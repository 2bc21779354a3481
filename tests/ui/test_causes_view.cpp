#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "app/ui/widgets/heatmap.h"
#include "core/measures/analysis.h"
#include "core/measures/answer_change.h"
#include "core/measures/importance.h"
#include "core/measures/patching.h"
#include "core/measures/perturbation.h"
#include "core/vit/experiment.h"
#include "tests/program.h"
#include "tests/ui/laboratory_room.h"
#include "tests/ui/taking_away.h"

// The instrument "Causes": importance, patching, removed patches.

namespace vitrine {
namespace {

Opening causes(CauseFigure figure) {
    Opening state = laboratory(Instrument::causes);
    state.selection.focus.lab.cause = figure;
    return state;
}

/// Another run on the right, of this image.
void open_beside(Harness& h, const char* image) {
    h.press(Key::d, Key::ctrl);
    if (*image != '\0') h.carry_out(command::OpenImage{{image, {}}});
    h.settle();
    h.settle();
}

const Workspace& half(const Harness& h, std::size_t place) { return h.app->context().workspaces.all()[place]; }
const Measured& measured_in(Harness& h, std::size_t place) {
    return *h.app->context().jobs().of<Measuring>().latest(half(h, place).id).result;
}

/// A cell of a table.
Rect cell_of(Harness& h, const char* table, GridSize size, GridCell cell) {
    return cell_rect(h.item(table).rect, size, cell);
}

TEST_F(TakingAway, TheMapOfCausesHasTheNumbersOfTheExport) {
    h->change().focus().lab.instrument = Instrument::causes;
    h->settle();
    const std::filesystem::path there = own / "there";
    const Outcome o = run("export pictograms:cat --model " + std::string(small_model_name) +
                          " --what importance,importance_mlp,importance_gradient --format csv --out " + there.string());
    ASSERT_EQ(o.status, 0) << o.err;
    const Importance& i = *h->app->context().jobs().of<Measuring>().latest(1).result->importance;
    const auto expect_rows = [&](const std::string& name, const auto& value) {
        std::istringstream lines(read(there / (name + ".csv")));
        std::string line;
        std::getline(lines, line);  // names
        int rows = 0;
        for (int block = 1; std::getline(lines, line); ++block, ++rows) {
            std::istringstream cells(line);
            std::string cell;
            std::getline(cells, cell, ',');
            for (int column = 0; std::getline(cells, cell, ','); ++column)
                EXPECT_NEAR(std::stod(cell), value(block, column), 1e-5) << name << ", block " << block;
        }
        EXPECT_EQ(rows, static_cast<int>(i.heads.shape()[0])) << name;
    };
    expect_rows("importance", [&](int block, int head) {
        return h->item("causes.head." + std::to_string(block) + "." + std::to_string(head)).value;
    });
    expect_rows("importance_mlp", [&](int block, int) { return h->item("causes.mlp." + std::to_string(block)).value; });
}

TEST(CausesView, AClickOnACellSwitchesItsPartOffAndOnAndCanBeUndone) {
    Harness h(causes(CauseFigure::importance));
    const Importance first = *measured(h).importance;
    const double whole = reading_of(*h.result().trace.head, first.chosen).margin;
    h.tap("causes.head.2.1");
    EXPECT_EQ(h.what_ifs(), std::vector<Intervention>{remove_head(2, 1)});
    EXPECT_NEAR(reading_of(*h.result().trace.head, first.chosen).margin, whole - static_cast<double>(first.heads(1, 1)),
                1e-4)
        << "the map said what would happen";
    EXPECT_NEAR(h.item("causes.head.2.1").value, 0, 1e-5) << "it is off already";
    h.tap("causes.head.2.1");
    EXPECT_TRUE(h.what_ifs().empty());
    h.tap("causes.mlp.3");
    EXPECT_EQ(h.what_ifs(), std::vector<Intervention>{remove_mlp(3)});
    h.press(Key::z, Key::ctrl);
    EXPECT_TRUE(h.what_ifs().empty());
    EXPECT_NEAR(h.item("causes.mlp.3").value, static_cast<double>(first.mlps[2]), 1e-6);
}

TEST(CausesView, BothMapsAreOfTheSameHeadsAndTheirAgreementIsTold) {
    Harness h(causes(CauseFigure::importance));
    const Measured& m = measured(h);
    std::vector<float> sizes;
    for (const float x : m.importance->heads) sizes.push_back(std::abs(x));
    EXPECT_NEAR(h.item("causes.agreement").value,
                rank_correlation(sizes, {m.gradient_importance->data(), m.gradient_importance->size()}), 1e-9);
    const WhatIfs before = h.what_ifs();
    h.tap("causes.gradients");
    EXPECT_EQ(h.what_ifs().size(), before.size() + 1) << "a click there switches a head, too";
}

TEST(CausesView, RemovedPatchesHaveTheCurvesOfTheMeasureAndTellWhereFillingsDisagree) {
    Harness h(causes(CauseFigure::importance));
    h.tap("lab.cause.perturbation");
    ASSERT_TRUE(measured(h).perturbation);
    EXPECT_TRUE(measured(h).importance) << "what was measured is kept";
    const PerturbationCurves& all = *measured(h).perturbation;
    EXPECT_NEAR(h.item("perturbation.area.mean.rollout").value, static_cast<double>(all.areas(0, 1)), 1e-6);
    EXPECT_NEAR(h.item("perturbation.area.blur.random").value, static_cast<double>(all.areas(1, 4)), 1e-6);
    const auto order = [&](std::size_t filling) {
        std::vector<std::size_t> ranked = {0, 1, 2, 3, 4};
        std::ranges::stable_sort(ranked, {}, [&](std::size_t r) { return all.areas(filling, r); });
        return ranked;
    };
    EXPECT_EQ(h.item("perturbation.order").value, order(0) == order(1) ? 1 : 0);
    h.hover("perturbation.plot.mean");
    EXPECT_TRUE(h.shows("status.idle"));
}

TEST(CausesView, PatchingSaysHowToOpenTheSecondRunAndWhereNothingCanComeBack) {
    Harness h(causes(CauseFigure::patching));
    EXPECT_NE(h.item("patching.refused").text.find("Ctrl D"), std::string::npos);
    open_beside(h, "");
    EXPECT_NE(h.item("patching.refused").text.find("nearly the same"), std::string::npos) << "it is the same run";
    h.carry_out(command::OpenModel{{std::filesystem::path(VITRINE_SOURCE) / "tests/golden/models/tiny_hf", {}}});
    h.settle();
    EXPECT_NE(h.item("patching.refused").text.find("same model"), std::string::npos);
    EXPECT_EQ(h.app->error(), "");
}

TEST(CausesView, EachHalfIsPatchedFromTheOtherAtTheChosenSite) {
    Harness h(causes(CauseFigure::patching));
    open_beside(h, "mug");
    EXPECT_EQ(h.item("patching.done").value, 1);
    EXPECT_EQ(h.item("beside.patching.done").value, 1);
    for (const std::size_t place : {0U, 1U}) {
        const Measured& m = measured_in(h, place);
        EXPECT_EQ(m.patched_from, half(h, 1 - place).shown.result);
        const PatchingMap own = patching({*m.of->model, m.patched_from->trace, m.of->trace});
        EXPECT_EQ(m.patching->returned, own.returned);
    }
    h.tap("lab.site.head");
    EXPECT_EQ(lab(h).site, PatchSite::head);
    EXPECT_EQ(measured_in(h, 0).patching->returned.shape()[1], 4U) << "a column for each head";
    click_at(h, cell_of(h, "beside.patching.table", {4, 4}, {2, 1}));
    EXPECT_EQ(h.focus().block, 3);
    EXPECT_EQ(h.focus().head, 1);
    h.tap("lab.site.mlp");
    click_at(h, cell_of(h, "patching.table", {4, 65}, {2, 32}));
    EXPECT_EQ(h.focus().token, 32);
    EXPECT_NEAR(h.item("patching.told").value, static_cast<double>(measured_in(h, 0).patching->returned(2, 32)), 1e-6);
}

TEST(CausesView, HoldsNoRunThatWasBesideOnceTheRoomIsLeft) {
    Harness h(causes(CauseFigure::patching));
    open_beside(h, "mug");
    const std::weak_ptr<const Result> mug = half(h, 1).shown.result;
    h.press(Key::f2);
    h.press(Key::d, Key::ctrl);  // closes the right half
    h.settle();
    EXPECT_TRUE(mug.expired());
}

TEST(CausesView, IsReadableInEveryLanguageAtBothSizes) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(causes(CauseFigure::importance), size);
        for (const char* const language : {"en", "ja", "ko"}) {
            h.change()->settings.language = language;
            for (const auto& [figure, name] : cause_figure_names) {
                h.change().focus().lab.cause = figure;
                h.settle();
                h.expect_readable(std::string(name) + ", " + language);
            }
        }
        h.change().focus().lab.cause = CauseFigure::importance;
        open_beside(h, "mug");
        for (const char* const language : {"en", "ja", "ko"}) {
            h.change()->settings.language = language;
            for (const auto& [figure, name] : cause_figure_names) {
                h.change().focus().lab.cause = figure;
                h.settle();
                h.expect_readable("two runs, " + std::string(name) + ", " + language);
            }
        }
    }
}

}  // namespace
}  // namespace vitrine
