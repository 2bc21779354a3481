#include "app/ui/widgets/upright_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <tuple>

#include "app/ui/widgets/equation_paths.h"
#include "app/ui/widgets/letter_outlines.h"

namespace vitrine {

namespace {

/// A line of text turned by a quarter, so that it reads upwards: x from 0 to the line's height, y from 0 to its width.
EquationPaths turned_line(const std::string& words, Font font, float line_height) {
    LetterOutlines line = letter_outlines(words, font, line_height);
    const auto turned = [&](Point p) { return Point{p.y, line.width - p.x}; };
    for (Outline& letter : line.letters) {
        letter.box = {1e9F, 1e9F, -1e9F, -1e9F};
        const auto turn = [&](Point& p) {
            p = turned(p);
            letter.box = {std::min(letter.box.x0, p.x), std::min(letter.box.y0, p.y), std::max(letter.box.x1, p.x),
                          std::max(letter.box.y1, p.y)};
        };
        for (PathPiece& piece : letter.pieces) {
            turn(piece.to);
            if (piece.kind == PathPiece::Kind::curve)
                for (Point& control : piece.controls) turn(control);
        }
    }
    const Rect box{0, 0, line_height, std::ceil(line.width)};
    return {box, {{{}, std::move(line.letters), box}}};
}

/// The same, cached for ever, since its address is the key of textures: one entry for each column name shown so far.
const EquationPaths& kept_line(const std::string& words, Font font, float line_height) {
    static std::map<std::tuple<std::string, Font, float>, EquationPaths> all;
    const auto [at, is_new] = all.try_emplace({words, font, line_height});
    if (is_new) at->second = turned_line(words, font, line_height);
    return at->second;
}

}  // namespace

void upright_words(Canvas& canvas, Point top, const std::string& words, const TextStyle& style, float size) {
    if (words.empty()) return;
    const float line = canvas.measure("", style.font).y;
    const EquationPaths& paths = kept_line(words, style.font, line);
    canvas.equation({top.x - size * line / 2, top.y}, size, {&paths, std::span(&style.color, 1)});
}

}  // namespace vitrine
