#include "core/vit/cost.h"

#include "core/vit/model.h"

namespace vitrine {

Shape shape_of(const Config& c) {
    return {.blocks = c.blocks,
            .width = c.embedding_dim,
            .heads = c.heads,
            .hidden = c.mlp_dim,
            .patch = c.patch_size,
            .image = c.image_height,
            .classes = c.classes,
            .channels = c.channels,
            .qkv_biases = c.query_bias + c.key_bias + c.value_bias,
            .image_width = c.image_width == c.image_height ? 0 : c.image_width,
            .leading = c.leading_tokens(),
            .placed = c.first_patch_position(),
            .position_table = c.position_table,
            .rotary = c.positions == Positions::rotary,
            .qk_norm = c.qk_norm,
            .position_bias = c.position_bias,
            .layer_scale = c.layer_scale,
            .gated_mlp = c.gated_mlp,
            .mlp_norm = c.mlp_norm};
}

Cost cost_of(const Shape& s) {
    const double l = s.blocks, d = s.width, m = s.hidden, n = s.tokens(), h = s.heads, classes = s.classes;
    const double patch = static_cast<double>(s.channels) * s.patch * s.patch;
    const double qkv = 3 * d * d + s.qkv_biases * d;
    const double block = qkv + d * d + d + d * m + m + m * d + d + 4 * d +  // two layer norms have 4 D
                         (s.layer_scale ? 2 * d : 0) + (s.qk_norm ? 4 * d / h : 0) + s.position_bias * h +
                         (s.gated_mlp ? d * m + m : 0) + (s.mlp_norm ? 2 * m : 0);
    Cost c;
    c.parameters = patch * d + d + s.leading * d + (s.position_table ? (s.patches() + s.placed) * d : 0) + l * block +
                   2 * d + (classes > 0 ? (d + 1) * classes : 0);
    c.attention_multiply_adds = l * 2 * n * n * d;
    c.multiply_adds = s.patches() * patch * d + l * (n * (4 * d * d + (s.gated_mlp ? 3 : 2) * d * m)) +
                      c.attention_multiply_adds + d * classes;
    c.weight_bytes = 4 * c.parameters;
    c.attention_bytes = 4 * l * h * n * n;
    const double hidden_tensors = 2 + (s.gated_mlp ? 2 : 0) + (s.mlp_norm ? 1 : 0);
    // Members of the stages in core/vit/trace.h: ln1, q, k, v, heads, msa, residual, ln2, mlp.out and z have N·D
    // numbers; with layer scale so have both scaled branches, with a norm of q and k
    // both of these, with rotary positions both turned ones.
    c.embedding_bytes = 4 * (s.patches() * patch + s.patches() * d + 2 * n * d + (s.rotary ? n * d / h / 2 : 0));
    c.block_bytes = 4 * ((10 + (s.layer_scale ? 2 : 0) + (s.qk_norm ? 2 : 0) + (s.rotary ? 2 : 0)) * n * d + 4 * n +
                         hidden_tensors * n * m + (s.mlp_norm ? 2 * n : 0) + 2 * h * n * n);
    c.trace_bytes = c.embedding_bytes + l * c.block_bytes + 4 * (d + 2 * classes);
    return c;
}

}  // namespace vitrine
