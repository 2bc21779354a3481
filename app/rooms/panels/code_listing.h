#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

struct Config;

/// The PyTorch code of a step, with this model's numbers for {N}, {D} …; empty if the step has none.
std::string code_listing(std::string_view step, const Config& config, int block);

/// Replaces {N}, {D} … by this model's numbers.
std::string with_numbers(std::string listing, const Config& config, int block);

/// Wraps lines to `columns`: a comment at the end of a line moves below it, code breaks after a comma or space. For
/// display only: the listing itself is copied.
std::vector<std::string> wrapped_code(const std::string& listing, int columns);
/// Number of letters of a width in a line, px; at least a dozen, even for a window without size.
int code_columns(float width, float letter);

}  // namespace vitrine
