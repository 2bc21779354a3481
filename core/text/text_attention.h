#pragma once

#include "core/base/names.h"

namespace vitrine {

/// The kind of attention of a head.
enum class TextAttention { encoder, decoder, cross };
inline constexpr Named<TextAttention> text_attention_names[] = {
    {TextAttention::encoder, "encoder"}, {TextAttention::decoder, "decoder"}, {TextAttention::cross, "cross"}};
constexpr const char* name_of(TextAttention attention) { return name_in(text_attention_names, attention); }

}  // namespace vitrine
