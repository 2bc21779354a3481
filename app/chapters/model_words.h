#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

struct Config;
class Text;

// Models that differ from the ViT paper's outside their blocks have words, equations and code of their own where a
// chapter says something else of them.

/// What distinguishes a model from the paper's, the most telling first: "no_class", "mean", "registers" …
std::vector<std::string> structures_of(const Config& config);

/// The key of a chapter's text for a model: "step.prediction.sentence.mean" if there is one, else the key itself.
std::string key_for(const Text& text, const std::string& key, const Config& config);

/// The name of the head's structure, as its equations and words are called; "class_token" for the paper's.
std::string head_structure(const Config& config);

/// A chapter's file of PyTorch lines for a model, below assets.
std::string code_file(std::string_view step, const Config& config);

}  // namespace vitrine
