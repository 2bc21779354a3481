#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/base/progress.h"
#include "core/files/image.h"

namespace vitrine {

/// One picture of a stream.
struct StreamFrame {
    Image image;
    std::filesystem::path from;  // the file, or the camera's device
    double seconds = 0;          // until the next one is due; 0: at once
};

/// The source of a stream's frames; used by one thread only.
class FrameSource {
public:
    virtual ~FrameSource() = default;
    /// The next frame of an endless sequence; none if no frame arrives within a tenth of a second. Throws Error if the
    /// source fails for good, and whatever `progress` throws.
    virtual std::optional<StreamFrame> next(const Progress& progress) = 0;
};

/// Opens a source of one of the kinds below by its path. Files and folders begin again at their end; the pictures of a
/// folder are sorted by name, and `folder_rate` are shown a second. Throws Error for any other path.
std::unique_ptr<FrameSource> open_frame_source(const std::filesystem::path& source);
inline constexpr double folder_rate = 5;

/// The kinds of sources, in a sentence: "a video, a folder of pictures, a moving GIF or WebP, or a camera".
std::string kinds_of_frame_sources();

/// True for a device of this computer. Only its user may open one, not a recording, which others may have made.
bool is_private(const std::filesystem::path& source);

}  // namespace vitrine
