#include "core/text/text_model.h"

#include <utility>

#include "core/text/sentences.h"

namespace vitrine {

TextConfig usual_text_config(TextShape shape) {
    const bool both = shape == TextShape::encoder_decoder;
    TextConfig c;
    c.shape = shape;
    c.embedding_dim = 64;
    c.heads = shape == TextShape::classifier ? 2 : 4;
    c.mlp_dim = 128;
    c.blocks = shape == TextShape::language_model ? 0 : 2;
    c.decoder_blocks = shape == TextShape::classifier ? 0 : 2;
    c.layer_norm_epsilon = 1e-5F;
    c.activation = Activation::relu;
    c.norm = both ? Norm::after : Norm::before;
    c.names_it = both;
    return c;
}

TextConfig usual_text_config(TextTask task, TextLanguage to) {
    TextConfig c;
    switch (task) {
        case TextTask::translate: c = usual_text_config(TextShape::encoder_decoder); break;
        case TextTask::sentiment: c = usual_text_config(TextShape::classifier); break;
        case TextTask::story: c = usual_text_config(TextShape::language_model); break;
    }
    c.source_words = c.has_encoder() ? source_vocabulary(task, to).size() : 0;
    c.target_words = c.has_decoder() ? target_vocabulary(task, to).size() : 0;
    if (task == TextTask::sentiment) c.classes = static_cast<int>(sentiment_labels().size());
    // Only the English "it" must be understood to be translated.
    c.names_it = task == TextTask::translate && to == TextLanguage::japanese;
    c.longest = longest_text(task) + 2;
    return c;
}

TextModel untrained_text_model(TextConfig c, TextTask task, TextLanguage to, std::uint64_t seed) {
    TextModel model;
    model.task = task;
    model.to = to;
    if (c.has_encoder()) model.source = source_vocabulary(task, to);
    if (c.has_decoder()) model.target = target_vocabulary(task, to);
    if (task == TextTask::sentiment) model.labels = sentiment_labels();
    c.source_words = c.has_encoder() ? model.source.size() : 0;
    c.target_words = c.has_decoder() ? model.target.size() : 0;
    c.classes = static_cast<int>(model.labels.size());
    model.config = c;
    model.weights = untrained_text_weights(c, seed).weights();
    return model;
}

TextModel untrained_text_model(TextTask task, TextLanguage to, std::uint64_t seed) {
    return untrained_text_model(usual_text_config(task, to), task, to, seed);
}

}  // namespace vitrine
