#pragma once

#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/files/safetensors.h"
#include "core/transformer/block_trace.h"

namespace vitrine {

/// The tensors of a trace under their names in the dump; they point into the trace's stages and keep them in memory.
class TensorNames {
public:
    enum class Empty { keep, leave_out };

    explicit TensorNames(Empty empty) : empty_(empty) {}

    /// Sets the owner of the tensors added next.
    void of(std::shared_ptr<const void> owner) { owner_ = std::move(owner); }

    template <std::size_t n>
    void add(const std::string& name, const Tensor<n>& tensor) {
        add(name, tensor, {tensor.shape().begin(), tensor.shape().end()});
    }
    /// Adds a tensor without its axis for a batch of one.      (1, n) is written as (n)
    void add_row(const std::string& name, const Tensor2& tensor) { add(name, tensor, {tensor.shape()[1]}); }

    void add(const std::string& name, const LayerNormTrace& ln);
    void add(const std::string& prefix, const AttentionTrace& t);
    void add(const std::string& prefix, const MlpTrace& t);
    /// `z_name` is the name of the block's output.
    void add(const std::string& prefix, const std::string& z_name, const std::shared_ptr<const BlockTrace>& block);
    void add(const std::string& prefix, const std::string& z_name, const std::shared_ptr<const DecoderTrace>& block);

    /// Adds tensors that already have names.
    void add(std::vector<NamedTensor> named) {
        tensors_.insert(tensors_.end(), std::make_move_iterator(named.begin()), std::make_move_iterator(named.end()));
    }

    std::vector<NamedTensor> take() { return std::move(tensors_); }

private:
    template <std::size_t n>
    void add(const std::string& name, const Tensor<n>& tensor, std::vector<std::size_t> shape) {
        if (tensor.size() > 0 || empty_ == Empty::keep)
            tensors_.push_back({name, std::move(shape), tensor.data(), owner_});
    }

    Empty empty_;
    std::vector<NamedTensor> tensors_;
    std::shared_ptr<const void> owner_;
};

}  // namespace vitrine
