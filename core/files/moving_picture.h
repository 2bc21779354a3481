#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/files/image.h"

namespace vitrine {

/// The frames of a GIF, a WebP or a video (`core/files/video`) in an endless loop; a still picture has one. Alpha is
/// dropped.
class MovingPicture {
public:
    struct Frame {
        Image image;
        double seconds = 0;  // until the next one; 0.1 in a GIF or WebP that says less than 0.02, as in browsers
    };

    virtual ~MovingPicture() = default;
    /// Decodes the next frame. Throws Error for a damaged frame, and whatever `progress` throws.
    virtual Frame next(const Progress& progress) = 0;
};

/// The duration of a frame in seconds, given the milliseconds in its file; 0.1 if those are fewer than 20.
double frame_seconds(int milliseconds);
/// Drops alpha: (height, width, 4) -> (height, width, 3).
Image without_alpha(const std::uint8_t* rgba, int width, int height);

/// True for a file whose ending is that of an animated format.
bool may_move(const std::filesystem::path& file);

/// Opens a GIF or WebP. Throws Error, which begins with `name`, for other files and damaged ones.
std::unique_ptr<MovingPicture> open_moving_picture(std::vector<std::uint8_t> bytes, const std::string& name);

}  // namespace vitrine
