#pragma once

#include "app/rooms/text/chapter.h"

namespace vitrine {

struct Frame;
struct TextResult;
struct TextRun;

// The parts of the Text room around its stage. Each fills the current child window from its cursor on.

/// Which task, the text that is typed with what completes it, and the samples.
void text_input(const Frame& frame);
/// The model as a drawing whose parts are chapters.
void text_map(const Frame& frame);
/// What is read and what is written, word by word; and the chapters in a line.
void text_strip(const Frame& frame);
/// Equation, switches, numbers, words, code and question of the chapter; below them what the model says.
void text_panel(const Frame& frame);
/// What can be switched at a chapter, if anything, and its numbers: parts of the panel that a lecture shows, too.
bool has_text_switches(const TextLook& look);
void text_switches(const Frame& frame, const TextTold& told);
void text_numbers(const Frame& frame, const TextTold& told);

/// What is looked at: layer and head, where the chapter is about attention, else the chapter.
std::string text_selection(const Frame& frame, const TextResult& now);
/// What a run says: its words as a sentence, or its verdict.
std::string said_by(const Ui& ui, const TextResult& now, const TextRun& run);
/// What it says beside that: without the changes, with the swapped word.
std::vector<std::string> said_otherwise(const Ui& ui, const TextResult& now);

/// The words of a text that could complete what is being typed, at most `count`.
std::vector<std::string> completions_of(const std::string& typed, TextTask task, TextLanguage to, int count);
/// The text with its unfinished last word replaced.
std::string completed(const std::string& typed, const std::string& word, TextTask task, TextLanguage to);
/// Puts another sample there, or a sentence drawn by code.
void show_sample(const TextDraft& draft, int by);
void draw_sentence(const TextDraft& draft);

}  // namespace vitrine
