#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/over_images.h"
#include "app/workspace/shown_table.h"
#include "core/files/image.h"
#include "core/measures/analysis.h"
#include "core/measures/answer_change.h"
#include "core/measures/importance.h"
#include "core/measures/patching.h"
#include "core/measures/perturbation.h"
#include "core/measures/pruning.h"
#include "core/training/pictures/picture_set.h"
#include "core/vit/experiment.h"
#include "core/vit/forward.h"
#include "tests/drawn_folder.h"
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

TEST(CausesView, RanksMapsOnlyByFillingsThatMoveTheProbability) {
    int flat = 0, live = 0;
    for (const char* const image : {"cat", "nothing", "flower"}) {
        Opening opening = causes(CauseFigure::perturbation);
        opening.experiment.image = {image, {}};
        Harness h(std::move(opening));
        for (const Perturbation way : {Perturbation::deletion, Perturbation::insertion}) {
            h.change().focus().lab.way = way;
            h.settle();
            const PerturbationCurves& all = *measured(h).perturbation;
            bool moves[2];
            float most = 0;
            for (const std::size_t filling : {0U, 1U}) {
                const std::size_t row = 2 * static_cast<std::size_t>(way) + filling;
                const float* const begin = &all.curves(row, 0, 0);
                const auto [low, high] =
                    std::minmax_element(begin, begin + all.curves.shape()[1] * all.curves.shape()[2]);
                moves[filling] = *high - *low >= 0.1F;
                most = std::max(most, *high - *low);
                ++(moves[filling] ? live : flat);
            }
            const Text& text = h.app->text();
            const std::string &said = h.item("perturbation.order").text, mean = text("lab.cover.mean"),
                              blur = text("lab.cover.blur");
            SCOPED_TRACE(image + std::string(": ") + said);
            EXPECT_EQ(said.starts_with("With either filling"), !moves[0] && !moves[1]);
            EXPECT_EQ(said.starts_with(mean + ": "), !moves[0] && moves[1]);
            EXPECT_EQ(said.starts_with(blur + ": "), moves[0] && !moves[1]);
            EXPECT_EQ(said.find("trust neither") != std::string::npos || said.starts_with("Both fillings"),
                      moves[0] && moves[1]);
            if (!moves[0] && !moves[1]) {
                EXPECT_NE(said.find(fixed_text(100 * static_cast<double>(most), 1) + " pp"), std::string::npos);
            }
        }
    }
    EXPECT_GT(flat, 0) << "take another picture";
    EXPECT_GT(live, 0);
}

TEST(CausesView, InsertionHasItsOwnCurvesAreasAndOrder) {
    Harness h(causes(CauseFigure::perturbation));
    const PerturbationCurves& all = *measured(h).perturbation;
    const std::size_t fillings = std::size(perturbation_fillings);
    h.tap("lab.way.insertion");
    EXPECT_EQ(lab(h).way, Perturbation::insertion);
    EXPECT_EQ(measured(h).perturbation.get(), &all) << "both ways are measured at once";
    EXPECT_NEAR(h.item("perturbation.area.mean.rollout").value, static_cast<double>(all.areas(fillings, 1)), 1e-6);
    EXPECT_NEAR(h.item("perturbation.area.blur.random").value, static_cast<double>(all.areas(fillings + 1, 4)), 1e-6);
    const auto order = [&](std::size_t filling) {
        std::vector<std::size_t> ranked = {0, 1, 2, 3, 4};
        std::ranges::stable_sort(ranked, {}, [&](std::size_t r) { return -all.areas(fillings + filling, r); });
        return ranked;
    };
    EXPECT_EQ(h.item("perturbation.order").value, order(0) == order(1) ? 1 : 0);
    const Table shown = shown_table(h.result(), h.focus(), &measured(h));
    EXPECT_EQ(shown.name, "insertion");
    EXPECT_EQ(shown.values.front(), all.curves(fillings, 0, 0));
}

/// The lab's measures over a folder's two images, and each image's importance.
struct OverAFolder {
    TestFolder folder;
    std::vector<Importance> each;
    Opening state = causes(CauseFigure::importance);

    OverAFolder() {
        draw_into(folder.path(), {0, 6}, 1, [](int, int) { return "."; });
        state.selection.focus.lab.images = folder.path().string();
    }
    void measure(const Model& model) {
        for (const char* const name : {"0-0.ppm", "6-0.ppm"}) {
            const Image image = load_image(folder / name);
            const Trace run = forward(model, preprocess(image, model.preprocessing, model.config).pixels);
            each.push_back(importance({model, run}));
        }
    }
};

TEST(CausesView, OverAFolderShowsMeanAndDeviationOfEachPartWhateverIsSwitchedOff) {
    OverAFolder over;
    Harness h(std::move(over.state));
    over.measure(*h.result().model);
    h.tap("lab.over.images");
    EXPECT_EQ(lab(h).over, ImportanceScope::images);
    EXPECT_EQ(h.item("causes.over").value, 2) << "of two images";
    const auto expect = [&](const std::string& id, float a, float b) {
        EXPECT_NEAR(h.item("causes." + id).value, static_cast<double>((a + b) / 2), 1e-5) << id;
        EXPECT_NEAR(h.item("causes.deviation." + id).value, static_cast<double>(std::abs(a - b) / 2), 1e-5) << id;
    };
    expect("head.2.1", over.each[0].heads(1, 1), over.each[1].heads(1, 1));
    expect("mlp.3", over.each[0].mlps[2], over.each[1].mlps[2]);
    const Text& text = h.app->text();
    for (const Probe::Words& drawn : h.app->probe().words())
        EXPECT_NE(drawn.text, text("scale.orange", {{"caption", text("causes.deviation")}})) << "it has no sign";
    const ImportanceOver* const measured_once = measured(h).importance_over.get();
    h.tap("causes.head.2.1");
    EXPECT_EQ(h.what_ifs(), std::vector<Intervention>{remove_head(2, 1)});
    EXPECT_EQ(measured(h).importance_over.get(), measured_once) << "what-ifs do not count in it";
    expect("head.2.1", over.each[0].heads(1, 1), over.each[1].heads(1, 1));
    EXPECT_EQ(shown_table(h.result(), h.focus(), &measured(h)).shape, (std::vector<std::size_t>{8, 5}));
}

TEST(CausesView, ThatAFolderIsNotThereOrHasForeignClassesIsASentence) {
    OverAFolder over;
    over.state.selection.focus.lab.images = (over.folder / "gone").string();
    over.state.selection.focus.lab.over = ImportanceScope::images;
    Harness h(std::move(over.state));
    EXPECT_NE(h.app->error().find("is not there"), std::string::npos) << h.app->error();
    std::filesystem::create_directories(over.folder / "below" / "unicorn");
    std::filesystem::copy_file(over.folder / "0-0.ppm", over.folder / "below" / "unicorn" / "a.ppm");
    h.change().focus().lab.images = (over.folder / "below").string();
    h.settle();
    EXPECT_NE(h.app->error().find("is not a class of this model"), std::string::npos) << h.app->error();
}

TEST(CausesView, AFolderIsChosenInTheBrowserAndTheDrawingsComeBack) {
    OverAFolder over;
    over.state.selection.focus.lab.over = ImportanceScope::images;
    over.state.selection.focus.lab.images.clear();
    over.state.state.settings.image_folder = over.folder.path().string();
    Harness h(std::move(over.state));
    EXPECT_GT(h.item("causes.over").value, 2) << "drawn pictures of every class";
    h.tap("lab.images.choose");
    EXPECT_EQ(h.app->state().dialog, "image_folder");
    h.tap("images.use");
    EXPECT_TRUE(h.app->state().dialog.empty());
    EXPECT_EQ(lab(h).images, over.folder.path().string());
    EXPECT_EQ(h.item("causes.over").value, 2);
    h.tap("lab.images.drawn");
    EXPECT_EQ(lab(h).images, "");
    EXPECT_GT(h.item("causes.over").value, 2);
}

TEST(CausesView, PruningSwitchesTheLeastImportantHeadsOffInOneStep) {
    OverAFolder over;
    over.state.selection.focus.lab.cause = CauseFigure::pruning;
    Harness h(std::move(over.state));
    ASSERT_TRUE(measured(h).pruned);
    const Pruned first = *measured(h).pruned;
    EXPECT_EQ(first.order, least_important_first(importance({*h.result().model, h.result().baseline}).heads));
    EXPECT_EQ(first.curve.images, 2);
    EXPECT_EQ(first.curve.labelled, 0) << "the folder names no classes";
    EXPECT_EQ(h.item("pruning.numbers").value, 1) << "the whole model agrees with itself";
    EXPECT_EQ(h.item("pruning.numbers").text.find("With the 0"), std::string::npos) << "none is off yet";
    h.tap("pruning.plot");
    const int half = static_cast<int>(first.order.size()) / 2;
    EXPECT_EQ(static_cast<int>(h.what_ifs().size()), half);
    for (int i = 0; i < half; ++i)
        EXPECT_TRUE(contains(h.what_ifs(), remove_head(first.order[static_cast<std::size_t>(i)].block,
                                                       first.order[static_cast<std::size_t>(i)].head)));
    EXPECT_EQ(measured(h).pruned->order, first.order) << "heads that are off do not count";
    EXPECT_NEAR(h.item("pruning.numbers").value,
                static_cast<double>(first.curve.shares()[static_cast<std::size_t>(half)]), 1e-6);
    EXPECT_EQ(h.item("lab.pruned").value, half);
    h.press(Key::z, Key::ctrl);
    EXPECT_TRUE(h.what_ifs().empty());
    h.tap("lab.ranking.gradient");
    EXPECT_EQ(measured(h).pruned->order,
              least_important_first(gradient_importance({*h.result().model, h.result().baseline})));
}

TEST(CausesView, PruningJudgesDrawnPicturesAndFoldersOfClassesByTheirClass) {
    OverAFolder over;
    over.state.selection.focus.lab.cause = CauseFigure::pruning;
    over.state.selection.focus.lab.images.clear();
    const std::vector<std::string> names = picture_classes(false);
    draw_into(over.folder / "classes", {0, 6}, 1,
              [&](int label, int) { return names[static_cast<std::size_t>(label)]; });
    Harness h(std::move(over.state));
    const PruningCurve drawn = measured(h).pruned->curve;
    EXPECT_EQ(drawn.labelled, drawn.images);
    EXPECT_GT(drawn.images, 12);
    EXPECT_GT(drawn.shares().front(), drawn.shares().back()) << "a model without heads knows less";
    h.change().focus().lab.images = (over.folder / "classes").string();
    h.change().focus().lab.over = ImportanceScope::images;
    h.settle();
    EXPECT_EQ(measured(h).pruned->curve.labelled, 2);
    EXPECT_EQ(measured(h).pruned->ranked_by, nullptr);
    EXPECT_EQ(measured(h).pruned->order, least_important_first(measured(h).importance_over->heads));
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
    const Tensor2& returned = measured_in(h, 0).patching->returned;  // (4, 65)
    EXPECT_NEAR(returned(3, 0), 1, 1e-3) << "the class token, after the last block, whatever the images";
    std::size_t best = 1;
    for (std::size_t i = 0; i < returned.size(); ++i)
        if (i % 65 != 0 && returned.data()[i] > returned.data()[best]) best = i;
    EXPECT_NE(h.item("patching.done")
                  .text.find("block " + std::to_string(best / 65 + 1) + " · patch " + std::to_string(best % 65)),
              std::string::npos)
        << "the most telling place is not that one: " << h.item("patching.done").text;
    h.tap("lab.site.head");
    EXPECT_EQ(lab(h).site, PatchSite::head);
    EXPECT_EQ(h.item("patching.done").text.find("of the other tokens"), std::string::npos);
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
