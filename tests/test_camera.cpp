#include <gtest/gtest.h>
#include <linux/videodev2.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/platform/camera.h"
#include "core/base/error.h"
#include "core/files/image.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

/// A device of Video4Linux made of code: it keeps the rules of the interface for buffers, and asserts ours.
class MadeDevice : public CameraCalls {
public:
    bool gives_yuyv = true, gives_jpeg = true, busy = false, unplugged = false;
    unsigned width = 4, height = 2;
    int opened = 0, mapped = 0;
    Clock::time_point time;

    Clock::time_point now() override { return time; }

    int open(const char*) override {
        if (busy) return fails(EBUSY);
        ++opened;
        return 7;
    }
    void close(int file) override {
        EXPECT_EQ(file, 7);
        --opened;
    }
    void* mmap(int, std::size_t length, std::int64_t offset) override {
        EXPECT_EQ(length, buffer_size);
        ++mapped;
        return memory_.at(static_cast<std::size_t>(offset) / buffer_size).data();
    }
    void munmap(void*, std::size_t) override { --mapped; }
    bool poll(int) override { return unplugged || !filled_.empty(); }

    int ioctl(int, unsigned long what, void* about) override {
        if (unplugged) return fails(ENODEV);
        switch (what) {
            case VIDIOC_QUERYCAP: {
                auto& can = *static_cast<v4l2_capability*>(about);
                can.capabilities = V4L2_CAP_DEVICE_CAPS | V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
                can.device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
                return 0;
            }
            case VIDIOC_S_FMT: return choose(static_cast<v4l2_format*>(about)->fmt.pix);
            case VIDIOC_REQBUFS: {
                auto& wanted = *static_cast<v4l2_requestbuffers*>(about);
                wanted.count = std::min(wanted.count, 3U);
                memory_.assign(wanted.count, std::vector<std::uint8_t>(buffer_size));
                return 0;
            }
            case VIDIOC_QUERYBUF: {
                auto& buffer = *static_cast<v4l2_buffer*>(about);
                buffer.length = buffer_size;
                buffer.m.offset = static_cast<unsigned>(buffer.index * buffer_size);
                return 0;
            }
            case VIDIOC_QBUF: {
                const unsigned index = static_cast<v4l2_buffer*>(about)->index;
                EXPECT_TRUE(with_driver_.insert(index).second) << "the driver has buffer " << index << " already";
                return 0;
            }
            case VIDIOC_STREAMON: streams_ = true; return 0;
            case VIDIOC_DQBUF: return give(*static_cast<v4l2_buffer*>(about));
            default: return fails(ENOTTY);
        }
    }

    /// Fills a buffer, if the driver has one left; else the frame is lost.
    void fill(const std::vector<std::uint8_t>& bytes, bool damaged = false) {
        ASSERT_TRUE(streams_);
        for (unsigned i = 0; i < memory_.size(); ++i) {
            const bool is_full = std::ranges::any_of(filled_, [&](const auto& each) { return each.index == i; });
            if (!with_driver_.contains(i) || is_full) continue;
            std::ranges::copy(bytes, memory_[i].begin());
            filled_.push_back({i, static_cast<unsigned>(bytes.size()), damaged});
            return;
        }
    }
    /// A frame in YUYV of one level of grey.
    void fill_grey(std::uint8_t luma, bool damaged = false) {
        std::vector<std::uint8_t> bytes;
        for (unsigned i = 0; i < width * height; ++i) bytes.insert(bytes.end(), {luma, 128});
        fill(bytes, damaged);
    }

private:
    static constexpr std::size_t buffer_size = 1 << 16;
    struct Filled {
        unsigned index, used;
        bool damaged;
    };

    static int fails(int error) {
        errno = error;
        return -1;
    }
    int choose(v4l2_pix_format& format) const {
        // A driver gives what it has in place of what it has not.
        if (format.pixelformat == V4L2_PIX_FMT_YUYV && !gives_yuyv) format.pixelformat = V4L2_PIX_FMT_MJPEG;
        if (format.pixelformat != V4L2_PIX_FMT_YUYV && !gives_jpeg) format.pixelformat = V4L2_PIX_FMT_NV12;
        format.width = width;
        format.height = height;
        format.bytesperline = format.pixelformat == V4L2_PIX_FMT_YUYV ? 2 * width : 0;
        return 0;
    }
    int give(v4l2_buffer& buffer) {
        if (filled_.empty()) return fails(EAGAIN);
        buffer.index = filled_.front().index;
        buffer.bytesused = filled_.front().used;
        buffer.flags = filled_.front().damaged ? V4L2_BUF_FLAG_ERROR : 0;
        filled_.pop_front();
        with_driver_.erase(buffer.index);
        return 0;
    }

    std::vector<std::vector<std::uint8_t>> memory_;
    std::set<unsigned> with_driver_;
    std::deque<Filled> filled_;
    bool streams_ = false;
};

std::string camera_refusal(const std::shared_ptr<MadeDevice>& device) {
    try {
        const Camera camera("made", device);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

TEST(Camera, GivesTheNewestFrameAndTheDriverItsBuffersBack) {
    const auto device = std::make_shared<MadeDevice>();
    {
        Camera camera("made", device);
        EXPECT_FALSE(camera.newest());
        for (int round = 0; round < 20; ++round) {
            device->fill_grey(16);
            device->fill_grey(100);
            device->fill_grey(235);
            const auto image = camera.newest();
            ASSERT_TRUE(image);
            EXPECT_EQ(image->width, 4);
            EXPECT_EQ(image->height, 2);
            EXPECT_EQ(image->rgb, std::vector<std::uint8_t>(std::size_t{3} * 4 * 2, 255)) << "the newest is white";
            EXPECT_FALSE(camera.newest()) << "it is given once";
        }
        EXPECT_EQ(device->mapped, 3);
    }
    EXPECT_EQ(device->mapped, 0);
    EXPECT_EQ(device->opened, 0);
}

TEST(Camera, TakesJpegWhereThereIsNothingElseAndPassesOverDamagedFrames) {
    const auto device = std::make_shared<MadeDevice>();
    device->gives_yuyv = false;
    const fs::path file = fs::path(VITRINE_GOLDEN) / "pillow/decode/baseline.jpg";
    Camera camera("made", device);
    const std::vector<std::uint8_t> jpeg = read_file(file);
    device->fill(jpeg);
    const auto image = camera.newest();
    ASSERT_TRUE(image);
    EXPECT_EQ(image->rgb, load_image(file).rgb);
    device->fill({jpeg.begin(), jpeg.begin() + 20});
    EXPECT_FALSE(camera.newest());
    device->fill(jpeg, true);
    EXPECT_FALSE(camera.newest());
    device->fill(jpeg);
    EXPECT_TRUE(camera.newest());
}

TEST(Camera, InUseUnpluggedOrWithFramesOfAnotherKindSaysSo) {
    const auto device = std::make_shared<MadeDevice>();
    device->busy = true;
    EXPECT_EQ(camera_refusal(device), "made: is used by another program; close that one first");
    device->busy = false;
    device->gives_yuyv = device->gives_jpeg = false;
    EXPECT_EQ(camera_refusal(device), "made: gives neither YUYV nor JPEG frames; choose another camera");
    device->gives_yuyv = true;
    Camera camera("made", device);
    device->fill_grey(16);
    EXPECT_TRUE(camera.newest());
    device->unplugged = true;
    try {
        camera.newest();
        FAIL() << "it is gone";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "made: is no longer connected; plug the camera in and open it again");
    }
}

TEST(Camera, PassesOverWhatTheDriverKeptDuringAPauseAndIsMissedAfterFiveSeconds) {
    const auto device = std::make_shared<MadeDevice>();
    Camera camera("made", device);
    for (int i = 0; i < 3; ++i) device->fill_grey(16);
    device->time += std::chrono::seconds(60);
    EXPECT_FALSE(camera.newest()) << "all three are a minute old";
    device->fill_grey(235);
    EXPECT_TRUE(camera.newest());
    for (int i = 0; i < 50; ++i) {
        device->time += std::chrono::milliseconds(100);
        EXPECT_FALSE(camera.newest());
    }
    device->time += std::chrono::milliseconds(100);
    EXPECT_THROW(camera.newest(), Error);
}

TEST(Camera, OfAnOddWidthOrWithShortFramesReadsNothingBeyondThem) {
    const auto device = std::make_shared<MadeDevice>();
    device->width = 5;
    EXPECT_EQ(camera_refusal(device), "made: gives neither YUYV nor JPEG frames; choose another camera");
    device->width = 4;
    Camera camera("made", device);
    device->fill({16, 128, 16, 128});
    EXPECT_FALSE(camera.newest()) << "a frame of one row of two";
}

TEST(Camera, ThatIsNoneOrIsNotThereSaysWhatToDo) {
    const auto words = [](const fs::path& device) -> std::string {
        try {
            const Camera camera(device);
        } catch (const Error& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_EQ(words("/dev/null"), "/dev/null: is not a camera; choose another");
    EXPECT_EQ(words("/dev/video999"), "/dev/video999: there is no such camera; plug one in, or choose another");
    for (const CameraRow& row : cameras()) EXPECT_TRUE(is_camera(row.device)) << row.name;
}

TEST(Camera, ItsLumaAndChromaBecomeTheColoursOfTheStandard) {
    // Y U Y V: black and white; then the red, green and blue of 75 % bars have other luma, these are of full bars.
    const std::uint8_t bytes[] = {16,  128, 235, 128, 81, 90,  81, 240, 0, 0,  // a row, and what its stride leaves over
                                  145, 54,  145, 34,  41, 240, 41, 110, 0, 0};
    const Image image = image_of_yuyv(bytes, 4, 2, 10);
    const int expected[] = {0, 0, 0, 255, 255, 255, 255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255, 0, 0, 255};
    ASSERT_EQ(image.rgb.size(), std::size(expected));
    for (std::size_t i = 0; i < std::size(expected); ++i) EXPECT_NEAR(image.rgb[i], expected[i], 2) << i;
}

}  // namespace
}  // namespace vitrine
