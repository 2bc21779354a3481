#include "core/files/moving_picture.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/files/image_formats.h"

namespace vitrine {

double frame_seconds(int milliseconds) { return milliseconds < 20 ? 0.1 : milliseconds / 1000.0; }

Image without_alpha(const std::uint8_t* rgba, int width, int height) {
    const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    Image image{width, height, std::vector<std::uint8_t>(3 * pixels)};
    for (std::size_t i = 0; i < pixels; ++i) std::copy_n(rgba + 4 * i, 3, image.rgb.begin() + std::ptrdiff_t(3 * i));
    return image;
}

bool may_move(const std::filesystem::path& file) {
    std::string ending = file.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
    const std::vector<std::string> endings = moving_endings();
    return std::ranges::find(endings, ending) != endings.end();
}

std::unique_ptr<MovingPicture> open_moving_picture(std::vector<std::uint8_t> bytes, const std::string& name) {
    const Format* const format = format_of(bytes);
    if (format != nullptr && format->play != nullptr) return format->play(std::move(bytes), name);
    fail(name, "is not a moving " + moving_formats() + "; play one of these, a folder of pictures or a camera");
}

}  // namespace vitrine
