#pragma once

#include "core/base/names.h"

namespace vitrine {

/// What stands in the place of a word that is covered; its place stays.
enum class WordCover {
    unknown,  ///< [UNK], a word that training never showed
    nothing,  ///< no word: its vector is 0 before the place's is added
};
inline constexpr Named<WordCover> word_cover_names[] = {{WordCover::unknown, "unknown"},
                                                        {WordCover::nothing, "nothing"}};

}  // namespace vitrine
