#pragma once

#include <filesystem>

#include "core/files/safetensors.h"
#include "core/vit/model.h"

namespace vitrine {

/// Writes a model as a Hugging Face folder: config.json (with labels), model.safetensors, preprocessor_config.json; the
/// folder and its parents are made. Every file says that Vitrine wrote it. What Hugging Face's ViT has no word for is
/// said in keys that begin with "vitrine_". Throws Error where it cannot be written.
void save_model(const Model& model, const std::filesystem::path& folder, Precision precision);

}  // namespace vitrine
