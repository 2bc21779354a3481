#include "core/base/error.h"
#include "core/files/byte_source.h"
#include "core/files/video.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

/// What FFmpeg itself does with them is watched at its edges alone: it is not instrumented.
void videos(Bytes bytes) {
    try {
        const auto video = open_video(ByteSource::of_bytes(bytes, "video"));
        for (int i = 0; i < 4; ++i) {
            const MovingPicture::Frame frame = video->next({});
            demand(frame.image.width > 0 && frame.image.height > 0, "a frame has pixels");
            demand(frame.image.rgb.size() == static_cast<std::size_t>(frame.image.width) * frame.image.height * 3,
                   "every pixel of a frame is there");
            demand(frame.seconds > 0, "a frame has its time");
        }
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
