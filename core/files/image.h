#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/files/preprocessing.h"
#include "core/tensor/tensor.h"

namespace vitrine {

/// 8-bit RGB pixels, (H, W, 3), rows from the top, upright (EXIF orientation is already applied).
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb;  // height · width · 3
};

/// Maximum number of pixels of an image; a larger one is an error instead of freezing the window.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // smaller, so that fuzzing is fast
inline constexpr std::int64_t max_image_pixels = 128 * 128;
#else
inline constexpr std::int64_t max_image_pixels = 250'000'000;
#endif

/// Decodes JPEG, PNG, WebP, TIFF, GIF, BMP, PNM, TGA, PSD, HDR, and AVIF and HEIC where libheif is installed; of a
/// moving picture the first frame. The pixels are those of Pillow's convert("RGB"): alpha is dropped, grey is repeated,
/// 16 bits are cut to 8, profiles are ignored. Throws Error that begins with `name`, with the problem and a remedy.
Image decode_image(std::span<const std::uint8_t> bytes, const std::string& name, const Progress& progress = {});

/// An image as its file stores it, and in the colours of the screen.
struct ManagedImage {
    Image stored;
    std::optional<Image> managed;  // in sRGB; none where there is no profile, or one that changes nothing
};

/// `decode_image`, and the same picture in sRGB as its embedded profile says.
ManagedImage decode_managed(std::span<const std::uint8_t> bytes, const std::string& name,
                            const Progress& progress = {});

/// File name endings of the formats that can be decoded, such as ".jpg", for lists of files. Decoding depends on the
/// bytes, not on the ending.
std::vector<std::string> image_endings();

/// Reads and decodes a file. Throws Error, with a message of its own for a missing file, a folder, missing permission
/// and an empty file.
Image load_image(const std::filesystem::path& path, const Progress& progress = {});

/// Reads a file for a thumbnail: at most `edge` pixels wide and high, in sRGB, decoded small where the format allows.
Image load_small(const std::filesystem::path& path, int edge, const Progress& progress = {});

/// Reads a file's bytes; throws the same Errors.
std::vector<std::uint8_t> read_file(const std::filesystem::path& path);

/// Resizes byte for byte as Pillow (9 or later) does.
Image resize(const Image& image, int width, int height, Preprocessing::Filter filter, const Progress& progress = {});

/// Scales an image down (never up) to fit into `edge` × `edge`; for thumbnails and display.
Image shrink_to_fit(const Image& image, int edge);

/// The model's input, and the part of the image that it shows.
struct Preprocessed {
    Tensor3 pixels;  // (C, H, W), normalised
    Image seen;      // (H, W, 3), resized and cropped, before rescaling and normalisation
    // The part of the source that the model sees, in source pixels; may extend beyond it if the crop pads.
    double left = 0, top = 0, right = 0, bottom = 0;
};

/// Resizes, crops, rescales and normalises: x' = (x · factor + offset − mean) / std per channel, as the checkpoint's
/// preprocessor does; with `grey`, on the luma of the three rescaled colours; with `flip_channels`, blue comes first.
Preprocessed preprocess(const Image& image, const Preprocessing& how, const PixelShape& shape,
                        const Progress& progress = {});

}  // namespace vitrine
