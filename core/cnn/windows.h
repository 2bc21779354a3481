#pragma once

#include "core/tensor/tensor.h"

namespace vitrine {

/// A 3 × 3 window.
inline constexpr int window_places = 9;

/// A map that windows slide over, in steps of `stride`.
struct WindowShape {
    int images = 0, side = 0, channels = 0, stride = 1;

    int steps() const { return (side + stride - 1) / stride; }  // H' = W'
};

/// (B·C, H, W)  ->  (B·H·W, C): the colours of a pixel side by side.
Tensor2 channels_last(const Tensor3& pixels, int channels);

/// What the window around each place sees, zeros beyond the edge, so that a convolution is one product ("im2col").
///
///   map (B·H·W, C)  ->  (B·H'·W', 9·C), a window in the order (y, x, channel)
Tensor2 windows(const WindowShape& shape, const Tensor2& map);

/// Its way back: every number of the map takes the sum over the windows that see it.
Tensor2 windows_back(const WindowShape& shape, const Tensor2& d_windows);

}  // namespace vitrine
