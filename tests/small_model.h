#pragma once

#include <filesystem>

#include "core/vit/experiment.h"

namespace vitrine {

/// The small trained model that tests state facts of, whatever is bundled beside it.
inline constexpr const char* small_model_name = "pictograms-small";
inline std::filesystem::path small_model_folder() {
    return std::filesystem::path(VITRINE_SOURCE) / "assets" / small_model_name;
}
inline ModelSource small_model() {
    ModelSource source;
    source.bundled = small_model_name;
    return source;
}
/// The option of the command line that names it.
inline constexpr const char* with_small_model = " --model pictograms-small";

}  // namespace vitrine
