#pragma once

#include "core/base/names.h"
#include "core/transformer/config.h"

namespace vitrine {

/// Which stacks a text Transformer has, and what it gives.
enum class TextShape {
    encoder_decoder,  ///< reads a source, writes a target: Vaswani et al. 2017
    classifier,       ///< an encoder whose [CLS] names a class: as BERT (Devlin et al. 2019)
    language_model,   ///< a decoder without a source: as GPT (Radford et al. 2018)
};
inline constexpr Named<TextShape> text_shapes[] = {{TextShape::encoder_decoder, "encoder_decoder"},
                                                   {TextShape::classifier, "classifier"},
                                                   {TextShape::language_model, "language_model"}};

/// What decides every shape of a text Transformer. `blocks` are the encoder's, 0 for a language model. Letters as in
/// core/tensor/tensor.h; S and T are the lengths of source and target, V the words of a vocabulary.
struct TextConfig : TransformerConfig {
    TextShape shape = TextShape::encoder_decoder;
    int decoder_blocks = 0;  // 0 for a classifier
    int source_words = 0;    // V of the encoder, 0 without one
    int target_words = 0;    // V of the decoder and of what it produces, 0 without one
    int classes = 0;         // of a classifier
    bool scaled = true;      ///< whether a word's vector is multiplied by √D; § 3.4
    int longest = 0;         // places, special words included
    bool causal = true;      ///< whether the decoder's self-attention is masked
    bool names_it = false;   ///< whether an auxiliary head names the noun of "it" from the encoder's state there

    TextConfig() { positions = Positions::sines; }

    bool has_encoder() const { return blocks > 0; }
    bool has_decoder() const { return decoder_blocks > 0; }
    bool has_cross() const { return has_encoder() && has_decoder(); }
    /// Of the generator: words, or classes.
    int outputs() const { return shape == TextShape::classifier ? classes : target_words; }
};

/// Layer norms with ε = 1e-5 and ReLU, as PyTorch's nn.Transformer; the widths of the bundled models: D 64, M 128,
/// h 4 (a classifier 2), 2 blocks a stack. Vocabularies and classes are left 0. Post-norm with an encoder and a
/// decoder, else pre-norm.
TextConfig usual_text_config(TextShape shape);

}  // namespace vitrine
