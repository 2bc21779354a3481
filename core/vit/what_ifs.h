#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/transformer/what_ifs.h"
#include "core/vit/model.h"

// The what-ifs of a ViT for users. Each row makes an intervention, whose word can be recovered from it.

namespace vitrine {

ModelParts parts_of(const Config& config);

/// All of them, in the order of the help.
std::span<const WhatIf> what_if_table();

/// The row of that name; null if there is none.
const WhatIf* what_if_named(std::string_view name);

/// The what-if of an intervention; none for those used only in training or tests.
std::optional<KnownWhatIf> known_what_if(const Intervention& intervention);

/// Its argument: "2.3", "0.5", "relu", or nothing. Patches are numbered as in the model.
std::string argument_words(const KnownWhatIf& what_if, const Config& config);

/// The syntax of all what-ifs, for help and messages.
std::string what_if_forms();

/// Throws Error if the word is unknown or the model does not have the part.
Intervention parse_intervention(const std::string& word, const Config& config);

/// The word from which `parse_intervention` makes exactly this intervention for this model; empty if there is none.
std::string to_word(const Intervention& intervention, const Config& config);

}  // namespace vitrine
