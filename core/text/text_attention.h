#pragma once

#include "core/base/names.h"

namespace vitrine {

/// Which attention a head belongs to.
enum class TextAttention { encoder, decoder, cross };
inline constexpr Named<TextAttention> text_attention_names[] = {
    {TextAttention::encoder, "encoder"}, {TextAttention::decoder, "decoder"}, {TextAttention::cross, "cross"}};
constexpr const char* name_of(TextAttention attention) { return name_in(text_attention_names, attention); }

}  // namespace vitrine
