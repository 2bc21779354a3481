#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

struct Config;
struct Result;
class Text;

// Texts, equations and code of models that differ from the ViT paper's outside their blocks: a chapter that would be
// false for such a model has a variant for it.

/// The differences of a model from the paper's, in the order in which variants are looked for: "no_class", "mean",
/// "registers" …
std::vector<std::string> structures_of(const Config& config);

/// The key of a chapter's text for a model: "step.prediction.sentence.mean" if there is one, else the key itself.
std::string key_for(const Text& text, const std::string& key, const Config& config);
/// The key of a chapter's text for a run: "step.two_towers.words.no_tower" if there is no text tower to compare with.
std::string key_for(const Text& text, const std::string& key, const Result& now);

/// The suffix for position encodings other than the paper's table of learned rows: "rotary", "rotary_table",
/// "unpositioned"; empty for the paper's.
std::string position_structure(const Config& config);

/// The suffix that names the head's structure in ids of equations and texts; "class_token" for the paper's.
std::string head_structure(const Config& config);

/// The path below assets of a chapter's PyTorch listing for a model.
std::string code_file(std::string_view step, const Config& config);

}  // namespace vitrine
