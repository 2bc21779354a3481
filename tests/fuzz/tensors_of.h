#pragma once

#include "core/base/error.h"
#include "core/files/tensor_file.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

/// Reads every tensor of a file that is not large, and its first row.
inline void read_tensors(const TensorFile& file) {
    constexpr std::size_t large = 1 << 16;
    for (const auto& [name, entry] : file.entries()) {
        const std::optional<std::size_t> count = count_of(entry.shape);
        demand(count.has_value(), "a shape has a number of elements");
        if (*count > large) continue;
        try {
            const std::shared_ptr<const float> numbers = file.floats(name);
            for (std::size_t i = 0; i < *count; ++i)
                demand(numbers.get()[i] - numbers.get()[i] == 0, "every number of a tensor is finite");
            if (*count == 0 || entry.shape.empty()) continue;
            const std::shared_ptr<const float> row = file.row(name, entry.shape[0] - 1);
            const std::size_t in_row = *count / entry.shape[0];
            for (std::size_t i = 0; i < in_row; ++i)
                demand(row.get()[i] == numbers.get()[*count - in_row + i], "a row is of its tensor");
        } catch (const Error& error) {
            demand(std::string_view(error.what()).size() > 10, "an error says what is wrong");
        }
    }
}

}  // namespace vitrine::fuzz
