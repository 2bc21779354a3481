#include "core/vit/head.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/tensor/ops.h"
#include "core/transformer/backward_layers.h"
#include "core/vit/pooling.h"
#include "core/vit/readout.h"

namespace vitrine {

namespace {

/// The first (part 0) or second half (part 1) of each row.      (B, 2D)  ->  (B, D)
Tensor2 half_of_rows(const Tensor2& x, std::size_t part) {
    const std::size_t d = x.shape()[1] / 2;
    Tensor2 half = tensor2(x.shape()[0], d);
    for (std::size_t b = 0; b < x.shape()[0]; ++b) std::copy_n(&x(b, part * d), d, &half(b, 0));
    return half;
}

/// Sets the logits of both classifiers for each image, the class token's first, and their mean.
void classify_twice(const Weights& w, HeadTrace& t) {
    const Tensor2 by_class = linear(w.classifier, half_of_rows(t.ln, 0)),
                  by_distillation = linear(w.distillation_classifier, half_of_rows(t.ln, 1));
    const std::size_t images = by_class.shape()[0], classes = by_class.shape()[1];
    t.each = tensor2(2 * images, classes);
    t.logits = tensor2(images, classes);
    for (std::size_t b = 0; b < images; ++b)
        for (std::size_t k = 0; k < classes; ++k) {
            t.each(2 * b, k) = by_class(b, k);
            t.each(2 * b + 1, k) = by_distillation(b, k);
            t.logits(b, k) = (by_class(b, k) + by_distillation(b, k)) / 2;
        }
}

/// 1 / (1 + e^−x) of each number.
Tensor2 sigmoid(const Tensor2& x) {
    Tensor2 y = x;
    for (float& v : y) v = 1.0F / (1.0F + std::exp(-v));
    return y;
}

/// Gradient of `ln`, from the gradient of the mean of both classifiers' logits.
Tensor2 classify_twice_back(const HeadBack& back, const HeadTrace& g) {
    const Weights& w = back.model.weights;
    const Weights& into = back.gradients.weights();
    Tensor2 share = g.logits;
    for (float& x : share) x /= 2;
    const Tensor2 of_class =
                      linear_back(w.classifier, into.classifier, back.gradients, half_of_rows(back.t.ln, 0), share),
                  of_distillation = linear_back(w.distillation_classifier, into.distillation_classifier, back.gradients,
                                                half_of_rows(back.t.ln, 1), share);
    const std::size_t d = of_class.shape()[1];
    Tensor2 both = tensor2(of_class.shape()[0], 2 * d);
    for (std::size_t b = 0; b < of_class.shape()[0]; ++b)
        std::copy_n(&of_distillation(b, 0), d, std::copy_n(&of_class(b, 0), d, &both(b, 0)));
    return both;
}

/// Gradient of `ln`, from `g.logits`.
Tensor2 logits_back(const HeadBack& back, const HeadTrace& g) {
    if (back.model.config.readout == Readout::class_and_distillation) return classify_twice_back(back, g);
    return linear_back(back.model.weights.classifier, back.gradients.weights().classifier, back.gradients, back.t.ln,
                       g.logits);
}

}  // namespace

HeadTrace classify(const Model& model, const Tensor2& z) {
    const Config& c = model.config;
    const Weights& w = model.weights;
    HeadTrace t;
    if (c.norms_tokens()) {
        t.tokens = layer_norm(w.norm, rows_read(c, z), c.layer_norm_epsilon).out;
        if (c.pools()) t.pooling = pool(model, t.tokens);
        t.ln = c.pools() ? pooled(t.pooling) : bring_together(c, t.tokens);
    } else {
        t.ln = layer_norm(w.norm, read_out(c, z), c.layer_norm_epsilon).out;
    }
    if (c.features > 0) t.features = linear(w.feature_projection, t.ln);
    if (c.features > 0 && c.ending == HeadKind::several) t.probabilities = sigmoid(t.features);
    if (c.classes == 0) return t;
    if (c.readout == Readout::class_and_distillation)
        classify_twice(w, t);
    else
        t.logits = linear(w.classifier, t.ln);
    t.probabilities = softmax(t.logits);
    return t;
}

Tensor2 classify_back(const HeadBack& back, HeadTrace& g) {
    const Config& c = back.model.config;
    assert(!c.norms_tokens());
    const Tensor2 read = read_out(c, back.z);
    g.ln = logits_back(back, g);
    return norm_back(
        {back.model.weights.norm, back.gradients.weights().norm, row_statistics(read), read, c.layer_norm_epsilon},
        back.gradients, g.ln);
}

Tensor2 classify_back_to_tokens(const HeadBack& back, HeadTrace& g) {
    const Config& c = back.model.config;
    if (!c.norms_tokens()) return read_out_back(c, classify_back(back, g));
    const Tensor2 rows = rows_read(c, back.z);
    g.ln = logits_back(back, g);
    g.tokens = c.pools() ? pool_back({back.model, back.t.tokens, back.t.pooling, back.gradients}, g.ln, g.pooling)
                         : bring_together_back(c, g.ln);
    return rows_read_back(c, norm_back({back.model.weights.norm, back.gradients.weights().norm, row_statistics(rows),
                                        rows, c.layer_norm_epsilon},
                                       back.gradients, g.tokens));
}

}  // namespace vitrine
