#include "app/exports/png.h"

#include <stb/stb_image_write.h>

#include <utility>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/output_guard.h"

namespace vitrine {

namespace {

std::string big_endian(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFFU);
    return bytes;
}

/// The checksum of PNG's chunks (ISO 3309, as in the PNG specification, annex D).
std::uint32_t checksum(const std::string& bytes) {
    std::uint32_t crc = 0xFFFFFFFF;
    for (const char byte : bytes) {
        crc ^= static_cast<std::uint8_t>(byte);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xEDB88320U & (0U - (crc & 1U)));
    }
    return ~crc;
}

/// Adds the software's name to a PNG file, in a text chunk after the header.
std::string with_software(std::string png) {
    constexpr std::size_t signature_and_header = 33;
    std::string content("tEXtSoftware\0", 13);
    content += software_name;
    const auto length = static_cast<std::uint32_t>(content.size() - 4);
    png.insert(signature_and_header, big_endian(length) + content + big_endian(checksum(content)));
    return png;
}

}  // namespace

std::string png_of(const DrawnPart& p) {
    std::string png;
    const auto append = [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
    };
    stbi_write_png_to_func(append, &png, p.width, p.height, p.channels, p.bytes.data(), p.width * p.channels);
    return png;
}

void write_png(const std::filesystem::path& file, const DrawnPart& p) {
    std::string png = png_of(p);
    if (png.empty()) throw Error(file.string() + ": this picture is too large for a PNG file; choose fewer pixels");
    replace_file(file, with_software(std::move(png)));
}

}  // namespace vitrine
