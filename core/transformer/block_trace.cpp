#include "core/transformer/block_trace.h"

namespace vitrine {

std::span<const float> attention_row(const AttentionTrace& t, int head, int query) {
    const std::size_t n = t.attention.shape()[2];
    return {&t.attention(static_cast<std::size_t>(head), static_cast<std::size_t>(query), 0), n};
}

}  // namespace vitrine
