#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "core/files/tensor_file.h"

namespace vitrine {

/// The meaning of a global in a weight file.
enum class GlobalMeaning { storage, tensor, parameter, typed_tensor, dictionary, tuple, harmless };

struct TorchGlobal {
    GlobalMeaning meaning = GlobalMeaning::harmless;
    TensorType type = TensorType::f32;  // of a storage
};

/// The globals that a pickle of weights may name, by "module.name"; all others are refused.
const std::map<std::string, TorchGlobal, std::less<>>& globals_of_weights();

/// True if a global looks like a network's class: then the file contains a whole model, not only weights.
bool is_of_networks(std::string_view global);

}  // namespace vitrine
