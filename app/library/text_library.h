#pragma once

#include <filesystem>
#include <memory>
#include <span>

#include "core/text/text_model.h"

namespace vitrine {

/// A text model that is part of the program.
struct BundledTextModel {
    const char* name;  // its folder in assets/text_models
    TextTask task;
    TextLanguage to;  // the target language of a translation
};
std::span<const BundledTextModel> bundled_text_models();

/// The bundled model of a task; of translation, the one into the language `to`.
const BundledTextModel& bundled_text_model(TextTask task, TextLanguage to);

/// A bundled model's configuration, without the sizes of its vocabularies; reads no weights.
TextConfig text_config_of(const BundledTextModel& model);

std::shared_ptr<const TextModel> open_text_model(const BundledTextModel& model);
/// Opens the model in a folder. Throws Error.
std::shared_ptr<const TextModel> open_text_model(const std::filesystem::path& folder);

}  // namespace vitrine
