#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/training/learning_choice.h"

namespace vitrine {

struct Recipe;

/// Two runs that differ in one thing and so show what it is for: an experiment of the learning room, of lessons
/// ("learn: norms"), of chapters ("Watch it learn") and of `vitrine claims`. Both learn from so many pictures, whatever
/// the clock says. Its words: "learn.experiment.<id>" and "learn.experiment.<id>_tip", which quotes what was measured.
struct Preset {
    const char* id;
    LearningChoice a, b;
};

/// Whether its models have so many blocks that live runs take long.
bool is_deep(const Preset& preset);

/// All of them, in the order in which they are offered.
std::span<const Preset> presets();
/// The one of that id; null where there is none.
const Preset* preset_named(std::string_view id);

/// What both runs do, with first weights and pictures of a seed; those of 1 are what the window runs.
std::array<Recipe, 2> recipes_of(const Preset& preset, std::uint64_t seed);

}  // namespace vitrine
