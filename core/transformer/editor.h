#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/tensor/tensor.h"
#include "core/transformer/equations.h"

namespace vitrine {

/// Applies the interventions to each activation that the forward pass hands over. Without interventions a call costs
/// one comparison.
class Editor {
public:
    Editor() = default;
    /// For the blocks of one stack, and for their self-attention if they have several attentions.
    Editor(std::span<const Intervention> interventions, Batch batch, Stack stack = Stack::encoder)
        : interventions_(interventions), batch_(batch), stack_(stack) {}

    /// The editor of the same run for another attention of its blocks.
    Editor of(Attention attention) const {
        Editor other = *this;
        other.attention_ = attention;
        return other;
    }

    /// Edits a site's tensor. `block` is ℓ, or 0 before the blocks. `source` is a tensor that some edits read: q for k
    /// and v, the pre-activations for the activations, Q (B·h, N, d) for the scores, the block's input for the stream.
    template <std::size_t n, std::size_t m = n>
    void operator()(Site site, int block, Tensor<n>& tensor, const Tensor<m>* source = nullptr) const {
        if (interventions_.empty()) return;
        apply_all(site, block, shaped(tensor), source == nullptr ? Shaped<const float>{} : shaped(*source));
    }

    /// Turns the gradient after a site's edits into the gradient before them. `source` is the gradient of the tensor
    /// that the edits read; gradients of copied parts are added to it. A changed activation is part of `equations`
    /// instead.
    template <std::size_t n, std::size_t m = n>
    void adjoint(Site site, int block, Tensor<n>& gradient, Tensor<m>* source = nullptr) const {
        if (interventions_.empty()) return;
        pull_all_back(site, block, shaped(gradient), source == nullptr ? Shaped<float>{} : shaped(*source));
    }

    /// Whether any intervention acts on a site of a block.
    bool acts(Site site, int block) const;

    /// A block's equations, for all heads and tokens of this attention.
    Equations equations(const TransformerConfig& config, int block) const {
        return equations_of(config, interventions_, {block, {}, {}, stack_, attention_});
    }

private:
    template <class Number>
    struct Shaped {
        Number* data = nullptr;
        std::vector<std::size_t> shape = {};
    };
    template <std::size_t n>
    static Shaped<float> shaped(Tensor<n>& t) {
        return {t.data(), {t.shape().begin(), t.shape().end()}};
    }
    template <std::size_t n>
    static Shaped<const float> shaped(const Tensor<n>& t) {
        return {t.data(), {t.shape().begin(), t.shape().end()}};
    }
    bool meets(const Where& where, int block) const;
    bool is_repeated(const Intervention& one, int block) const;
    std::uint64_t random_stream(Site site, int block) const;
    void apply_all(Site site, int block, const Shaped<float>& target, const Shaped<const float>& source) const;
    void pull_all_back(Site site, int block, const Shaped<float>& gradient, const Shaped<float>& source) const;

    std::span<const Intervention> interventions_;
    Batch batch_;
    Stack stack_ = Stack::encoder;
    Attention attention_ = Attention::self;
};

}  // namespace vitrine
