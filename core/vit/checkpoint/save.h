#pragma once

#include <filesystem>

namespace vitrine {

struct Model;
enum class Precision;

/// Writes a model as a Hugging Face folder: config.json (with labels), model.safetensors, preprocessor_config.json;
/// creates the folder and its parents. Every file names Vitrine as its writer. Settings that Hugging Face's ViT lacks
/// are written under keys that begin with "vitrine_". Throws Error if writing fails.
void save_model(const Model& model, const std::filesystem::path& folder, Precision precision);

}  // namespace vitrine
