#include "core/vit/token_weights.h"

#include <algorithm>
#include <utility>

namespace vitrine {

namespace {

constexpr std::size_t most_tokens = 32;  // more than a comparison of heads can name

std::vector<float> weights_in(const BlockTrace& block, int head, TokenWeights which) {
    const auto i = static_cast<std::size_t>(head), token = static_cast<std::size_t>(which.token);
    const std::size_t n = block.attention.shape()[1];
    std::vector<float> weights(n);
    for (std::size_t other = 0; other < n; ++other)
        weights[other] = which.as_key ? block.attention(i, other, token) : block.attention(i, token, other);
    return weights;
}

}  // namespace

std::shared_ptr<const Tensor2> KeptWeights::find(const std::shared_ptr<const Tensor2>& z, TokenWeights which) const {
    const std::lock_guard lock(mutex_);
    const auto of_token = kept_.find(which);
    if (of_token == kept_.end()) return nullptr;
    const auto of_block = of_token->second.find(z);
    return of_block == of_token->second.end() ? nullptr : of_block->second;
}

void KeptWeights::keep(const std::shared_ptr<const Tensor2>& z, TokenWeights which, Tensor2 weights) {
    const std::lock_guard lock(mutex_);
    std::erase(newest_last_, which);
    newest_last_.push_back(which);
    if (newest_last_.size() > most_tokens) {
        kept_.erase(newest_last_.front());
        newest_last_.erase(newest_last_.begin());
    }
    OfBlocks& blocks = kept_[which];
    std::erase_if(blocks, [](const auto& of_block) { return of_block.first.expired(); });
    blocks[z] = std::make_shared<const Tensor2>(std::move(weights));
}

std::vector<float> weights_of_head(const Trace& trace, int block, int head, TokenWeights which) {
    if (trace.budget)
        if (const auto kept = trace.budget->weights->find(trace.kept_z(block), which)) {
            const float* const row = &(*kept)(static_cast<std::size_t>(head), 0);
            return {row, row + kept->shape()[1]};
        }
    return weights_in(*trace.block(block), head, which);
}

bool has_weights(const Trace& trace, TokenWeights which) {
    if (!trace.budget) return true;
    for (int block = 1; block <= trace.blocks(); ++block)
        if (!trace.budget->weights->find(trace.kept_z(block), which)) return false;
    return true;
}

void keep_weights(const Trace& trace, const std::set<TokenWeights>& which, const Progress& progress) {
    if (!trace.budget) return;
    for (int number = 1; number <= trace.blocks(); ++number) {
        report(progress, static_cast<double>(number - 1) / trace.blocks());
        const std::shared_ptr<const Tensor2> z = trace.kept_z(number);
        std::shared_ptr<const BlockTrace> block;  // computed for the first token whose weights are missing
        for (const TokenWeights& one : which) {
            if (trace.budget->weights->find(z, one)) continue;
            if (!block) block = trace.block(number);
            const std::size_t heads = block->attention.shape()[0], n = block->attention.shape()[1];
            Tensor2 weights = tensor2(heads, n);
            for (std::size_t head = 0; head < heads; ++head)
                std::ranges::copy(weights_in(*block, static_cast<int>(head), one), &weights(head, 0));
            trace.budget->weights->keep(z, one, std::move(weights));
        }
    }
}

}  // namespace vitrine
