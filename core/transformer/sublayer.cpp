#include "core/transformer/sublayer.h"

namespace vitrine {

LayerNormTrace pass_on(const Tensor2& x) {
    LayerNormTrace t = row_statistics(x);
    t.out = x;
    return t;
}

Tensor2 add_skip(const Layer& layer, const Tensor2& branch, const Tensor2& z) {
    if (!layer.config.skips) return branch;
    if (!layer.edit.acts(Site::skip, layer.block)) return add(branch, z);
    Tensor2 skip = z;
    layer.edit(Site::skip, layer.block, skip);
    return add(branch, skip);
}

void skip_back(const Layer& layer, const Tensor2& d_sum, Tensor2& dz) {
    if (!layer.config.skips) return;
    Tensor2 skipped = d_sum;
    layer.edit.adjoint(Site::skip, layer.block, skipped);
    add_to(dz, skipped);
}

}  // namespace vitrine
