#pragma once

#include <filesystem>
#include <functional>

#include "core/files/tensor_file.h"

namespace vitrine {

/// Weights split over several files (safetensors or PyTorch) beside an index, as on the Hugging Face hub:
/// {"weight_map": {"name of a tensor": "name of a file", …}}. (huggingface/transformers: modeling_utils.py)
class TensorShards : public TensorFile {
public:
    using Open = std::function<std::shared_ptr<const TensorFile>(const std::filesystem::path&)>;

    /// Opens all shards by `open`. Throws Error for a shard that is missing, outside the folder, or that does not
    /// contain what the index says.
    TensorShards(const std::filesystem::path& index, const Open& open);

    std::shared_ptr<const float> floats(const std::string& tensor) const override;

private:
    std::map<std::string, std::shared_ptr<const TensorFile>> shards_;  // by file name
    std::map<std::string, std::string> shard_of_;                      // by tensor
};

/// True if a file's name is that of an index of shards, such as "model.safetensors.index.json".
bool is_index_of_shards(const std::filesystem::path& path);

/// The file of each tensor by the tensor's name, from the text of an index. Throws Error, which begins with `index`,
/// for any other text.
std::map<std::string, std::string> read_weight_map(std::string_view words, const std::string& index);

/// Paths of the shards that an index names, without duplicates. Throws Error for an index that cannot be read.
std::vector<std::filesystem::path> shards_of_index(const std::filesystem::path& index);

}  // namespace vitrine
