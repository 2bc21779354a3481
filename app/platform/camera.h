#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/clock.h"
#include "core/files/image.h"

namespace vitrine {

/// A camera of this computer.
struct CameraRow {
    std::filesystem::path device;
    std::string name;  // as its driver gives it
};

/// The cameras that are connected, by device; empty on systems without Video4Linux.
std::vector<CameraRow> cameras();

/// True for a device that is a camera's by its name, connected or not.
bool is_camera(const std::filesystem::path& path);

/// The system calls of a camera; tests replace them by a simulated device. Failures are -1 and errno, as in the calls
/// of these names.
class CameraCalls {
public:
    virtual ~CameraCalls() = default;
    virtual int open(const char* device);
    virtual void close(int file);
    virtual int ioctl(int file, unsigned long what, void* about);
    /// Null on failure.
    virtual void* mmap(int file, std::size_t length, std::int64_t offset);
    virtual void munmap(void* at, std::size_t length);
    /// True if there is a frame, or an error to be read, after at most a tenth of a second.
    virtual bool poll(int file);
    virtual Clock::time_point now() { return Clock::now(); }
};

/// An open camera, which no other program can use meanwhile.
class Camera {
public:
    /// Opens a camera and starts it, at about 640 × 480. Throws Error if it is not there, is in use, may not be read or
    /// gives no format that can be read.
    explicit Camera(const std::filesystem::path& device, std::shared_ptr<CameraCalls> system = nullptr);
    ~Camera();
    Camera(const Camera&) = delete;
    Camera& operator=(const Camera&) = delete;

    /// The newest frame; older ones are dropped. Waits for at most a tenth of a second; none if nothing has come.
    /// Throws Error once the camera is unplugged, or has given nothing for some seconds.
    std::optional<Image> newest();

private:
    struct Device;
    std::unique_ptr<Device> device_;
};

/// Pixels of a frame in YUYV 4:2:2, (height, stride) bytes, as ITU-R BT.601 with luma from 16 to 235 defines them. The
/// width is even.
Image image_of_yuyv(std::span<const std::uint8_t> bytes, int width, int height, std::size_t stride);

}  // namespace vitrine
