#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/ui/geometry.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"

namespace vitrine {

/// Attention between words: keys above, queries below, with lines whose widths are the weights.
struct Alignment {
    std::string id;                        // probe ids "<id>.key.<j>", "<id>.query.<i>"
    std::span<const std::string> keys;     // above
    std::span<const std::string> queries;  // below
    std::span<const float> weights;        // (queries, keys), 0 … 1
    Color color = {};                      // line colour
    Color ink = {};                        // colour of the words below
};

/// Draws an alignment into a rectangle, with words on as many levels as needed. A hovered word highlights its lines and
/// shows their weights. Lines of queries that are punctuation or special words are pale: their weights say little.
void alignment_figure(Canvas& canvas, const Ui& ui, Rect rect, const Alignment& alignment);

/// True for punctuation and special words.
bool is_sign_or_special(const std::string& word);

/// The path of a line from the edge of a word past the other levels of words, through the gaps between their words.
/// `below`: the lines are below the words, else above.
std::vector<Point> way_past_words(std::span<const Rect> words, std::size_t word, bool below, float gap);
/// Connects two such paths by a curve with vertical ends.
std::vector<Point> curve_between(const std::vector<Point>& from, const std::vector<Point>& to);

/// Rectangles of words in reading order, on one or several levels.
struct WordRects {
    std::vector<Rect> rects;
    float height = 0;
    Font font = Font::body;
};
/// Places words in centred lines from the top of `room`; in smaller letters if one line is not enough.
WordRects place_words_in(const Canvas& canvas, const Theme& theme, Rect room, std::span<const std::string> words);

}  // namespace vitrine
