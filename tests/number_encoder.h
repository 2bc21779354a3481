#pragma once

#include <vector>

#include "core/tensor/ops.h"
#include "core/transformer/backward_layers.h"
#include "core/transformer/encoder_block.h"

namespace vitrine {

// A second, minimal family of models: a Transformer that reads sequences of numbers of any length and outputs one
// number for each. It shows that core/transformer is generic: no patches, no images, no class token.

struct NumberWeights {
    LinearWeights embedding;  // (D, 1)
    std::vector<BlockWeights> blocks;
    LayerNormWeights norm;
    LinearWeights head;  // (1, D)
};

inline NumberWeights lay_out_numbers(const TransformerConfig& c, const MakeParameter& make) {
    NumberWeights w;
    w.embedding = lay_out_linear(c.embedding_dim, 1, make);
    for (int i = 0; i < c.blocks; ++i) w.blocks.push_back(lay_out_block(c, make));
    w.norm = lay_out_norm(c, make);
    w.head = lay_out_linear(1, c.embedding_dim, make);
    return w;
}

struct NumberTrace {
    Tensor2 numbers;                 // (B·N, 1)
    std::vector<Tensor2> z;          // z₀ … z_L (B·N, D)
    std::vector<BlockTrace> blocks;  // [ℓ − 1]
    LayerNormTrace norm;
    Tensor2 read;    // (B, D)  the mean of each sequence
    Tensor2 answer;  // (B, 1)
};

/// The encoder and its backward pass, with any what-ifs and mask.
class NumberEncoder {
public:
    explicit NumberEncoder(const TransformerConfig& config)
        : config_(config), weights_([config](const MakeParameter& make) { return lay_out_numbers(config, make); }) {}

    Flat<NumberWeights>& weights() { return weights_; }

    /// B sequences of N numbers; N may vary.      (B·N, 1)
    NumberTrace forward(const Tensor2& numbers, Batch batch, const Editor& edit = {},
                        const Tensor3* mask = nullptr) const {
        const NumberWeights& w = weights_.weights();
        NumberTrace t;
        t.numbers = numbers;
        t.z.push_back(linear(w.embedding, numbers));
        for (int block = 1; block <= config_.blocks; ++block) {
            t.blocks.push_back(encoder_block({config_, block, batch, edit}, at(w, block), t.z.back(), mask));
            t.z.push_back(*t.blocks.back().z);
        }
        t.norm = layer_norm(w.norm, t.z.back(), config_.layer_norm_epsilon);
        t.read = mean_of_sequences(t.norm.out, batch);
        t.answer = linear(w.head, t.read);
        return t;
    }

    /// From ∂answer (B, 1) to the gradients of all parameters and ∂numbers (B·N, 1).
    Tensor2 backward(const NumberTrace& t, Batch batch, const Editor& edit, const Tensor2& d_answer,
                     Flat<NumberWeights>& gradients) const {
        const NumberWeights &w = weights_.weights(), &into = gradients.weights();
        const Tensor2 d_read = linear_back(w.head, into.head, gradients, t.read, d_answer);
        Tensor2 dz = norm_back({w.norm, into.norm, t.norm, t.z.back(), config_.layer_norm_epsilon}, gradients,
                               spread(d_read, batch));
        for (int block = config_.blocks; block >= 1; --block) {
            const auto i = static_cast<std::size_t>(block - 1);
            const Layer layer{config_, block, batch, edit};
            BlockTrace g;
            dz = encoder_block_back({layer, {w.blocks[i], into.blocks[i], gradients}, t.blocks[i], t.z[i]},
                                    std::move(dz), g);
        }
        return linear_back(w.embedding, into.embedding, gradients, t.numbers, dz);
    }

private:
    static const BlockWeights& at(const NumberWeights& w, int block) {
        return w.blocks[static_cast<std::size_t>(block - 1)];
    }
    static Tensor2 mean_of_sequences(const Tensor2& x, Batch batch) {
        const auto n = static_cast<std::size_t>(batch.tokens), columns = columns_of(x);
        Tensor2 mean = tensor2(static_cast<std::size_t>(batch.sequences), columns);
        std::fill_n(mean.data(), mean.size(), 0.0F);
        for (std::size_t r = 0; r < rows_of(x); ++r)
            for (std::size_t i = 0; i < columns; ++i) mean(r / n, i) += x(r, i) / static_cast<float>(n);
        return mean;
    }
    static Tensor2 spread(const Tensor2& d_mean, Batch batch) {
        const auto n = static_cast<std::size_t>(batch.tokens);
        Tensor2 dx = tensor2(rows_of(d_mean) * n, columns_of(d_mean));
        for (std::size_t r = 0; r < rows_of(dx); ++r)
            for (std::size_t i = 0; i < columns_of(dx); ++i) dx(r, i) = d_mean(r / n, i) / static_cast<float>(n);
        return dx;
    }

    TransformerConfig config_;
    Flat<NumberWeights> weights_;
};

}  // namespace vitrine
