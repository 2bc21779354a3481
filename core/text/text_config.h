#pragma once

#include "core/base/names.h"
#include "core/transformer/config.h"

namespace vitrine {

/// The stacks and the output of a text Transformer.
enum class TextShape {
    encoder_decoder,  ///< reads a source, writes a target: Vaswani et al. 2017
    classifier,       ///< an encoder with a class read from [CLS]: like BERT (Devlin et al. 2019)
    language_model,   ///< a decoder without a source: like GPT (Radford et al. 2018)
};
inline constexpr Named<TextShape> text_shapes[] = {{TextShape::encoder_decoder, "encoder_decoder"},
                                                   {TextShape::classifier, "classifier"},
                                                   {TextShape::language_model, "language_model"}};

/// Configuration of a text Transformer: all that decides its shapes. `blocks` counts the encoder's, 0 for a language
/// model. Letters as in core/tensor/tensor.h; S and T are the lengths of source and target, V the size of a vocabulary.
struct TextConfig : TransformerConfig {
    TextShape shape = TextShape::encoder_decoder;
    int decoder_blocks = 0;  // 0 for a classifier
    int source_words = 0;    // V of the encoder, 0 without an encoder
    int target_words = 0;    // V of the decoder and its outputs, 0 without a decoder
    int classes = 0;         // for a classifier
    bool scaled = true;      ///< word vectors are multiplied by √D; § 3.4
    int longest = 0;         // number of positions, special words included
    bool causal = true;      ///< the decoder's self-attention is masked
    bool names_it = false;   ///< an auxiliary head predicts the noun of "it" from the encoder's last state there

    TextConfig() { positions = Positions::sines; }

    bool has_encoder() const { return blocks > 0; }
    bool has_decoder() const { return decoder_blocks > 0; }
    bool has_cross() const { return has_encoder() && has_decoder(); }
    /// Outputs of the generator: words, or classes.
    int outputs() const { return shape == TextShape::classifier ? classes : target_words; }
};

/// Layer norms with ε = 1e-5 and ReLU, as in PyTorch's nn.Transformer; the bundled models' sizes: D 64, M 128, h 4 (2
/// for a classifier), 2 blocks per stack. Vocabularies and classes stay 0. Post-norm for an encoder with a decoder,
/// else pre-norm.
TextConfig usual_text_config(TextShape shape);

}  // namespace vitrine
