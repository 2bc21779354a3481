#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/transformer/what_ifs.h"
#include "core/vit/model.h"

// The what-ifs of a ViT for users. Each row makes an intervention, whose word can be recovered from it.

namespace vitrine {

/// The parts of a model that words can name.
ModelParts parts_of(const Config& config);

/// All what-ifs of a ViT, in the order of the help.
std::span<const WhatIf> what_if_table();

/// The row with a name; null if there is none.
const WhatIf* what_if_named(std::string_view name);

/// The what-if of an intervention; none for those used only in training or tests.
std::optional<KnownWhatIf> known_what_if(const Intervention& intervention);

/// The argument in its word: "2.3", "0.5", "relu" or "". Patches are numbered from 1.
std::string argument_words(const KnownWhatIf& what_if, const Config& config);

/// The syntax of all what-ifs, for help and messages.
std::string what_if_forms();

/// The intervention of a word. Throws Error if the word is unknown or the model does not have the part.
Intervention parse_intervention(const std::string& word, const Config& config);

/// The word from which `parse_intervention` makes exactly this intervention for this model; empty if there is none.
std::string to_word(const Intervention& intervention, const Config& config);

}  // namespace vitrine
