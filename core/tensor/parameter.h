#pragma once

#include <cassert>
#include <cstddef>
#include <memory>
#include <vector>

namespace vitrine {

class PackedLinear;

/// The function between the two linear layers of an MLP, by Hugging Face's names.
enum class Activation {
    gelu,        ///< x Φ(x), by erf
    gelu_tanh,   ///< its tanh approximation: "gelu_new", "gelu_pytorch_tanh"
    quick_gelu,  ///< x σ(1.702 x)
    relu,
    elu,   ///< x for x > 0, e^x − 1 below (α = 1)
    silu,  ///< x σ(x), the gate of a SwiGLU
};

const char* name_of(Activation activation);

/// A matrix in another layout than row-major, from which the row-major numbers can be restored.
class PackedMatrix {
public:
    PackedMatrix() = default;
    virtual ~PackedMatrix() = default;
    PackedMatrix(const PackedMatrix&) = delete;
    PackedMatrix& operator=(const PackedMatrix&) = delete;

    /// The original numbers in row-major order, exact to the bit. Thread-safe.
    virtual std::shared_ptr<const float> stored() const = 0;
};

/// A tensor of a checkpoint: read-only float32 in memory, read once when the model is opened; cheap to copy. A matrix
/// may be kept only packed for products; its numbers are then read from `stored()`.
class Parameter {
public:
    Parameter() = default;
    Parameter(std::shared_ptr<const float> data, std::vector<std::size_t> shape);
    /// A matrix of this shape, (out, in), that is kept only packed.
    Parameter(std::shared_ptr<const PackedMatrix> packed, std::vector<std::size_t> shape);

    bool empty() const { return data_ == nullptr && packed_ == nullptr; }
    /// The same numbers in row-major order: this parameter itself, or an exact copy shared by all holders.
    Parameter stored() const;

    // Only for a parameter in row-major order:
    const float* data() const {
        assert(packed_ == nullptr);
        return data_.get();
    }
    const std::shared_ptr<const float>& owner() const { return data_; }
    const float& operator()(std::size_t i) const { return data()[i]; }
    const float& operator()(std::size_t row, std::size_t column) const { return data()[row * shape_[1] + column]; }

    const std::vector<std::size_t>& shape() const { return shape_; }
    std::size_t size() const;

private:
    std::shared_ptr<const float> data_;
    std::shared_ptr<const PackedMatrix> packed_;
    std::vector<std::size_t> shape_;
};

/// y = x Wᵀ + b with W as PyTorch stores it.
struct LinearWeights {
    Parameter weight;  // (out, in)
    Parameter bias;    // (out), or empty

    /// W and b in the layout that the matrix library prefers; made once at load by `prepare`, empty before. A block's
    /// `weight` is then kept in this layout only.
    std::shared_ptr<const PackedLinear> packed;
    /// Whether the number of rows changes from call to call, as it does for batches of sentences.
    bool varied_rows = false;
};

struct LayerNormWeights {
    Parameter gamma;  // (D)
    Parameter beta;   // (D)
};

}  // namespace vitrine
