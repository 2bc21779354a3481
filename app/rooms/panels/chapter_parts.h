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
/// Whether a number is pointed at or pinned; that number, written out.
bool points_at_number(const Frame& frame);
void pointed_number(const Frame& frame);
/// The numbers of a chapter, a row each.
void fact_rows(const Ui& ui, const std::vector<Fact>& facts);

/// "In this run: K = Q": the what-ifs that a chapter's typeset equation does not show; empty if it shows all. `block`
/// is the chosen one, from 1.
std::string words_of_changed_equation(const Ui& ui, const Step& step, const Result& now, int block);

/// Commands of these rooms.
void show_answer(AppContext& context);
void copy_listing(AppContext& context);

/// The chapters of a room as segments of a line, from the cursor across the remaining width; the current one is
/// highlighted and named, and its number follows.
struct ChaptersLine {
    std::string segment;  // probe id of a chapter, before its name
    std::string number;   // probe id of the current one's number
    int here = 0;
    float inset = 0, number_width = 0;  // px at scale 1
    bool names_all = false;             // where all names fit
};
/// Returns the clicked one, or `here`.
int chapters_line(const Frame& frame, const ChaptersLine& line);

}  // namespace vitrine
