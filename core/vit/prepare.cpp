#include "core/base/overloaded.h"
#include "core/tensor/matmul.h"
#include "core/vit/weight_walk.h"

namespace vitrine {

void prepare(Model& model, const Progress& progress) {
    const Overloaded pack{[&](const WeightPlace& at, LinearWeights& linear) {
                              if (linear.weight.empty()) return;
                              linear.packed = std::make_shared<PackedLinear>(linear);
                              if (!at.in_block) return;
                              linear.weight = {linear.packed, linear.weight.shape()};
                              report(progress, static_cast<double>(at.block - 1) / model.config.blocks);
                          },
                          [](const WeightPlace&, const auto&) {}};
    walk_weights(model.weights, pack);
    report(progress, 1);
}

}  // namespace vitrine
