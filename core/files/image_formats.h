#pragma once

// Used by core/files/image and exif alone: which files are pictures, and what decodes them.

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

/// 8-bit RGB as a decoder leaves it, not yet upright.
struct Decoded {
    std::unique_ptr<std::uint8_t, FreePixels> rgb;  // height · width · 3
    int width = 0;
    int height = 0;
};

struct Format;

/// What is decoded: a file's bytes, the format that they begin with (null where none is known), their name for
/// messages.
struct Encoded {
    Bytes bytes;
    const Format* format;
    const std::string& name;
};

/// A kind of file by how it begins; what can be decoded has a decoder and the endings of its files.
struct Format {
    std::size_t offset;
    std::string_view magic;
    std::string_view name;          // "a JPEG picture"
    std::string_view endings = {};  // ".jpg .jpeg"
    Decoded (*decode)(const Encoded& file, const Progress& progress) = nullptr;
    bool endless = false;   // stb's reader goes on for ever where such a file ends too early
    int pixels_a_byte = 0;  // the most that a byte of such a file can say, in its longest runs; 0: no bound is known
};

/// The same of a TGA picture, which has no row here: two bytes are a run of 128.
inline constexpr int pixels_a_byte_of_tga = 64;

/// Null for what has no known beginning, which may still be a TGA picture.
const Format* format_of(Bytes bytes);

/// The endings of all files that can be decoded, each once.
std::vector<std::string> endings_of_formats();

/// PNG, GIF, BMP, PSD, HDR and TGA. Throws Error, and what `progress` throws.
Decoded decode_with_stb(const Encoded& file, const Progress& progress);
/// PGM and PPM, of 8 bits alone: of 16 stb takes the bytes in the wrong order, and grey ones it reads beyond their end.
Decoded decode_pnm(const Encoded& file, const Progress& progress);
/// JPEG, of which stb takes less on trust.
Decoded decode_jpeg(const Encoded& file, const Progress& progress);

}  // namespace vitrine
