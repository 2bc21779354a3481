#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "app/jobs/streaming.h"
#include "core/base/error.h"
#include "tests/eventually.h"
#include "tests/made_frames.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

/// A picture of one colour.
void write_ppm(const fs::path& file, char level) {
    std::ofstream out(file, std::ios::binary);
    out << "P6\n4 4\n255\n" << std::string(std::size_t{3} * 4 * 4, level);
}

std::string why_not(const fs::path& source) {
    try {
        open_frame_source(source);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(Streaming, KeepsTheNewestFrameAloneAndGivesItOnce) {
    MadeFrames camera;
    std::atomic<int> woken = 0;
    Streaming job([&] { ++woken; });
    job.play([&] { return camera.source(); });
    camera.make(5);
    const auto frame = job.take();
    ASSERT_TRUE(frame);
    EXPECT_EQ(MadeFrames::number_of(std::make_shared<Image>(frame->image)), 5);
    EXPECT_FALSE(job.take());
    EXPECT_EQ(woken, 1) << "there was a frame to take already";
    EXPECT_FALSE(job.busy()) << "a stream has no end, so nobody waits for it";
    job.wait();
}

TEST(Streaming, ReadsNothingWhileItIsPausedButWhatIsAskedFor) {
    MadeFrames camera;
    Streaming job;
    job.play([&] { return camera.source(); });
    camera.make();
    job.pause(true);
    EXPECT_FALSE(job.take()) << "the frame that waited is dropped";
    for (int i = 0; i < 3; ++i) camera.make_unseen();
    job.step();
    EXPECT_TRUE(eventually([&] { return job.take().has_value(); }));
    camera.make_unseen();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(camera.given(), 4);
    job.pause(false);
    EXPECT_TRUE(eventually([&] { return job.take().has_value(); }));
    EXPECT_EQ(camera.given(), 5);
}

TEST(Streaming, SaysWhyItsSourceEnded) {
    MadeFrames camera;
    Streaming job;
    job.play([&] { return camera.source(); });
    camera.make();
    camera.unplug();
    std::string failure;
    EXPECT_TRUE(eventually([&] { return !(failure = job.take_failure()).empty(); }));
    EXPECT_EQ(failure, MadeFrames::gone);
    job.play([] { return open_frame_source("/no/such folder"); });
    EXPECT_TRUE(eventually([&] { return !(failure = job.take_failure()).empty(); }));
    EXPECT_EQ(
        failure,
        "/no/such folder: is not a video, a folder of pictures, a moving GIF or WebP, or a camera; name one of these");
    job.stop();
    job.stop();
}

/// A source whose frames last 40 ms, of which reading one takes 20.
struct SlowSource : FrameSource {
    std::atomic<bool>& kept_pace;
    explicit SlowSource(std::atomic<bool>& kept) : kept_pace(kept) {}
    Clock::time_point before = Clock::time_point::min();

    std::optional<StreamFrame> next(const Progress&) override {
        const Clock::time_point now = Clock::now();
        if (before != Clock::time_point::min() && now - before < std::chrono::milliseconds(60)) kept_pace = true;
        before = now;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return StreamFrame{Image{1, 1, {0, 0, 0}}, "slow", 0.04};
    }
};

TEST(Streaming, AddsNoTimeOfItsOwnToThatOfItsSource) {
    std::atomic<bool> kept_pace = false;
    Streaming job;
    job.play([&] { return std::make_unique<SlowSource>(kept_pace); });
    EXPECT_TRUE(eventually([&] { return kept_pace.load(); })) << "each frame comes later by what reading one takes";
}

TEST(FrameSource, OfAFolderGivesItsPicturesByNameAgainAndAgain) {
    const TestFolder folder;
    write_ppm(folder / "b.ppm", 'b');
    write_ppm(folder / "a.PPM", 'a');
    write_ppm(folder / "d.ppm", 'd');
    std::ofstream(folder / "c.png") << "no picture";
    std::ofstream(folder / "notes.txt") << "none at all";
    const auto source = open_frame_source(folder.path());
    std::string seen;
    while (seen.size() < 4)
        if (const auto frame = source->next({})) {
            seen += static_cast<char>(frame->image.rgb[0]);
            EXPECT_EQ(frame->seconds, 1 / folder_rate);
        }
    EXPECT_EQ(seen, "abda") << "what cannot be read is passed over";
    write_ppm(folder / "aa.ppm", 'x');
    while (seen.size() < 8)
        if (const auto frame = source->next({})) seen += static_cast<char>(frame->image.rgb[0]);
    EXPECT_EQ(seen, "abdabdax") << "it is listed again at its end";
}

TEST(FrameSource, WithoutPicturesSaysSo) {
    const TestFolder folder;
    EXPECT_NE(why_not(folder.path()).find("holds no pictures"), std::string::npos);
    std::ofstream(folder / "a.png") << "no picture";
    const auto source = open_frame_source(folder.path());
    EXPECT_THROW(source->next({}), Error) << "not one of them can be read";
    EXPECT_NE(why_not(folder / "a.png").find("is not a video, a folder of pictures, a moving"), std::string::npos);
}

}  // namespace
}  // namespace vitrine
