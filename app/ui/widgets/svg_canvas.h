#pragma once

#include <string>

#include "app/ui/widgets/canvas.h"

namespace vitrine {

/// The file's back end: an SVG document with real text, maps as crisp cells and pictures embedded as PNG.
class SvgCanvas : public Canvas {
public:
    /// Letters as text, a line of it one element, or as outlines, which need no font.
    enum class Letters { text, outlines };

    /// The part of the coordinates that the document shows; the theme gives fonts, sizes and the colours of maps.
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
    /// Whether words go on where a line of the same height has ended.
    bool goes_on(const Run& run) const;
    /// The document so far, to draw on: a line of text that is still open is closed.
    std::string& body();

    Rect view_;
    const Theme& theme_;
    Letters letters_;
    std::string line_;      // the text element that is still open
    Point line_end_;        // where its last words end, on their line's top edge
    std::string line_look_; // the style of its last words
    std::string body_;
    int clips_ = 0;       // clip paths defined so far; each has its own id
    int open_clips_ = 0;  // groups still open
};

}  // namespace vitrine
