#pragma once

// Image formats: how they are recognised and decoded. Used by core/files and by code that exchanges pictures with other
// programs.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"

namespace vitrine {

using Bytes = std::span<const std::uint8_t>;

inline std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// Pixels from a decoder, as Pillow's convert("RGB") gives them; orientation not yet applied.
struct Decoded {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb;      // height · width · 3
    std::vector<std::uint8_t> profile;  // the embedded ICC profile; empty if there is none
    std::vector<std::uint8_t> inks;     // CMYK, height · width · 4, 0 is no ink; for a CMYK profile, else empty
    int orientation = 1;                // as EXIF counts, 1 … 8
};

struct Image;

/// `rgb` (the pixels of `stored`, possibly in another colour space) turned upright by the orientation of `stored`.
Image upright(const Decoded& stored, std::vector<std::uint8_t> rgb);

struct Format;

/// A file's bytes, the format recognised from their beginning (null if unknown), and the file's name for messages.
struct Encoded {
    Bytes bytes;
    const Format* format;
    const std::string& name;
    int edge = 0;  // if not 0, a decoder may reduce the picture to no less than this many pixels on the longer edge
};

class MovingPicture;

/// A file format, recognised by its first bytes. Readable formats have a decoder, file name endings, a media type and
/// a list of missing packages; animated formats have a player. TGA has no signature: a file of no known format may be
/// TGA.
struct Format {
    std::size_t offset;
    std::string_view magic;
    std::string_view name;          // "a JPEG picture"
    std::string_view endings = {};  // ".jpg .jpeg"
    std::string_view type = {};     // "image/jpeg"
    Decoded (*decode)(const Encoded& file, const Progress& progress) = nullptr;
    std::string_view short_name = {};                   // "JPEG", in lists of readable formats; empty: not listed
    std::optional<std::string> (*missing)() = nullptr;  // packages missing to read it on this machine
    std::unique_ptr<MovingPicture> (*play)(std::vector<std::uint8_t> bytes, const std::string& name) = nullptr;
    int pixels_a_byte = 0;  // the most pixels that one byte of such a file can encode; 0: no bound is known
    bool endless = false;   // stb's reader never ends if such a file ends too early
};

/// `pixels_a_byte` of TGA: two bytes encode a run of 128 pixels.
inline constexpr int pixels_a_byte_of_tga = 64;

inline constexpr std::string_view name_of_videos = "a video";

/// The format recognised from a file's first bytes; null if they are unknown (the file may still be TGA).
const Format* format_of(Bytes bytes);

/// The endings of all formats that can be decoded, each once.
std::vector<std::string> endings_of_formats();

/// A format for lists, and the packages (Debian's names) missing on this machine to read it.
struct ReadableFormat {
    std::string name;  // "JPEG"
    std::optional<std::string> missing;
};
/// All readable formats, each once; those that need no library loaded at run time come first.
std::vector<ReadableFormat> readable_formats();

/// File name endings of animated formats, and their names for a sentence: "GIF or WebP".
std::vector<std::string> moving_endings();
std::string moving_formats();

/// A media type of pictures that can be decoded, and the ending of such a file.
struct PictureType {
    std::string name;    // "image/jpeg"
    std::string ending;  // ".jpg"
};
/// All such types, each once; lossless formats come first.
std::vector<PictureType> picture_types();

/// Throws Error with `name`, a space and `text`.
[[noreturn]] void fail(const std::string& name, const std::string& text);
/// Throws Error with the file's name, "is a JPEG picture" (or another format) and `text`.
[[noreturn]] void fail_as(const Encoded& file, const std::string& text);
/// Throws Error for a picture without pixels, with more than `max_image_pixels`, or with more than its bytes can
/// encode.
void check_size(std::int64_t width, std::int64_t height, const Encoded& file);

// Decoders throw Error, and whatever `progress` throws.

/// BMP, PSD, HDR and TGA.
Decoded decode_with_stb(const Encoded& file, const Progress& progress);
/// The first frame of a GIF; transparent pixels keep their colour of the palette, as in Pillow.
Decoded decode_gif(const Encoded& file, const Progress& progress);
/// PNG; 16-bit grey values are clamped to 255, as in Pillow.
Decoded decode_png(const Encoded& file, const Progress& progress);
/// PGM and PPM with 8 bits only: stb reads 16 bits in the wrong byte order, and 16-bit grey beyond the end of the file.
Decoded decode_pnm(const Encoded& file, const Progress& progress);
/// JPEG, CMYK included, by libjpeg-turbo with its default inverse DCT: bit for bit as in Pillow.
Decoded decode_jpeg(const Encoded& file, const Progress& progress);
/// WebP by libwebp; of a moving picture the first frame.
Decoded decode_webp(const Encoded& file, const Progress& progress);
/// The first picture of a TIFF by libtiff, loaded at run time.
Decoded decode_tiff(const Encoded& file, const Progress& progress);
/// AVIF and HEIC by libheif, which is loaded when the first such picture is opened.
Decoded decode_heif(const Encoded& file, const Progress& progress);

// The packages (Debian's names) missing on this machine to read formats whose libraries are loaded at run time; none if
// the format can be read.

std::optional<std::string> missing_for_tiff();
std::optional<std::string> missing_for_avif();
std::optional<std::string> missing_for_heic();
std::optional<std::string> missing_for_videos();

// Players throw Error, which begins with `name`, for a file that cannot be played.

/// A GIF, whose frames are decoded together.
std::unique_ptr<MovingPicture> play_gif(std::vector<std::uint8_t> bytes, const std::string& name);
/// A WebP, whose frames are decoded one by one, each over the one before.
std::unique_ptr<MovingPicture> play_webp(std::vector<std::uint8_t> bytes, const std::string& name);

/// Converts `pixels` CMYK pixels (0 … 255, 0 is no ink) to RGB without a profile, as Pillow does.
void inks_to_rgb(const std::uint8_t* inks, std::size_t pixels, std::uint8_t* rgb);

}  // namespace vitrine
