#pragma once

#include <cmath>
#include <cstdint>
#include <memory>

#include "core/vit/model.h"

namespace vitrine {

inline Config small_measured() {
    Config c;
    c.image_height = c.image_width = 12;
    c.patch_size = 4;
    c.embedding_dim = 8;
    c.heads = 2;
    c.blocks = 3;
    c.mlp_dim = 12;
    c.classes = 4;
    return c;
}

inline Tensor3 wavy_picture(const Config& c) {
    Tensor3 image = tensor3(static_cast<std::size_t>(c.channels), static_cast<std::size_t>(c.image_height),
                            static_cast<std::size_t>(c.image_width));
    for (std::size_t i = 0; i < image.size(); ++i) image.data()[i] = std::sin(static_cast<float>(i) * 0.37F);
    return image;
}

template <class F>
void change(Parameter& parameter, F f) {
    const auto changed = std::shared_ptr<float[]>(new float[parameter.size()]);
    for (std::size_t i = 0; i < parameter.size(); ++i) changed[i] = f(parameter(i), i);
    parameter = Parameter(std::shared_ptr<const float>(changed, changed.get()), parameter.shape());
}

/// A random model with larger weights and biases; small random models otherwise have nearly uniform attention and no
/// biases.
inline Model lively_model(const Config& c, std::uint64_t seed) {
    Model model = random_model(c, seed);
    const auto shift = [](Parameter& p) {
        change(p, [](float x, std::size_t i) { return x + 0.3F * std::sin(static_cast<float>(i)); });
    };
    for (BlockWeights& b : model.weights.blocks) {
        for (LinearWeights* w : {&b.query, &b.key, &b.value, &b.projection, &b.mlp_in, &b.mlp_out}) {
            change(w->weight, [](float x, std::size_t) { return 30 * x; });
            shift(w->bias);
            w->packed.reset();
        }
        for (LayerNormWeights* w : {&b.ln1, &b.ln2}) {
            shift(w->gamma);
            shift(w->beta);
        }
    }
    shift(model.weights.norm.beta);
    shift(model.weights.classifier.bias);
    model.weights.classifier.packed.reset();
    return model;
}

}  // namespace vitrine
