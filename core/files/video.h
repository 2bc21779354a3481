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

/// FFmpeg's libraries. They are not linked but loaded when a video is first opened: they are larger than Vitrine, and
/// some of their codecs are under the GPL.
struct FFmpegLibraries {
    SharedLibrary formats, scaling;
};

/// This system's FFmpeg libraries, in the versions whose headers Vitrine is compiled with.
const FFmpegLibraries& system_ffmpeg();

/// The packages (Debian's names) missing to play videos; none if they can be played.
std::optional<std::string> missing_for_videos(const FFmpegLibraries& ffmpeg);

/// The endings of video files, such as ".mp4".
const std::vector<std::string>& video_endings();
bool is_video(const std::filesystem::path& file);

/// The frames of a video's best track at the file's own times, upright, in 8-bit RGB as `ffmpeg -pix_fmt rgb24`
/// converts them: by the matrix and range that the file names, else BT.601 and limited range. A damaged frame is
/// skipped. Throws Error, which begins with the file's name, for a file that cannot be played.
std::unique_ptr<MovingPicture> open_video(const ByteSource& file, const FFmpegLibraries& ffmpeg = system_ffmpeg());

}  // namespace vitrine
