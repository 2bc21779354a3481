#pragma once

#include <string>
#include <utility>
#include <vector>

namespace vitrine {

struct Focus;

// What is looked at, in words: the one table behind session files and `--set`.

/// A part of the focus by name: {"block", "3"}, {"lab.order", "entropy"}, {"lab.picks", "1.0+3.2@13"}.
using FocusWord = std::pair<std::string, std::string>;

/// All parts that differ from those of a fresh focus; the step is not among them, it has a name of its own.
std::vector<FocusWord> focus_words(const Focus& focus);

/// The parts in which two differ, with the values of the second.
std::vector<FocusWord> changed_focus(const Focus& before, const Focus& after);

/// One part as it is, by its name; asserted to be one.
std::string focus_word(const Focus& focus, const std::string& name);

/// Sets a part. Throws Error that says which words are allowed.
void set_focus(Focus& focus, const FocusWord& word);

/// The names of all parts, for help.
std::vector<std::string> focus_names();

}  // namespace vitrine
