#include "core/cnn/cnn.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/cnn/windows.h"
#include "core/tensor/rows.h"
#include "core/transformer/backward_layers.h"

namespace vitrine {

namespace {

CnnWeights lay_out_stages(const CnnConfig& c, const MakeParameter& make) {
    CnnWeights w;
    int channels = c.channels;
    for (const CnnConfig::Stage& stage : c.stages) {
        const auto count = static_cast<std::size_t>(stage.channels);
        const LinearWeights convolution = lay_out_linear(stage.channels, window_places * channels, make);
        Parameter gamma = make({count}), beta = make({count});
        w.stages.push_back({convolution, {std::move(gamma), std::move(beta)}});
        channels = stage.channels;
    }
    w.classifier = lay_out_linear(c.classes, channels, make);
    return w;
}

/// The map that a stage (1, 2, …) reads, and the stage's stride.
WindowShape shape_of_stage(const CnnConfig& c, std::size_t stage, std::size_t images) {
    const int before = static_cast<int>(stage) - 1;
    return {.images = static_cast<int>(images),
            .side = c.side(before),
            .channels = c.channels_after(before),
            .stride = c.stages[stage - 1].stride};
}

/// (B·places, C)  ->  (B, C)
Tensor2 mean_over_places(const Tensor2& map, std::size_t images) {
    const std::size_t places = rows_of(map) / images, channels = columns_of(map);
    Tensor2 pooled = tensor2(images, channels);
    std::fill(pooled.begin(), pooled.end(), 0.0F);
    for (std::size_t r = 0; r < rows_of(map); ++r) row_kernels().add_to(&pooled(r / places, 0), &map(r, 0), channels);
    const float share = 1 / static_cast<float>(places);
    row_kernels().scale(pooled.data(), pooled.data(), pooled.size(), share);
    return pooled;
}

Tensor2 mean_over_places_back(const Tensor2& d_pooled, std::size_t places) {
    Tensor2 d_map = tensor2(rows_of(d_pooled) * places, columns_of(d_pooled));
    const float share = 1 / static_cast<float>(places);
    for (std::size_t r = 0; r < rows_of(d_map); ++r)
        row_kernels().scale(&d_pooled(r / places, 0), &d_map(r, 0), columns_of(d_map), share);
    return d_map;
}

}  // namespace

int CnnConfig::side(int stage) const {
    int side = image_size;
    for (int i = 0; i < stage; ++i) {
        const int stride = stages[static_cast<std::size_t>(i)].stride;
        side = (side + stride - 1) / stride;
    }
    return side;
}

int CnnConfig::channels_after(int stage) const {
    return stage == 0 ? channels : stages[static_cast<std::size_t>(stage - 1)].channels;
}

CnnConfig standard_cnn(int classes) {
    CnnConfig c;
    c.stages = {{32, 2}, {64, 2}, {96, 2}, {88, 1}};
    c.classes = classes;
    return c;
}

FlatCnnWeights::FlatCnnWeights(const CnnConfig& config)
    : Flat([config](const MakeParameter& make) { return lay_out_stages(config, make); }) {}

std::vector<NamedParameter> parameters_of(const CnnWeights& weights) {
    std::vector<NamedParameter> list;
    int stage = 0;
    for (const CnnStageWeights& s : weights.stages) {
        const std::string prefix = "stages." + std::to_string(stage++) + ".";
        list.push_back({prefix + "convolution.weight", s.convolution.weight, stage, stage > 1});
        list.push_back({prefix + "convolution.bias", s.convolution.bias, stage, false});
        list.push_back({prefix + "norm.weight", s.norm.gamma, stage, false});
        list.push_back({prefix + "norm.bias", s.norm.beta, stage, false});
    }
    list.push_back({"classifier.weight", weights.classifier.weight, stage + 1, false});
    list.push_back({"classifier.bias", weights.classifier.bias, stage + 1, false});
    return list;
}

CnnTrace forward(const Cnn& net, const Tensor3& pixels) {
    const CnnConfig& c = net.config;
    const std::size_t images = pixels.shape()[0] / static_cast<std::size_t>(c.channels);
    CnnTrace trace;
    const Tensor2 image = channels_last(pixels, c.channels);
    for (std::size_t i = 0; i < c.stages.size(); ++i) {
        const CnnStageWeights& w = net.weights.stages[i];
        CnnStageTrace t;
        t.windows = windows(shape_of_stage(c, i + 1, images), i == 0 ? image : trace.stages[i - 1].out);
        t.convolved = linear(w.convolution, t.windows);
        t.ln = layer_norm(w.norm, t.convolved, c.layer_norm_epsilon);
        t.out = activate(Activation::gelu, t.ln.out);
        trace.stages.push_back(std::move(t));
    }
    trace.pooled = mean_over_places(trace.stages.back().out, images);
    trace.logits = linear(net.weights.classifier, trace.pooled);
    return trace;
}

void backward(const Cnn& net, const CnnTrace& trace, const Tensor2& logit_gradient, FlatCnnWeights& gradients) {
    const CnnConfig& c = net.config;
    const CnnWeights& into = gradients.weights();
    const std::size_t images = rows_of(logit_gradient);
    const Tensor2 d_pooled =
        linear_back(net.weights.classifier, into.classifier, gradients, trace.pooled, logit_gradient);
    Tensor2 d_out = mean_over_places_back(d_pooled, rows_of(trace.stages.back().out) / images);
    for (std::size_t i = c.stages.size(); i-- > 0;) {
        const CnnStageWeights& w = net.weights.stages[i];
        const CnnStageTrace& t = trace.stages[i];
        const Tensor2 d_ln = activate_back(Activation::gelu, t.ln.out, d_out);
        const Tensor2 d_convolved =
            norm_back({w.norm, into.stages[i].norm, t.ln, t.convolved, c.layer_norm_epsilon}, gradients, d_ln);
        weight_gradients(into.stages[i].convolution, gradients, t.windows, d_convolved);
        if (i == 0) break;  // the gradient of the pixels is not needed
        Tensor2 d_windows = tensor2(rows_of(t.windows), columns_of(t.windows));
        input_gradient(w.convolution, d_convolved, d_windows);
        d_out = windows_back(shape_of_stage(c, i + 1, images), d_windows);
    }
}

}  // namespace vitrine
