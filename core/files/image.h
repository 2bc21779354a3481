#pragma once

#include <cstdint>
#include <filesystem>
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

/// The most pixels an image may have; more is an error, not a frozen window.
inline constexpr std::int64_t max_image_pixels = 250'000'000;

/// Decodes every format that stb_image reads (JPEG, PNG, BMP, first frame of a GIF, PNM, TGA, PSD …). Alpha is dropped,
/// grey is replicated, 16 bit is cut to 8. Errors name `name`, say what is wrong and what to do.
Image decode_image(std::span<const std::uint8_t> bytes, const std::string& name, const Progress& progress = {});

/// The file name endings of the formats that can be decoded, such as ".jpg": a browser lists these. Decoding goes by
/// the bytes, not by the ending.
std::vector<std::string> image_endings();

/// Reads and decodes a file. A missing file, a folder, missing permission and an empty file each have their own
/// message.
Image load_image(const std::filesystem::path& path, const Progress& progress = {});

/// Reads a file's bytes, with the same messages.
std::vector<std::uint8_t> read_file(const std::filesystem::path& path);

/// Resizes byte for byte as Pillow (9 or later) does.
Image resize(const Image& image, int width, int height, Preprocessing::Filter filter, const Progress& progress = {});

/// Scales an image down (never up) to fit into `edge` × `edge`; for thumbnails and display.
Image shrink_to_fit(const Image& image, int edge);

/// The model's input, and the part of the image that it shows.
struct Preprocessed {
    Tensor3 pixels;  // (C, H, W), normalised
    Image seen;      // (H, W, 3), resized and cropped, before rescaling and normalisation
    // The part of the source that the model sees, in source pixels; may extend beyond it if the crop pads with zeros.
    double left = 0, top = 0, right = 0, bottom = 0;
};

/// Resize, crop, rescale, normalise: x' = (x · factor + offset − mean) / std per channel, as the checkpoint's
/// preprocessor does. Where it asks for it, x · factor + offset is the luma of the three colours, or blue comes first.
Preprocessed preprocess(const Image& image, const Preprocessing& how, const PixelShape& shape,
                        const Progress& progress = {});

}  // namespace vitrine
