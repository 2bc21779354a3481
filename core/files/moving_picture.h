#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/files/image.h"

namespace vitrine {

/// The frames of a GIF, a WebP or a video (`core/files/video`), one after another and again from the first; a still
/// picture has one. Alpha is dropped.
class MovingPicture {
public:
    struct Frame {
        Image image;
        double seconds = 0;  // until the next one; a tenth where the file says less than two hundredths, as browsers do
    };

    virtual ~MovingPicture() = default;
    /// Throws Error for a frame that is damaged, and whatever `progress` throws.
    virtual Frame next(const Progress& progress) = 0;
};

/// The duration in seconds of a frame, from the milliseconds in its file; a tenth if that is too short.
double frame_seconds(int milliseconds);
/// Pixels of four numbers without their fourth.
Image without_alpha(const std::uint8_t* rgba, int width, int height);

/// True for a file whose ending is of a format that can move.
bool may_move(const std::filesystem::path& file);

/// Errors name `name`, say what is wrong and what to do.
std::unique_ptr<MovingPicture> open_moving_picture(std::vector<std::uint8_t> bytes, const std::string& name);

}  // namespace vitrine
