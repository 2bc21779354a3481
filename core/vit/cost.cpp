#include "core/vit/cost.h"

#include "core/vit/model.h"
#include "core/vit/readout.h"
#include "core/vit/weight_parts.h"

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
            .mlp_norm = c.mlp_norm,
            .patch_biases = c.patch_bias ? 1 : 0,
            .embedding_norms = c.embedding_norm ? 1 : 0,
            .vectors = c.reads_two() ? 2 : 1,
            .classifiers = c.readout == Readout::class_and_distillation ? 2 : 1,
            .normed = c.norms_tokens() ? static_cast<int>(tokens_read(c).size()) : 0,
            .features = c.features,
            .feature_biases = c.feature_bias ? 1 : 0,
            .pooling = c.pools() ? c.pooling_dim : 0};
}

std::array<double, std::size(weight_part_names)> weights_by_part(const Shape& s) {
    const double l = s.blocks, d = s.width, m = s.hidden, h = s.heads;
    const double patch = static_cast<double>(s.channels) * s.patch * s.patch, gain = s.layer_scale ? d : 0;
    const double projected = d * s.vectors / s.classifiers;  // numbers that a projection at the end reads
    std::array<double, std::size(weight_part_names)> counts{};
    const auto part = [&](WeightPart which) -> double& { return counts[static_cast<std::size_t>(which)]; };
    part(WeightPart::embedding) = (patch + s.patch_biases) * d + s.leading * d;
    part(WeightPart::positions) = s.position_table ? (s.patches() + s.placed) * d : 0;
    part(WeightPart::attention) =
        l * (3 * d * d + s.qkv_biases * d + d * d + d + (s.qk_norm ? 4 * d / h : 0) + s.position_bias * h + gain);
    part(WeightPart::mlp) =
        l * (d * m + m + m * d + d + (s.gated_mlp ? d * m + m : 0) + (s.mlp_norm ? 2 * m : 0) + gain);
    part(WeightPart::norms) = l * 4 * d + (1 + s.embedding_norms) * 2 * d;  // of a block two, each 2 D
    part(WeightPart::head) = (s.vectors * d + s.classifiers) * s.classes + s.features * (projected + s.feature_biases);
    if (s.pooling > 0) part(WeightPart::head) += d + 4 * (d * d + d) + 2 * d + 2 * d * s.pooling + s.pooling + d;
    return counts;
}

Cost cost_of(const Shape& s) {
    const double l = s.blocks, d = s.width, m = s.hidden, n = s.tokens(), h = s.heads, classes = s.classes;
    const double patch = static_cast<double>(s.channels) * s.patch * s.patch;
    Cost c;
    double pooled_multiply_adds = 0, pooled_numbers = 0;
    const double projected = d * s.vectors / s.classifiers;  // numbers that a projection at the end reads
    for (const double count : weights_by_part(s)) c.parameters += count;
    if (s.pooling > 0) {
        const double np = s.patches();
        pooled_multiply_adds = (2 + 2 * np) * d * d + 2 * np * d + 2 * d * s.pooling;
        // q, heads, msa, ln and mlp.out have D numbers, k and v N_p·D.
        pooled_numbers = 5 * d + 2 + 2 * np * d + 2 * h * np + 2 * s.pooling;
    }
    c.attention_multiply_adds = l * 2 * n * n * d;
    c.multiply_adds = s.patches() * patch * d + l * (n * (4 * d * d + (s.gated_mlp ? 3 : 2) * d * m)) +
                      c.attention_multiply_adds + s.vectors * d * classes + s.features * projected +
                      pooled_multiply_adds;
    c.weight_bytes = 4 * c.parameters;
    c.attention_bytes = 4 * l * h * n * n;
    const double hidden_tensors = 2 + (s.gated_mlp ? 2 : 0) + (s.mlp_norm ? 1 : 0);
    // Members of the stages in core/vit/trace.h: ln1, q, k, v, heads, msa, residual, ln2, mlp.out and z have N·D
    // numbers; so have the two scaled branches of layer scale, normed q and k, and turned q and k, where a model has
    // them.
    c.embedding_bytes =
        4 * (s.patches() * patch + s.patches() * d + (2 + s.embedding_norms) * n * d + (s.rotary ? n * d / h / 2 : 0));
    c.block_bytes = 4 * ((10 + (s.layer_scale ? 2 : 0) + (s.qk_norm ? 2 : 0) + (s.rotary ? 2 : 0)) * n * d + 4 * n +
                         hidden_tensors * n * m + (s.mlp_norm ? 2 * n : 0) + 2 * h * n * n);
    c.trace_bytes =
        c.embedding_bytes + l * c.block_bytes +
        4 * (pooled_numbers + (s.vectors + s.normed) * d + 2.0 * s.features + (s.classifiers == 2 ? 4 : 2) * classes);
    return c;
}

}  // namespace vitrine
