#include "core/vit/readout.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <span>

namespace vitrine {

namespace {

/// A token's share of the readout.
struct ReadShare {
    int token;
    float share;
};

/// Every token that the head reads, with its share; the shares sum to 1.
std::vector<ReadShare> shares_of(const Config& c) {
    std::vector<ReadShare> shares;
    const std::vector<ReadTokens> parts = read_parts(c);
    for (const ReadTokens& part : parts)
        for (int token = part.first; token < part.last; ++token)
            shares.push_back({token, 1.0F / static_cast<float>(parts.size() * static_cast<std::size_t>(part.count()))});
    return shares;
}

ReadTokens token_of_kind(const Config& c, TokenKind kind) {
    const std::optional<int> token = c.first_of(kind);
    assert(token);
    return {*token, *token + 1};
}

}  // namespace

std::vector<ReadTokens> read_parts(const Config& c) {
    switch (c.readout) {
        case Readout::class_token: return {token_of_kind(c, TokenKind::class_token)};
        case Readout::mean:
        case Readout::attention: return {{c.token_of(0), c.tokens()}};
        case Readout::last: return {{c.tokens() - 1, c.tokens()}};
        case Readout::class_and_mean: return {token_of_kind(c, TokenKind::class_token), {c.token_of(0), c.tokens()}};
        case Readout::class_and_distillation:
            return {token_of_kind(c, TokenKind::class_token), token_of_kind(c, TokenKind::distillation)};
    }
    return {};
}

ReadTokens read_tokens(const Config& c) { return read_parts(c).front(); }

std::vector<int> tokens_read(const Config& c) {
    std::vector<int> tokens;
    for (const ReadTokens& part : read_parts(c))
        for (int token = part.first; token < part.last; ++token) tokens.push_back(token);
    return tokens;
}

Tensor2 read_out(const Config& c, const Tensor2& x) {
    const std::vector<ReadTokens> parts = read_parts(c);
    const auto n = static_cast<std::size_t>(c.tokens());
    const std::size_t images = x.shape()[0] / n, columns = x.shape()[1];
    Tensor2 out = tensor2(images, columns);
    for (std::size_t b = 0; b < images; ++b) {
        float* const all = &out(b, 0);
        for (std::size_t p = 0; p < parts.size(); ++p) {
            const ReadTokens& read = parts[p];
            const auto first = static_cast<std::size_t>(read.first), last = static_cast<std::size_t>(read.last);
            std::vector<float> sum(&x(b * n + first, 0), &x(b * n + first, 0) + columns);
            for (auto token = first + 1; token < last; ++token)
                for (std::size_t i = 0; i < columns; ++i) sum[i] += x(b * n + token, i);
            if (!read.one())
                for (float& s : sum) s /= static_cast<float>(read.count());
            for (std::size_t i = 0; i < columns; ++i) all[i] = p == 0 ? sum[i] : all[i] + sum[i];
        }
        if (parts.size() > 1)
            for (std::size_t i = 0; i < columns; ++i) all[i] /= static_cast<float>(parts.size());
    }
    return out;
}

Tensor2 read_out_back(const Config& c, const Tensor2& dy) {
    const auto n = static_cast<std::size_t>(c.tokens());
    const std::vector<ReadShare> shares = shares_of(c);
    const std::size_t images = dy.shape()[0], columns = dy.shape()[1];
    Tensor2 dx = tensor2(images * n, columns);
    std::fill_n(dx.data(), dx.size(), 0.0F);
    for (std::size_t b = 0; b < images; ++b)
        for (const ReadShare& read : shares)
            for (std::size_t i = 0; i < columns; ++i)
                dx(b * n + static_cast<std::size_t>(read.token), i) += dy(b, i) * read.share;
    return dx;
}

Tensor2 rows_read(const Config& c, const Tensor2& x) {
    const std::vector<int> tokens = tokens_read(c);
    const auto n = static_cast<std::size_t>(c.tokens());
    const std::size_t images = x.shape()[0] / n, columns = x.shape()[1];
    Tensor2 rows = tensor2(images * tokens.size(), columns);
    for (std::size_t b = 0; b < images; ++b)
        for (std::size_t r = 0; r < tokens.size(); ++r)
            std::copy_n(&x(b * n + static_cast<std::size_t>(tokens[r]), 0), columns, &rows(b * tokens.size() + r, 0));
    return rows;
}

Tensor2 rows_read_back(const Config& c, const Tensor2& dy) {
    const std::vector<int> tokens = tokens_read(c);
    const auto n = static_cast<std::size_t>(c.tokens());
    const std::size_t images = dy.shape()[0] / tokens.size(), columns = dy.shape()[1];
    Tensor2 dx = tensor2(images * n, columns);
    std::fill_n(dx.data(), dx.size(), 0.0F);
    for (std::size_t b = 0; b < images; ++b)
        for (std::size_t r = 0; r < tokens.size(); ++r)
            for (std::size_t i = 0; i < columns; ++i)
                dx(b * n + static_cast<std::size_t>(tokens[r]), i) += dy(b * tokens.size() + r, i);
    return dx;
}

Tensor2 bring_together(const Config& c, const Tensor2& rows) {
    const std::vector<ReadTokens> parts = read_parts(c);
    const std::size_t read = tokens_read(c).size(), images = rows.shape()[0] / read, d = rows.shape()[1];
    Tensor2 together = tensor2(images, parts.size() * d);
    std::fill_n(together.data(), together.size(), 0.0F);
    for (std::size_t b = 0; b < images; ++b) {
        std::size_t row = b * read;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            float* const out = &together(b, p * d);
            for (int k = 0; k < parts[p].count(); ++k, ++row)
                for (std::size_t i = 0; i < d; ++i) out[i] += rows(row, i);
            for (std::size_t i = 0; i < d; ++i) out[i] /= static_cast<float>(parts[p].count());
        }
    }
    return together;
}

Tensor2 bring_together_back(const Config& c, const Tensor2& dy) {
    const std::vector<ReadTokens> parts = read_parts(c);
    const std::size_t read = tokens_read(c).size(), images = dy.shape()[0], d = dy.shape()[1] / parts.size();
    Tensor2 rows = tensor2(images * read, d);
    for (std::size_t b = 0; b < images; ++b) {
        std::size_t row = b * read;
        for (std::size_t p = 0; p < parts.size(); ++p)
            for (int k = 0; k < parts[p].count(); ++k, ++row)
                for (std::size_t i = 0; i < d; ++i)
                    rows(row, i) = dy(b, p * d + i) / static_cast<float>(parts[p].count());
    }
    return rows;
}

std::vector<float> readout_shares(const Config& c, const HeadTrace& head) {
    std::vector<float> shares(static_cast<std::size_t>(c.tokens()), 0.0F);
    if (!c.pools()) {
        for (const ReadShare& read : shares_of(c)) shares[static_cast<std::size_t>(read.token)] += read.share;
        return shares;
    }
    const Tensor3& attention = head.pooling.attention;  // (h, 1, N_p)
    const std::size_t heads = attention.shape()[0], patches = attention.shape()[2];
    float* const own = shares.data() + c.token_of(0);
    for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t j = 0; j < patches; ++j) own[j] += attention(h, 0, j) / static_cast<float>(heads);
    return shares;
}

std::vector<float> weighed_rows(std::span<const float> shares, const Tensor2& matrix) {
    std::vector<float> sum(matrix.shape()[1], 0.0F);
    for (std::size_t i = 0; i < shares.size(); ++i)
        for (std::size_t j = 0; j < sum.size() && shares[i] != 0.0F; ++j) sum[j] += shares[i] * matrix(i, j);
    return sum;
}

std::vector<float> readout_row(const Config& c, const BlockTrace& block, int head) {
    const std::vector<ReadShare> shares = shares_of(c);
    const std::span<const float> first = attention_row(block, head, shares.front().token);
    if (shares.size() == 1) return {first.begin(), first.end()};
    std::vector<float> mean(first.size(), 0.0F);
    for (const ReadShare& read : shares) {
        const std::span<const float> row = attention_row(block, head, read.token);
        for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += read.share * row[j];
    }
    return mean;
}

}  // namespace vitrine
