#pragma once

#include <string>
#include <vector>

namespace vitrine {

struct View;

/// Throws UsageError for a what-if of texts, set by "text.what_ifs=WORDS", that the model of the text in view does not
/// have.
void check_text_settings(const std::vector<std::string>& settings, const View& view);

}  // namespace vitrine
