#include "core/vit/cost.h"

#include "core/vit/model.h"
#include "core/vit/readout.h"
#include "core/vit/token_places.h"
#include "core/vit/weight_parts.h"

namespace vitrine {

Cost cost_of(const Config& config) {
    const double l = config.blocks, d = config.embedding_dim, m = config.mlp_dim, n = config.tokens(), h = config.heads,
                 np = config.patches(), patch = config.patch_dim();
    const double classes = config.classes, features = config.features, vectors = config.reads_two() ? 2 : 1;
    const bool two_classifiers = config.readout == Readout::class_and_distillation;
    const bool turned = turns_by_place(config);
    const double normed = config.norms_tokens() ? static_cast<double>(tokens_read(config).size()) : 0;
    const WeightSizes weights = weight_sizes(config);
    Cost c;
    double pooled_multiply_adds = 0, pooled_numbers = 0;
    for (const double count : weights.by_part) c.parameters += count;
    if (config.pools()) {
        const double hidden = config.pooling_dim;
        pooled_multiply_adds = (2 + 2 * np) * d * d + 2 * np * d + 2 * d * hidden;
        // q, heads, msa, ln and mlp.out have D numbers, k and v N_p·D.
        pooled_numbers = 5 * d + 2 + 2 * np * d + 2 * h * np + 2 * hidden;
    }
    c.attention_multiply_adds = l * 2 * n * n * d;
    c.multiply_adds = np * patch * d + l * n * weights.matrices_of_block + c.attention_multiply_adds +
                      vectors * d * classes + features * config.classifier_inputs() + pooled_multiply_adds;
    c.weight_bytes = 4 * c.parameters;
    c.attention_bytes = 4 * l * h * n * n;
    const double hidden_tensors = 2 + (config.gated_mlp ? 2 : 0) + (config.mlp_norm ? 1 : 0);
    // Members of the stages in core/vit/trace.h: ln1, q, k, v, heads, msa, residual, ln2, mlp.out and z have N·D
    // numbers; so do the two scaled branches of layer scale, normalised q and k, and rotated q and k, if the model has
    // them.
    c.embedding_bytes =
        4 * (np * patch + np * d + (config.embedding_norm ? 3 : 2) * n * d + (turned ? n * d / h / 2 : 0));
    c.block_bytes = 4 * ((10 + (config.layer_scale ? 2 : 0) + (config.qk_norm ? 2 : 0) + (turned ? 2 : 0)) * n * d +
                         4 * n + hidden_tensors * n * m + (config.mlp_norm ? 2 * n : 0) + 2 * h * n * n);
    c.trace_bytes = c.embedding_bytes + l * c.block_bytes +
                    4 * (pooled_numbers + (vectors + normed) * d + 2 * features + (two_classifiers ? 4 : 2) * classes);
    return c;
}

}  // namespace vitrine
