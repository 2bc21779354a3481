#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "app/chapters/step.h"
#include "app/rooms/explore/views/views.h"
#include "app/ui/widgets/number.h"
#include "core/measures/analysis.h"
#include "core/studies/dropout.h"
#include "core/tensor/ops.h"
#include "core/vit/experiment.h"
#include "core/vit/what_ifs.h"
#include "tests/ui/drawn_words.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

void go_to_end(Harness& h, std::string_view id) {
    h.change().focus().step = step_index(id);
    h.settle();
    h.change()->motion = {1.0F, false};
    h.frame(3);
}

MlpTrace mlp_of(const Harness& h) { return h.result().trace.block(h.app->workspace().selection.focus.block)->mlp; }

std::span<const float> row_of(const Tensor2& tensor, int row) {
    return {&tensor(static_cast<std::size_t>(row), 0), tensor.shape()[1]};
}

TEST(MlpStep, PointingAtAUnitOfTheListShowsThatUnitOnTheImageAndAClickKeepsIt) {
    Harness h;
    go_to_end(h, "mlp");
    const Tensor2& active = mlp_of(h).activation;
    const int best = largest(row_of(active, 0), 2).back();
    h.hover("mlp.unit." + std::to_string(best));
    EXPECT_EQ(h.item("mlp.map.value").value, static_cast<double>(active(0, static_cast<std::size_t>(best))));
    EXPECT_EQ(h.focus().unit, 0) << "pointing only previews";
    h.tap("mlp.unit." + std::to_string(best));
    h.hover("top.selection");
    EXPECT_EQ(h.item("mlp.map.value").value, static_cast<double>(active(0, static_cast<std::size_t>(best))));
}

TEST(MlpStep, ShowsThePatchesThatExciteTheUnitMost) {
    Harness h;
    h.change().focus().unit = 5;
    go_to_end(h, "mlp");
    const Tensor2& active = mlp_of(h).activation;
    std::vector<float> patches;
    for (std::size_t token = 1; token < active.shape()[0]; ++token) patches.push_back(active(token, 5));
    for (const int patch : largest(patches, 3))
        EXPECT_EQ(h.item("mlp.excited." + std::to_string(patch + 1)).value,
                  static_cast<double>(patches[static_cast<std::size_t>(patch)]));
}

TEST(MlpStep, AUnitIsChosenOnTheMapsBeforeAndAfterTheActivation) {
    Harness h;
    go_to_end(h, "mlp");
    for (const char* const id : {"mlp.hidden", "mlp.activation"}) {
        h.change().focus().unit = 0;
        h.hover(id);
        const auto cell = h.app->workspace().selection.hovered_cell();
        ASSERT_TRUE(cell) << id;
        h.tap(id);
        EXPECT_EQ(h.focus().unit, cell->column) << id;
    }
}

TEST(MlpStep, NamesInputAndOutputAsThisRunComputesThem) {
    Harness h;
    const std::tuple<const char*, const char*, const char*> cases[] = {
        {"", "mlp.input", "mlp.out"},
        {"no-norm", "mlp.input_off", "mlp.out_unnormed"},
        {"post-norm", "mlp.input_after", "mlp.out_unnormed"}};
    for (const auto& [word, input, output] : cases) {
        h.change()->what_ifs.clear();
        if (*word != '\0') h.change()->what_ifs = {parse_intervention(word, h.result().model->config)};
        go_to_end(h, "mlp");
        const std::string d = count_text(h.result().model->config.embedding_dim);
        const std::string drawn = drawn_words(h, h.item("stage").rect);
        for (std::string title :
             {h.app->text()(input, {{"token", "CLS"}, {"count", d}}), h.app->text()(output, {{"count", d}})}) {
            std::erase(title, ' ');
            EXPECT_NE(drawn.find(title), std::string::npos) << word << ": " << title;
        }
    }
}

TEST(MlpStep, WithoutTheMlpTheBlockAddsNothing) {
    Harness h;
    go_to_end(h, "mlp");
    h.tap("switch." + to_word(remove_mlp(1), h.result().model->config));
    ASSERT_TRUE(contains(h.what_ifs(), remove_mlp(1)));
    for (const float x : mlp_of(h).out) EXPECT_EQ(x, 0.0F);
    EXPECT_EQ(h.result().trace.z(1), h.result().trace.block(1)->residual);
}

TEST(ActivationStep, MarksTheMinimumOfGeluAndTheUnitOnEveryCurve) {
    Harness h;
    h.change().focus().unit = 3;
    go_to_end(h, "activation");
    EXPECT_NEAR(h.item("activation.minimum").value, -0.16997, 5e-6);
    EXPECT_NE(h.item("activation.minimum").text.find("−0.7518"), std::string::npos);
    const float x = mlp_of(h).hidden(0, 3);
    EXPECT_EQ(h.item("activation.x").value, static_cast<double>(x));
    EXPECT_NEAR(h.item("activation.point.GELU").value, static_cast<double>(activate(Activation::gelu, x)), 1e-6);
    EXPECT_NEAR(h.item("activation.point.ReLU").value, static_cast<double>(activate(Activation::relu, x)), 1e-6);
    EXPECT_NEAR(h.item("activation.point.ELU").value, static_cast<double>(activate(Activation::elu, x)), 1e-6);
    h.tap("activation.derivatives");
    EXPECT_EQ(h.item("activation.point.GELU").value, static_cast<double>(activation_slope(Activation::gelu, x)));
    EXPECT_FALSE(h.shows("activation.minimum")) << "it is the curve's, not the derivative's";
}

/// Near 0 all functions agree: each dot is a ring around the later ones.
TEST(ActivationStep, DotsThatCoincideAreAllInSight) {
    Harness h;
    go_to_end(h, "activation");
    const auto& hidden = mlp_of(h).hidden;
    int nearest = 0;
    for (int unit = 0; unit < h.result().model->config.mlp_dim; ++unit)
        if (std::abs(hidden(0, static_cast<std::size_t>(unit))) <
            std::abs(hidden(0, static_cast<std::size_t>(nearest))))
            nearest = unit;
    h.change().focus().unit = nearest;
    h.frame(2);
    std::vector<float> widths;
    for (const char* const name : {"GELU", "ReLU", "ELU"})
        widths.push_back(h.item("activation.point." + std::string(name)).rect.width());
    std::ranges::sort(widths);
    EXPECT_GT(widths[1], widths[0] + 4);
    EXPECT_GT(widths[2], widths[1] + 4);
}

TEST(ActivationStep, SaysOfHowManyUnitsOneIsShown) {
    Harness h;
    go_to_end(h, "activation");
    const std::string count = std::to_string(h.result().model->config.mlp_dim);
    EXPECT_TRUE(h.item("activation.x").text.starts_with("unit 1 of " + count + ":")) << h.item("activation.x").text;
}

TEST(ActivationStep, AFunctionsNameInTheLegendLetsEveryBlockUseIt) {
    Harness h;
    go_to_end(h, "activation");
    h.tap("activation.use.ReLU");
    ASSERT_EQ(h.what_ifs().size(), 1U);
    EXPECT_EQ(h.what_ifs().front(), activate_with(Activation::relu));
    EXPECT_EQ(h.item("activation.legend.ReLU").value, 1) << "in force";
    h.tap("activation.use.ELU");
    ASSERT_EQ(h.what_ifs().size(), 1U) << "instead of the other";
    EXPECT_EQ(h.what_ifs().front(), activate_with(Activation::elu));
    h.tap("activation.use.GELU");
    EXPECT_TRUE(h.what_ifs().empty()) << "the model's own";
}

TEST(ActivationStep, DrawsTheFunctionThickThatIsInForceInTheBlock) {
    Harness h;
    go_to_end(h, "activation");
    EXPECT_EQ(h.item("activation.legend.GELU").value, 1);
    h.app->ask(command::SetWhatIfs{{activate_with(Activation::relu)}});
    h.settle();
    EXPECT_EQ(h.item("activation.legend.GELU").value, 0);
    EXPECT_EQ(h.item("activation.legend.ReLU").value, 1);
}

TEST(ActivationStep, RandomGatesTimesXSettleOnGeluAsSamplesAreAdded) {
    Harness h;
    h.change().focus().dials.samples = 1;
    go_to_end(h, "activation");
    const double one = h.item("activation.product").value;
    h.change().focus().dials.samples = 4096;
    h.frame(2);
    const double many = h.item("activation.product").value;
    EXPECT_LT(many, one / 8);
    EXPECT_LT(many, 4 * 4 * 0.5 / std::sqrt(4096.0)) << "four deviations of the widest gate at |x| = 4";
    EXPECT_LT(h.item("activation.deviation").value, 4 * 0.5 / std::sqrt(4096.0));
}

TEST(ActivationStep, TellsHowManyPreActivationsLieBeyondTheAxis) {
    Harness h;
    go_to_end(h, "activation");
    h.tap("activation.all");
    const Tensor2& hidden = mlp_of(h).hidden;
    const auto beyond = std::count_if(hidden.begin(), hidden.end(), [](float x) { return std::abs(x) > 4; });
    EXPECT_GT(beyond, 0) << "the bundled model has some on this image";
    EXPECT_EQ(h.item("activation.outside").value, static_cast<double>(beyond));
}

TEST(ActivationStep, AnotherFunctionChangesTheRunButNotThePreActivationsOfTheFirstBlock) {
    Harness h({Harness::with_image("cat")}, {1920, 1400});  // tall enough to show the switches
    go_to_end(h, "activation");
    const Tensor2 before = mlp_of(h).hidden;
    h.tap("switch." + to_word(activate_with(Activation::relu), h.result().model->config));
    ASSERT_EQ(h.what_ifs().size(), 1U);
    EXPECT_EQ(mlp_of(h).hidden, before);
    for (const float y : mlp_of(h).activation) EXPECT_GE(y, 0.0F);
}

TEST(DropoutStep, ANewMaskDropsOtherUnitsAndItsShareIsTold) {
    Harness h;
    go_to_end(h, "dropout");
    const auto dropped = [&] {
        const SliderValues& d = h.focus().dials;
        const std::vector<bool> mask =
            dropout_mask(mlp_of(h).activation.shape()[1], d.dropout, static_cast<std::uint64_t>(d.seed));
        return static_cast<double>(std::count(mask.begin(), mask.end(), false));
    };
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(h.item("dropout.dropped").value, dropped());
        h.tap("dropout.new");
        EXPECT_EQ(h.focus().dials.seed, i + 2);
    }
    const auto before = h.result().trace.head;
    h.change().focus().dials.dropout = 0.5F;
    h.settle();
    EXPECT_EQ(h.item("dropout.dropped").value, dropped());
    EXPECT_EQ(h.result().trace.head, before) << "nothing here changes the run";
}

TEST(DropoutStep, TheAnswerGivesTheNumbersOfThePlotFromTheMaskInViewOn) {
    Harness h;
    go_to_end(h, "dropout");
    h.tap("dropout.new");
    const std::vector<double> errors =
        averaging_errors(row_of(mlp_of(h).activation, 0), h.focus().dials.dropout, 2, masks_averaged);
    EXPECT_EQ(h.item("dropout.error").value, errors.back());
    h.press(Key::a);
    const std::string& answer = h.item("answer").text;
    EXPECT_NE(answer.find(number_text(errors.front())), std::string::npos) << answer;
    EXPECT_NE(answer.find(h.item("dropout.error").text), std::string::npos) << answer;
    EXPECT_EQ(answer.find("p = 0.3"), std::string::npos) << answer;
    h.change().focus().dials.dropout = 0.3F;
    h.settle();
    const std::string& now = h.item("answer").text;
    EXPECT_NE(now.find("p = 0.3"), std::string::npos) << "the p of these numbers: " << now;
}

TEST(DropoutStep, UnitsFallOutFirstAndThenTheRestGrow) {
    Harness h;
    h.change().focus().dials.dropout = 0.5F;
    go_to_end(h, "dropout");
    const float first = mlp_of(h).activation(0, 0);
    const bool kept = dropout_mask(mlp_of(h).activation.shape()[1], 0.5F, 1)[0];
    const auto shown_at = [&](float time) {
        h.change()->motion = {time, false};
        h.frame(2);
        return h.item("dropout.after").value;
    };
    EXPECT_EQ(shown_at(0), static_cast<double>(first));
    EXPECT_FLOAT_EQ(static_cast<float>(shown_at(0.5F)), kept ? first : 0.0F);
    EXPECT_FLOAT_EQ(static_cast<float>(shown_at(1)), kept ? 2 * first : 0.0F);
}

TEST(ActivationStep, NamesItsCurvesInOneSizeAndItsSentenceHasTheWidthWhereNoEquationIs) {
    Opening opening = Harness::with_image("cat");
    opening.state.lecture.on = true;
    Harness h(std::move(opening), {1280, 720});
    go_to(h, "activation");
    h.frame(120);
    EXPECT_EQ(h.item("activation.legend.GELU").rect.height(), h.item("activation.legend.ReLU").rect.height());
    EXPECT_GT(h.item("stage.sentence").rect.x1, 0.9F * 1280);
    go_to(h, "scores");
    h.frame(120);
    EXPECT_LT(h.item("stage.sentence").rect.x1, 0.7F * 1280) << "beside an equation";
}

}  // namespace
}  // namespace vitrine
