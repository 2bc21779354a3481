#include "core/training/pixels.h"

namespace vitrine {

Tensor3 normalised(const std::vector<const std::uint8_t*>& images, const Model& model) {
    return normalised(images, model.config, model.preprocessing);
}

Tensor3 normalised(const std::vector<const std::uint8_t*>& images, const PixelShape& c, const Preprocessing& p) {
    const auto channels = static_cast<std::size_t>(c.channels), height = static_cast<std::size_t>(c.image_height);
    const auto width = static_cast<std::size_t>(c.image_width), pixels = height * width;
    Tensor3 out = tensor3(images.size() * channels, height, width);
    for (std::size_t b = 0; b < images.size(); ++b)
        for (std::size_t channel = 0; channel < channels; ++channel) {
            const auto factor = static_cast<float>(p.rescale_factor / p.std[channel]);
            const auto shift = static_cast<float>((p.mean[channel] - p.rescale_offset) / p.std[channel]);
            const std::size_t place = p.flip_channels ? channels - 1 - channel : channel;
            float* const plane = out.data() + (b * channels + place) * pixels;
            const auto colour = [&](std::size_t i, std::size_t k) { return static_cast<float>(images[b][3 * i + k]); };
            const auto luma = [&](std::size_t i) {
                return colour(i, 0) * 0.2989F + colour(i, 1) * 0.5870F + colour(i, 2) * 0.1140F;
            };
            for (std::size_t i = 0; i < pixels; ++i)
                plane[i] = (p.grey ? luma(i) : colour(i, channel)) * factor - shift;
        }
    return out;
}

}  // namespace vitrine
