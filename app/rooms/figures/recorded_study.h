#pragma once

#include <string>
#include <string_view>

#include "app/ui/ui.h"
#include "core/training/net_study.h"

// Used by the chapter about models and by the learning room.

namespace vitrine {

/// The bundled result of `vitrine compare`.
const NetStudy& recorded_study();

/// A text with its numbers: {pictures}, {fresh} are counts, {vit_100} … {cnn_endless} mean accuracies on fresh pictures
/// by net and number of distinct pictures, {cnn_least}, {cnn_most} the CNN's lowest and highest on endless pictures.
std::string study_text(const Ui& ui, std::string_view key);

}  // namespace vitrine
