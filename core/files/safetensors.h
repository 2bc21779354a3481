#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/files/tensor_file.h"

namespace vitrine {

class InputFile;

/// A safetensors file: u64 length, JSON header, raw little-endian tensors (github.com/huggingface/safetensors).
///
/// Opening reads only the header. A tensor is read on request into its own memory, which later changes to the file do
/// not affect. Every header is checked as hostile input: length, offsets (contiguous, inside the file, no overlap),
/// shapes against byte counts, duplicate names.
class Safetensors : public TensorFile {
public:
    using Type = TensorType;
    using Entry = TensorEntry;  // offsets are counted from the end of the header

    /// Opens a file and keeps it open for `floats`. Throws Error if it is missing, a folder, unreadable, truncated or
    /// malformed.
    static Safetensors open(const std::filesystem::path& path);

    /// Reads from bytes that must outlive the result and all its parameters (the bundled model); `name` is for
    /// messages.
    static Safetensors from_bytes(std::span<const std::uint8_t> bytes, std::string name);

    const std::map<std::string, std::string>& metadata() const { return metadata_; }

    /// Newly allocated elements, or a pointer into the bytes of `from_bytes` if those are aligned F32.
    std::shared_ptr<const float> floats(const std::string& tensor) const override;

private:
    Safetensors(std::string name, std::span<const std::uint8_t> header, std::size_t data_bytes);
    std::vector<std::uint8_t> read(const Entry& entry) const;
    std::shared_ptr<const float> copied(const Entry& entry, const std::string& tensor) const;

    std::shared_ptr<const InputFile> file_;  // none: the numbers are in `data_`
    std::span<const std::uint8_t> data_;     // of `from_bytes`, after the header
    std::size_t data_begin_ = 0;             // in the file
    std::map<std::string, std::string> metadata_;
};

/// A float32 tensor in memory, to be saved.
struct NamedTensor {
    std::string name;
    std::vector<std::size_t> shape;
    const float* data = nullptr;
    std::shared_ptr<const void> owner = {};  // owns `data` if nothing else does
    /// Computes the numbers when they are written; used instead of `data`.
    std::function<std::shared_ptr<const float>()> make = {};
};

struct WriteOptions {
    bool half = false;  // as F16, rounded to nearest; otherwise F32
    std::map<std::string, std::string> metadata;
};

/// Writes a file atomically. Throws Error.
void write_safetensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors,
                       const WriteOptions& options = {});
/// The bytes of a safetensors file with these tensors.
std::string safetensors_bytes(std::span<const NamedTensor> tensors, const WriteOptions& options = {});

}  // namespace vitrine
