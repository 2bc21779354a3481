#include "core/vit/head.h"

#include "core/tensor/ops.h"
#include "core/transformer/backward_layers.h"
#include "core/vit/readout.h"

namespace vitrine {

HeadTrace classify(const Model& model, const Tensor2& z) {
    HeadTrace t;
    t.ln = layer_norm(model.weights.norm, read_out(model.config, z), model.config.layer_norm_epsilon).out;
    if (model.config.classes == 0) return t;
    t.logits = linear(model.weights.classifier, t.ln);
    t.probabilities = softmax(t.logits);
    return t;
}

Tensor2 classify_back(const Model& model, const Tensor2& z, const HeadTrace& t, FlatWeights& gradients, HeadTrace& g) {
    const Weights& w = model.weights;
    const Weights& into = gradients.weights();
    const Tensor2 read = read_out(model.config, z);
    g.ln = linear_back(w.classifier, into.classifier, gradients, t.ln, g.logits);
    return norm_back({w.norm, into.norm, row_statistics(read), read, model.config.layer_norm_epsilon}, gradients, g.ln);
}

}  // namespace vitrine
