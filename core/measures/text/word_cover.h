#pragma once

#include "core/base/names.h"

namespace vitrine {

/// What replaces a covered word; its position stays.
enum class WordCover {
    unknown,  ///< [UNK], a word that never appears in training
    nothing,  ///< no word: a zero vector before the position is added
};
inline constexpr Named<WordCover> word_cover_names[] = {{WordCover::unknown, "unknown"},
                                                        {WordCover::nothing, "nothing"}};

}  // namespace vitrine
