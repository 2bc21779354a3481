#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/base/team.h"
#include "core/files/image.h"

namespace vitrine {
namespace {

// Pillow's arithmetic: weights normalised in double, then 22-bit fixed point; 8 bits between the two passes.
constexpr int precision_bits = 22;
constexpr std::int32_t one_half = 1 << (precision_bits - 1);

/// Interleaved 8-bit pixels, (H, W, C), not owned.
struct Pixels {
    const std::uint8_t* data;
    std::int64_t width, height;
    int channels;
};

/// The part [begin, end) of an axis that is resized from `from` to `to` pixels. Only this part is computed, since the
/// whole resized picture may be far larger than memory.
struct Axis {
    std::int64_t from, to;
    std::int64_t begin, end;
};

struct Window {
    Axis x, y;
};

double sinc(double x) { return x == 0.0 ? 1.0 : std::sin(x * std::numbers::pi) / (x * std::numbers::pi); }

/// The filter and its half width, in pixels of the smaller picture.
struct Filter {
    double support;
    double (*weight)(double x);
};

Filter filter_of(Preprocessing::Filter filter) {
    switch (filter) {
        case Preprocessing::Filter::bilinear: return {1.0, [](double x) { return std::max(0.0, 1.0 - std::abs(x)); }};
        case Preprocessing::Filter::bicubic:
            return {2.0, [](double x) {
                        constexpr double a = -0.5;
                        x = std::abs(x);
                        if (x < 1.0) return ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0;
                        return x < 2.0 ? (((x - 5.0) * x + 8.0) * x - 4.0) * a : 0.0;
                    }};
        case Preprocessing::Filter::lanczos:
            return {3.0, [](double x) { return -3.0 <= x && x < 3.0 ? sinc(x) * sinc(x / 3.0) : 0.0; }};
    }
    return {};
}

/// For each output pixel of an axis, the input pixels in its weighted sum, input[first + k], and their weights in fixed
/// point.
struct Taps {
    std::int64_t room = 0;  // weights reserved per output
    std::vector<std::int64_t> first;
    std::vector<std::int64_t> count;
    std::vector<std::int32_t> weights;  // (outputs, room)

    std::int64_t outputs() const { return static_cast<std::int64_t>(first.size()); }
    std::int64_t begin() const { return first.front(); }
    std::int64_t end() const { return first.back() + count.back(); }
};

Taps taps_of(const Axis& axis, Preprocessing::Filter kind) {
    const Filter filter = filter_of(kind);
    const double scale = static_cast<double>(axis.from) / static_cast<double>(axis.to);
    const double reduction = std::max(scale, 1.0);
    const double support = filter.support * reduction;
    Taps taps;
    taps.room = static_cast<std::int64_t>(std::ceil(support)) * 2 + 1;
    std::vector<double> weights;
    for (std::int64_t i = axis.begin; i < axis.end; ++i) {
        const double center = (static_cast<double>(i) + 0.5) * scale;
        const auto first = std::max<std::int64_t>(static_cast<std::int64_t>(center - support + 0.5), 0);
        const auto last = std::min(static_cast<std::int64_t>(center + support + 0.5), axis.from);
        double sum = 0.0;
        weights.clear();
        for (std::int64_t x = first; x < last; ++x) {
            weights.push_back(filter.weight((static_cast<double>(x) - center + 0.5) * (1.0 / reduction)));
            sum += weights.back();
        }
        taps.first.push_back(first);
        taps.count.push_back(last - first);
        for (double& weight : weights) {
            if (sum != 0.0) weight /= sum;
            const double fixed = weight * (1 << precision_bits);
            taps.weights.push_back(static_cast<std::int32_t>(fixed < 0.0 ? fixed - 0.5 : fixed + 0.5));
        }
        taps.weights.resize(taps.first.size() * static_cast<std::size_t>(taps.room));
    }
    return taps;
}

/// Repeats each weight for every channel, so that a row of interleaved pixels is multiplied as contiguous bytes.
std::vector<std::int32_t> spread(const Taps& taps, int channels) {
    std::vector<std::int32_t> weights;
    weights.reserve(taps.weights.size() * static_cast<std::size_t>(channels));
    for (const std::int32_t weight : taps.weights)
        weights.insert(weights.end(), static_cast<std::size_t>(channels), weight);
    return weights;
}

std::uint8_t to_byte(std::int32_t sum) { return static_cast<std::uint8_t>(std::clamp(sum >> precision_bits, 0, 255)); }

/// out[c] = Σ in[i] · weights[i] over the bytes i of channel c, for each of out.size() interleaved channels.
void horizontal_pixel(const std::uint8_t* in, const std::int32_t* weights, std::int64_t length,
                      std::span<std::uint8_t> out) {
    constexpr int lanes = 24;  // a multiple of 1 and 3 channels and of the vector width
    const std::size_t channels = out.size();
    if (length < lanes) {
        for (std::size_t channel = 0; channel < channels; ++channel) {
            std::int32_t sum = one_half;
            for (auto i = static_cast<std::int64_t>(channel); i < length; i += static_cast<std::int64_t>(channels))
                sum += in[i] * weights[i];
            out[channel] = to_byte(sum);
        }
        return;
    }
    alignas(64) std::int32_t sums[lanes] = {};
    std::int64_t i = 0;
    for (; i + lanes <= length; i += lanes) {
        for (int lane = 0; lane < lanes; ++lane) sums[lane] += in[i + lane] * weights[i + lane];
    }
    for (int lane = 0; i + lane < length; ++lane) sums[lane] += in[i + lane] * weights[i + lane];
    for (std::size_t channel = 0; channel < channels; ++channel) {
        std::int32_t sum = one_half;
        for (std::size_t lane = channel; lane < lanes; lane += channels) sum += sums[lane];
        out[channel] = to_byte(sum);
    }
}

/// Σ_k rows[k] · weights[k], in pieces that stay in the L1 cache.
void vertical_row(const std::uint8_t* in, std::span<const std::int32_t> weights, std::span<std::uint8_t> out) {
    constexpr std::size_t stretch = 1024;
    alignas(64) std::int32_t sums[stretch];
    for (std::size_t begin = 0; begin < out.size(); begin += stretch) {
        const std::size_t length = std::min(stretch, out.size() - begin);
        std::fill_n(sums, length, one_half);
        const std::uint8_t* row = in + begin;
        for (const std::int32_t weight : weights) {
            for (std::size_t i = 0; i < length; ++i) sums[i] += row[i] * weight;
            row += out.size();
        }
        for (std::size_t i = 0; i < length; ++i) out[begin + i] = to_byte(sums[i]);
    }
}

/// Calls `row(0 … rows − 1)` on all threads and reports between chunks of about 16 MB of input.
template <class Row>
void each_row(std::int64_t rows, std::int64_t bytes_per_row, const Progress& progress, const Row& row) {
    const std::int64_t chunk = 1 + (16 << 20) / (bytes_per_row + 1);
    for (std::int64_t begin = 0; begin < rows; begin += chunk) {
        report(progress, static_cast<double>(begin) / static_cast<double>(rows));
        const std::int64_t end = std::min(begin + chunk, rows);
        parallel_for(static_cast<std::size_t>(end - begin),
                     [&](std::size_t y) { row(begin + static_cast<std::int64_t>(y)); });
    }
}

/// Maps a part's progress 0 … 1 to `begin` … `end` of a longer operation's `progress`.
Progress part_of(const Progress& progress, double begin, double end) {
    if (!progress) return {};
    return [&progress, begin, end](double fraction) { progress(begin + fraction * (end - begin)); };
}

std::vector<std::uint8_t> horizontal_pass(const Pixels& in, const Taps& taps, const Progress& progress) {
    const int channels = in.channels;
    const std::vector<std::int32_t> weights = spread(taps, channels);
    const std::int64_t stride = taps.outputs() * channels;
    std::vector<std::uint8_t> out(static_cast<std::size_t>(in.height * stride));
    each_row(in.height, in.width * channels, progress, [&](std::int64_t y) {
        const std::uint8_t* row = in.data + y * in.width * channels;
        std::uint8_t* to = out.data() + y * stride;
        for (std::int64_t i = 0; i < taps.outputs(); ++i, to += channels) {
            horizontal_pixel(row + taps.first[i] * channels, weights.data() + i * taps.room * channels,
                             taps.count[i] * channels, {to, static_cast<std::size_t>(channels)});
        }
    });
    return out;
}

/// Resizes the columns of `in`, which contains the picture's rows from `top` on.
std::vector<std::uint8_t> vertical_pass(const Pixels& in, std::int64_t top, const Taps& taps,
                                        const Progress& progress) {
    const std::int64_t stride = in.width * in.channels;
    std::vector<std::uint8_t> out(static_cast<std::size_t>(taps.outputs() * stride));
    each_row(taps.outputs(), taps.room * stride, progress, [&](std::int64_t y) {
        vertical_row(in.data + (taps.first[y] - top) * stride,
                     {taps.weights.data() + y * taps.room, static_cast<std::size_t>(taps.count[y])},
                     {out.data() + y * stride, static_cast<std::size_t>(stride)});
    });
    return out;
}

/// The window of the resized picture, (rows, columns, C), as if the whole were resized and then cropped.
///
/// An axis that keeps its length has one tap of weight 1 for each pixel, so its pixels do not change, as in Pillow.
std::vector<std::uint8_t> resample(const Pixels& in, const Window& window, Preprocessing::Filter filter,
                                   const Progress& progress) {
    const Taps columns = taps_of(window.x, filter);
    const Taps rows = taps_of(window.y, filter);
    const std::int64_t stride = in.width * in.channels;
    const Pixels needed{in.data + rows.begin() * stride, in.width, rows.end() - rows.begin(), in.channels};
    const double share = 1.0 / (1.0 + static_cast<double>(columns.outputs()) / static_cast<double>(in.width));
    const std::vector<std::uint8_t> narrow = horizontal_pass(needed, columns, part_of(progress, 0.0, share));
    return vertical_pass({narrow.data(), columns.outputs(), needed.height, in.channels}, rows.begin(), rows,
                         part_of(progress, share, 1.0));
}

// ---- the model's input ---------------------------------------------------------------------------------------------

/// x / 2 rounded to the nearest integer, ties to even, for x ≥ 0.
std::int64_t half_to_even(std::int64_t x) {
    const std::int64_t half = x / 2;
    return half + (x % 2 != 0 && half % 2 != 0 ? 1 : 0);
}

/// timm's ResizeKeepRatio: an edge of `length` pixels divided by `ratio`, rounded to the nearest integer, ties to even.
std::int64_t keep_ratio(std::int64_t length, double ratio) {
    return std::max<std::int64_t>(1, std::llrint(static_cast<double>(length) / ratio));
}

/// (width, height) after the resize.
std::pair<std::int64_t, std::int64_t> resized_size(const Image& image, const Preprocessing& how) {
    const std::int64_t width = image.width, height = image.height;
    const bool square = how.resize_width == 0 || how.resize_width == how.resize_height;
    const double ratio_y = static_cast<double>(height) / how.resize_height;
    const double ratio_x = static_cast<double>(width) / (square ? how.resize_height : how.resize_width);
    switch (how.resize) {
        case Preprocessing::Resize::none: return {width, height};
        case Preprocessing::Resize::squash: return {how.resize_width, how.resize_height};
        case Preprocessing::Resize::longest_edge: {
            const double ratio = std::max(ratio_x, ratio_y);
            return {keep_ratio(width, ratio), keep_ratio(height, ratio)};
        }
        case Preprocessing::Resize::shortest_edge: {
            const double ratio = std::min(ratio_x, ratio_y);
            if (!square) return {keep_ratio(width, ratio), keep_ratio(height, ratio)};
            const std::int64_t edge = how.resize_height;
            const auto scaled = [edge](std::int64_t longer, std::int64_t shorter) {
                return static_cast<std::int64_t>(static_cast<double>(edge * longer) / static_cast<double>(shorter));
            };
            if (width <= height) return {edge, scaled(height, width)};
            return {scaled(width, height), edge};
        }
    }
    return {};
}

/// The first pixel of a centred crop of `crop` pixels from `length` pixels; negative if the crop pads.
std::int64_t crop_begin(std::int64_t length, std::int64_t crop, Preprocessing::Rounding rounding) {
    const std::int64_t cut = length - crop;
    if (rounding == Preprocessing::Rounding::down) return cut >= 0 ? cut / 2 : -((1 - cut) / 2);
    return cut >= 0 ? half_to_even(cut) : -(-cut / 2);
}

/// The part of a crop inside the resized picture, since a crop may extend beyond its edges.
Axis inside(std::int64_t from, std::int64_t to, std::int64_t begin, std::int64_t length) {
    return {from, to, std::max<std::int64_t>(begin, 0), std::min(begin + length, to)};
}

std::string size_text(std::int64_t width, std::int64_t height) {
    return std::to_string(width) + " × " + std::to_string(height);
}

/// Pillow's convert("L"): the luma of ITU-R 601-2 in 16-bit fixed point.
std::vector<std::uint8_t> to_grey(const Image& image) {
    std::vector<std::uint8_t> grey(image.rgb.size() / 3);
    parallel_shares(grey.size(), thread_count(), [&](std::size_t first, std::size_t last) {
#pragma omp simd
        for (std::size_t i = first; i < last; ++i) {
            const std::uint8_t* rgb = image.rgb.data() + i * 3;
            grey[i] = static_cast<std::uint8_t>((rgb[0] * 19595 + rgb[1] * 38470 + rgb[2] * 7471 + 0x8000) >> 16);
        }
    });
    return grey;
}

/// The value of a crop's pixels beyond the picture: black, or the mean colour in timm's `border` mode (longest edge).
std::uint8_t padding(const Preprocessing& how, std::size_t channel) {
    if (how.resize != Preprocessing::Resize::longest_edge) return 0;
    return static_cast<std::uint8_t>(std::clamp(std::lrint(255.0 * how.mean[channel]), 0L, 255L));
}

/// Copies the crop's part inside the picture, (rows, columns, C), onto a background of padding at `offset` (x, y).
Image paste_onto(const std::vector<std::uint8_t>& pixels, const Window& window, std::pair<int, int> offset,
                 Image canvas) {
    const std::int64_t columns = window.x.end - window.x.begin;
    const std::int64_t rows = window.y.end - window.y.begin;
    const std::size_t channels = pixels.size() / static_cast<std::size_t>(rows * columns);
    for (std::int64_t y = 0; y < rows; ++y) {
        std::uint8_t* to = canvas.rgb.data() + ((y + offset.second) * canvas.width + offset.first) * 3;
        const std::uint8_t* from = pixels.data() + static_cast<std::size_t>(y * columns) * channels;
        for (std::int64_t x = 0; x < columns; ++x, to += 3, from += channels) {
            for (std::size_t c = 0; c < 3; ++c) to[c] = from[std::min(c, channels - 1)];
        }
    }
    return canvas;
}

/// x · factor + offset for the 256 values of x, rounded to float32 where NumPy rounds.
std::array<float, 256> rescaled_values(const Preprocessing& how) {
    std::array<float, 256> values;
    for (std::size_t x = 0; x < values.size(); ++x)
        values[x] =
            static_cast<float>(static_cast<double>(x) * how.rescale_factor) + static_cast<float>(how.rescale_offset);
    return values;
}

float normalised(float rescaled, const Preprocessing& how, std::size_t channel) {
    return (rescaled - static_cast<float>(how.mean[channel])) / static_cast<float>(how.std[channel]);
}

/// Writes one normalised channel: a colour, or with `grey` the luma of all three (Hugging Face's weights, on rescaled
/// numbers).
void normalise_plane(const Image& seen, const Preprocessing& how, std::size_t channel, float* plane) {
    const std::size_t count = seen.rgb.size() / 3;
    std::array<float, 256> values = rescaled_values(how);
    if (how.grey) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint8_t* rgb = seen.rgb.data() + i * 3;
            const float luma = values[rgb[0]] * 0.2989F + values[rgb[1]] * 0.5870F + values[rgb[2]] * 0.1140F;
            plane[i] = normalised(luma, how, channel);
        }
        return;
    }
    for (float& value : values) value = normalised(value, how, channel);
    for (std::size_t i = 0; i < count; ++i) plane[i] = values[seen.rgb[i * 3 + channel]];
}

Tensor3 normalise(const Image& seen, const Preprocessing& how, int channels) {
    Tensor3 pixels = tensor3(channels, seen.height, seen.width);
    const std::size_t count = seen.rgb.size() / 3, last = static_cast<std::size_t>(channels) - 1;
    for (std::size_t c = 0; c <= last; ++c)
        normalise_plane(seen, how, c, pixels.data() + (how.flip_channels ? last - c : c) * count);
    return pixels;
}

Image padding_canvas(const Preprocessing& how, const PixelShape& shape) {
    Image canvas{shape.image_width, shape.image_height, {}};
    canvas.rgb.resize(static_cast<std::size_t>(canvas.width) * canvas.height * 3);
    for (std::size_t i = 0; i < canvas.rgb.size(); ++i) canvas.rgb[i] = padding(how, shape.channels == 1 ? 0 : i % 3);
    return canvas;
}

}  // namespace

Image resize(const Image& image, int width, int height, Preprocessing::Filter filter, const Progress& progress) {
    assert(width > 0 && height > 0);
    if (width == image.width && height == image.height) return image;
    const Window whole{{image.width, width, 0, width}, {image.height, height, 0, height}};
    return {width, height, resample({image.rgb.data(), image.width, image.height, 3}, whole, filter, progress)};
}

Image shrink_to_fit(const Image& image, int edge) {
    const int longest = std::max(image.width, image.height);
    if (longest <= edge) return image;
    const auto scaled = [&](int length) {
        return std::max(1, static_cast<int>(std::lround(static_cast<double>(length) * edge / longest)));
    };
    return resize(image, scaled(image.width), scaled(image.height), Preprocessing::Filter::bilinear);
}

Preprocessed preprocess(const Image& image, const Preprocessing& how, const PixelShape& shape,
                        const Progress& progress) {
    assert(how.mean.size() >= static_cast<std::size_t>(shape.channels) && how.std.size() == how.mean.size());
    const auto [width, height] = resized_size(image, how);
    if (!how.crop && (width != shape.image_width || height != shape.image_height)) {
        throw Error("the model's preprocessing makes " + size_text(width, height) + " pixels of a picture of " +
                    size_text(image.width, image.height) + ", but the model takes " +
                    size_text(shape.image_width, shape.image_height) +
                    "; cut the picture to that shape or correct preprocessor_config.json");
    }
    const std::int64_t left = crop_begin(width, shape.image_width, how.crop_rounding);
    const std::int64_t top = crop_begin(height, shape.image_height, how.crop_rounding);
    const Window window{inside(image.width, width, left, shape.image_width),
                        inside(image.height, height, top, shape.image_height)};

    const std::vector<std::uint8_t> grey = shape.channels == 1 ? to_grey(image) : std::vector<std::uint8_t>{};
    const Pixels source{grey.empty() ? image.rgb.data() : grey.data(), image.width, image.height, shape.channels};
    const std::vector<std::uint8_t> pixels = resample(source, window, how.filter, progress);

    Preprocessed result;
    result.seen = paste_onto(pixels, window, {window.x.begin - left, window.y.begin - top}, padding_canvas(how, shape));
    result.pixels = normalise(result.seen, how, shape.channels);
    const double scale_x = static_cast<double>(image.width) / static_cast<double>(width);
    const double scale_y = static_cast<double>(image.height) / static_cast<double>(height);
    result.left = static_cast<double>(left) * scale_x;
    result.top = static_cast<double>(top) * scale_y;
    result.right = static_cast<double>(left + shape.image_width) * scale_x;
    result.bottom = static_cast<double>(top + shape.image_height) * scale_y;
    report(progress, 1.0);
    return result;
}

}  // namespace vitrine
