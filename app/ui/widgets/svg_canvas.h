#pragma once

#include <string>

#include "app/ui/widgets/canvas.h"

namespace vitrine {

/// Draws into an SVG document: real text, crisp cells for maps, and pictures embedded as PNG.
class SvgCanvas : public Canvas {
public:
    /// Text as one element per line, or as outlines, which need no font.
    enum class Letters { text, outlines };

    /// `view` is the visible part of the coordinates; the theme gives fonts, sizes and the colours of maps.
    SvgCanvas(Rect view, const Theme& theme, Letters letters = Letters::text)
        : view_(view), theme_(theme), letters_(letters) {}

    /// The whole document drawn so far.
    std::string document() const;

    void fill(Rect rect, Color color, float rounding = 0) override;
    void stroke(Rect rect, Color color, float thickness = 1, float rounding = 0) override;
    void line(Point from, Point to, Color color, float thickness = 1) override;
    void polyline(std::span<const Point> points, Color color, float thickness = 1) override;
    void polygon(std::span<const Point> points, Color color) override;
    void circle(Point centre, float radius, Color color) override;
    void ring(Point centre, float radius, Color color, float thickness = 1) override;
    void text(Point at, const std::string& words, const TextStyle& style) override;
    void heat_map(Rect rect, const HeatMap& map) override;
    void picture(Rect rect, const Picture& picture) override;
    void equation(Point at, float scale, const EquationInk& ink) override;
    void push_clip(Rect rect) override;
    void pop_clip() override;
    Point measure(const std::string& words, Font font) const override;

private:
    struct Run;  // words of one style
    void draw_outlines(const Run& run);
    /// True if words continue a line of the same height where it ended.
    bool continues_line(const Run& run) const;
    /// The document so far, for appending; closes an open line of text.
    std::string& body();

    Rect view_;
    const Theme& theme_;
    Letters letters_;
    std::string line_;       // the open text element
    Point line_end_;         // end of its last words, on the line's top edge
    std::string line_look_;  // the style of its last words
    std::string body_;
    int clips_ = 0;       // number of clip paths defined so far, for their ids
    int open_clips_ = 0;  // number of open groups
};

}  // namespace vitrine
