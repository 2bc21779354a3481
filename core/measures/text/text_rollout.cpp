#include "core/measures/text/text_rollout.h"

#include <utility>

namespace vitrine {

namespace {

Tensor2 zeros(std::size_t rows, std::size_t columns) {
    Tensor2 out = tensor2(rows, columns);
    std::fill_n(out.data(), out.size(), 0.0F);
    return out;
}

Tensor2 identity(std::size_t n) {
    Tensor2 out = zeros(n, n);
    for (std::size_t i = 0; i < n; ++i) out(i, i) = 1.0F;
    return out;
}

/// One attention layer, the mean of its heads, with its residual connection: ½ (own + Ā from).
///   own (N, M), A (h, N, N_k), from (N_k, M)  ->  (N, M)
Tensor2 mixed(const Tensor2& own, const AttentionTrace& t, const Tensor2& from) {
    const std::size_t heads = t.attention.shape()[0], n = t.attention.shape()[1], keys = t.attention.shape()[2];
    Tensor2 out = tensor2(n, own.shape()[1]);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t m = 0; m < own.shape()[1]; ++m) {
            double sum = 0;
            for (std::size_t j = 0; j < keys; ++j) {
                double weight = 0;
                for (std::size_t head = 0; head < heads; ++head) weight += static_cast<double>(t.attention(head, i, j));
                sum += weight / static_cast<double>(heads) * static_cast<double>(from(j, m));
            }
            out(i, m) = static_cast<float>(0.5 * (static_cast<double>(own(i, m)) + sum));
        }
    }
    return out;
}

}  // namespace

TextRollout text_rollout(const TextTrace& trace) {
    TextRollout rollout;
    for (int number = 1; number <= trace.encoder.blocks(); ++number) {
        const auto block = trace.encoder.block(number);
        const Tensor2 before = rollout.encoder.empty() ? identity(block->attention.shape()[1]) : rollout.encoder.back();
        rollout.encoder.push_back(mixed(before, *block, before));
    }
    for (int number = 1; number <= trace.decoder.blocks(); ++number) {
        const auto block = trace.decoder.block(number);
        const std::size_t n = block->self.attention.shape()[1];
        const bool first = rollout.own.empty(), crosses = block->cross.attention.size() > 0;
        const Tensor2 before = first ? identity(n) : rollout.own.back();
        Tensor2 own = mixed(before, block->self, before);
        if (crosses) {
            const Tensor2& memory = rollout.encoder.back();
            const Tensor2 read = first ? zeros(n, memory.shape()[1]) : rollout.source.back();
            rollout.source.push_back(mixed(mixed(read, block->self, read), block->cross, memory));
            for (float& x : own) x *= 0.5F;
        }
        rollout.own.push_back(std::move(own));
    }
    return rollout;
}

}  // namespace vitrine
