#pragma once

#include <string>
#include <utility>
#include <vector>

namespace vitrine {

struct MutableView;
struct View;

// The focus and the text experiment in words: one table for session files, lessons and `--set`.

/// A part of a view by name: {"block", "3"}, {"lab.order", "entropy"}, {"lab.picks", "1.0+3.2@13"}.
using FocusWord = std::pair<std::string, std::string>;

/// All parts that differ from those of a new view; without the step, which is stored separately.
std::vector<FocusWord> focus_words(const View& view);

/// The parts in which two views differ, with the values of the second.
std::vector<FocusWord> changed_focus(const View& before, const View& after);

/// The value of one part; asserts that it exists.
std::string focus_word(const View& view, const std::string& name);

/// Sets a part. Throws Error with the allowed words.
void set_focus(const MutableView& view, const FocusWord& word);

/// The names of all parts, for help.
std::vector<std::string> focus_names();

}  // namespace vitrine
