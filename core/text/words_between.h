#pragma once

#include <string>
#include <vector>

#include "core/text/sentences.h"

namespace vitrine {

/// Two words of a text; an empty one is the edge of the text.
struct Neighbours {
    std::string before, after;

    auto operator<=>(const Neighbours&) const = default;
};

/// Words that appear between two given words in a task's sentences, most frequent first. The sentences are drawn once
/// for each task and direction, in some milliseconds.
const std::vector<std::string>& words_between(TextTask task, TextLanguage to, const Neighbours& neighbours);

}  // namespace vitrine
