#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/training/learning_choice.h"
#include "core/training/text/text_choice.h"

namespace vitrine {

/// Two runs that differ in one respect, to show its effect: an experiment of the learning room, of lessons ("learn:
/// norms"), of chapters ("Watch it learn") and of `vitrine claims`. Both are trained on the same number of examples,
/// however long that takes; two text runs have the same task. Its texts: "learn.experiment.<id>" and
/// "learn.experiment.<id>_tip", which quotes measurements.
template <class Family>
struct Preset {
    const char* id;
    typename Family::Choice a, b;
};

/// All presets of a family in display order; for texts, by task.
template <class Family>
std::span<const Preset<Family>> presets();
template <>
std::span<const Preset<Pictures>> presets<Pictures>();
template <>
std::span<const Preset<Texts>> presets<Texts>();

/// The preset of an id; null if there is none.
template <class Family>
const Preset<Family>* preset_named(std::string_view id) {
    const auto found = std::ranges::find(presets<Family>(), id, &Preset<Family>::id);
    return found == presets<Family>().end() ? nullptr : &*found;
}

/// True if its models have so many blocks that live runs take long.
bool is_deep(const Preset<Pictures>& preset);

/// Recipes of both runs, with a seed for initial weights and examples; the window uses 1.
std::array<Recipe, 2> recipes_of(const Preset<Pictures>& preset, std::uint64_t seed);
std::array<TextRecipe, 2> recipes_of(const Preset<Texts>& preset, std::uint64_t seed);

}  // namespace vitrine
