#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"

namespace vitrine {

struct PlotAxis {
    double low = 0, high = 1;
    std::string name = {};
    bool whole = false;   // ticks only at whole numbers
    bool powers = false;  // of y only: logarithmic, ticks at powers of ten; 0 < low
};

/// A line through (x, y); interrupted where y is not finite.
struct PlotLine {
    std::span<const double> x, y;  // equal lengths, x ascending
    Color color = {};
    std::string name = {};
    float thickness = 2;
};

/// Bars with `heights` over adjacent intervals.
struct PlotBars {
    std::span<const double> edges;  // one more than heights
    std::span<const double> heights;
    Color color = {};
    std::string name = {};
};

/// A curve's colour and name.
struct LegendEntry {
    std::string name;
    Color color = {};
};

/// A plot with axes in 1-2-5 steps, drawn as its parts are added; `readout` comes last and shows the values at the
/// pointer.
class Plot {
public:
    Plot(Canvas& canvas, const Ui& ui, Rect rect, const PlotAxis& x, const PlotAxis& y);

    void line(const PlotLine& line);
    void bars(const PlotBars& bars);
    /// A vertical line with its name beside the upper end.
    void marker(double x, Color color, const std::string& name);
    /// Does nothing if the pointer is outside the plot.
    void readout(Point pointer);

    /// True if a line drawn so far passes through a rectangle.
    bool touches(Rect rect) const;
    /// The parts drawn so far, for a legend.
    std::vector<LegendEntry> entries() const;

    Rect area() const { return area_; }  // inside the axes
    float x_of(double x) const;
    float y_of(double y) const;

private:
    void draw_axes();
    double x_at(float pixel) const;

    struct Row {
        std::string name;
        Color color;
        std::vector<double> x, y;  // points, or the middles of bars
    };

    Canvas& canvas_;
    const Ui& ui_;
    PlotAxis x_, y_;
    Rect rect_, area_;
    std::vector<Row> rows_;
};

/// Width of a plot's numbers left of its area, so that plots below one another can share their x axis.
float plot_margin(const Canvas& canvas, const Ui& ui, float height, const PlotAxis& x, const PlotAxis& y);

/// The entries on one line at the right end of a rectangle, each after a stroke in its colour; false, with nothing
/// drawn, if they do not fit. Marks `id`.
bool legend(Canvas& canvas, const Ui& ui, Rect rect, std::span<const LegendEntry> entries, const std::string& id);

struct Histogram {
    std::vector<double> edges, heights;
};

/// Counts of the finite values in `bins` equal intervals of [low, high].
Histogram histogram(std::span<const float> values, int bins, double low, double high);

}  // namespace vitrine
