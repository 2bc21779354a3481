#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/training/learning_choice.h"
#include "core/training/text/text_choice.h"

namespace vitrine {

/// Two runs that differ in one thing and so show what it is for: an experiment of the learning room, of lessons
/// ("learn: norms"), of chapters ("Watch it learn") and of `vitrine claims`. Both learn from the same number of
/// examples, whatever the clock says, and texts of one task. Its words: "learn.experiment.<id>" and
/// "learn.experiment.<id>_tip", which quotes what was measured.
template <class Family>
struct Preset {
    const char* id;
    typename Family::Choice a, b;
};

/// All of a family, in the order in which they are offered; those of texts by task.
template <class Family>
std::span<const Preset<Family>> presets();
template <>
std::span<const Preset<Pictures>> presets<Pictures>();
template <>
std::span<const Preset<Texts>> presets<Texts>();

/// The one of that id; null where there is none.
template <class Family>
const Preset<Family>* preset_named(std::string_view id) {
    const auto found = std::ranges::find(presets<Family>(), id, &Preset<Family>::id);
    return found == presets<Family>().end() ? nullptr : &*found;
}

/// Whether its models have so many blocks that live runs take long.
bool is_deep(const Preset<Pictures>& preset);

/// What both runs do, with first weights and examples of a seed; those of 1 are what the window runs.
std::array<Recipe, 2> recipes_of(const Preset<Pictures>& preset, std::uint64_t seed);
std::array<TextRecipe, 2> recipes_of(const Preset<Texts>& preset, std::uint64_t seed);

}  // namespace vitrine
