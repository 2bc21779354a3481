#pragma once

#include "core/files/tensor_file.h"
#include "core/files/zip.h"

namespace vitrine {

/// A NumPy archive: a ZIP of arrays, each with a header as text. (numpy.org/doc/stable/reference/generated/
/// numpy.lib.format.html; bfloat16 is stored as two bytes without a type, "V2", as in
/// google-research/vision_transformer, vit_jax/checkpoint.py.) Arrays of Python objects are refused.
class NpzFile : public TensorFile {
public:
    /// Throws Error for a header that is not of an array of numbers, or that does not match the array's bytes.
    explicit NpzFile(ZipArchive archive);
    NpzFile(const NpzFile&) = delete;
    NpzFile& operator=(const NpzFile&) = delete;

    std::shared_ptr<const float> floats(const std::string& tensor) const override;
    std::shared_ptr<const float> row(const std::string& tensor, std::size_t index) const override;

private:
    struct Array {
        const ZipArchive::Entry* entry = nullptr;
        bool column_major = false;
    };
    std::shared_ptr<const float> numbers(const std::string& tensor, std::size_t first, std::size_t count) const;

    ZipArchive archive_;
    std::map<std::string, Array> arrays_;
};

/// Content of an array's header.
struct ArrayHeader {
    TensorType type = TensorType::f32;
    bool column_major = false;
    std::vector<std::size_t> shape;
};

/// Parses a header such as "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }". Throws Error for any other
/// text, with `what` as the array's name.
ArrayHeader read_array_header(std::string_view words, const std::string& what);

}  // namespace vitrine
