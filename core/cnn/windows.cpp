#include "core/cnn/windows.h"

#include <algorithm>

#include "core/tensor/rows.h"

namespace vitrine {

namespace {

/// Calls visit(from, row, column) for each of the 9 places of every window: `from` is the place's row in the map, −1
/// beyond the edge; its channels begin at (row, column) in the matrix of windows.
template <class F>
void slide(const WindowShape& s, F visit) {
    constexpr int reach = 1;
    const int steps = s.steps();
    for (int image = 0; image < s.images; ++image)
        for (int place = 0; place < steps * steps; ++place) {
            const int row = image * steps * steps + place;
            const int y0 = place / steps * s.stride - reach, x0 = place % steps * s.stride - reach;
            for (int part = 0; part < window_places; ++part) {
                const int y = y0 + part / 3, x = x0 + part % 3;
                const bool inside = y >= 0 && x >= 0 && y < s.side && x < s.side;
                visit(inside ? (image * s.side + y) * s.side + x : -1, row, part * s.channels);
            }
        }
}

std::size_t count_rows(int images, int side) { return static_cast<std::size_t>(images * side * side); }

}  // namespace

Tensor2 channels_last(const Tensor3& pixels, int channels) {
    const auto count = static_cast<std::size_t>(channels), places = pixels.shape()[1] * pixels.shape()[2];
    const std::size_t images = pixels.shape()[0] / count;
    Tensor2 out = tensor2(images * places, count);
    for (std::size_t b = 0; b < images; ++b)
        for (std::size_t c = 0; c < count; ++c) {
            const float* const plane = pixels.data() + (b * count + c) * places;
            for (std::size_t i = 0; i < places; ++i) out(b * places + i, c) = plane[i];
        }
    return out;
}

Tensor2 windows(const WindowShape& s, const Tensor2& map) {
    const auto channels = static_cast<std::size_t>(s.channels), width = window_places * channels;
    Tensor2 out = tensor2(count_rows(s.images, s.steps()), width);
    slide(s, [&](int from, int row, int column) {
        float* const to = out.data() + static_cast<std::size_t>(row) * width + column;
        if (from < 0)
            std::fill_n(to, channels, 0.0F);
        else
            std::copy_n(map.data() + static_cast<std::size_t>(from) * channels, channels, to);
    });
    return out;
}

Tensor2 windows_back(const WindowShape& s, const Tensor2& d_windows) {
    const auto channels = static_cast<std::size_t>(s.channels), width = window_places * channels;
    Tensor2 map = tensor2(count_rows(s.images, s.side), channels);
    std::fill(map.begin(), map.end(), 0.0F);
    const auto add_row = row_kernels().add_to;
    slide(s, [&](int to, int row, int column) {
        if (to >= 0)
            add_row(map.data() + static_cast<std::size_t>(to) * channels,
                    d_windows.data() + static_cast<std::size_t>(row) * width + column, channels);
    });
    return map;
}

}  // namespace vitrine
