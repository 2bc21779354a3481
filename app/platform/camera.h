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

/// True if the path has the name of a camera device, connected or not.
bool is_camera(const std::filesystem::path& path);

/// The system calls of a camera; tests replace them with a simulated device. On failure they return -1 and set errno,
/// as the calls of these names do.
class CameraCalls {
public:
    virtual ~CameraCalls() = default;
    virtual int open(const char* device);
    virtual void close(int file);
    virtual int ioctl(int file, unsigned long what, void* about);
    /// Null on failure.
    virtual void* mmap(int file, std::size_t length, std::int64_t offset);
    virtual void munmap(void* at, std::size_t length);
    /// Waits for at most a tenth of a second; true if a frame or an error can be read.
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

    /// The newest frame; older ones are dropped. Waits for at most a tenth of a second; none if no frame arrived.
    /// Throws Error once the camera is unplugged, or has sent no frame for 5 seconds.
    std::optional<Image> newest();

private:
    struct Device;
    std::unique_ptr<Device> device_;
};

/// Converts a frame in YUYV 4:2:2, (height, stride) bytes, to RGB by ITU-R BT.601 with luma from 16 to 235. The width
/// must be even.
Image image_of_yuyv(std::span<const std::uint8_t> bytes, int width, int height, std::size_t stride);

}  // namespace vitrine
