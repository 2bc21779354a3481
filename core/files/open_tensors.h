#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "core/files/byte_source.h"
#include "core/files/tensor_file.h"

namespace vitrine {

/// Opens a weight file of any kind, recognised by its content: safetensors, PyTorch, NumPy; an index of shards by its
/// name. Throws Error for any other kind, with the kind and a remedy.
std::shared_ptr<const TensorFile> open_tensors(const std::filesystem::path& path);

/// Opens a ZIP archive or a stream of pickles; null if the bytes are neither.
std::shared_ptr<const TensorFile> open_packed_tensors(const ByteSource& source);

/// Endings of the weight files that `open_tensors` reads, in lower case, with their dots.
std::span<const std::string_view> weight_endings();

/// Endings of other programs' weight files, which are refused with a remedy.
std::span<const std::string_view> foreign_weight_endings();

/// The ending of a file's name in lower case, with its dot.
std::string ending_of(const std::filesystem::path& path);

}  // namespace vitrine
