#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "core/transformer/block_weights.h"

namespace vitrine {

/// A parameter with its name and its block in a model; lists of them have the order in which a run uses them.
struct NamedParameter {
    std::string name;
    Parameter parameter;
    int block = 0;                 // ℓ, 0 before the blocks, L + 1 after them
    bool in_block_matrix = false;  // a weight matrix inside a block, which Muon orthogonalises
};

/// Mutable numbers in one contiguous buffer, with parameters that are views of it.
class FlatNumbers {
public:
    std::span<float> values() { return {data_.get(), size_}; }
    std::span<const float> values() const { return {data_.get(), size_}; }

    /// The numbers of a parameter that is a view of this buffer.
    float* at(const Parameter& own) { return data_.get() + offset_of(own); }
    std::size_t offset_of(const Parameter& own) const { return static_cast<std::size_t>(own.data() - data_.get()); }

protected:
    std::size_t size_ = 0;
    std::shared_ptr<float[]> data_;
};

/// An untyped buffer of parameters; copying it copies the numbers.
class NumberRow : public FlatNumbers {
public:
    /// All zeros.
    explicit NumberRow(std::size_t count) {
        size_ = count;
        data_ = std::shared_ptr<float[]>(new float[count]());
    }
    NumberRow(const NumberRow& other) : NumberRow(other.size_) { std::copy_n(other.data_.get(), size_, data_.get()); }
    NumberRow& operator=(const NumberRow& other) {
        if (this != &other) *this = NumberRow(other);
        return *this;
    }
    NumberRow(NumberRow&&) noexcept = default;
    NumberRow& operator=(NumberRow&&) noexcept = default;
    ~NumberRow() = default;
};

/// A family's weights, or anything of the same shapes (gradients, an optimiser's moments), in one buffer, in the order
/// in which `lay_out` makes them.
template <class Weights>
class Flat : public FlatNumbers {
public:
    using LayOut = std::function<Weights(const MakeParameter& make)>;

    /// All zeros.
    explicit Flat(LayOut lay_out) : lay_out_(std::move(lay_out)) {
        lay_out_([&](const std::vector<std::size_t>& shape) {
            size_ += count_of(shape);
            return Parameter();
        });
        data_ = std::shared_ptr<float[]>(new float[size_]());
        float* next = data_.get();
        weights_ = lay_out_([&](const std::vector<std::size_t>& shape) {
            const std::shared_ptr<const float> here(data_, next);
            next += count_of(shape);
            return Parameter(here, shape);
        });
    }
    Flat(const Flat& other) : Flat(other.lay_out_) {
        std::copy(other.values().begin(), other.values().end(), data_.get());
    }
    Flat& operator=(const Flat& other) {
        if (this != &other) *this = Flat(other);
        return *this;
    }
    Flat(Flat&&) noexcept = default;
    Flat& operator=(Flat&&) noexcept = default;
    ~Flat() = default;

    /// The numbers as a model's weights: views of `values`.
    const Weights& weights() const { return weights_; }

private:
    static std::size_t count_of(const std::vector<std::size_t>& shape) {
        std::size_t count = 1;
        for (const std::size_t n : shape) count *= n;
        return count;
    }

    LayOut lay_out_;
    Weights weights_;
};

/// Which gradients to keep: those of the parameters, or those of every activation, too.
enum class Keep { parameters, activations };

}  // namespace vitrine
