#include <stb/stb_image.h>

#include "core/base/error.h"
#include "core/files/image.h"
#include "core/files/jpeg.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

namespace {

/// Whether the picture says that it has few pixels: what is looked for is not the time that many take.
bool is_small(Bytes bytes) {
    int width = 0, height = 0, channels = 0;
    constexpr std::int64_t most = 128 * 128;
    const std::string_view text = text_of(bytes);
    if (text.starts_with("\xFF\xFF") || (text.starts_with("\xFF\xD8") && !jpeg_tables_fit(bytes)))
        return true;  // refused before stb sees it
    if (stbi_info_from_memory(bytes.data(), static_cast<int>(bytes.size()), &width, &height, &channels) == 0)
        return true;
    return std::int64_t{width} * height <= most;
}

}  // namespace

void images(Bytes bytes) {
    if (!is_small(bytes)) return;
    try {
        const Image image = decode_image(bytes, "picture");
        demand(image.width > 0 && image.height > 0, "a picture has pixels");
        demand(image.rgb.size() == static_cast<std::size_t>(image.width) * image.height * 3, "every pixel is there");
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
