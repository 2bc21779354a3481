#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/training/text/text_choice.h"

namespace vitrine {

struct TextRecipe;

/// Two runs of one task that differ in one thing and so show what it is for; as presets.h has them for pictures. Its
/// words: "learn.experiment.<id>" and "learn.experiment.<id>_tip".
struct TextPreset {
    const char* id;
    TextChoice a, b;
};

/// All of them, by task, in the order in which they are offered.
std::span<const TextPreset> text_presets();
/// The one of that id; null where there is none.
const TextPreset* text_preset_named(std::string_view id);

/// What both runs do, with first weights and sentences of a seed; those of 1 are what the window runs.
std::array<TextRecipe, 2> recipes_of(const TextPreset& preset, std::uint64_t seed);

}  // namespace vitrine
