#pragma once

#include <string>
#include <vector>

#include "core/text/sentences.h"

namespace vitrine {

/// Two words of a text; an empty one is the text's edge.
struct Neighbours {
    std::string before, after;

    auto operator<=>(const Neighbours&) const = default;
};

/// What stands between two words in sentences that are drawn for a task, the most frequent first. The sentences are
/// drawn once for a task and a direction, some milliseconds.
const std::vector<std::string>& words_between(TextTask task, TextLanguage to, const Neighbours& neighbours);

}  // namespace vitrine
