#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/transformer/what_ifs.h"
#include "core/vit/model.h"

// What users can switch in a ViT. A row makes one intervention, from which its word is found again.

namespace vitrine {

ModelParts parts_of(const Config& config);

/// All of them, in the order of the help.
std::span<const WhatIf> what_if_table();

/// The row of that name; null where there is none.
const WhatIf* what_if_named(std::string_view name);

/// Which what-if an intervention is; none for those that only training or a test makes.
std::optional<KnownWhatIf> known_what_if(const Intervention& intervention);

/// What stands after its name: "2.3", "0.5", "relu", or nothing. Patches are counted as the model has them.
std::string argument_words(const KnownWhatIf& what_if, const Config& config);

/// How all of them are written, for help and messages.
std::string what_if_forms();

/// Throws Error where the word is unknown or names a part that the model has not.
Intervention parse_intervention(const std::string& word, const Config& config);

/// The word that `parse_intervention` makes the very same intervention of for this model; empty for those that no user
/// can make.
std::string to_word(const Intervention& intervention, const Config& config);

}  // namespace vitrine
