#include "core/base/error.h"
#include "core/files/image.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

void images(Bytes bytes) {
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
