#include <vector>

#include "core/tensor/matmul.h"
#include "core/vit/model.h"

namespace vitrine {

void prepare(Model& model, const Progress& progress) {
    std::vector<LinearWeights*> linears = {&model.weights.patch_embedding};
    for (BlockWeights& b : model.weights.blocks)
        linears.insert(linears.end(), {&b.query, &b.key, &b.value, &b.projection, &b.mlp_in, &b.mlp_out});
    for (BlockWeights& b : model.weights.blocks)
        if (!b.mlp_value.weight.empty()) linears.push_back(&b.mlp_value);
    PoolingWeights& p = model.weights.pooling;
    for (LinearWeights* const last :
         {&p.query, &p.key, &p.value, &p.projection, &p.mlp_in, &p.mlp_out, &model.weights.classifier,
          &model.weights.distillation_classifier, &model.weights.feature_projection})
        if (!last->weight.empty()) linears.push_back(last);

    for (std::size_t i = 0; i < linears.size(); ++i) {
        report(progress, static_cast<double>(i) / static_cast<double>(linears.size()));
        linears[i]->packed = std::make_shared<PackedLinear>(*linears[i]);
    }
}

}  // namespace vitrine
