#pragma once

#include <string>
#include <utility>
#include <vector>

namespace vitrine {

struct Focus;

// The focus in words: one table for session files and `--set`.

/// A part of the focus by name: {"block", "3"}, {"lab.order", "entropy"}, {"lab.picks", "1.0+3.2@13"}.
using FocusWord = std::pair<std::string, std::string>;

/// All parts that differ from a fresh focus; without the step, which has a name of its own.
std::vector<FocusWord> focus_words(const Focus& focus);

/// The differing parts of two, with the values of the second.
std::vector<FocusWord> changed_focus(const Focus& before, const Focus& after);

/// The value of one part; asserts that it exists.
std::string focus_word(const Focus& focus, const std::string& name);

/// Sets a part. Throws Error with the allowed words.
void set_focus(Focus& focus, const FocusWord& word);

/// The names of all parts, for help.
std::vector<std::string> focus_names();

}  // namespace vitrine
