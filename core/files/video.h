#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/shared_library.h"
#include "core/files/moving_picture.h"

namespace vitrine {

class ByteSource;

/// FFmpeg's libraries. They are loaded when a video is first opened: they weigh more than Vitrine, and some of their
/// codecs are under the GPL.
struct FFmpegLibraries {
    SharedLibrary formats, scaling;
};

/// Those of this system, in the versions whose headers Vitrine is compiled with.
const FFmpegLibraries& system_ffmpeg();

/// The packages (Debian's names) missing for videos; nothing if videos can be played.
std::optional<std::string> missing_for_videos(const FFmpegLibraries& ffmpeg);

/// The endings of video files, such as ".mp4".
const std::vector<std::string>& video_endings();
bool is_video(const std::filesystem::path& file);

/// The frames of a video's best track at the file's own times, upright, in RGB of 8 bits as `ffmpeg -pix_fmt rgb24`
/// gives them: by the matrix and range that the file names, else BT.601 and limited range. A damaged frame is skipped.
/// Errors name the file, say what is wrong and what to do.
std::unique_ptr<MovingPicture> open_video(const ByteSource& file, const FFmpegLibraries& ffmpeg = system_ffmpeg());

}  // namespace vitrine
