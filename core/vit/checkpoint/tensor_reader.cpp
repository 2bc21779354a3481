#include "core/vit/checkpoint/tensor_reader.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <numeric>

#include "core/base/error.h"

namespace vitrine {

namespace {

TensorShape without_ones(const TensorShape& shape) {
    TensorShape rest;
    std::copy_if(shape.begin(), shape.end(), std::back_inserter(rest), [](std::size_t n) { return n != 1; });
    return rest;
}

/// Zeros that need no memory until they are read, since the system allocates large blocks page by page.
Parameter untouched_zeros(const TensorShape& shape) {
    const std::size_t count = std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    void* const zeros = std::calloc(std::max<std::size_t>(count, 1), sizeof(float));
    if (zeros == nullptr) throw std::bad_alloc();
    return {std::shared_ptr<const float>(static_cast<const float*>(zeros), [zeros](const float*) { std::free(zeros); }),
            shape};
}

}  // namespace

std::string words_of(const TensorShape& shape) {
    std::string words = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) words += (i > 0 ? ", " : "") + std::to_string(shape[i]);
    return words + ")";
}

Parameter part_of(const Parameter& whole, std::size_t part, std::size_t count, const TensorShape& shape) {
    const auto owner = std::make_shared<Parameter>(whole);
    return {std::shared_ptr<const float>(owner, whole.data() + part * (whole.size() / count)), shape};
}

Parameter transposed(const Parameter& matrix) {
    const std::size_t rows = matrix.shape()[0], columns = matrix.shape()[1];
    const std::shared_ptr<float[]> copy(new float[rows * columns]);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) copy[j * rows + i] = matrix(i, j);
    return {std::shared_ptr<const float>(copy, copy.get()), {columns, rows}};
}

bool ends_with(std::string_view name, std::string_view end) {
    return name.ends_with(end) && (name.size() == end.size() || name[name.size() - end.size() - 1] == '.');
}

std::string TensorReader::find(const std::string& end, const std::vector<std::string>& outside) const {
    std::string found;
    for (const auto& [name, entry] : file_.entries()) {
        const auto begins = [&whole = name](const std::string& front) {  // clang 14 does not capture bindings
            return !front.empty() && whole.starts_with(front);
        };
        const bool inside = std::ranges::any_of(outside, begins);
        if (!ends_with(name, end) || inside || is_aside(name)) continue;
        if (!found.empty())
            throw Error(file_.name() + ": both \"" + found + "\" and \"" + name + "\" could be the model's " + end +
                        "; save one model only");
        found = name;
    }
    return found;
}

const TensorShape& TensorReader::shape(const std::string& name) const {
    const auto found = file_.entries().find(name);
    if (found == file_.entries().end())
        throw Error(file_.name() + ": the tensor \"" + name +
                    "\" is missing; save the whole model, or give one that Vitrine reads");
    return found->second.shape;
}

Parameter TensorReader::take(const std::string& name, const TensorShape& expected) {
    const TensorShape& stored = shape(name);
    if (without_ones(stored) != without_ones(expected))
        throw Error(file_.name() + ": \"" + name + "\" has the shape " + words_of(stored) + " where this model needs " +
                    words_of(expected) + "; the file and its configuration do not belong together");
    taken_.insert(name);
    report(progress_, static_cast<double>(taken_.size()) / static_cast<double>(file_.entries().size()));
    if (numbers_ == Numbers::left) return untouched_zeros(expected);
    return {file_.floats(name), expected};
}

std::vector<std::string> TensorReader::unread_names() const {
    std::vector<std::string> names;
    for (const auto& [name, entry] : file_.entries())
        if (!taken_.contains(name) && !is_aside(name)) names.push_back(name);
    return names;
}

}  // namespace vitrine
