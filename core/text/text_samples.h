#pragma once

#include <string>
#include <vector>

#include "core/text/text_task.h"

namespace vitrine {

/// A text that the room and the documentation offer, and what a model should say to it.
struct TextSample {
    std::string name;      // of its key: "tired"
    std::string source;    // as it would be typed
    std::string expected;  // the translation, the label's word, or how the story goes on; empty: in many ways
};
/// In the order in which they are offered; a translation's in `to`'s direction.
std::vector<TextSample> text_samples(TextTask task, TextLanguage to);

}  // namespace vitrine
