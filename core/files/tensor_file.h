#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

/// How a file stores the numbers of a tensor.
enum class TensorType { f64, f32, f16, bf16, i64, i32, i16, i8, u8, boolean };

/// The precision of saved numbers.
enum class Precision { f32, f16 };

/// Bytes of one number.
std::size_t bytes_of(TensorType type);

/// A tensor as its container lists it.
struct TensorEntry {
    TensorType type = TensorType::f32;
    std::vector<std::size_t> shape;
    std::size_t offset = 0, bytes = 0;  // of its numbers, from an origin that the container chooses
};

/// Number of elements of a shape; none if it overflows.
std::optional<std::size_t> count_of(std::span<const std::size_t> shape);

/// Maximum number of tensors in a file, more than any model has: reading more would only keep the user waiting.
inline constexpr std::size_t most_tensors = 100'000;

/// One or several files of named tensors, in any format: safetensors, shards, PyTorch, NumPy.
///
/// Opening reads only the descriptions of the tensors. A tensor's numbers are read on request.
class TensorFile {
public:
    virtual ~TensorFile() = default;

    const std::string& name() const { return name_; }
    const std::map<std::string, TensorEntry>& entries() const { return entries_; }
    /// The kind of file, "safetensors".
    const std::string& container() const { return container_; }
    /// Notes on how these tensors were found (wrappers opened, parts ignored), one sentence each.
    const std::vector<std::string>& notes() const { return notes_; }

    /// The tensor's elements as float32, row-major. Throws Error for types that hold no weights (I64 …), for NaN or
    /// infinite elements, and if the file is now shorter than it was.
    virtual std::shared_ptr<const float> floats(const std::string& tensor) const = 0;
    /// The elements of one row along the first axis.
    virtual std::shared_ptr<const float> row(const std::string& tensor, std::size_t index) const;

protected:
    explicit TensorFile(std::string name, std::string container)
        : name_(std::move(name)), container_(std::move(container)) {}
    TensorFile(const TensorFile&) = default;
    TensorFile(TensorFile&&) = default;
    TensorFile& operator=(const TensorFile&) = default;
    TensorFile& operator=(TensorFile&&) = default;

    std::string name_;
    std::string container_;
    std::map<std::string, TensorEntry> entries_;
    std::vector<std::string> notes_;
};

// Helpers shared by the readers of containers.

/// Little-endian numbers as float32. Throws Error, naming the file and the tensor, for types that hold no weights.
void convert_numbers(TensorType type, std::span<const std::uint8_t> bytes, float* out, std::string_view file,
                     std::string_view tensor);

/// Throws Error, naming the file and the tensor, if a number is NaN or infinite.
void require_finite(std::span<const float> numbers, std::string_view file, std::string_view tensor);

/// At most four of the names in plain quotes, and the number of the others: "“a”, “b” and 3 more".
std::string some_of(std::span<const std::string> names);

}  // namespace vitrine
