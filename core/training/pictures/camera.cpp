#include <algorithm>

#include "core/training/pictures/picture_scene.h"

namespace vitrine {

namespace {

std::uint8_t to_byte(float value) {
    return static_cast<std::uint8_t>(static_cast<int>(clamp_to_unit(value) * 255 + 0.5F));
}

}  // namespace

void expose(PictureScene& scene, std::uint8_t* rgb) {
    Random& random = scene.random;
    const float contrast = uniform(random, 0.85F, 1.1F), brightness = uniform(random, -0.06F, 0.06F);
    const float noisy = uniform(random), grain = noisy * noisy * scene.style.grain;
    const auto seed = static_cast<std::uint32_t>(random.next());
    const float vignette = uniform(random, 0, 0.25F);
    const int size = scene.painting.size();
    std::vector<float> light(static_cast<std::size_t>(size)), noise = light;
    std::vector<std::uint8_t> bytes(light.size());
    for (int y = 0; y < size; ++y) {
        const float v = scene.painting.place(y) - 0.5F;
        for (std::size_t x = 0; x < light.size(); ++x) {
            const float u = scene.painting.place(static_cast<int>(x)) - 0.5F;
            light[x] = 1 - vignette * 2 * (u * u + v * v);
            // Three uniform numbers from one hash; their sum has standard deviation 1/2.
            const std::uint32_t h = hash(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), seed);
            const std::uint32_t sum = (h & 1023) + ((h >> 10) & 1023) + ((h >> 20) & 1023);
            noise[x] = (static_cast<float>(static_cast<int>(sum)) / 1023.0F - 1.5F) * 2 * grain;
        }
        for (const float* const channel : scene.painting.row(y)) {
            for (std::size_t x = 0; x < light.size(); ++x)
                bytes[x] = to_byte(((channel[x] - 0.5F) * contrast + 0.5F + brightness) * light[x] + noise[x]);
            for (std::size_t x = 0; x < light.size(); ++x) rgb[3 * x] = bytes[x];
            ++rgb;
        }
        rgb += 3 * (size - 1);
    }
}

std::vector<std::uint8_t> to_bytes(const Coverage& coverage) {
    std::vector<std::uint8_t> bytes(coverage.size());
    std::transform(coverage.begin(), coverage.end(), bytes.begin(), to_byte);
    return bytes;
}

}  // namespace vitrine
