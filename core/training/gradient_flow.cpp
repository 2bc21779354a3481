#include "core/training/gradient_flow.h"

#include <algorithm>
#include <cmath>

#include "core/base/random.h"
#include "core/files/image.h"
#include "core/training/loss.h"
#include "core/training/pixels.h"
#include "core/training/recipe.h"
#include "core/vit/backward.h"
#include "core/vit/forward.h"

namespace vitrine {

namespace {

Recipe deep_recipe(Wiring wiring) {
    Recipe r = standard_recipe();
    Config& c = r.model;
    c.image_height = c.image_width = 32;
    c.patch_size = 4;
    c.embedding_dim = 48;
    c.heads = 3;
    c.blocks = 12;
    c.mlp_dim = 96;
    c.norm = wiring == Wiring::post_norm                              ? Norm::after
             : wiring == Wiring::no_norm || wiring == Wiring::neither ? Norm::none
                                                                      : Norm::before;
    c.skips = wiring != Wiring::no_skips && wiring != Wiring::neither;
    return r;
}

double norm_of(const Tensor2& x) {
    double squares = 0;
    for (const float v : x) squares += static_cast<double>(v) * static_cast<double>(v);
    return std::sqrt(squares);
}

}  // namespace

std::vector<GradientFlow> gradient_flows(const Image& image) {
    std::vector<GradientFlow> flows;
    for (const auto& [wiring, name] : wiring_names) {
        Model model = untrained_model(deep_recipe(wiring));
        FlatWeights head(model.config);
        Random random(1);
        const Parameter& classifier = head.weights().classifier.weight;
        for (std::size_t k = 0; k < classifier.size(); ++k) head.at(classifier)[k] = 0.05F * random.normal();
        model.weights.classifier = head.weights().classifier;

        const Image small =
            resize(image, model.config.image_width, model.config.image_height, Preprocessing::Filter::bilinear);
        const Trace trace = forward(model, normalised({small.rgb.data()}, model));
        const Loss loss = cross_entropy(trace.head->logits, std::vector<int>{0}, {});
        FlatWeights gradients(model.config);
        const Trace back = backward({model, trace, {}, Keep::activations}, loss.gradient, gradients);
        GradientFlow flow{wiring, {}};
        for (int l = 0; l <= model.config.blocks; ++l) flow.norms.push_back(norm_of(back.z(l)));
        flows.push_back(std::move(flow));
    }
    return flows;
}

}  // namespace vitrine
