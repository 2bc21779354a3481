#include "core/vit/readout.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <span>

namespace vitrine {

ReadTokens read_tokens(const Config& c) {
    switch (c.readout) {
        case Readout::class_token: {
            const std::optional<int> token = c.first_of(TokenKind::class_token);
            assert(token);
            return {*token, *token + 1};
        }
        case Readout::mean: return {c.token_of(0), c.tokens()};
        case Readout::last: return {c.tokens() - 1, c.tokens()};
    }
    return {};
}

Tensor2 read_out(const Config& c, const Tensor2& x) {
    const ReadTokens read = read_tokens(c);
    const auto n = static_cast<std::size_t>(c.tokens()), first = static_cast<std::size_t>(read.first);
    const std::size_t images = x.shape()[0] / n, columns = x.shape()[1];
    Tensor2 out = tensor2(images, columns);
    for (std::size_t b = 0; b < images; ++b) {
        float* const sum = &out(b, 0);
        std::copy_n(&x(b * n + first, 0), columns, sum);
        if (read.one()) continue;
        for (auto token = first + 1; token < static_cast<std::size_t>(read.last); ++token)
            for (std::size_t i = 0; i < columns; ++i) sum[i] += x(b * n + token, i);
        for (std::size_t i = 0; i < columns; ++i) sum[i] /= static_cast<float>(read.count());
    }
    return out;
}

Tensor2 read_out_back(const Config& c, const Tensor2& dy) {
    const ReadTokens read = read_tokens(c);
    const auto n = static_cast<std::size_t>(c.tokens());
    const std::size_t images = dy.shape()[0], columns = dy.shape()[1];
    Tensor2 dx = tensor2(images * n, columns);
    std::fill_n(dx.data(), dx.size(), 0.0F);
    for (std::size_t b = 0; b < images; ++b)
        for (auto token = static_cast<std::size_t>(read.first); token < static_cast<std::size_t>(read.last); ++token)
            for (std::size_t i = 0; i < columns; ++i)
                dx(b * n + token, i) += dy(b, i) / static_cast<float>(read.count());
    return dx;
}

std::vector<float> readout_row(const Config& c, const BlockTrace& block, int head) {
    const ReadTokens read = read_tokens(c);
    const std::span<const float> first = attention_row(block, head, read.first);
    std::vector<float> mean(first.begin(), first.end());
    if (read.one()) return mean;
    for (int token = read.first + 1; token < read.last; ++token) {
        const std::span<const float> row = attention_row(block, head, token);
        for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += row[j];
    }
    for (float& a : mean) a /= static_cast<float>(read.count());
    return mean;
}

}  // namespace vitrine
