#pragma once

#include <string>
#include <vector>

#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"

namespace vitrine {

/// Words whose parts are coloured by what they mean: "softmax({query|Q}{key|K}ᵀ / √d) {value|V}". Roles: query, key,
/// value, norm, mlp, residual, accent, muted, positive, negative, strong, term, cite, link, code, sub, sup. A role may
/// have a target, "{link:lab.ledger|words}". Other braces are plain text.
struct RichText {
    std::string markup;
    Font font = Font::body;
    Color color = {};
    Align align = Align::left;
};

struct RichRun {
    std::string words;
    std::string role;    // empty: the text's own colour
    std::string target;  // of a link
};

std::vector<RichRun> parse_markup(const std::string& markup);
/// The words alone, for tooltips and tests.
std::string without_markup(const std::string& markup);

/// Where words stand that lead further: terms, citations and links. What is broken over two lines has two places.
struct MarkedPlace {
    std::string words, role, target;  // of the run
    Rect rect;
};

/// Draws the text wrapped into the rectangle's width; returns the height it takes. `places` takes those of what leads
/// further, which is underlined then.
float rich_text(Canvas& canvas, const Ui& ui, Rect rect, const RichText& text,
                std::vector<MarkedPlace>* places = nullptr);
/// Width of the longest line and height, wrapped into `width`.
Point measure_rich(const Canvas& canvas, const RichText& text, float width);

}  // namespace vitrine
