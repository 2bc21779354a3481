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
    /// The next frame, endlessly. Waits for at most a tenth of a second; none if nothing has come. Throws Error once
    /// there will be no more, and whatever `progress` throws.
    virtual std::optional<StreamFrame> next(const Progress& progress) = 0;
};

/// Opens a source of one of the kinds below by its path. Files and folders begin again at their end; a folder's
/// pictures follow each other by name, `folder_rate` a second. Throws Error for anything else.
std::unique_ptr<FrameSource> open_frame_source(const std::filesystem::path& source);
inline constexpr double folder_rate = 5;

/// The kinds of sources, in a sentence: "a video, a folder of pictures, a moving GIF or WebP, or a camera".
std::string kinds_of_frame_sources();

/// True for a device of this computer, which only its user opens: never a recording, which others may have made.
bool is_private(const std::filesystem::path& source);

}  // namespace vitrine
