#include <optional>

#include "core/files/image_formats.h"

namespace vitrine {

namespace {

constexpr std::size_t palette_flags = 10, background = 11, header_size = 13;
constexpr std::uint8_t extension = 0x21, graphic_control = 0xF9;

/// Position of the first frame's transparency flags, before its pixels; none if it has none.
std::optional<std::size_t> transparency_flags(Bytes gif) {
    if (gif.size() < header_size) return {};
    const int flags = gif[palette_flags];
    std::size_t at = header_size + ((flags & 0x80) != 0 ? std::size_t{3} << ((flags & 7) + 1) : 0);
    while (at + 8 <= gif.size() && gif[at] == extension) {
        if (gif[at + 1] == graphic_control) return at + 3;
        at += 2;
        while (at < gif.size() && gif[at] != 0) at += std::size_t{1} + gif[at];
        ++at;
    }
    return {};
}

}  // namespace

Decoded decode_gif(const Encoded& file, const Progress& progress) {
    const auto at = transparency_flags(file.bytes);
    if (!at || (file.bytes[*at] & 1) == 0) return decode_with_stb(file, progress);
    std::vector<std::uint8_t> opaque(file.bytes.begin(), file.bytes.end());
    opaque[*at] &= 0xFE;
    opaque[background] = opaque[*at + 3];
    return decode_with_stb({opaque, file.format, file.name}, progress);
}

}  // namespace vitrine
