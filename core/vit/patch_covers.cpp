#include "core/vit/patch_covers.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <numeric>
#include <vector>

namespace vitrine {

namespace {

/// Each channel's mean over the picture.
std::vector<float> mean_colour(const Tensor3& image) {
    std::vector<float> mean;
    const std::size_t area = image.shape()[1] * image.shape()[2];
    for (std::size_t c = 0; c < image.shape()[0]; ++c) {
        const float* const channel = &image(c, 0, 0);
        mean.push_back(static_cast<float>(std::accumulate(channel, channel + area, 0.0) / static_cast<double>(area)));
    }
    return mean;
}

/// Box filter over one row or column of pixels that are `stride` apart.
void average_line(const float* in, float* out, int count, std::ptrdiff_t stride, int radius) {
    for (int i = 0; i < count; ++i) {
        double sum = 0.0;
        const int from = std::max(0, i - radius), to = std::min(count - 1, i + radius);
        for (int j = from; j <= to; ++j) sum += static_cast<double>(in[j * stride]);
        out[i * stride] = static_cast<float>(sum / (to - from + 1));
    }
}

/// Two box filters about as wide as a patch: close to a Gaussian blur.
Tensor3 blurred(const Tensor3& image, int patch) {
    Tensor3 out = image, between = image;
    const int height = static_cast<int>(image.shape()[1]), width = static_cast<int>(image.shape()[2]);
    const int radius = std::max(1, patch / 2);
    for (int pass = 0; pass < 2; ++pass)
        for (std::size_t c = 0; c < image.shape()[0]; ++c) {
            for (int y = 0; y < height; ++y)
                average_line(&out(c, static_cast<std::size_t>(y), 0), &between(c, static_cast<std::size_t>(y), 0),
                             width, 1, radius);
            for (int x = 0; x < width; ++x)
                average_line(&between(c, 0, static_cast<std::size_t>(x)), &out(c, 0, static_cast<std::size_t>(x)),
                             height, width, radius);
        }
    return out;
}

}  // namespace

Tensor3 cover_of(const Tensor3& image, const Config& c, Cover kind) {
    if (kind == Cover::blur) return blurred(image, c.patch_size);
    Tensor3 cover = image;
    const std::vector<float> mean =
        kind == Cover::mean ? mean_colour(image) : std::vector<float>(image.shape()[0], 0.0F);
    const std::size_t area = image.shape()[1] * image.shape()[2];
    for (std::size_t channel = 0; channel < mean.size(); ++channel)
        std::fill_n(&cover(channel, 0, 0), area, mean[channel]);
    return cover;
}

void copy_patch(const Config& c, int patch, const Tensor3& from, Tensor3& to) {
    const auto p = static_cast<std::size_t>(c.patch_size);
    const auto top = static_cast<std::size_t>(patch / c.grid_width()) * p,
               left = static_cast<std::size_t>(patch % c.grid_width()) * p;
    for (std::size_t channel = 0; channel < from.shape()[0]; ++channel)
        for (std::size_t y = top; y < top + p; ++y) std::copy_n(&from(channel, y, left), p, &to(channel, y, left));
}

Tensor3 covered(const Tensor3& image, const Config& c, std::span<const CoverPatches> covers) {
    Tensor3 out = image;
    for (const CoverPatches& each : covers) {
        const Tensor3 cover = cover_of(out, c, each.cover);
        for (const int token : each.tokens)
            if (const int patch = token - each.first; patch >= 0 && patch < c.patches())
                copy_patch(c, patch, cover, out);
    }
    return out;
}

}  // namespace vitrine
