#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

struct Config;

/// The PyTorch lines of a step, with this model's numbers in the place of {N}, {D} …; empty where a step has none.
std::string code_listing(std::string_view step, const Config& config, int block);

/// Lines with this model's numbers in the place of {N}, {D} …
std::string with_numbers(std::string listing, const Config& config, int block);

/// The lines cut so that none is longer than `columns`: a comment at a line's end moves below it, code breaks behind a
/// comma or blank. Only for showing: what is copied is the listing itself.
std::vector<std::string> wrapped_code(const std::string& listing, int columns);
/// How many letters so wide stand in a line, px: a dozen at least, whatever a window without size says of either.
int code_columns(float width, float letter);

}  // namespace vitrine
