#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/commands/machine_facts.h"
#include "app/jobs/frame_source.h"
#include "app/sessions/session_commands.h"
#include "core/base/error.h"
#include "core/files/byte_source.h"
#include "core/files/video.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

const fs::path videos = fs::path(VITRINE_GOLDEN) / "videos";

/// Tests of what FFmpeg reads; skipped where its libraries are not there.
class Video : public testing::Test {
protected:
    void SetUp() override {
        if (const auto missing = missing_for_videos(system_ffmpeg()))
            GTEST_SKIP() << "FFmpeg's libraries are not here; install " << *missing;
    }
};

std::unique_ptr<MovingPicture> video_of(const std::string& name) {
    return open_video(ByteSource::of_file(videos / name));
}

/// Why bytes are no video that can be played: what opening them, or one of the first frames, says; empty if nothing.
std::string why_not_played(const std::vector<std::uint8_t>& bytes, int frames = 20) {
    try {
        const auto video = open_video(ByteSource::of_bytes(bytes, "film.mp4"));
        for (int i = 0; i < frames; ++i) {
            const MovingPicture::Frame frame = video->next({});
            EXPECT_EQ(frame.image.rgb.size(), std::size_t{3} * frame.image.width * frame.image.height);
            EXPECT_GT(frame.seconds, 0);
        }
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// The largest difference between a frame and a part of a strip that begins at a row.
int furthest(const Image& frame, const Image& strip, int top) {
    int most = 0;
    const std::uint8_t* expected = strip.rgb.data() + std::ptrdiff_t{3} * top * strip.width;
    for (std::size_t i = 0; i < frame.rgb.size(); ++i) most = std::max(most, std::abs(frame.rgb[i] - expected[i]));
    return most;
}

TEST_F(Video, GivesTheFramesOfFfmpegAtTheirTimesAgainAndAgain) {
    const auto told = nlohmann::json::parse(std::ifstream(videos / "videos.json"));
    ASSERT_GE(told.size(), 9U);
    for (const auto& [name, facts] : told.items()) {
        SCOPED_TRACE(name);
        const Image strip = load_image(videos / (name + ".png"));
        const auto times = facts.at("times").get<std::vector<double>>();
        const int count = static_cast<int>(times.size());
        const auto video = video_of(name);
        for (int i = 0; i < 2 * count + 1; ++i) {
            const MovingPicture::Frame frame = video->next({});
            const int at = i % count;
            ASSERT_EQ(frame.image.width, strip.width);
            ASSERT_EQ(frame.image.height * count, strip.height);
            EXPECT_LE(furthest(frame.image, strip, at * frame.image.height), 2) << "frame " << i;
            const double until = at + 1 < count ? times[at + 1] - times[at] : facts.at("last").get<double>();
            EXPECT_NEAR(frame.seconds, until, 0.0021) << "frame " << i;
        }
    }
}

/// What the golden script drew: the upper left quarter red, the right one green, blue and a ramp below.
TEST_F(Video, HasTheColoursThatWereEncodedWhicheverMatrixAndRangeNameThem) {
    for (const char* const name : {"bt709.mp4", "full.mov", "odd.webm"}) {
        const Image image = video_of(name)->next({}).image;
        const auto at = [&](int x, int y) { return image.rgb.data() + 3 * (y * image.width + x); };
        const int red[] = {200, 40, 40}, green[] = {40, 180, 60}, blue[] = {50, 60, 200};
        for (int c = 0; c < 3; ++c) {
            EXPECT_NEAR(at(16, 6)[c], red[c], 4) << name;
            EXPECT_NEAR(at(36, 8)[c], green[c], 4) << name;
            EXPECT_NEAR(at(10, 24)[c], blue[c], 4) << name;
        }
    }
}

TEST_F(Video, ThatIsCutOffPlaysToTheCutOrSaysSoInASentence) {
    for (const char* const name : {"unnamed.mp4", "odd.webm", "part2.avi", "uneven.mkv", "full.mov"}) {
        const std::vector<std::uint8_t> whole = read_file(videos / name);
        EXPECT_EQ(why_not_played(whole), "") << name;
        for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 61)
            if (const std::string words = why_not_played({whole.begin(), whole.begin() + std::ptrdiff_t(size)});
                !words.empty()) {
                EXPECT_EQ(words.find("film.mp4 "), 0U) << name << " of " << size << ": " << words;
                EXPECT_NE(words.find("; "), std::string::npos) << words;
            }
    }
    std::vector<std::uint8_t> cut = read_file(videos / "unnamed.mp4");
    cut.resize(900);
    EXPECT_NE(why_not_played(cut).find("ends too early or is damaged"), std::string::npos) << why_not_played(cut);
}

TEST_F(Video, ThatIsNoneOrHasNoTrackSaysSo) {
    EXPECT_NE(why_not_played(read_file(videos / "sound.mp4")).find("holds no video track; choose"), std::string::npos);
    for (const fs::path& file : {videos / "videos.json", videos / "bt709.mp4.png", fs::path(VITRINE_SOURCE) / "dev"})
        EXPECT_NE(why_not_played(read_file(file)).find("is not a video that Vitrine plays; save it as MP4"),
                  std::string::npos)
            << file << why_not_played(read_file(file));
    EXPECT_FALSE(why_not_played({}).empty());
}

/// A list of files, as HTTP Live Streaming has it: nothing that it names may be opened.
TEST_F(Video, ThatIsAListOfOtherFilesIsRefused) {
    const std::string list = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n" + (videos / "unnamed.mp4").string() +
                             "\n#EXT-X-ENDLIST\n",
                      joined = "ffconcat version 1.0\nfile '" + (videos / "unnamed.mp4").string() + "'\n";
    for (const std::string& words : {list, joined})
        EXPECT_NE(why_not_played({words.begin(), words.end()}).find("is not a video that Vitrine plays"),
                  std::string::npos);
}

/// So many pixels in the header of a small AVI.
TEST_F(Video, OfMorePixelsThanMemoryShouldHoldIsRefused) {
    const auto of_size = [](std::uint8_t high_byte) {
        std::vector<std::uint8_t> file = read_file(videos / "raw.avi");
        constexpr std::uint8_t format[] = {'s', 't', 'r', 'f'};
        const auto found = std::ranges::search(file, format);
        for (const int at : {12, 16}) {  // after the name, its size and the header's own size: width, then height
            const std::uint8_t number[] = {0, high_byte, 0, 0};
            std::ranges::copy(number, found.begin() + at);
        }
        return why_not_played(file);
    };
    EXPECT_EQ(of_size(0x20),
              "film.mp4 is a video of 8192 × 8192 pixels, more than the 40 million that Vitrine plays; "
              "make it smaller first");
    EXPECT_NE(of_size(0xFF).find("is a video without pixels, or with more than FFmpeg reads"), std::string::npos);
}

TEST_F(Video, ThatIsStoppedStopsWhileItIsDecoded) {
    const auto video = video_of("unnamed.mp4");
    struct Stopped {};
    EXPECT_THROW(video->next([](double) { throw Stopped(); }), Stopped);
    EXPECT_GT(video->next({}).image.width, 0) << "and it can go on";
}

TEST_F(Video, IsAFrameSource) {
    const auto source = open_frame_source(videos / "turned_90.mp4");
    const auto frame = source->next({});
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->from, videos / "turned_90.mp4");
    EXPECT_NEAR(frame->seconds, 0.1, 1e-6);
    EXPECT_EQ(frame->image.width, 32);
    EXPECT_EQ(frame->image.height, 48);
}

TEST(VideoFile, WithoutFfmpegNamesThePackagesToInstall) {
    const FFmpegLibraries none{SharedLibrary("libavformat.so.none"), SharedLibrary("libswscale.so.none")};
    const auto missing = missing_for_videos(none);
    ASSERT_TRUE(missing);
    EXPECT_EQ(missing->find("libavformat"), 0U) << *missing;
    try {
        open_video(ByteSource::of_file(videos / "unnamed.mp4"), none);
        FAIL() << "it was opened";
    } catch (const Error& error) {
        const std::string words = error.what();
        EXPECT_TRUE(words.ends_with("; install " + *missing)) << words;
    }
}

TEST(VideoFile, IsAmongWhatInfoSaysCanBeRead) {
    const auto missing = missing_for_videos(system_ffmpeg());
    const std::string words = pictures_line();
    EXPECT_NE(words.find(missing ? "; video needs the package " + *missing : " video"), std::string::npos) << words;
}

TEST(VideoFile, IsPlayedWhereverItIsOpened) {
    EXPECT_TRUE(is_video("a.MP4") && is_video("b.webm") && is_video("c/d.Mov"));
    EXPECT_FALSE(is_video("a.png") || is_video("mp4") || is_video("b.webp"));
    const Command command = command_to_open("a holiday.mp4");
    ASSERT_TRUE(std::holds_alternative<command::PlayStream>(command));
    EXPECT_EQ(std::get<command::PlayStream>(command).source, "a holiday.mp4");
    try {
        load_image(videos / "odd.webm");
        FAIL() << "it was opened";
    } catch (const Error& error) {
        EXPECT_TRUE(std::string(error.what())
                        .ends_with("is a video; play it (vitrine --stream), or keep one of its "
                                   "frames as a picture"));
    }
}

}  // namespace
}  // namespace vitrine
