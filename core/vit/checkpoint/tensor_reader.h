#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/files/tensor_file.h"
#include "core/tensor/parameter.h"

namespace vitrine {

using TensorShape = std::vector<std::size_t>;

/// "(64, 3, 8, 8)"
std::string words_of(const TensorShape& shape);

/// Whether `name` equals `end` or ends with "." and `end`.
bool ends_with(std::string_view name, std::string_view end);

/// One of `count` equal parts of a fused tensor, without a copy.
Parameter part_of(const Parameter& whole, std::size_t part, std::size_t count, const TensorShape& shape);
/// (A, B) -> (B, A), a copy.
Parameter transposed(const Parameter& matrix);

/// Takes tensors out of a file one by one, checks their shapes and keeps track of the leftovers. Throws Error, naming
/// the file, the tensor and the remedy.
class TensorReader {
public:
    /// The result of `take`: the file's numbers, or zeros in memory that is never touched.
    enum class Numbers { read, left };
    TensorReader(const TensorFile& file, const Progress& progress, Numbers numbers = Numbers::read)
        : file_(file), progress_(progress), numbers_(numbers) {}

    /// The full name of the tensor with a suffix, ignoring names that begin with one of `outside`; "" for none. Throws
    /// Error for two.
    std::string find(const std::string& end, const std::vector<std::string>& outside = {}) const;
    bool has(const std::string& name) const { return file_.entries().contains(name); }
    /// Throws Error if there is no such tensor.
    const TensorShape& shape(const std::string& name) const;

    /// Reads a tensor of the expected shape, ignoring axes of length 1. Throws Error for another shape.
    Parameter take(const std::string& name, const TensorShape& expected);
    /// Marks a tensor as known but not needed.
    void pass_over(const std::string& name) { taken_.insert(name); }
    /// Excludes a tensor from every search, since it does not belong to the encoder.
    void set_aside(const std::string& name) { aside_.insert(name); }
    bool is_aside(const std::string& name) const { return aside_.contains(name); }
    /// Names of the tensors that were neither taken, passed over nor set aside.
    std::vector<std::string> unread_names() const;

    const TensorFile& file() const { return file_; }

private:
    const TensorFile& file_;
    const Progress& progress_;
    Numbers numbers_ = Numbers::read;
    std::set<std::string> taken_, aside_;
};

}  // namespace vitrine
