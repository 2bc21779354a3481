#include "core/files/exif.h"

#include <optional>

#include "core/files/image_formats.h"

namespace vitrine {

namespace {

using namespace std::string_view_literals;

constexpr auto exif_name = "Exif\0\0"sv;  // precedes the block in a JPEG

enum class Order { big, little };  // byte order: the most significant first, or the least

/// The integer of `size` bytes at `at`; none if it is out of range.
std::optional<std::uint32_t> integer_at(Bytes bytes, std::size_t at, std::size_t size, Order order = Order::big) {
    if (size > bytes.size() || at > bytes.size() - size) return std::nullopt;
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8 | bytes[at + (order == Order::big ? i : size - 1 - i)];
    return value;
}

/// The EXIF block of a JPEG; empty if there is none before the pixels.
Bytes jpeg_exif(Bytes bytes) {
    constexpr std::uint8_t start_of_scan = 0xDA, app1 = 0xE1;
    std::size_t at = 2;
    while (at + 4 <= bytes.size() && bytes[at] == 0xFF) {
        const std::uint8_t marker = bytes[at + 1];
        if (marker == 0xFF) {  // padding
            ++at;
            continue;
        }
        const std::size_t length = *integer_at(bytes, at + 2, 2);  // counts itself, not the marker
        if (marker == start_of_scan || length < 2 || at + 2 + length > bytes.size()) break;
        const Bytes content = bytes.subspan(at + 4, length - 2);
        if (marker == app1 && text_of(content).starts_with(exif_name)) return content;
        at += 2 + length;
    }
    return {};
}

/// The tag Orientation in the first directory of an EXIF block (TIFF 6.0, section 2); none if it is missing.
std::optional<std::uint32_t> orientation_tag(Bytes block) {
    constexpr std::uint32_t orientation = 0x0112, byte = 1, word = 3, long_word = 4;
    const Order order = text_of(block).starts_with("II") ? Order::little : Order::big;
    if (!text_of(block).starts_with(order == Order::little ? "II*\0"sv : "MM\0*"sv)) return std::nullopt;
    const std::size_t directory = integer_at(block, 4, 4, order).value_or(0);
    const std::size_t entries = integer_at(block, directory, 2, order).value_or(0);
    for (std::size_t i = 0; i < entries; ++i) {
        const std::size_t at = directory + 2 + 12 * i;  // tag, type, count, up to four bytes of value
        const auto tag = integer_at(block, at, 2, order);
        if (!tag) break;
        if (*tag != orientation) continue;
        const auto type = integer_at(block, at + 2, 2, order), count = integer_at(block, at + 4, 4, order);
        const std::size_t size = type == byte ? 1 : type == word ? 2 : type == long_word ? 4 : 0;
        return size > 0 && count == 1 ? integer_at(block, at + 8, size, order) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

Bytes png_chunk(Bytes file, std::string_view name) {
    std::size_t at = 8;
    while (at + 12 <= file.size()) {  // length, type, content, checksum
        const std::size_t length = *integer_at(file, at, 4);
        if (length > file.size() - at - 12) break;
        if (text_of(file.subspan(at + 4, 4)) == name) return file.subspan(at + 8, length);
        at += 12 + length;
    }
    return {};
}

int orientation_in(Bytes block) {
    if (text_of(block).starts_with(exif_name)) block = block.subspan(exif_name.size());
    const auto tag = orientation_tag(block);
    return tag && *tag >= 1 && *tag <= 8 ? static_cast<int>(*tag) : 1;
}

int exif_orientation(Bytes file) {
    const bool jpeg = text_of(file).starts_with("\xFF\xD8"sv), png = text_of(file).starts_with("\x89PNG"sv);
    return orientation_in(jpeg ? jpeg_exif(file) : png ? png_chunk(file, "eXIf") : Bytes());
}

}  // namespace vitrine
