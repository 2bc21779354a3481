#include "core/measures/text/text_lens.h"

#include "core/tensor/ops.h"

namespace vitrine {

std::vector<Tensor2> text_lens(const TextModel& model, const TextTrace& trace) {
    const bool decodes = model.config.has_decoder();
    const LayerNormWeights& norm = decodes ? model.weights.decoder_norm : model.weights.encoder_norm;
    const int blocks = decodes ? model.config.decoder_blocks : model.config.blocks;
    std::vector<Tensor2> said;
    for (int level = 0; level <= blocks; ++level) {
        const Tensor2 z = decodes ? trace.decoder.z(level) : first_rows(trace.encoder.z(level), trace.batch->source);
        const Tensor2 read = norm.gamma.empty() ? z : layer_norm(norm, z, model.config.layer_norm_epsilon).out;
        said.push_back(softmax(linear(model.weights.generator, read)));
    }
    return said;
}

}  // namespace vitrine
