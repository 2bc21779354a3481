#pragma once

#include <vector>

#include "core/base/names.h"

namespace vitrine {

/// The shape of a model's input pixels.
struct PixelShape {
    int image_height = 0;  // H
    int image_width = 0;   // W
    int channels = 3;      // C, 1 or 3
};

/// How an image becomes pixels, as configured by the checkpoint's own preprocessor (HF image processors, timm's
/// `pretrained_cfg`).
struct Preprocessing {
    enum class Resize {
        none,           ///< the image keeps its size
        squash,         ///< to (resize_height, resize_width), aspect not kept
        shortest_edge,  ///< the shortest edge becomes resize_height, aspect kept
        longest_edge,   ///< the longest edge becomes resize_height, aspect kept
    };
    enum class Filter { bilinear, bicubic, lanczos };  // Pillow's
    /// How half of an odd number of pixels to crop is rounded.
    enum class Rounding { down, half_to_even };  // Hugging Face; torchvision and timm

    Resize resize = Resize::squash;
    int resize_height = 0;
    int resize_width = 0;
    Filter filter = Filter::bilinear;
    bool crop = false;  ///< centre crop (or pad) to the model's H × W after the resize
    Rounding crop_rounding = Rounding::down;
    double rescale_factor = 1.0 / 255.0;
    double rescale_offset = 0;                   // added after rescaling
    bool grey = false;                           // replaces every channel by the luma of the three rescaled ones
    std::vector<double> mean = {0.5, 0.5, 0.5};  // by channel
    std::vector<double> std = {0.5, 0.5, 0.5};
    bool flip_channels = false;  // blue first; done last, so mean and std are still those of red, green, blue

    bool operator==(const Preprocessing&) const = default;
};

inline constexpr Named<Preprocessing::Resize> resize_names[] = {{Preprocessing::Resize::none, "none"},
                                                                {Preprocessing::Resize::squash, "squash"},
                                                                {Preprocessing::Resize::shortest_edge, "shortest_edge"},
                                                                {Preprocessing::Resize::longest_edge, "longest_edge"}};
inline constexpr Named<Preprocessing::Rounding> rounding_names[] = {
    {Preprocessing::Rounding::down, "down"}, {Preprocessing::Rounding::half_to_even, "half_to_even"}};

}  // namespace vitrine
