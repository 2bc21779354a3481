#include "app/platform/camera.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/clock.h"
#include "core/base/error.h"

#if __has_include(<linux/videodev2.h>)
#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#endif

namespace vitrine {

Image image_of_yuyv(std::span<const std::uint8_t> bytes, int width, int height, std::size_t stride) {
    Image image{width, height, std::vector<std::uint8_t>(static_cast<std::size_t>(width) * height * 3)};
    const auto level = [](double x) { return static_cast<std::uint8_t>(std::clamp(std::lround(x), 0L, 255L)); };
    std::uint8_t* to = image.rgb.data();
    for (int y = 0; y < height; ++y) {
        const std::uint8_t* from = bytes.data() + static_cast<std::size_t>(y) * stride;
        for (int x = 0; x < width; x += 2, from += 4) {
            const double blue = from[1] - 128.0, red = from[3] - 128.0;
            for (const int luma : {from[0], from[2]}) {
                const double grey = 1.164383 * (luma - 16);
                *to++ = level(grey + 1.596027 * red);
                *to++ = level(grey - 0.391762 * blue - 0.812968 * red);
                *to++ = level(grey + 2.017232 * blue);
            }
        }
    }
    return image;
}

#if __has_include(<linux/videodev2.h>)

namespace {

namespace fs = std::filesystem;

constexpr const char* prefix_of_devices = "/dev/video";
constexpr int frame_wait_ms = 100;
constexpr std::chrono::seconds silent_after{5};        // without a frame
constexpr std::chrono::milliseconds stale_after{250};  // without a request: frames that the driver kept are old
constexpr int usual_width = 640, usual_height = 480;

[[noreturn]] void camera_fails(const fs::path& device, const std::string& words) {
    throw Error(device.string() + ": " + words);
}

/// The capabilities of the device; none if it is not a Video4Linux device.
std::optional<v4l2_capability> capability_of(CameraCalls& system, int file) {
    v4l2_capability can = {};
    if (system.ioctl(file, VIDIOC_QUERYCAP, &can) != 0) return {};
    return can;
}

bool can_stream(const v4l2_capability& can) {
    const unsigned flags = (can.capabilities & V4L2_CAP_DEVICE_CAPS) != 0 ? can.device_caps : can.capabilities;
    return (flags & V4L2_CAP_VIDEO_CAPTURE) != 0 && (flags & V4L2_CAP_STREAMING) != 0;
}

std::string card_name(const v4l2_capability& can) {
    const auto* const name = reinterpret_cast<const char*>(can.card);
    return {name, strnlen(name, sizeof can.card)};
}

}  // namespace

int CameraCalls::open(const char* device) { return ::open(device, O_RDWR | O_NONBLOCK | O_CLOEXEC); }
void CameraCalls::close(int file) { ::close(file); }
int CameraCalls::ioctl(int file, unsigned long what, void* about) {
    int answer = 0;
    do answer = ::ioctl(file, what, about);
    while (answer == -1 && errno == EINTR);
    return answer;
}
void* CameraCalls::mmap(int file, std::size_t length, std::int64_t offset) {
    void* const at = ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, file, offset);
    return at == MAP_FAILED ? nullptr : at;
}
void CameraCalls::munmap(void* at, std::size_t length) { ::munmap(at, length); }
bool CameraCalls::poll(int file) {
    pollfd at = {file, POLLIN, 0};
    return ::poll(&at, 1, frame_wait_ms) > 0;
}

std::vector<CameraRow> cameras() {
    std::vector<CameraRow> rows;
    CameraCalls system;
    constexpr int most = 64;
    for (int i = 0; i < most; ++i) {
        const fs::path device = prefix_of_devices + std::to_string(i);
        const int file = system.open(device.c_str());
        if (file < 0) continue;
        const auto can = capability_of(system, file);
        if (can && can_stream(*can)) rows.push_back({device, card_name(*can)});
        system.close(file);
    }
    return rows;
}

bool is_camera(const fs::path& path) { return path.string().starts_with(prefix_of_devices); }

struct Camera::Device {
    fs::path path;
    std::shared_ptr<CameraCalls> system;
    int file = -1;
    v4l2_pix_format format = {};
    std::vector<std::span<std::uint8_t>> buffers;  // of the driver, mapped
    Clock::time_point looked, came;                // times of the last request for a frame and of the last frame

    ~Device() {
        for (const auto& each : buffers) system->munmap(each.data(), each.size());
        if (file >= 0) system->close(file);  // which also stops the stream
    }

    void open_it() {
        file = system->open(path.c_str());
        if (file < 0 && errno == EACCES)
            camera_fails(path, "may not be read; add yourself to the group video, and log in again");
        if (file < 0 && errno == EBUSY) camera_fails(path, "is used by another program; close that one first");
        if (file < 0) camera_fails(path, "there is no such camera; plug one in, or choose another");
        const auto can = capability_of(*system, file);
        if (!can || !can_stream(*can)) camera_fails(path, "is not a camera; choose another");
    }

    /// Chooses uncompressed pixels if the driver provides them, else JPEG.
    void choose_format() {
        for (const unsigned kind : {V4L2_PIX_FMT_YUYV, V4L2_PIX_FMT_MJPEG, V4L2_PIX_FMT_JPEG}) {
            v4l2_format wanted = {};
            wanted.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
            wanted.fmt.pix.width = usual_width;
            wanted.fmt.pix.height = usual_height;
            wanted.fmt.pix.pixelformat = kind;
            wanted.fmt.pix.field = V4L2_FIELD_ANY;
            if (system->ioctl(file, VIDIOC_S_FMT, &wanted) != 0) {
                if (errno == EBUSY) camera_fails(path, "is used by another program; close that one first");
                continue;
            }
            format = wanted.fmt.pix;
            const bool fits = format.width > 0 && format.height > 0 && format.width <= 1U << 14 &&
                              format.height <= 1U << 14 && format.width % 2 == 0;
            if (format.pixelformat == kind && fits) return;
        }
        camera_fails(path, "gives neither YUYV nor JPEG frames; choose another camera");
    }

    void map_buffers() {
        v4l2_requestbuffers wanted = {};
        wanted.count = 4;
        wanted.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
        wanted.memory = V4L2_MEMORY_MMAP;
        if (system->ioctl(file, VIDIOC_REQBUFS, &wanted) != 0 || wanted.count < 2)
            camera_fails(path, "is used by another program, or lacks memory; close other programs");
        for (unsigned i = 0; i < wanted.count; ++i) {
            v4l2_buffer buffer = buffer_at(i);
            if (system->ioctl(file, VIDIOC_QUERYBUF, &buffer) != 0)
                camera_fails(path, "gives no buffers; unplug it once");
            void* const at = system->mmap(file, buffer.length, buffer.m.offset);
            if (at == nullptr) camera_fails(path, "its memory cannot be mapped; close other programs");
            buffers.emplace_back(static_cast<std::uint8_t*>(at), buffer.length);
            give_back(i);
        }
    }

    static v4l2_buffer buffer_at(unsigned index) {
        v4l2_buffer buffer = {};
        buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
        buffer.memory = V4L2_MEMORY_MMAP;
        buffer.index = index;
        return buffer;
    }

    [[noreturn]] void is_gone() const {
        camera_fails(path, "is no longer connected; plug the camera in and open it again");
    }

    void give_back(unsigned index) {
        v4l2_buffer buffer = buffer_at(index);
        if (system->ioctl(file, VIDIOC_QBUF, &buffer) != 0) is_gone();
    }

    /// The newest filled buffer; those before it go back to the driver. None if there is none yet.
    std::optional<v4l2_buffer> filled() {
        std::optional<v4l2_buffer> newest;
        for (;;) {
            v4l2_buffer buffer = buffer_at(0);
            if (system->ioctl(file, VIDIOC_DQBUF, &buffer) != 0) {
                if (errno == EAGAIN) return newest;
                is_gone();
            }
            if (newest) give_back(newest->index);
            newest = buffer;
        }
    }

    void drop_stale_frames() {
        const Clock::time_point now = system->now();
        if (now - std::exchange(looked, now) < stale_after) return;
        if (const auto old = filled()) give_back(old->index);
        came = now;
    }

    /// Decodes a frame; none if it was damaged in transfer, as JPEG over a bad cable may be.
    std::optional<Image> image_in(const v4l2_buffer& buffer) const {
        const std::span<const std::uint8_t> bytes =
            buffers.at(buffer.index).first(std::min<std::size_t>(buffer.bytesused, buffers[buffer.index].size()));
        if ((buffer.flags & V4L2_BUF_FLAG_ERROR) != 0) return {};
        if (format.pixelformat == V4L2_PIX_FMT_YUYV) {
            const std::size_t stride = std::max<std::size_t>(format.bytesperline, std::size_t{2} * format.width);
            if (bytes.size() < stride * (format.height - 1) + std::size_t{2} * format.width) return {};
            return image_of_yuyv(bytes, static_cast<int>(format.width), static_cast<int>(format.height), stride);
        }
        try {
            return decode_image(bytes, path.string());
        } catch (const Error&) {
            return {};
        }
    }
};

Camera::Camera(const fs::path& path, std::shared_ptr<CameraCalls> system) : device_(std::make_unique<Device>()) {
    device_->path = path;
    device_->system = system ? std::move(system) : std::make_shared<CameraCalls>();
    device_->open_it();
    device_->choose_format();
    device_->map_buffers();
    int kind = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    if (device_->system->ioctl(device_->file, VIDIOC_STREAMON, &kind) != 0)
        camera_fails(path, "does not start; unplug it once, or choose another");
    device_->looked = device_->came = device_->system->now();
}

Camera::~Camera() = default;

std::optional<Image> Camera::newest() {
    Device& d = *device_;
    d.drop_stale_frames();
    d.system->poll(d.file);  // its result is not needed: `filled` finds a frame, or throws if the camera is gone
    if (const auto buffer = d.filled()) {
        std::optional<Image> image = d.image_in(*buffer);
        d.give_back(buffer->index);
        if (image) {
            d.came = d.looked;
            return image;
        }
    }
    if (d.looked - d.came > silent_after)
        camera_fails(d.path, "gives no pictures; unplug the camera once and open it again");
    return {};
}

#else

int CameraCalls::open(const char*) { return -1; }
void CameraCalls::close(int) {}
int CameraCalls::ioctl(int, unsigned long, void*) { return -1; }
void* CameraCalls::mmap(int, std::size_t, std::int64_t) { return nullptr; }
void CameraCalls::munmap(void*, std::size_t) {}
bool CameraCalls::poll(int) { return false; }
std::vector<CameraRow> cameras() { return {}; }
bool is_camera(const std::filesystem::path&) { return false; }
struct Camera::Device {};
Camera::Camera(const std::filesystem::path& path, std::shared_ptr<CameraCalls>) {
    throw Error(path.string() + ": cameras are read on Linux alone; play a folder of pictures instead");
}
Camera::~Camera() = default;
std::optional<Image> Camera::newest() { return {}; }

#endif

}  // namespace vitrine
