#include "core/files/exif.h"

#include <vector>

#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

namespace {

/// A JPEG file with these bytes as its EXIF block, and a PNG file.
std::vector<std::uint8_t> jpeg_with(Bytes block) {
    const std::size_t length = block.size() + 8;
    std::vector<std::uint8_t> file = {
        0xFF, 0xD8, 0xFF, 0xE1, static_cast<std::uint8_t>(length >> 8), static_cast<std::uint8_t>(length & 0xFF)};
    for (const char c : {'E', 'x', 'i', 'f', '\0', '\0'}) file.push_back(static_cast<std::uint8_t>(c));
    file.insert(file.end(), block.begin(), block.end());
    return file;
}

std::vector<std::uint8_t> png_with(Bytes block) {
    std::vector<std::uint8_t> file = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 0};
    file.push_back(static_cast<std::uint8_t>(block.size() >> 8));
    file.push_back(static_cast<std::uint8_t>(block.size() & 0xFF));
    for (const char c : {'e', 'X', 'I', 'f'}) file.push_back(static_cast<std::uint8_t>(c));
    file.insert(file.end(), block.begin(), block.end());
    file.insert(file.end(), 4, 0);
    return file;
}

}  // namespace

void exif(Bytes bytes) {
    if (bytes.size() > 0xF000) return;
    const int in_jpeg = exif_orientation(jpeg_with(bytes)), in_png = exif_orientation(png_with(bytes));
    demand(in_jpeg >= 1 && in_jpeg <= 8, "an orientation is one of eight");
    demand(in_png >= 1 && in_png <= 8, "an orientation is one of eight");
    exif_orientation(bytes);
}

}  // namespace vitrine::fuzz
