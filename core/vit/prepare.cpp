#include <vector>

#include "core/tensor/matmul.h"
#include "core/vit/model.h"

namespace vitrine {

void prepare(Model& model, const Progress& progress) {
    Weights& w = model.weights;
    PoolingWeights& p = w.pooling;
    for (LinearWeights* const linear : {&w.patch_embedding, &p.query, &p.key, &p.value, &p.projection, &p.mlp_in,
                                        &p.mlp_out, &w.classifier, &w.distillation_classifier, &w.feature_projection})
        if (!linear->weight.empty()) linear->packed = std::make_shared<PackedLinear>(*linear);
    for (std::size_t i = 0; i < w.blocks.size(); ++i) {
        BlockWeights& b = w.blocks[i];
        for (LinearWeights* const linear :
             {&b.query, &b.key, &b.value, &b.projection, &b.mlp_in, &b.mlp_value, &b.mlp_out}) {
            if (linear->weight.empty()) continue;
            linear->packed = std::make_shared<PackedLinear>(*linear);
            linear->weight = {linear->packed, linear->weight.shape()};
        }
        report(progress, static_cast<double>(i + 1) / static_cast<double>(w.blocks.size()));
    }
}

}  // namespace vitrine
