#pragma once

#include <string>
#include <vector>

#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"

namespace vitrine {

struct Fact;

// Parts of a chapter around its picture, the same in every room with chapters; their words come from the room's
// `teaching`.

/// Words, switches, the button to models in training, equation, numbers, code, question and references, each foldable.
void chapter_parts(const Frame& frame);
/// True if a number of the figure is hovered or pinned.
bool points_at_number(const Frame& frame);
/// Writes out how that number is computed.
void pointed_number(const Frame& frame);
/// Draws the numbers of a chapter, a row each.
void fact_rows(const Ui& ui, const std::vector<Fact>& facts);

/// "In this run: K = Q": the what-ifs that a chapter's typeset equation does not show; empty if it shows all. `block`
/// is the chosen one, from 1.
std::string words_of_changed_equation(const Ui& ui, const Step& step, const Result& now, int block);

// Commands of rooms with chapters.

/// Shows or hides the answer to the chapter's question.
void show_answer(AppContext& context);
/// Copies the chapter's PyTorch listing to the clipboard.
void copy_listing(AppContext& context);

/// The chapters of a room as segments of a line, from the cursor across the remaining width; the current one is
/// highlighted and named, and its number follows.
struct ChaptersLine {
    std::string segment;                // prefix of a chapter's probe id, before the chapter's id
    std::string number;                 // probe id of the current chapter's number
    int here = 0;                       // index of the current chapter
    float inset = 0, number_width = 0;  // px at scale 1
    bool names_all = false;             // names all chapters if all names fit
};
/// Returns the clicked chapter's index, or `here`.
int chapters_line(const Frame& frame, const ChaptersLine& line);

}  // namespace vitrine
