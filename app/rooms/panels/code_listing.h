#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vitrine {

struct Config;
struct TextConfig;

/// A model's numbers by their letters in listings: {"D", 192} …
using LetterValues = std::vector<std::pair<std::string, int>>;
LetterValues letter_values(const Config& config, int block);
LetterValues letter_values(const TextConfig& config);

/// Replaces {N}, {D} … by a model's numbers.
std::string with_numbers(std::string listing, const LetterValues& values);
/// A file of PyTorch code from the assets, with a model's numbers; empty if there is no such file.
std::string code_listing(const std::string& file, const LetterValues& values);

/// Wraps lines to `columns`: a comment at the end of a line moves below it, code breaks after a comma or bracket or at
/// a space. For display only: the unwrapped listing is copied.
std::vector<std::string> wrapped_code(const std::string& listing, int columns);
/// The number of letters of width `letter` that fit into a line of `width`, both in px; at least 12.
int code_columns(float width, float letter);

/// The listing of the chapter on models, with a last line for the parameters of parts that a plain ViT lacks, if any.
std::string with_uncounted_parameters(const Config& config, std::string listing);

}  // namespace vitrine
