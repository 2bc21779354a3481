#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "app/library/library.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/heatmap.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/plot.h"
#include "app/ui/widgets/svg_canvas.h"
#include "app/workspace/exercises.h"
#include "app/workspace/text_result.h"
#include "core/measures/analysis.h"
#include "core/studies/normalisation.h"
#include "core/text/text_samples.h"
#include "core/transformer/equations.h"
#include "core/vit/weight_parts.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"
#include "tests/ui/laboratory_room.h"
#include "tests/ui/text_room.h"
#include "tests/widget_frame.h"

// Figures say what is computed, and are read without asking.

namespace vitrine {
namespace {

const ImVec2 low_window{1280, 720}, usual_window{1920, 1080};

Opening with_what_ifs(std::vector<Intervention> what_ifs, std::string_view step) {
    Opening opening = Harness::with_image("cat");
    opening.experiment.what_ifs = std::move(what_ifs);
    opening.selection.focus.step = step_index(step);
    return opening;
}

TEST(LayerNormStep, DrawsNothingAsAppliedThatIsSwitchedOff) {
    for (const ImVec2 size : {low_window, usual_window}) {
        Harness h(with_what_ifs({normalise(Norm::none)}, "layer_norm"), size);
        EXPECT_TRUE(h.shows("norm.off"));
        EXPECT_EQ(h.item("norm.unchanged.deviation").value, h.item("norm.before.deviation").value);
        EXPECT_EQ(h.item("norm.unchanged.mean").value, h.item("norm.before.mean").value);
        for (const char* const stage : {"norm.centred", "norm.scaled", "norm.after"})
            EXPECT_FALSE(h.shows(std::string(stage) + ".deviation")) << stage;
        EXPECT_FALSE(h.shows("norm.epsilon")) << "nothing is divided by it";
        EXPECT_NE(h.item("equation").text.find("↦"), std::string::npos) << h.item("equation").text;
        h.expect_readable("a norm that is off");
        h.change()->what_ifs.clear();
        h.settle();
        EXPECT_TRUE(h.shows("norm.scaled.deviation"));
        EXPECT_FALSE(h.shows("norm.off"));
        EXPECT_EQ(h.item("equation").text.find("↦"), std::string::npos);
    }
}

TEST(LayerNormStep, OnlyTheBlockWhoseNormIsOffIsDrawnWithout) {
    Harness h(with_what_ifs({normalise(Norm::none, 2)}, "layer_norm"));
    EXPECT_FALSE(h.shows("norm.off"));
    h.change().focus().block = 2;
    h.settle();
    EXPECT_TRUE(h.shows("norm.off"));
}

TEST(Equations, DivideByTheRootOnlyWhereTheRunDoes) {
    for (const char* const step : {"scores", "attention_matrix", "attention"}) {
        Harness h(with_what_ifs({}, step));
        EXPECT_NE(h.item("equation").text.find("√d"), std::string::npos) << step;
        EXPECT_TRUE(h.shows("equation.d")) << step;
        h.change()->what_ifs = {without_scaling()};
        h.settle();
        EXPECT_EQ(h.item("equation").text.find("√d"), std::string::npos) << step;
        EXPECT_FALSE(h.shows("equation.d")) << "typeset, too, in " << step;
        EXPECT_TRUE(h.shows("equation.q")) << step;
        h.change()->what_ifs = {without_scaling(2)};
        h.settle();
        EXPECT_TRUE(h.shows("equation.d")) << "block 1 divides, in " << step;
    }
}

TEST(LayerNormStep, GivesEachRowItsOwnScaleOnRequest) {
    Harness h(with_what_ifs({}, "layer_norm"));
    EXPECT_EQ(h.item("norm.scaled.range").value, h.item("norm.before.range").value) << "one scale";
    h.tap("norm.own_scale");
    EXPECT_TRUE(h.focus().own_scale);
    const Config& c = h.result().model->config;
    const auto own = [&](const std::vector<float>& values) {
        float most = 0;
        for (const float x : values) most = std::max(most, std::abs(x));
        return static_cast<double>(most);
    };
    const std::span<const float> z(&h.result().trace.z(0)(0, 0), static_cast<std::size_t>(c.embedding_dim));
    const NormStages stages = norm_stages({z.begin(), z.end()}, h.result().model->weights.blocks[0].ln1,
                                          static_cast<double>(c.layer_norm_epsilon));
    EXPECT_NEAR(h.item("norm.before.range").value, own(stages.input), 1e-5);
    EXPECT_NEAR(h.item("norm.scaled.range").value, own(stages.scaled), 1e-5);
    EXPECT_NEAR(h.item("norm.after.range").value, own(stages.out), 1e-5);
    h.press(Key::z, Key::ctrl);
    EXPECT_FALSE(h.focus().own_scale) << "undone like any other look";
}

TEST(LayerNormStep, DrawsFewerRowsWhereTheyWouldBeLow) {
    Harness small(with_what_ifs({}, "layer_norm"), low_window);
    EXPECT_FALSE(small.shows("norm.centred.range"));
    EXPECT_TRUE(small.shows("norm.scaled.range"));
    EXPECT_EQ(small.item("norm.gamma").rect.y0, small.item("norm.beta").rect.y0) << "side by side";
    small.expect_readable("fewer rows");
    Harness large(with_what_ifs({}, "layer_norm"), {2560, 1440});
    EXPECT_TRUE(large.shows("norm.centred.range"));
    EXPECT_LT(large.item("norm.gamma").rect.y0, large.item("norm.beta").rect.y0);
}

TEST(AttentionStep, TheImageBelowTheMapsIsAsBrightAsChosen) {
    Harness h(with_what_ifs({}, "attention"), low_window);
    EXPECT_NEAR(h.item("attention.below.0").value, 0.42, 1e-6);
    h.tap("brightness");
    EXPECT_NEAR(h.item("attention.below.0").value, 0.5, 0.051) << "a click in the middle";
    h.press(Key::z, Key::ctrl);
    EXPECT_NEAR(h.item("attention.below.0").value, 0.42, 1e-6);
    h.app->ask(command::Look{{{"brightness", "0.9"}}});
    h.settle();
    EXPECT_NEAR(h.item("attention.below.0").value, 0.9, 1e-6);
    for (const ImVec2 size : {low_window, usual_window}) {
        Harness sized(with_what_ifs({}, "attention"), size);
        EXPECT_TRUE(sized.item("brightness").visible);
        sized.expect_readable("the slider beside the scale");
    }
}

TEST(Laboratory, HasTheBrightnessWhereTheImageIsBelowAMap) {
    for (const Instrument instrument : {Instrument::compare, Instrument::statistics, Instrument::depth}) {
        Harness h(laboratory(instrument));
        EXPECT_TRUE(h.shows("brightness")) << name_of(instrument);
    }
    Harness h(laboratory(Instrument::heads));
    EXPECT_FALSE(h.shows("brightness"));
}

TEST(OutlineOfACell, HasALightAndADarkToneInBothThemes) {
    WidgetFrame frame;
    for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
        Theme theme = frame.theme;
        theme.kind = kind;
        theme.palette = palette_of(kind);
        for (const Color color : {theme.palette.query, theme.palette.accent, Color{255, 255, 255, 255}}) {
            SvgCanvas canvas({100, 100}, theme);
            Ui ui = frame.ui;
            outline_cell(canvas, ui, {10, 10, 30, 30}, color);
            const std::string svg = canvas.document();
            const bool black = svg.find("#000000") != std::string::npos,
                       white = svg.find("#ffffff") != std::string::npos;
            const Color other = black && color != Color{0, 0, 0, 255} ? Color{0, 0, 0, 255} : Color{255, 255, 255, 255};
            EXPECT_TRUE(black || white);
            EXPECT_GE(contrast(color, other), 4.5);
        }
    }
}

TEST(AttentionStep, ShowsWhoLooksAtATokenInAllHeads) {
    Opening opening = with_what_ifs({}, "attention");
    opening.selection.focus.token = 20;
    Harness h(std::move(opening));
    const BlockTrace block = block_of(h, 1);
    const Config& c = h.result().model->config;
    const auto most = [&](std::size_t head, bool looked_at) {
        float found = 0;
        for (int patch = 0; patch < c.patches(); ++patch) {
            const auto other = static_cast<std::size_t>(c.token_of(patch));
            found = std::max(found, looked_at ? block.attention(head, other, 20) : block.attention(head, 20, other));
        }
        return static_cast<double>(found);
    };
    for (std::size_t head = 0; head < static_cast<std::size_t>(c.heads); ++head)
        EXPECT_EQ(h.item("attention.most." + std::to_string(head)).value, most(head, false));
    h.tap("attention.looked_at");
    EXPECT_TRUE(h.focus().looked_at);
    for (std::size_t head = 0; head < static_cast<std::size_t>(c.heads); ++head)
        EXPECT_EQ(h.item("attention.most." + std::to_string(head)).value, most(head, true)) << head;
    h.hover("attention.map.2.cell.30");
    EXPECT_NE(h.item("readout").text.find("patch 30"), std::string::npos) << h.item("readout").text;
    EXPECT_NE(h.item("fact.0").text.find("patch 30"), std::string::npos) << "the one that looks is the query";
    EXPECT_NE(h.item("fact.1").text.find("patch 20"), std::string::npos);
    h.expect_readable("who looks at a token");
}

TEST(AttentionStep, ExplainsTheNumbersBesideAHead) {
    Harness h(with_what_ifs({}, "attention"));
    h.hover("attention.head.0.numbers");
    EXPECT_EQ(h.item("readout").text, h.app->text()("attention.class_weight_told") + "\n" +
                                          h.app->text()("attention.entropy_told") + "\n" +
                                          h.app->text()("attention.entropy_even", {{"most", "4.17"}}))
        << "ln 65";
}

TEST(MlpStep, ListsOnlyUnitsThatAreActiveTheMostActiveFirst) {
    for (const ImVec2 size : {low_window, usual_window}) {
        Harness h(with_what_ifs({}, "mlp"), size);
        for (const int token : {0, 7, 30}) {
            h.change().focus().token = token;
            h.settle();
            std::vector<std::pair<float, double>> rows;  // by height on the screen
            for (const auto& [id, item] : h.app->probe().items()) {
                if (!id.starts_with("mlp.unit.") || !id.ends_with(".value")) continue;
                EXPECT_GT(item.value, 0) << id;
                rows.emplace_back(item.rect.y0, item.value);
                const Rect button = h.item(id.substr(0, id.size() - std::string(".value").size())).rect;
                EXPECT_LE(button.x1, item.rect.x0) << item.text;
            }
            ASSERT_FALSE(rows.empty());
            std::ranges::sort(rows);
            EXPECT_TRUE(std::ranges::is_sorted(rows, std::ranges::greater(), &std::pair<float, double>::second));
        }
    }
}

TEST(Drop, AClassifierOfOnesOwnIsNotSaidToKnowDrawingsOnly) {
    const TestFolder folder;
    const std::filesystem::path file = folder / "own.ppm";
    std::ofstream(file, std::ios::binary) << "P6 2 2 255\nabcdefghijkl";
    Model own = *open_model(small_model());
    for (std::string& label : own.config.labels) label = "my " + label;
    own.provenance = {};
    own.provenance.name = "mine";
    Opening opening = Harness::with_image("cat");
    opening.experiment.model = {};
    opening.experiment.model.learned = std::make_shared<const Model>(std::move(own));
    Harness h(std::move(opening));
    h.app->open({file});
    h.settle();
    EXPECT_FALSE(h.shows("foreign")) << "it was made for photographs";
    Model drawn = *open_model(small_model());
    h.door().workspace().experiment.model.learned = std::make_shared<const Model>(std::move(drawn));
    h.settle();
    ASSERT_TRUE(h.shows("foreign"));
    EXPECT_EQ(h.item("foreign").text.find("bundled"), std::string::npos) << h.item("foreign").text;
}

TEST(ActivationStep, CurvesAndHistogramShareTheirXAxis) {
    for (const ImVec2 size : {low_window, usual_window})
        for (const bool all : {false, true})
            for (const bool slopes : {false, true}) {
                Opening opening = with_what_ifs({}, "activation");
                opening.selection.focus.all_tokens = all;
                opening.selection.focus.slopes = slopes;
                Harness h(std::move(opening), size);
                const Rect curves = h.item("activation.plot").rect, counts = h.item("activation.histogram_area").rect;
                EXPECT_NEAR(curves.x0, counts.x0, 1.01F);
                EXPECT_NEAR(curves.x1, counts.x1, 1.01F);
            }
}

TEST(PlotOfALineThatLeavesIt, TellsItsValuesAndMarksNoneOnTheAxis) {
    WidgetFrame frame;
    SvgCanvas canvas({400, 300}, frame.theme);
    Plot plot(canvas, frame.ui, {10, 10, 390, 290}, {0, 2, {}}, {-16, 3, {}});
    const std::vector<double> x{0, 1, 2}, y{-42, -20, 1};
    plot.line({x, y, frame.theme.palette.key, "deep"});
    const auto circles = [&] {
        const std::string svg = canvas.document();
        int count = 0;
        for (std::size_t at = svg.find("<circle"); at != svg.npos; at = svg.find("<circle", at + 1)) ++count;
        return count;
    };
    const Rect area = plot.area();
    const int before = circles();
    plot.readout({area.x0 + 1, area.centre().y});
    EXPECT_NE(canvas.document().find("−42"), std::string::npos) << "the number itself";
    EXPECT_EQ(circles(), before) << "and no point where it is not";
    plot.readout({area.x1 - 1, area.centre().y});
    EXPECT_EQ(circles(), before + 1);
}

TEST(Computation, CallsTheNormsInputAsTheEquationDoes) {
    Harness h(with_what_ifs({}, "layer_norm"));
    EXPECT_EQ(h.item("computation").text.find("a − μ"), std::string::npos);
    EXPECT_NE(h.item("computation").text.find("(z − μ)"), std::string::npos) << h.item("computation").text;
    h.tap("half.mlp");
    EXPECT_NE(h.item("computation").text.find("(z′ − μ)"), std::string::npos) << h.item("computation").text;
}

TEST(ExerciseRoom, ThePictureIsTheLargestThingOfAResult) {
    for (const ImVec2 size : {low_window, usual_window}) {
        Opening opening = Harness::with_image("cat");
        opening.state.room = "exercise";
        opening.selection.focus.exercise = Exercise::root_of_width;
        Harness h(std::move(opening), size);
        h.tap("exercise.predict.0");
        const Rect map = h.item("exercise.broken").rect;
        EXPECT_GT(map.height(), size.y * 0.2F);
        EXPECT_NEAR(map.width(), map.height(), 1);
        for (const auto& [id, item] : h.app->probe().items())
            if (id.starts_with("exercise.number.")) {
                EXPECT_LT(item.rect.height(), map.height());
                EXPECT_FALSE(item.rect.overlaps(map)) << id;
            }
        h.expect_readable("a result");
    }
}

TEST(ExerciseRoom, NoTipCoversTheCode) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "exercise";
    Harness h(std::move(opening), low_window);
    for (const char* const id : {"exercise.choose.root_of_width", "exercise.predict.1"}) {
        h.hover(id);
        h.frame(60);
        const bool covers = h.shows("tooltip") && h.item("tooltip").rect.overlaps(h.item("exercise.code").rect);
        EXPECT_FALSE(covers) << id;
    }
}

TEST(ModelsStep, TheBarIsThatOfTheChosenRow) {
    Harness h(with_what_ifs({}, "models"));
    for (const std::string row : {"base", "large", "tiny", "open"}) {
        h.tap("models." + row);
        EXPECT_EQ(h.item("models.weights").value, h.item("models." + row + ".parameters").value) << row;
        double sum = 0;
        for (const Named<WeightPart>& part : weight_part_names)
            sum += h.item("models.weights." + std::string(part.name)).value;
        EXPECT_EQ(sum, h.item("models.weights").value) << row;
    }
    h.tap("models.large");
    EXPECT_NE(h.item("models.weights").text.find("ViT-Large/16"), std::string::npos);
    h.change().focus().dials.shape.hidden = 1000;
    h.frame(3);
    EXPECT_EQ(h.item("models.weights").value, h.item("models.own.parameters").value);
    EXPECT_NE(h.item("models.weights").text.find("custom"), std::string::npos);
}

TEST(ModelsStep, ShowsWhereTheWeightsOfThisModelAre) {
    for (const ImVec2 size : {low_window, usual_window}) {
        Harness h(with_what_ifs({}, "models"), size);
        h.tap("models.open");
        const Weights& weights = h.result().model->weights;
        double sum = 0;
        for (const Named<WeightPart>& part : weight_part_names) {
            const auto& item = h.item("models.weights." + std::string(part.name));
            EXPECT_EQ(item.value, static_cast<double>(weights_by_part(weights)[static_cast<std::size_t>(part.value)]));
            EXPECT_TRUE(item.visible);
            sum += item.value;
        }
        EXPECT_EQ(sum, static_cast<double>(weights.parameter_count()));
        EXPECT_EQ(h.item("models.weights").value, sum);
        h.expect_readable("where weights are");
    }
    Harness h;
    h.hover("top.model");
    h.frame(60);
    EXPECT_NE(
        h.item("tooltip").text.find(count_text(static_cast<std::int64_t>(h.result().model->weights.parameter_count()))),
        std::string::npos)
        << h.item("tooltip").text;
}

TEST(MaskChapter, SaysBesideTheSwitchThatTheFigureIsTeacherForced) {
    Harness h(in_the_text_room(TextChapter::mask));
    EXPECT_EQ(h.item("text.note.no-mask").text, h.app->text()("text.what_if.no-mask_note"));
    EXPECT_NEAR(h.item("text.note.no-mask").rect.y0, h.item("text.switch.no-mask").rect.y1, 24);
}

TEST(Map, ShowsAllChaptersWithoutScrollingInALowWindow) {
    for (const std::string& language : language_codes()) {
        Opening opening = Harness::with_image("cat");
        opening.state.settings.language = language;
        Harness h(std::move(opening), low_window);
        for (const char* const chapter : {"map.image", "map.learning", "map.explanation", "map.models"})
            EXPECT_TRUE(h.item(chapter).visible) << chapter << " in " << language;
    }
}

TEST(Find, KnowsWhatEachHeadAddsAndFilesSentencesAsSentences) {
    Harness h;
    h.press(Key::k, Key::ctrl);
    h.type("what each head adds");
    std::vector<std::string> rows;
    for (int i = 0; h.shows("find.row." + std::to_string(i)); ++i)
        rows.push_back(h.item("find.row." + std::to_string(i)).text);
    for (const char* const wanted : {"step.heads.title", "lab.ledger.title"})
        EXPECT_NE(std::ranges::find(rows, h.app->text()(wanted)), rows.end()) << wanted;
    h.press(Key::escape);
    h.press(Key::k, Key::ctrl);
    h.type(text_samples(TextTask::translate, TextLanguage::japanese).front().source);
    const Rect row = h.item("find.row.0").rect;
    const auto in_the_row = [&](const char* key) {
        return std::ranges::any_of(h.app->probe().words(), [&](const Probe::Words& drawn) {
            return drawn.text.ends_with(h.app->text()(key)) && row.contains(drawn.rect.centre());
        });
    };
    EXPECT_TRUE(in_the_row("find.kind.sentence")) << h.item("find.row.0").text;
    EXPECT_FALSE(in_the_row("find.kind.sample")) << "a sentence is no picture";
}

TEST(Words, GroupThousandsAsNumbersDo) {
    for (const std::string& language : language_codes()) {
        const Text text = load_text(language);
        for (const auto& [key, words] : text.table())
            for (std::size_t i = 1; i + 3 < words.size(); ++i)
                EXPECT_FALSE(
                    words[i] == ',' && std::isdigit(static_cast<unsigned char>(words[i - 1])) &&
                    std::all_of(&words[i + 1], &words[i + 4], [](unsigned char c) { return std::isdigit(c) != 0; }))
                    << language << " " << key << ": " << words;
    }
}

TEST(Compare, OwnMeansARangeForEachMapAsInExplore) {
    Opening opening = laboratory(Instrument::compare);
    opening.selection.focus.lab.picks = {{1, 0, {}}, {2, 1, {}}};
    opening.selection.focus.scope = Scope::head;
    Harness h(std::move(opening));
    const Config& c = h.result().model->config;
    const auto largest = [&](int block, int head) {
        const BlockTrace run = block_of(h, block);
        return static_cast<double>(std::ranges::max(c.patches_of(attention_row(run, head, h.focus().token))));
    };
    ASSERT_NE(largest(1, 0), largest(2, 1));
    EXPECT_EQ(h.item("compare.high.X").value, largest(1, 0));
    EXPECT_EQ(h.item("compare.high.Y").value, largest(2, 1));
    h.tap("lab.scope.block");
    EXPECT_EQ(h.item("compare.high.X").value, h.item("compare.high.Y").value) << "one scale";
    for (const std::string& language : language_codes()) {
        const Text words = load_text(language);
        EXPECT_EQ(words("scope.head_short"), words("lab.scope.head")) << language;
    }
}

}  // namespace
}  // namespace vitrine
