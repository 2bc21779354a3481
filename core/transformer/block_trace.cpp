#include "core/transformer/block_trace.h"

namespace vitrine {

std::span<const float> attention_row(const Tensor3& attention, std::size_t matrix, std::size_t query) {
    return {&attention(matrix, query, 0), attention.shape()[2]};
}

std::span<const float> attention_row(const AttentionTrace& t, int head, int query) {
    return attention_row(t.attention, static_cast<std::size_t>(head), static_cast<std::size_t>(query));
}

}  // namespace vitrine
