#include "core/files/tensor_shards.h"

#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/base/json_limits.h"

namespace vitrine {

namespace {

constexpr const char* get_index_again = "; get the file from the model's page again";
constexpr std::size_t most_index_bytes = 32 << 20;

}  // namespace

bool is_index_of_shards(const std::filesystem::path& path) { return path.filename().string().ends_with(".index.json"); }

std::map<std::string, std::string> read_weight_map(std::string_view words, const std::string& index) {
    if (nests_too_deeply(words))
        throw Error(index + ": this nests more deeply than an index of weights" + get_index_again);
    const nlohmann::json json = nlohmann::json::parse(words, nullptr, false);
    if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object())
        throw Error(index + ": this is not an index of weights, which has a \"weight_map\"" + get_index_again);
    std::map<std::string, std::string> files;
    for (const auto& [tensor, file] : json["weight_map"].items()) {
        const std::string name = file.is_string() ? file.get<std::string>() : "";
        if (name.empty() || name == "." || name == ".." || name.find('/') != std::string::npos ||
            name.find('\\') != std::string::npos || name.find('\0') != std::string::npos || is_index_of_shards(name))
            throw Error(index + ": it places the tensor \"" + tensor +
                        "\" outside its folder, or in no file; use the index of the model's own page");
        files[tensor] = name;
    }
    constexpr std::size_t most_shards = 1000;
    std::set<std::string> shards;
    for (const auto& [tensor, file] : files) shards.insert(file);
    if (files.empty() || files.size() > most_tensors || shards.size() > most_shards)
        throw Error(index + ": it lists no tensors, or more than a model has" + get_index_again);
    return files;
}

std::vector<std::filesystem::path> shards_of_index(const std::filesystem::path& index) {
    std::set<std::filesystem::path> paths;
    for (const auto& [tensor, file] : read_weight_map(words_of_file(index, most_index_bytes), index.string()))
        paths.insert(index.parent_path() / file);
    return {paths.begin(), paths.end()};
}

TensorShards::TensorShards(const std::filesystem::path& index, const Open& open) : TensorFile(index.string(), "") {
    shard_of_ = read_weight_map(words_of_file(index, most_index_bytes), name_);
    for (const auto& [tensor, file] : shard_of_) {
        std::shared_ptr<const TensorFile>& shard = shards_[file];
        if (shard) continue;
        std::error_code ignored;
        if (!std::filesystem::exists(index.parent_path() / file, ignored))
            throw Error(name_ + ": the weights are split over several files, and \"" + file +
                        "\" is missing; download it into the same folder");
        shard = open(index.parent_path() / file);
    }
    for (const auto& [file, shard] : shards_)
        for (const auto& [tensor, entry] : shard->entries()) {
            const auto found = shard_of_.find(tensor);
            if (found == shard_of_.end() || found->second != file)
                throw Error(shard->name() + ": this shard holds the tensor \"" + tensor + "\", which the index " +
                            (found == shard_of_.end() ? "does not list" : "places in \"" + found->second + "\"") +
                            "; use an index and shards of one download");
            entries_.emplace(tensor, entry);
        }
    for (const auto& [tensor, file] : shard_of_)
        if (!entries_.contains(tensor))
            throw Error(name_ + ": it places the tensor \"" + tensor + "\" in \"" + file +
                        "\", which does not hold it; use an index and shards of one download");
    container_ = shards_.begin()->second->container() + " in " + std::to_string(shards_.size()) +
                 (shards_.size() == 1 ? " file" : " files");
}

std::shared_ptr<const float> TensorShards::floats(const std::string& tensor) const {
    return shards_.at(shard_of_.at(tensor))->floats(tensor);
}

}  // namespace vitrine
