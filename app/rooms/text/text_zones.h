#pragma once

#include "app/rooms/text/chapter.h"

namespace vitrine {

struct Frame;
struct InView;
struct TextResult;
struct TextRun;
struct Ui;
struct Workspace;

// Parts of the Text room around its stage. Each fills the current child window from its cursor.

/// The task, the text input with completions, and the samples.
void text_input(const Frame& frame);
/// The model as a drawing whose parts lead to chapters.
void text_map(const Frame& frame);
/// Input and output, word by word, and the line of chapters.
void text_strip(const Frame& frame);
/// Words, switches, equation, numbers, code and question of the chapter; below them the model's output.
void text_panel(const Frame& frame);
/// A chapter's switches and its numbers: parts of the panel that are also shown in a lecture.
void text_switches(const Frame& frame, const TextTold& told);
std::vector<Fact> text_facts(const TextTold& told);
/// The changes, which can be undone here, the model's output, and its output without the changes.
void text_said(const Frame& frame, const TextResult& now);

/// True if the requested run is shown, with its measures if they are in view.
bool shows_text(const Workspace& now);
/// The focus in words: layer and head if the chapter is about attention, else the chapter.
std::string text_selection(const Frame& frame, const TextResult& now);
/// A figure's caption after its title: layer, head and word that it depends on, the changes, text and model.
std::vector<std::string> text_caption(const InView& shown);
/// A run's output: its words as a sentence, or its label.
std::string output_text(const Ui& ui, const TextResult& now, const TextRun& run);
/// Warnings of features of a run's input that training did not have, and a sentence on how sure the model is.
struct Sureness {
    std::vector<std::string> warnings;
    std::string sure;
    bool unsure = false;  // of a word that it wrote: the sentence is unlike those of training
};
Sureness sureness_of(const Ui& ui, const TextResult& now);
/// Other outputs: without the changes, with the replaced word.
std::vector<std::string> differing_words(const Ui& ui, const TextResult& now);

/// Words that could complete the text being typed, at most `count`.
std::vector<std::string> completions_of(const std::string& typed, TextTask task, TextLanguage to, int count);
/// The text with its unfinished last word replaced.
std::string completed(const std::string& typed, const std::string& word, TextTask task, TextLanguage to);
/// Opens the sample `by` places after the current one, cyclically.
void show_sample(const TextDraft& draft, int by);
/// Opens a new random sentence of the task.
void draw_sentence(const TextDraft& draft);

}  // namespace vitrine
