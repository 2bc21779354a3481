#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/frame/streams.h"
#include "app/library/library.h"
#include "app/workspace/result.h"
#include "core/files/image.h"
#include "core/files/video.h"
#include "tests/drawn_folder.h"
#include "tests/made_frames.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

// A stream in the window, from a camera made of code.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

struct Streamed : Harness {
    MadeFrames camera;

    explicit Streamed(Opening opening = with_image("cat"), ImVec2 size = {1920, 1080})
        : Harness(std::move(opening), size) {
        begin_stream(door(), "camera", [this] { return camera.source(); });
        frame(2);
    }
    /// The frame that the model is asked for, and the one that is shown.
    int asked() const { return MadeFrames::number_of(app->workspace().experiment.image.frame); }
    int shown() const { return MadeFrames::number_of(result().experiment.image.frame); }
    void make_and_show() {
        camera.make();
        wait_until([&] { return shown() == camera.made(); });
    }
    bool on() const { return app->state().stream.on(); }
};

TEST(Stream, OfThreeHundredFramesLeavesNoHistoryAndNoMemory) {
    Streamed h;
    std::vector<std::weak_ptr<const Result>> results;
    std::vector<std::weak_ptr<const Image>> frames;
    for (int i = 1; i <= 300; ++i) {
        h.make_and_show();
        results.push_back(h.app->shown().result);
        frames.push_back(h.result().experiment.image.frame);
    }
    const auto alive = [](const auto& all) {
        return std::ranges::count_if(all, [](const auto& each) { return !each.expired(); });
    };
    EXPECT_LE(alive(results), 2);
    EXPECT_LE(alive(frames), 2);
    EXPECT_FALSE(h.app->workspace().history.can_undo());
    EXPECT_EQ(h.app->session().image.frame, nullptr);
    EXPECT_EQ(h.app->session().image.sample, "pictograms:cat") << "a session has the image from before";
    for (const auto& [kind, files] : h.app->state().settings.recent)
        for (const std::string& file : files) EXPECT_NE(file, "made/camera");
    EXPECT_EQ(h.item("stream").value, h.app->state().stream.per_second());
    EXPECT_GT(h.app->state().stream.per_second(), 0);
}

/// A frame waits for at most the pass that runs, so of two frames a pass the one that is taken is half a pass old at
/// most: it is shown 1.5 passes after it was made.
TEST(Stream, EachPassBeginsWithTheNewestFrameAndIsNeverOvertaken) {
    Streamed h;
    h.make_and_show();
    std::vector<int> taken;
    h.camera.make(1);
    h.wait_until([&] { return h.asked() == 2; });
    for (int pass = 0; pass < 20; ++pass) {
        const int running = h.asked();
        h.camera.make(2);  // during the pass, or at its end
        h.wait_until([&] { return h.asked() != running; });
        EXPECT_EQ(h.shown(), running) << "the pass before ended";
        EXPECT_EQ(h.asked(), h.camera.made()) << "one frame was passed over, the newest was taken";
    }
}

TEST(Stream, GoesOnUnderWhatIfsAndInTheLaboratory) {
    Streamed h;
    h.make_and_show();
    h.change()->what_ifs.push_back(remove_head(2, 1));
    h.make_and_show();
    EXPECT_EQ(h.result().experiment.what_ifs.size(), 1U);
    h.carry_out(command::EnterRoom{"laboratory"});
    h.carry_out(command::Look{{{"lab.instrument", "depth"}}});
    for (int i = 0; i < 3; ++i) {
        h.make_and_show();
        h.wait_until(
            [&] { return h.app->workspace().measured && h.app->workspace().measured->of == h.app->shown().result; });
    }
    EXPECT_FALSE(h.shows("measuring")) << "nothing covers the picture";
    EXPECT_TRUE(h.shows("stream"));
}

TEST(Stream, PausesAndStepsByItsButtons) {
    Streamed h;
    h.make_and_show();
    h.tap("stream.pause");
    EXPECT_TRUE(h.app->state().stream.paused);
    EXPECT_NE(h.item("stream").text.find("Paused"), std::string::npos);
    for (int i = 0; i < 3; ++i) h.camera.make_unseen();
    h.frame(5);
    EXPECT_EQ(h.shown(), 1);
    h.tap("stream.step");
    h.wait_until([&] { return h.shown() == 4; });
    h.camera.make_unseen();
    h.frame(5);
    EXPECT_EQ(h.shown(), 4);
    h.tap("stream.pause");
    h.wait_until([&] { return h.shown() == 5; });
}

TEST(Stream, StopsWithTheImageFromBefore) {
    Streamed h;
    const ImageSource before = h.app->state().stream.before;
    h.make_and_show();
    h.tap("stream.stop");
    EXPECT_FALSE(h.on());
    EXPECT_EQ(h.result().experiment.image, before);
    EXPECT_FALSE(h.app->workspace().history.can_undo());
    EXPECT_FALSE(h.shows("stream"));
}

TEST(Stream, EndsWhenAnotherImageOpensAndByUndo) {
    Streamed h;
    const ImageSource before = h.app->state().stream.before;
    h.make_and_show();
    h.carry_out(command::OpenImage{{"dog", {}}});
    h.settle();
    EXPECT_FALSE(h.on());
    EXPECT_EQ(h.result().image->name, "dog");
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.result().experiment.image, before) << "no frame is in the history";

    begin_stream(h.door(), "camera", [&] { return h.camera.source(); });
    h.make_and_show();
    h.press(Key::z, Key::ctrl);
    EXPECT_FALSE(h.on());
    EXPECT_EQ(h.result().experiment.image, before);
}

TEST(Stream, WhoseCameraIsUnpluggedSaysSoAndGoesBack) {
    Streamed h;
    const ImageSource before = h.app->state().stream.before;
    h.make_and_show();
    h.camera.unplug();
    h.wait_until([&] { return !h.on(); });
    h.settle();
    EXPECT_EQ(h.app->error(), MadeFrames::gone);
    EXPECT_EQ(h.result().experiment.image, before);
}

TEST(Stream, KeepsTheShownFrameAsAFileThatIsOpenedAsAnyOther) {
    const TestFolder folder;
    const char* const set = std::getenv("XDG_CONFIG_HOME");
    const std::string kept = set != nullptr ? set : "";
    setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
    {
        Streamed h;
        h.make_and_show();
        const auto frame = h.result().experiment.image.frame;
        h.tap("stream.keep");
        EXPECT_FALSE(h.on());
        const fs::path file = folder / "vitrine/kept/camera.png";
        EXPECT_EQ(h.result().experiment.image.path, file) << h.app->error();
        EXPECT_EQ(load_image(file).rgb, frame->rgb);
        EXPECT_TRUE(h.app->workspace().history.can_undo());
        h.press(Key::z, Key::ctrl);
        EXPECT_EQ(h.result().image->name, "cat");
    }
    set != nullptr ? setenv("XDG_CONFIG_HOME", kept.c_str(), 1) : unsetenv("XDG_CONFIG_HOME");
}

TEST(Stream, IsNotSavedAsASession) {
    Streamed h;
    h.make_and_show();
    h.press(Key::s, Key::ctrl);
    EXPECT_TRUE(h.app->state().dialog.empty());
    h.tap("stream.stop");
    h.press(Key::s, Key::ctrl);
    EXPECT_EQ(h.app->state().dialog, "save_as");
}

TEST(Stream, BesideAHeldFrameIsLiveInOneHalfAndEndsInBoth) {
    Streamed h;
    const ImageSource before = h.app->state().stream.before;
    h.make_and_show();
    h.carry_out(command::Do{"beside.open"});
    h.settle();
    h.camera.make();
    const auto& both = h.app->context().workspaces;
    h.wait_until([&] { return MadeFrames::number_of(both.all()[0].shown.result->experiment.image.frame) == 2; });
    EXPECT_EQ(h.shown(), 1) << "the right half holds the frame that was there";
    h.tap("stream.stop");
    for (const Workspace& each : both.all()) EXPECT_EQ(each.shown.result->experiment.image, before);
}

TEST(Stream, OfAFolderIsPlayedFromTheBrowser) {
    const TestFolder folder;
    draw_into(folder.path(), {0, 1, 2}, 1, [](int, int) { return "."; });
    Harness h;
    h.change()->settings.image_folder = folder.path().string();
    h.carry_out(command::ShowDialog{"open_image"});
    h.settle();
    h.tap("browser.play_folder");
    EXPECT_TRUE(h.app->state().dialog.empty());
    h.wait_until([&] { return h.app->state().stream.shown >= 4; });
    EXPECT_EQ(h.result().experiment.image.path.parent_path(), folder.path());
    EXPECT_NE(h.item("stream").text.find(".ppm"), std::string::npos);
    EXPECT_TRUE(h.app->error().empty());
}

TEST(Stream, OfAMovingPictureThatIsOpenIsPlayed) {
    Harness h;
    h.app->open({fs::path(VITRINE_GOLDEN) / "pillow/decode/moving.webp"});
    h.settle();
    const auto first = h.result().image->full.rgb;
    h.carry_out(command::Do{"play_moving"});
    h.wait_until([&] {
        const auto& frame = h.result().experiment.image.frame;
        return frame != nullptr && frame->rgb != first;
    });
    EXPECT_EQ(h.item("top.image").text, "moving.webp");
    h.carry_out(command::Do{"stream.stop"});
    h.settle();
    EXPECT_EQ(h.result().image->full.rgb, first);
    h.carry_out(command::OpenImage{{"cat", {}}});
    h.settle();
    h.carry_out(command::Do{"play_moving"});
    EXPECT_FALSE(h.app->state().stream.on()) << "a drawn picture does not move";
}

const fs::path video = fs::path(VITRINE_GOLDEN) / "videos/bt709.mp4";
#define SKIP_WITHOUT_FFMPEG()                                     \
    if (const auto missing = missing_for_videos(system_ffmpeg())) \
    GTEST_SKIP() << "FFmpeg's libraries are not here; install " << *missing

TEST(Stream, OfAVideoIsPlayedByDroppingItAndKeepsAFrame) {
    SKIP_WITHOUT_FFMPEG();
    const TestFolder folder;
    const char* const set = std::getenv("XDG_CONFIG_HOME");
    const std::string kept = set != nullptr ? set : "";
    setenv("XDG_CONFIG_HOME", folder.path().c_str(), 1);
    {
        Harness h;
        h.app->open({video});
        h.wait_until([&] { return h.app->state().stream.shown >= 8; });
        EXPECT_TRUE(h.app->error().empty()) << h.app->error();
        EXPECT_EQ(h.item("top.image").text, "bt709.mp4");
        h.tap("stream.pause");
        const auto shown = h.app->state().stream.shown;
        h.tap("stream.step");
        h.wait_until([&] { return h.app->state().stream.shown == shown + 1; });
        h.settle();
        const auto frame = h.result().experiment.image.frame;
        h.tap("stream.keep");
        EXPECT_EQ(h.result().experiment.image.path, folder / "vitrine/kept/bt709.png") << h.app->error();
        EXPECT_EQ(load_image(folder / "vitrine/kept/bt709.png").rgb, frame->rgb);
    }
    set != nullptr ? setenv("XDG_CONFIG_HOME", kept.c_str(), 1) : unsetenv("XDG_CONFIG_HOME");
}

TEST(Stream, OfAVideoIsPlayedFromTheBrowser) {
    SKIP_WITHOUT_FFMPEG();
    Harness h;
    h.change()->settings.image_folder = video.parent_path().string();
    h.carry_out(command::ShowDialog{"open_image"});
    h.settle();
    std::string tile;
    for (const auto& [id, item] : h.app->probe().items())
        if (id.starts_with("browser.item.") && item.text == "bt709.mp4") tile = id;
    ASSERT_FALSE(tile.empty());
    h.tap(tile);
    EXPECT_TRUE(h.app->state().dialog.empty());
    h.wait_until([&] { return h.app->state().stream.shown >= 2; });
    EXPECT_EQ(h.result().experiment.image.path, video);
}

TEST(Stream, OfAVideoThatIsCutOffEndsInASentence) {
    SKIP_WITHOUT_FFMPEG();
    const TestFolder folder;
    fs::copy_file(video, folder / "cut.mp4");
    fs::resize_file(folder / "cut.mp4", 900);
    Harness h;
    h.app->open({folder / "cut.mp4"});
    h.wait_until([&] { return !h.app->error().empty(); });
    EXPECT_FALSE(h.app->state().stream.on());
    h.settle();
    EXPECT_NE(h.app->error().find("is a video that ends too early or is damaged"), std::string::npos) << h.app->error();
    EXPECT_NE(h.result().experiment.image.path, folder / "cut.mp4");
}

TEST(Stream, OfACameraIsNotOpenedByARecording) {
    Harness h;
    h.app->play({to_line(command::PlayStream{"/dev/video0"}, {})});
    h.frame(10);
    EXPECT_NE(h.app->error().find("is not opened by a recording"), std::string::npos) << h.app->error();
    EXPECT_FALSE(h.app->state().stream.on());
}

/// True if these words are cut somewhere.
bool is_cut(const Harness& h, const std::string& words) {
    return std::ranges::any_of(h.app->probe().items(), [&](const auto& each) {
        return each.first.starts_with("cut.") && each.second.text == words;
    });
}

TEST(Stream, IsReadableInEveryLanguageSizeAndInLectures) {
    for (const char* const language : {"en", "ja", "ko"})
        for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
            Opening opening = Harness::with_image("cat");
            opening.state.settings.language = language;
            Streamed h(std::move(opening), size);
            h.frame(3);
            h.expect_readable("a stream that begins");
            h.carry_out(command::ShowDialog{"camera"});
            h.settle();
            h.expect_readable("the list of cameras");
            h.carry_out(command::ShowDialog{"open_image"});
            h.settle();
            for (const char* const id : {"browser.play_folder", "browser.camera"})
                EXPECT_FALSE(is_cut(h, h.item(id).text)) << id;
            h.carry_out(command::ShowDialog{});
            h.make_and_show();
            h.frame(3);
            EXPECT_FALSE(is_cut(h, h.item("stream").text)) << h.item("stream").text;
            begin_lecture(h);
            EXPECT_FALSE(is_cut(h, h.item("stream").text)) << h.item("stream").text;
            EXPECT_TRUE(h.item("stream.keep").visible);
        }
}

}  // namespace
}  // namespace vitrine
