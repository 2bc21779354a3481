#pragma once

#include "core/tensor/tensor.h"

namespace vitrine {

/// Number of places in a 3 × 3 window.
inline constexpr int window_places = 9;

/// A map and the stride of the windows over it.
struct WindowShape {
    int images = 0, side = 0, channels = 0, stride = 1;

    int steps() const { return (side + stride - 1) / stride; }  // H' = W'
};

/// (B·C, H, W) -> (B·H·W, C): a pixel's channels become contiguous.
Tensor2 channels_last(const Tensor3& pixels, int channels);

/// The window around each place, with zeros beyond the edge, so that a convolution is one matrix product ("im2col").
/// (B·H·W, C) -> (B·H'·W', 9·C), each window in the order (y, x, channel)
Tensor2 windows(const WindowShape& shape, const Tensor2& map);

/// Backward pass: each element of the map gets the sum over the windows that contain it.
Tensor2 windows_back(const WindowShape& shape, const Tensor2& d_windows);

}  // namespace vitrine
