#pragma once

#include "core/base/names.h"

namespace vitrine {

/// How hard the pictures of a set are to read.
enum class Difficulty { easy, normal, hard };
inline constexpr Named<Difficulty> difficulty_names[] = {
    {Difficulty::easy, "easy"}, {Difficulty::normal, "normal"}, {Difficulty::hard, "hard"}};
constexpr const char* name_of(Difficulty difficulty) { return name_in(difficulty_names, difficulty); }

}  // namespace vitrine
