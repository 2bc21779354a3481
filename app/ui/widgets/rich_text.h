#pragma once

#include <string>
#include <vector>

#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"

namespace vitrine {

/// Text coloured by meaning: "softmax({query|Q}{key|K}ᵀ / √d) {value|V}". Roles: query, key, value, norm, mlp,
/// residual, accent, muted, positive, negative, strong, term, cite, link, code, sub, sup. A role may have a target,
/// "{link:lab.ledger|words}". Other braces are plain text.
struct RichText {
    std::string markup;
    Font font = Font::body;
    Color color = {};
    Align align = Align::left;
};

struct RichRun {
    std::string words;
    std::string role;    // empty: the default colour
    std::string target;  // for a link
};

std::vector<RichRun> parse_markup(const std::string& markup);
/// The words without markup, for tooltips and tests.
std::string without_markup(const std::string& markup);

/// The rectangle of a term, a citation or a link. One that is broken over two lines has two entries.
struct MarkedPlace {
    std::string words, role, target;  // from the run
    Rect rect;
};

/// Draws the text wrapped to the rectangle's width; returns its height. Terms, citations and links are added to
/// `places`, and underlined, unless it is null.
float rich_text(Canvas& canvas, const Ui& ui, Rect rect, const RichText& text,
                std::vector<MarkedPlace>* places = nullptr);
/// Width of the longest line, and height, when wrapped to `width`.
Point measure_rich(const Canvas& canvas, const RichText& text, float width);

}  // namespace vitrine
