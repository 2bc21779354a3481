#pragma once

#include <string>
#include <vector>

#include "core/text/text_kinds.h"

namespace vitrine {

/// A text offered by the room and the documentation, and the expected output.
struct TextSample {
    std::string name;      // as in its key: "tired"
    std::string source;    // as typed
    std::string expected;  // the translation, the label, or the rest of the story; empty if several are possible
};
/// Samples in display order; for a translation in the direction of `to`.
std::vector<TextSample> text_samples(TextTask task, TextLanguage to);

}  // namespace vitrine
