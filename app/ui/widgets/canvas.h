#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/ui/geometry.h"
#include "app/ui/theme.h"

struct ImDrawList;

namespace vitrine {

struct EquationInk;
struct HeatMap;
struct Picture;
struct Ui;

enum class Align { left, centre, right };

struct TextStyle {
    Font font = Font::body;
    Color color = {};
    Align align = Align::left;  // of the text relative to its point
    float size = 1;             // relative to the font's
};

/// Target for drawing figures: a window (ImDrawList) or a file (SVG). Coordinates in pixels, y down.
class Canvas {
public:
    virtual ~Canvas() = default;

    virtual void fill(Rect rect, Color color, float rounding = 0) = 0;
    virtual void stroke(Rect rect, Color color, float thickness = 1, float rounding = 0) = 0;
    virtual void line(Point from, Point to, Color color, float thickness = 1) = 0;
    virtual void polyline(std::span<const Point> points, Color color, float thickness = 1) = 0;
    virtual void polygon(std::span<const Point> points, Color color) = 0;  // convex, filled
    virtual void circle(Point centre, float radius, Color color) = 0;      // filled
    virtual void ring(Point centre, float radius, Color color, float thickness = 1) = 0;
    /// `at` is the left end (or centre, or right end) of the line's top edge.
    virtual void text(Point at, const std::string& words, const TextStyle& style) = 0;
    virtual void heat_map(Rect rect, const HeatMap& map) = 0;
    virtual void picture(Rect rect, const Picture& picture) = 0;
    /// `at` is the upper left corner of the equation's box; `scale` is in pixels per point.
    virtual void equation(Point at, float scale, const EquationInk& ink) = 0;
    virtual void push_clip(Rect rect) = 0;
    virtual void pop_clip() = 0;

    virtual Point measure(const std::string& words, Font font) const = 0;  // width, line height
    /// Reports truncated text, for tests that look for unwanted truncation.
    virtual void note_cut(const std::string&) const {}
};

/// The window's back end: draws to one draw list, with text and edges on whole pixels, and to `Ui::also`.
class WindowCanvas : public Canvas {
public:
    WindowCanvas(ImDrawList* list, const Ui& ui) : list_(list), ui_(ui) {}

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
    void note_cut(const std::string& words) const override;

protected:
    /// For controls: `recorded` is false to leave them out of bare figures.
    WindowCanvas(ImDrawList* list, const Ui& ui, bool recorded) : list_(list), ui_(ui), recorded_(recorded) {}

private:
    Canvas* also() const;

    ImDrawList* list_;
    const Ui& ui_;
    bool recorded_ = true;
};

/// Canvas for controls, which are left out of bare figures (`Ui::bare`).
class ControlCanvas : public WindowCanvas {
public:
    explicit ControlCanvas(const Ui& ui);
    ~ControlCanvas() override;
    ControlCanvas(const ControlCanvas&) = delete;
    ControlCanvas& operator=(const ControlCanvas&) = delete;

private:
    bool hidden_;
};

/// Width and line height of a line of text; estimated if a theme has no fonts (for files made without a window).
Point measure_text(const Theme& theme, const std::string& words, Font font);

/// Diagonal lines for switched-off or masked items, so that colour is not the only sign.
void hatch(Canvas& canvas, Rect rect, Color color, float spacing);

/// The words, truncated with "…" to fit a width.
std::string fitted(const Canvas& canvas, const std::string& words, Font font, float width);

}  // namespace vitrine
