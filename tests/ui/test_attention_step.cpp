#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/rooms/figures/figures.h"
#include "core/measures/analysis.h"
#include "core/vit/experiment.h"
#include "core/vit/token_weights.h"
#include "core/vit/what_ifs.h"
#include "tests/ui/pointed_cell.h"

// Where tokens look and who looks at them.

namespace vitrine {
namespace {

float weight(const Harness& h, int head, int query, int key) {
    return h.result()
        .trace.block(h.app->workspace().selection.focus.block)
        ->attention(static_cast<std::size_t>(head), static_cast<std::size_t>(query), static_cast<std::size_t>(key));
}

TEST(AttentionStep, ShowsWhoLooksHereBesideWhereItLooks) {
    Harness h;
    go_to(h, "attention");
    h.change().focus().token = 21;
    h.change().focus().head = 2;
    h.frame(3);
    EXPECT_NEAR(h.item("attention.looks.value").value, static_cast<double>(weight(h, 2, 21, 21)), 1e-7);
    EXPECT_NEAR(h.item("attention.looked.value").value, static_cast<double>(weight(h, 2, 21, 21)), 1e-7);
    // Pointing at a patch of a map tells its weight there; the map stays the chosen token's.
    click_cell(h, "attention.looked", 0.06F, 0.06F);
    EXPECT_NEAR(h.item("attention.looked.pointed").value, static_cast<double>(weight(h, 2, 1, 21)), 1e-7);
    EXPECT_NEAR(h.item("attention.looks.pointed").value, static_cast<double>(weight(h, 2, 21, 1)), 1e-7);
    EXPECT_TRUE(h.shows("attention.looks"));
}

TEST(AttentionStep, EveryHeadShowsItsWeightOnTheClassToken) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        go_to(h, "attention");
        h.change().focus().token = 30;
        h.frame(3);
        for (int head = 0; head < h.result().model->config.heads; ++head) {
            const std::string map = "attention.map." + std::to_string(head);
            EXPECT_NEAR(h.item(map + ".class.value").value, static_cast<double>(weight(h, head, 30, 0)), 1e-7);
            EXPECT_LT(h.item(map + ".class").rect.x1, h.item(map).rect.x0);
        }
        h.expect_readable("maps with the class token");
    }
}

TEST(AttentionStep, OneHeadAloneStandsBesideItsColumn) {
    Harness h;
    go_to(h, "attention");
    h.change().focus().token = 30;
    h.press(Key::enter);
    ASSERT_TRUE(h.focus().solo);
    const Rect map = h.item("attention.map.0").rect, column = h.item("attention.looked").rect;
    EXPECT_LT(map.x1, column.x0) << "beside, not over one another";
    EXPECT_FALSE(h.shows("attention.map.1"));
    h.expect_readable("one head alone");
}

TEST(AttentionStep, ColoursBeginWithTheRootAndTheLegendSaysSo) {
    Harness h;
    go_to(h, "attention");
    EXPECT_EQ(h.item("curve.root").value, 1);
    EXPECT_NE(h.item("attention.scale").text.find("colours by √a"), std::string::npos);
    h.tap("curve.linear");
    EXPECT_EQ(h.item("attention.scale").text.find("√a"), std::string::npos);
    h.tap("scope.block");
    EXPECT_NE(h.item("attention.scale").text.find("block 1, this query"), std::string::npos)
        << h.item("attention.scale").text;
    h.tap("attention.looked_at");
    EXPECT_NE(h.item("attention.scale").text.find("block 1, this key"), std::string::npos)
        << h.item("attention.scale").text;
    h.tap("attention.looked_at");
    h.tap("scope.head");
    EXPECT_NE(h.item("attention.scale").text.find("own; here head"), std::string::npos);
    h.press(Key::enter);
    ASSERT_TRUE(h.focus().solo);
    EXPECT_NE(h.item("attention.scale").text.find("range of head 1"), std::string::npos) << "it is the only map";
}

TEST(AttentionStep, SaysWhenAFewPatchesSetTheRangeAndTheRootTellsTheOthersApart) {
    Harness h;
    go_to(h, "attention");
    h.tap("curve.linear");
    bool told = false;
    for (int block = 1; block <= h.result().model->config.blocks; ++block)
        for (int token = 0; token < 65 && !told; ++token) {
            h.change().focus().block = block;
            h.change().focus().token = token;
            h.frame(2);
            told = h.shows("attention.few");
        }
    ASSERT_TRUE(told) << "no block of the picture has such a patch";
    const Rect maps = h.item("attention.map.0").rect;
    h.tap("curve.root");
    EXPECT_EQ(h.focus().lab.curve, Curve::root);
    EXPECT_FALSE(h.shows("attention.few"));
    EXPECT_EQ(h.item("attention.map.0").rect.y1, maps.y1) << "nothing moves";
    go_to(h, "attention_matrix");
    EXPECT_EQ(h.item("curve.root").value, 1) << "the same in every map of attention";
    h.press(Key::u);
    EXPECT_EQ(h.focus().lab.curve, Curve::linear);
}

TEST(AttentionStep, NamesTheHeadOfWhoLooksHereAndKeepsTheHeadsNumbersAtEverySize) {
    for (const char* const language : {"en", "ja", "ko"})
        for (const ImVec2 size : {ImVec2{1600, 900}, ImVec2{1920, 1080}}) {
            Opening state = Harness::with_image("cat");
            state.state.settings.language = language;
            Harness h(std::move(state), size);
            go_to(h, "attention");
            h.change().focus().token = 60;
            h.change().focus().head = 2;
            h.settle();
            EXPECT_TRUE(h.shows("attention.head.0.numbers")) << language << " " << size.x;
            const std::string title = h.item("attention.looked.title").text;
            EXPECT_NE(title.find('3'), std::string::npos) << title;
            EXPECT_NE(title.find("60"), std::string::npos) << title;
            std::size_t named = 0;
            for (const Probe::Words& line : h.app->probe().words())
                named += line.text.find("a · ") != std::string::npos &&
                         line.rect.x1 >= h.item("attention.looked").rect.x0 - 12;
            EXPECT_EQ(named, h.shows("attention.looks") ? 2U : 1U) << "each map names its range " << language;
            h.expect_readable(std::string("attention in ") + language);
        }
}

/// A head with long numbers loses no more than the others.
TEST(AttentionStep, HasTheNumbersOfAllHeadsOrOfNone) {
    bool some = false;
    for (const char* const language : {"en", "ja", "ko"})
        for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1600, 900}, ImVec2{1920, 1080}}) {
            Opening state = Harness::with_image("cat");
            state.state.settings.language = language;
            Harness h(std::move(state), size);
            go_to(h, "attention");
            begin_lecture(h);
            for (const int token : {0, 12, 60, 100})
                for (const int block : {1, 3, 6}) {
                    h.change().focus().token = token;
                    h.change().focus().block = block;
                    h.settle();
                    int told = 0;
                    const int heads = h.result().model->config.heads;
                    for (int head = 0; head < heads; ++head)
                        told += h.shows("attention.head." + std::to_string(head) + ".numbers");
                    EXPECT_TRUE(told == 0 || told == heads)
                        << told << " of block " << block << " for token " << token << " at " << size.x;
                    some = some || told > 0;
                }
        }
    EXPECT_TRUE(some);
}

/// A map of zeros has no scale of its own.
TEST(AttentionStep, SaysWhereNoTokenGivesAnyWeight) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(Harness::with_image("cat"), size);
        h.app->ask(command::GoToChapter{"attention"});
        h.change().focus().token = 60;
        h.settle();
        const auto says = [&](const char* key) {
            const std::string& words = h.app->text()(key);
            return std::ranges::any_of(h.app->probe().words(), [&](const Probe::Words& drawn) {
                return drawn.text.find(words) != std::string::npos;
            });
        };
        EXPECT_FALSE(says("scope.all_zero"));
        const Config& config = h.result().model->config;
        const std::string queries = "0-" + std::to_string(config.tokens() - 1);
        h.change()->what_ifs = {parse_intervention("edge:1.0:" + queries + ":60", config)};
        h.settle();
        EXPECT_TRUE(says("scope.all_zero")) << size.x;
    }
}

/// A head that is off has no map, so the shared scale ends at the largest weight of the others.
TEST(AttentionStep, LeavesHeadsThatAreOffOutOfTheSharedScale) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    go_to(h, "attention");
    h.change().focus().looked_at = true;
    for (const Scope scope : {Scope::block, Scope::model}) {
        h.change().focus().scope = scope;
        h.change()->what_ifs.clear();
        h.settle();
        const Config& c = h.result().model->config;
        const auto scale_end = [&] { return h.item("attention.scale").value; };
        const auto most = [&](int block, int head) {
            float largest = 0;
            const std::vector<float> weights =
                weights_of_head(h.result().trace, block, head, {h.focus().token, h.focus().looked_at});
            for (const float weight : c.patches_of(weights)) largest = std::max(largest, weight);
            return largest;
        };
        const auto largest_on = [&] {
            float largest = 0;
            for (int block = 1; block <= c.blocks; ++block)
                for (int head = 0; head < c.heads; ++head)
                    if ((scope == Scope::model || block == h.focus().block) &&
                        !contains(h.what_ifs(), remove_head(block, head)))
                        largest = std::max(largest, most(block, head));
            return static_cast<double>(largest);
        };
        EXPECT_DOUBLE_EQ(scale_end(), largest_on());
        int brightest = 0;
        for (int head = 0; head < c.heads; ++head)
            if (most(h.focus().block, head) > most(h.focus().block, brightest)) brightest = head;
        h.change()->what_ifs = {remove_head(h.focus().block, brightest)};
        h.settle();
        EXPECT_DOUBLE_EQ(scale_end(), largest_on());
        if (scope == Scope::block) {
            EXPECT_LT(scale_end(), static_cast<double>(most(h.focus().block, brightest)));
        }
    }
}

TEST(AttentionStep, AClickOnAPatchChoosesTheHeadOfItsMap) {
    Harness h;
    go_to(h, "attention");
    ASSERT_EQ(h.focus().head, 0);
    h.tap("attention.map.3");
    EXPECT_EQ(h.focus().head, 3);
    EXPECT_EQ(h.item("attention.looked.title").value, 3) << "the large maps are of that head, too";
    EXPECT_NE(h.focus().token, 0);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.focus().head, 0);
}

/// However narrow a bar is, it says that colours follow √a.
TEST(AttentionStep, SaysTheRootBesideEveryScaleAtTheSmallestSize) {
    for (const char* const language : {"en", "ja", "ko"}) {
        Opening state = Harness::with_image("cat");
        state.state.settings.language = language;
        Harness h(std::move(state), {1280, 720});
        for (const auto& [step, maps] : {std::pair<std::string, int>{"attention", 2}, {"attention_matrix", 3}}) {
            go_to(h, step);
            h.change().focus().lab.curve = Curve::root;
            h.settle();
            int said = 0;
            for (const Probe::Words& line : h.app->probe().words())
                said += line.text != "√a" && line.text.find("√a") != std::string::npos ? 1 : 0;  // not the control
            const int expected = step == "attention_matrix" ? maps : h.shows("attention.looks") ? maps : maps - 1;
            EXPECT_GE(said, expected) << step << " in " << language;
        }
        go_to(h, "explanation");
        h.settle();
        int said = 0;
        for (const Probe::Words& line : h.app->probe().words()) said += line.text.find("√") != std::string::npos;
        EXPECT_GE(said, 2) << language;
        h.expect_readable(std::string("with roots in ") + language);
    }
}

TEST(AttentionStep, TiesTheRangeOfASmallMapToItsMap) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    go_to(h, "attention");
    h.change().focus().token = 53;
    h.settle();
    const std::string words = h.app->text()("scope.own_scale");
    const Rect map = h.item("attention.looked").rect;
    h.expect_readable("the range of a small map");
    for (const Probe::Words& drawn : h.app->probe().words())
        if (drawn.text.find(words) != std::string::npos) {
            EXPECT_GE(drawn.rect.x0, map.x0 - 1) << "not in the column of the class token";
            EXPECT_GE(drawn.rect.y0, map.y1) << "on no cell";
        }
}

TEST(AttentionStep, SaysThatAClickIsAGuessWhileItIs) {
    Harness h;
    go_to(h, "attention");
    for (const bool looked_at : {false, true}) {
        h.change().focus().looked_at = looked_at;
        h.settle();
        const std::string key = std::string("step.attention.sentence") + (looked_at ? "_looked_at" : "");
        h.door().workspace().selection.open_guess(true);
        h.frame(3);
        EXPECT_EQ(h.item("stage.sentence").text, h.app->text()(key + "_guess"));
        EXPECT_EQ(h.item("stage.hint").text, h.app->text()("guess.hint"));
        h.door().workspace().selection.open_guess(false);
        h.frame(3);
        EXPECT_EQ(h.item("stage.sentence").text, h.app->text()(key));
        EXPECT_NE(h.item("stage.hint").text, h.app->text()("guess.hint"));
    }
}

/// The maps of who looks at a token ask who looks at it: question, answer, guess and Help go with them.
TEST(AttentionStep, AsksWhatItsMapsShow) {
    Harness h;
    go_to(h, "attention");
    h.change().focus().token = 20;
    h.change().focus().looked_at = true;
    h.settle();
    const Text& text = h.app->text();
    EXPECT_EQ(h.item("question").text, text("step.attention.question_looked_at"));
    const Config& c = h.result().model->config;
    const auto block = h.result().trace.block(h.focus().block);
    int best = c.token_of(0);
    float most = 0;
    for (int head = 0; head < c.heads; ++head)
        for (int query = c.token_of(0); query < c.tokens(); ++query)
            if (const float weight = attention_row(*block, head, query)[20]; weight > most) most = weight, best = query;
    for (const int guess : {best, best == c.token_of(0) ? best + 1 : c.token_of(0)}) {
        h.door().workspace().selection.guess_token(guess);
        h.frame(3);
        EXPECT_EQ(h.item("guess.told").value, guess == best ? 1 : 0);
    }
    h.press(Key::a);
    EXPECT_NE(h.item("answer").text.find("patch " + std::to_string(best)), std::string::npos) << h.item("answer").text;
    EXPECT_NE(h.item("answer").text.find("patch 20"), std::string::npos) << h.item("answer").text;
    h.press(Key::f1);
    EXPECT_EQ(h.item("help.question").text, text("step.attention.question_looked_at"));
    h.press(Key::escape);
    h.change().focus().looked_at = false;
    h.settle();
    EXPECT_EQ(h.item("question").text, text("step.attention.question"));
}

/// What is off is drawn as off on the right too, with words for what the run uses instead.
TEST(AttentionStep, DrawsAHeadThatIsOffAsOffInEveryMap) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const bool solo : {false, true}) {
            Harness h(Harness::with_image("cat"), size);
            go_to(h, "attention");
            h.change().focus().head = 1;
            h.change().focus().solo = solo;
            h.settle();
            EXPECT_FALSE(h.shows("attention.looked.off"));
            const Rect map = h.item("attention.looked").rect;
            h.change()->what_ifs = {remove_head(h.focus().block, 1)};
            h.settle();
            const std::string told = h.app->text()("attention.off", {{"head", "2"}});
            EXPECT_EQ(h.item("attention.looked.off").text, told);
            EXPECT_EQ(h.item("attention.looked").rect, map) << "nothing moves";
            EXPECT_FALSE(h.shows("attention.looked.value")) << "no weights are drawn";
            if (h.shows("attention.head.1.numbers")) {
                EXPECT_EQ(h.item("attention.head.1.numbers").text, h.app->text()("attention.off_short"));
            }
            h.expect_readable("a head that is off");
            h.change().focus().head = 0;
            h.settle();
            EXPECT_FALSE(h.shows("attention.looked.off")) << "the other heads are on";
        }
}

TEST(AttentionStep, MovesNoMapWhenItTurnsTheDirectionOrChoosesAnotherQuery) {
    for (const char* const language : {"en", "ja", "ko"})
        for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1600, 900}, ImVec2{1920, 1080}}) {
            Opening state = Harness::with_image("cat");
            state.state.settings.language = language;
            Harness h(std::move(state), size);
            go_to(h, "attention");
            const Rect first = h.item("attention.map.0").rect, last = h.item("attention.map.3").rect;
            for (const int token : {0, 7, 60})
                for (const bool looked_at : {false, true}) {
                    h.change().focus().token = token;
                    h.change().focus().looked_at = looked_at;
                    h.settle();
                    EXPECT_EQ(h.item("attention.map.0").rect, first) << language << " " << size.x << " " << token;
                    EXPECT_EQ(h.item("attention.map.3").rect, last) << language << " " << size.x << " " << token;
                }
        }
}

TEST(AttentionStep, WritesItsWeightsInOneUnit) {
    Harness h;
    go_to(h, "attention");
    for (const bool looked_at : {false, true}) {
        h.change().focus().looked_at = looked_at;
        h.settle();
        for (int head = 0; head < h.result().model->config.heads; ++head) {
            const std::string& numbers = h.item("attention.head." + std::to_string(head) + ".numbers").text;
            EXPECT_EQ(numbers.find('%'), std::string::npos) << numbers;
        }
    }
}

TEST(AttentionStep, AFewPatchesSetARangeOnlyWhereNearlyAllOthersAreDark) {
    std::vector<float> weights(100, 0.01F);
    weights[7] = 1;
    EXPECT_TRUE(few_set_the_range(weights, 1));
    for (std::size_t i = 0; i < 3; ++i) weights[20 + i] = 0.5F;
    EXPECT_FALSE(few_set_the_range(weights, 1));
    EXPECT_FALSE(few_set_the_range(std::vector<float>(100, 0.3F), 1)) << "none is dark";
    EXPECT_FALSE(few_set_the_range(std::vector<float>(100, 0.1F), 1)) << "none is bright: the range is another's";
}

}  // namespace
}  // namespace vitrine
