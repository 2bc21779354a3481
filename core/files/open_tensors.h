#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "core/files/byte_source.h"
#include "core/files/tensor_file.h"

namespace vitrine {

/// Opens a weight file of any kind by its content: safetensors, an index of shards (by its name), PyTorch's, NumPy's.
/// Throws Error for any other kind, naming it and what to do instead.
std::shared_ptr<const TensorFile> open_tensors(const std::filesystem::path& path);

/// The same for an archive or a stream of pickles in memory; none if the bytes are neither.
std::shared_ptr<const TensorFile> open_packed_tensors(const ByteSource& source);

/// Endings of the files that open, in lower case, with their dots.
std::span<const std::string_view> weight_endings();

/// Endings of weight files of other programs, which are refused with what to do instead.
std::span<const std::string_view> foreign_weight_endings();

/// The ending of a file in lower case.
std::string ending_of(const std::filesystem::path& path);

}  // namespace vitrine
