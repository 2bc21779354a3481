#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/ui/geometry.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"

namespace vitrine {

/// Words that look at words: what is looked at above, what looks below, between them lines as thick as the weights.
struct Alignment {
    std::string id;                       // probe ids "<id>.key.<j>", "<id>.query.<i>"
    std::span<const std::string> keys;    // above
    std::span<const std::string> queries; // below
    std::span<const float> weights;       // (queries, keys), 0 … 1
    Color color = {};                     // of the lines
    Color ink = {};                       // of the words below
};

/// Draws it into the rectangle, words on as many levels as its width asks for. A word that is pointed at lights its own
/// lines and tells their weights; rows of signs and special words, where attention is parked, are pale.
void alignment_figure(Canvas& canvas, const Ui& ui, Rect rect, const Alignment& alignment);

/// Whether a word is a sign or a special word.
bool is_sign_or_special(const std::string& word);

/// Where words stand in a row, in reading order on one or several levels.
struct WordRects {
    std::vector<Rect> rects;
    float height = 0;
    Font font = Font::body;
};
/// `room`: its width, and the height that it may take.
WordRects place_words_in(const Canvas& canvas, const Theme& theme, Rect room, std::span<const std::string> words);

}  // namespace vitrine
