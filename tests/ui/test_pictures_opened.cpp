#include <gtest/gtest.h>

#include <filesystem>

#include "app/workspace/colours.h"
#include "app/workspace/library.h"
#include "app/workspace/result.h"
#include "tests/ui/harness.h"

// Pictures of every format in the window: with a colour profile, and pasted.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

const fs::path golden = fs::path(VITRINE_GOLDEN) / "pillow";

TEST(PictureOpened, WithAProfileIsShownManagedAndGivenToTheModelAsTheSettingSays) {
    Harness h;
    h.app->open({golden / "colour/swapped.jpg"});
    h.settle();
    const ManagedImage read = decode_managed(read_file(golden / "colour/swapped.jpg"), "picture");
    const auto image = h.result().image;
    EXPECT_EQ(image->full.rgb, read.stored.rgb);
    EXPECT_EQ(image->display->rgb, read.managed->rgb) << "it is small enough to be shown whole";
    EXPECT_EQ(image->colours, Colours::stored);
    const auto pixels = h.result().baseline.embedding;
    h.press(Key::g);
    h.tap("language.colours.managed");
    h.press(Key::escape);
    h.settle();
    EXPECT_EQ(h.app->state().settings.colours, Colours::managed);
    EXPECT_EQ(h.result().image->full.rgb, read.managed->rgb);
    EXPECT_EQ(h.result().image->colours, Colours::managed);
    EXPECT_NE(h.result().baseline.embedding, pixels) << "it was computed again";
    h.app->open({golden / "decode/rgb.png"});
    h.settle();
    EXPECT_EQ(h.result().image->colours, Colours::stored) << "it has no profile";
}

TEST(PictureOpened, OfEveryFormatGoesThroughTheModel) {
    Harness h;
    for (const char* const name :
         {"lossy.webp", "moving.webp", "cmyk.jpg", "ycck.jpg", "tiled.tif", "cmyk.tif", "grey16.png", "clear.gif"}) {
        h.app->open({golden / "decode" / name});
        h.settle();
        EXPECT_EQ(h.item("top.image").text, name) << h.app->error();
    }
}

TEST(PictureOpened, OfOnesOwnHasTheClassThatItsOwnerChooses) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    go_to(h, "loss");
    EXPECT_EQ(h.item("loss.chosen").value, 1) << "a drawn picture says what it shows";
    h.app->open({golden / "decode/lossy.webp"});
    h.settle();
    EXPECT_EQ(h.item("loss.chosen").value, 0);
    h.expect_readable("a photograph's loss");
    h.tap("loss.next");
    EXPECT_EQ(h.item("loss.chosen").value, 1);
}

TEST(PictureOpened, ByPasteIsAskedOfTheWindowOnce) {
    Harness h;
    EXPECT_FALSE(h.app->take_paste_request());
    h.press(Key::v, Key::ctrl);
    EXPECT_TRUE(h.app->take_paste_request());
    EXPECT_FALSE(h.app->take_paste_request());
}

}  // namespace
}  // namespace vitrine
