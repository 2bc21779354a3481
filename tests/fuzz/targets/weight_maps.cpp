#include "core/base/error.h"
#include "core/files/tensor_shards.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

void weight_maps(Bytes bytes) {
    try {
        const std::map<std::string, std::string> files = read_weight_map(text_of(bytes), "index");
        demand(!files.empty(), "an index lists tensors");
        for (const auto& [tensor, file] : files)
            demand(!file.empty() && file.find('/') == std::string::npos && file != "..",
                   "a shard lies beside its index");
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
