#pragma once

#include <filesystem>

#include "core/vit/experiment.h"

namespace vitrine {

/// A small trained model with known properties, independent of the other bundled ones.
inline constexpr const char* small_model_name = "pictograms-small";
inline std::filesystem::path small_model_folder() {
    return std::filesystem::path(VITRINE_SOURCE) / "assets" / small_model_name;
}
inline ModelSource small_model() {
    ModelSource source;
    source.bundled = small_model_name;
    return source;
}
/// The command-line option that names it.
inline constexpr const char* with_small_model = " --model pictograms-small";

}  // namespace vitrine
