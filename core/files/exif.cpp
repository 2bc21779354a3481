#include "core/files/exif.h"

#include <libexif/exif-data.h>

#include <memory>
#include <string>

#include "core/files/image_formats.h"

namespace vitrine {

namespace {

using namespace std::string_view_literals;

std::uint32_t big_endian(Bytes bytes) {
    std::uint32_t value = 0;
    for (const std::uint8_t byte : bytes) value = value << 8 | byte;
    return value;
}

/// The Exif segment of a JPEG, which begins with "Exif\0\0"; empty if there is none before the pixels.
Bytes jpeg_exif(Bytes bytes) {
    std::size_t at = 2;
    while (at + 4 <= bytes.size() && bytes[at] == 0xFF) {
        const std::uint8_t marker = bytes[at + 1];
        const std::size_t length = big_endian(bytes.subspan(at + 2, 2));  // counts itself, not the marker
        constexpr std::uint8_t start_of_scan = 0xDA, app1 = 0xE1;
        if (marker == 0xFF) {  // padding
            ++at;
            continue;
        }
        if (marker == start_of_scan || length < 2 || at + 2 + length > bytes.size()) break;
        const Bytes content = bytes.subspan(at + 4, length - 2);
        if (marker == app1 && text_of(content).starts_with("Exif\0\0"sv)) return content;
        at += 2 + length;
    }
    return {};
}

/// The eXIf chunk of a PNG, which begins with the TIFF header; empty if there is none.
Bytes png_exif(Bytes bytes) {
    std::size_t at = 8;
    while (at + 12 <= bytes.size()) {  // length, type, content, checksum
        const std::size_t length = big_endian(bytes.subspan(at, 4));
        if (length > bytes.size() - at - 12) break;
        if (text_of(bytes.subspan(at + 4, 4)) == "eXIf") return bytes.subspan(at + 8, length);
        at += 12 + length;
    }
    return {};
}

}  // namespace

int exif_orientation(Bytes bytes) {
    const bool png = text_of(bytes).starts_with("\x89PNG"sv);
    const Bytes segment = png ? png_exif(bytes) : text_of(bytes).starts_with("\xFF\xD8"sv) ? jpeg_exif(bytes) : Bytes{};
    if (segment.empty() || segment.size() > 0x10000) return 1;
    std::string exif = png ? std::string("Exif\0\0"sv) : std::string();
    exif += text_of(segment);

    const std::unique_ptr<ExifData, decltype(&exif_data_unref)> data(
        exif_data_new_from_data(reinterpret_cast<const unsigned char*>(exif.data()),
                                static_cast<unsigned>(exif.size())),
        exif_data_unref);
    if (data == nullptr) return 1;
    const ExifEntry* entry = exif_content_get_entry(data->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION);
    if (entry == nullptr || entry->format != EXIF_FORMAT_SHORT || entry->size < 2) return 1;
    const int orientation = exif_get_short(entry->data, exif_data_get_byte_order(data.get()));
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

}  // namespace vitrine
