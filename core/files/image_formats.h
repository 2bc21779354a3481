#pragma once

// Used by core/files/image and exif alone: which files are images, and how to decode them.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"

namespace vitrine {

using Bytes = std::span<const std::uint8_t>;

inline std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

struct FreePixels {
    void operator()(std::uint8_t* pixels) const;
};

/// 8-bit RGB from a decoder, orientation not yet applied.
struct Decoded {
    std::unique_ptr<std::uint8_t, FreePixels> rgb;  // height · width · 3
    int width = 0;
    int height = 0;
};

struct Format;

/// A file's bytes, the format that their beginning shows (null if unknown), and the file's name for messages.
struct Encoded {
    Bytes bytes;
    const Format* format;
    const std::string& name;
};

/// A file format, known by its first bytes; formats that can be decoded have a decoder and file name endings.
struct Format {
    std::size_t offset;
    std::string_view magic;
    std::string_view name;          // "a JPEG picture"
    std::string_view endings = {};  // ".jpg .jpeg"
    Decoded (*decode)(const Encoded& file, const Progress& progress) = nullptr;
    bool endless = false;   // stb's reader never ends if such a file ends too early
    int pixels_a_byte = 0;  // the most pixels that one byte of such a file can encode; 0: no bound is known
};

/// The same for TGA, which has no row here: two bytes encode a run of 128 pixels.
inline constexpr int pixels_a_byte_of_tga = 64;

/// Null if the beginning is unknown; the file may still be TGA.
const Format* format_of(Bytes bytes);

/// The endings of all formats that can be decoded, each once.
std::vector<std::string> endings_of_formats();

/// PNG, GIF, BMP, PSD, HDR and TGA. Throws Error, and whatever `progress` throws.
Decoded decode_with_stb(const Encoded& file, const Progress& progress);
/// PGM and PPM with 8 bits only: stb reads 16 bits in the wrong byte order, and grey ones beyond the end of the file.
Decoded decode_pnm(const Encoded& file, const Progress& progress);
/// JPEG, with checks that stb omits.
Decoded decode_jpeg(const Encoded& file, const Progress& progress);

}  // namespace vitrine
