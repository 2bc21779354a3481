#pragma once

#include <string>
#include <vector>

#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"

namespace vitrine {

/// Words whose parts are coloured by what they mean: "softmax({query|Q}{key|K}ᵀ / √d) {value|V}". Roles: query, key,
/// value, norm, mlp, residual, accent, muted, positive, negative, strong, term, code, sub, sup. Other braces are plain
/// text.
struct RichText {
    std::string markup;
    Font font = Font::body;
    Color color = {};
    Align align = Align::left;
};

struct RichRun {
    std::string words;
    std::string role;  // empty: the text's own colour
};

std::vector<RichRun> parse_markup(const std::string& markup);
/// The words alone, for tooltips and tests.
std::string without_markup(const std::string& markup);

/// Where words that a glossary explains stand: a term that is broken over two lines has two places.
struct TermPlace {
    std::string term;  // as marked: "{term|softmax}"
    Rect rect;
};

/// Draws the text wrapped into the rectangle's width; returns the height it takes. `terms` takes the places of what is
/// marked as a term.
float rich_text(Canvas& canvas, const Ui& ui, Rect rect, const RichText& text, std::vector<TermPlace>* terms = nullptr);
/// Width of the longest line and height, wrapped into `width`.
Point measure_rich(const Canvas& canvas, const RichText& text, float width);

}  // namespace vitrine
