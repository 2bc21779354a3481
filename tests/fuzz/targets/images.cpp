#include "core/base/error.h"
#include "core/files/image.h"
#include "core/files/moving_picture.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

namespace {

void moving_frames(Bytes bytes) {
    try {
        const auto picture = open_moving_picture({bytes.begin(), bytes.end()}, "picture");
        for (int i = 0; i < 3; ++i) {
            const MovingPicture::Frame frame = picture->next({});
            demand(frame.image.rgb.size() == static_cast<std::size_t>(frame.image.width) * frame.image.height * 3,
                   "every pixel of a frame is there");
            demand(frame.seconds > 0, "a frame has its time");
        }
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace

void images(Bytes bytes) {
    moving_frames(bytes);
    try {
        const ManagedImage image = decode_managed(bytes, "picture");
        for (const Image* const kind : {&image.stored, image.managed ? &*image.managed : &image.stored}) {
            demand(kind->width > 0 && kind->height > 0, "a picture has pixels");
            demand(kind->rgb.size() == static_cast<std::size_t>(kind->width) * kind->height * 3,
                   "every pixel is there");
        }
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
