#include <gtest/gtest.h>

#include "app/chapters/step.h"
#include "app/rooms/figures/brush.h"
#include "app/sessions/session.h"
#include "core/vit/what_ifs.h"
#include "tests/drawn_folder.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

// The brush over the picture.

namespace vitrine {
namespace {

std::vector<std::string> words(const Harness& h) {
    std::vector<std::string> all;
    for (const Intervention& i : h.what_ifs()) all.push_back(to_word(i, h.result().model->config));
    return all;
}
using Words = std::vector<std::string>;

/// A stroke from one patch of a figure to another, 1 … N_p.
void stroke(Harness& h, int from, int to, const std::string& figure = "patches.grid") {
    const auto cell = [&](int patch) { return h.item(figure + ".cell." + std::to_string(patch)).rect.centre(); };
    const Point a = cell(from), b = cell(to);
    h.input.move(a.x, a.y);
    h.frame(2);
    h.input.button(0, true);
    h.frame(2);
    h.input.move((a.x + b.x) / 2, (a.y + b.y) / 2);
    h.frame(2);
    h.input.move(b.x, b.y);
    h.frame(2);
    h.input.button(0, false);
    h.frame(2);
    h.settle();
}

struct InHand : Harness {
    InHand() {
        go_to(*this, "patches");
        tap("brush.take");
    }
};

TEST(Brush, AStrokePaintsThePatchesThatItTouchesAndIsOneChange) {
    InHand h;
    const int before = h.focus().token;
    stroke(h, 1, 3);
    EXPECT_EQ(words(h), Words{"cover-blur:1-3"});
    EXPECT_EQ(h.focus().token, before) << "a stroke chooses no patch";
    h.press(Key::z, Key::ctrl);
    EXPECT_TRUE(words(h).empty());
    h.press(Key::y, Key::ctrl);
    EXPECT_EQ(words(h), Words{"cover-blur:1-3"});
}

TEST(Brush, PaintsOverPaintAndErases) {
    InHand h;
    h.tap("brush.grey");
    stroke(h, 1, 3);
    h.tap("brush.take_away");
    stroke(h, 2, 2);
    EXPECT_EQ(words(h), (Words{"cover-grey:1+3", "patch:2"}));
    h.tap("brush.erase");
    stroke(h, 2, 3);
    EXPECT_EQ(words(h), Words{"cover-grey:1"});
    h.tap("brush.clear");
    EXPECT_TRUE(words(h).empty());
}

TEST(Brush, PutsTheMeanOverASetOfImagesInThePlaceOfTokens) {
    const TestFolder own;
    draw_into(own / "photos", {0, 6}, 2, [](int, int) { return "."; });
    const std::string folder = (own / "photos").string();
    InHand h;
    EXPECT_FALSE(h.shows("brush.images"));
    h.tap("brush.mean_set");
    stroke(h, 1, 3);
    EXPECT_EQ(words(h), Words{"mean-set:1-3"});
    EXPECT_EQ(h.item("removal.0").text, "patches 1-3: mean patch of bundled drawings");
    const auto row = [&](std::size_t token) {
        const Tensor2& tokens = h.result().trace.embedding->tokens;
        return std::vector<float>(&tokens(token, 0), &tokens(token, 0) + tokens.shape()[1]);
    };
    const std::vector<float> drawn = row(1);
    EXPECT_EQ(drawn, row(3));
    EXPECT_EQ(drawn, *h.result().mean_patches.at(""));
    EXPECT_NE(drawn, row(4));
    EXPECT_EQ(h.item("brush.images").text, "Images: bundled drawings");
    h.change()->selection.focus.lab.images = folder;
    h.frame(2);
    EXPECT_EQ(h.item("brush.images").text, "Images: photos");
    stroke(h, 4, 4);
    EXPECT_EQ(words(h), Words{"mean-set:1-4:" + folder});
    const Session saved = h.app->session();
    EXPECT_EQ(saved.what_ifs, words(h));
    EXPECT_NE(command_line_of(saved, {}).find(" --what-if mean-set:1-4:" + folder), std::string::npos)
        << command_line_of(saved, {});
    EXPECT_EQ(row(1), row(4));
    EXPECT_NE(row(1), drawn);
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(words(h), Words{"mean-set:1-3"});
    EXPECT_EQ(row(1), drawn);
    h.press(Key::y, Key::ctrl);
    h.tap("brush.erase");
    stroke(h, 4, 4);
    EXPECT_EQ(words(h), Words{"mean-set:1-3:" + folder}) << "the folder stays that of the paint";
    h.tap("brush.mean_set");
    h.tap("brush.drawn");
    EXPECT_TRUE(h.focus().lab.images.empty());
}

TEST(Brush, AFolderThatIsNotThereIsSaidAndTheRunStays) {
    InHand h;
    h.tap("brush.mean_set");
    h.change()->selection.focus.lab.images = "/nowhere";
    h.frame(2);
    stroke(h, 1, 3);
    EXPECT_NE(h.app->error().find("/nowhere: this folder of images is not there"), std::string::npos) << h.app->error();
    EXPECT_TRUE(words(h).empty());
}

TEST(Brush, OfThreePatchesIsASquareAndARectangleLiesBetweenTwoPatches) {
    InHand h;
    const int columns = h.result().model->config.grid_width();
    h.tap("brush.size.3");
    stroke(h, columns + 2, columns + 2);
    const auto row = [&](int first, int last, int below) {
        return std::to_string(first + below * columns) + "-" + std::to_string(last + below * columns);
    };
    EXPECT_EQ(words(h), Words{"cover-blur:" + row(1, 3, 0) + "+" + row(1, 3, 1) + "+" + row(1, 3, 2)});
    h.tap("brush.clear");
    h.tap("brush.rectangle");
    stroke(h, 2, columns + 4);
    EXPECT_EQ(words(h), Words{"cover-blur:" + row(2, 4, 0) + "+" + row(2, 4, 1)});
}

TEST(Brush, ManyPatchesAreCountedAmongTheChangesAndFewAreNamed) {
    InHand h;
    stroke(h, 1, 3);
    EXPECT_EQ(h.item("removal.0").text, "patches 1-3 blurred");
    h.tap("brush.random");
    const auto count = painted(h.what_ifs(), h.result().model->config, Paint::blur).size();
    EXPECT_EQ(h.item("removal.0").text, std::to_string(count) + " patches blurred");
}

TEST(Brush, AllButTheObjectAndARandomShare) {
    InHand h;
    const Config& c = h.result().model->config;
    stroke(h, 1, 3);
    h.tap("brush.others");
    EXPECT_EQ(words(h), Words{"cover-blur:4-" + std::to_string(c.patches())});
    h.tap("brush.random");
    const Words some = words(h);
    EXPECT_EQ(painted(h.what_ifs(), c, Paint::blur), random_patches(c, 0.3F, 1));
    h.tap("brush.more");
    h.tap("brush.random");
    EXPECT_EQ(painted(h.what_ifs(), c, Paint::blur), random_patches(c, 0.4F, 2));
    EXPECT_NE(words(h), some);
}

TEST(Brush, IsPutDownByItsKeyByEscapeAndByDoneAndThenAClickChoosesAPatch) {
    InHand h;
    for (const auto put_down : {+[](Harness& at) { at.press(Key::b); }, +[](Harness& at) { at.press(Key::escape); },
                                +[](Harness& at) { at.tap("brush.done"); }}) {
        EXPECT_TRUE(h.shows("brush.done"));
        put_down(h);
        EXPECT_FALSE(h.shows("brush.done"));
        stroke(h, 7, 7);
        EXPECT_EQ(h.focus().token, 7);
        EXPECT_TRUE(h.what_ifs().empty());
        h.press(Key::b);
    }
}

TEST(Brush, PaintsOnMapsOfAttentionAndComesToThePatchesWhereThereIsNoPicture) {
    Harness h;
    go_to(h, "attention");
    h.press(Key::b);
    stroke(h, 5, 5, "attention.map.0");
    EXPECT_EQ(words(h), Words{"cover-blur:5"});
    go_to(h, "activation");
    EXPECT_FALSE(h.shows("brush.done"));
    h.press(Key::b);
    EXPECT_TRUE(h.shows("brush.done"));
    EXPECT_EQ(step_at(h.focus()).id, std::string("patches"));
}

TEST(Brush, RestsWhilePatchesAreShuffled) {
    InHand h;
    h.change()->what_ifs = {shuffle_tokens(3)};
    h.settle();
    stroke(h, 1, 3);
    EXPECT_EQ(words(h), Words{"shuffle:3"});
}

TEST(Brush, TheNumbersOfTheImageAreThoseOfThePaintedOne) {
    Harness h;
    go_to(h, "image");
    const std::string before = h.item("fact.5").text;
    const Config& c = h.result().model->config;
    h.change()->what_ifs = {parse_intervention("cover-grey:1-" + std::to_string(c.patches()), c)};
    h.settle();
    for (const char* const extreme : {"fact.4", "fact.5"})
        EXPECT_TRUE(h.item(extreme).text.ends_with("= 0")) << h.item(extreme).text;
    EXPECT_NE(h.item("fact.5").text, before);
}

TEST(Brush, ThePictureShowsWhatTheModelSees) {
    InHand h;
    h.tap("brush.grey");
    stroke(h, 1, 1);
    const Result& now = h.result();
    const Config& c = now.model->config;
    const Tensor3& pixels = now.trace.embedding->pixels();
    const auto p = static_cast<std::size_t>(c.patch_size);
    for (std::size_t y = 0; y < 2 * p; ++y)
        for (std::size_t x = 0; x < 2 * p; ++x)
            for (std::size_t colour = 0; colour < 3; ++colour) {
                const auto& m = now.model->preprocessing;
                const double level =
                    (static_cast<double>(pixels(colour, y, x)) * m.std[colour] + m.mean[colour] - m.rescale_offset) /
                    m.rescale_factor;
                EXPECT_NEAR(now.patched->rgb[(y * static_cast<std::size_t>(now.patched->width) + x) * 3 + colour],
                            level, 0.51);
            }
    EXPECT_EQ(pixels(0, 0, 0), 0);
}

}  // namespace
}  // namespace vitrine
