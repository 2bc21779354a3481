#include "app/rooms/learning/study_view.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "app/rooms/figures/recorded_study.h"
#include "app/rooms/learning/learning_view.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"

namespace vitrine {

namespace {

constexpr int columns = static_cast<int>(std::size(study_counts));
constexpr int vertical_ticks = 5;  // a fifth each

/// The plot's frame: accuracies upwards, a column for each number of distinct pictures.
struct StudyPlot {
    const Ui& ui;
    Canvas& canvas;
    Rect area;  // inside the axes

    Point at(int column, double accuracy) const {
        const float x = (static_cast<float>(column) + 0.5F) / static_cast<float>(columns);
        return {area.x0 + area.width() * x, area.y1 - area.height() * static_cast<float>(accuracy)};
    }
};

/// A net's accuracies by column; none if not measured yet. Recorded accuracies are means with a range.
struct StudyLine {
    Net net;
    std::vector<std::optional<double>> accuracy;
    std::vector<NetStudySpread> range = {};
};

const std::string& net_text(const Ui& ui, Net net) { return ui.text(std::string("learn.study.") + name_of(net)); }

std::string count_of(const Ui& ui, int column) {
    const std::uint64_t count = study_counts[column];
    return count == 0 ? ui.text("learn.endless") : count_text(static_cast<std::int64_t>(count));
}

void draw_study_axes(const StudyPlot& plot) {
    const Theme& theme = plot.ui.theme;
    const float line = plot.canvas.measure("", Font::caption).y, gap = theme.px(6);
    const TextStyle muted{Font::caption, theme.palette.muted, Align::right};
    for (int i = 0; i <= vertical_ticks; ++i) {
        const double share = static_cast<double>(i) / vertical_ticks;
        const float y = plot.at(0, share).y;
        plot.canvas.line({plot.area.x0, y}, {plot.area.x1, y}, theme.palette.line, theme.px(1));
        plot.canvas.text({plot.area.x0 - gap, y - line / 2}, percent_text(share), muted);
    }
    for (int column = 0; column < columns; ++column)
        plot.canvas.text({plot.at(column, 0).x, plot.area.y1 + gap}, count_of(plot.ui, column),
                         {Font::caption, theme.palette.muted, Align::centre});
    plot.canvas.text({plot.area.x1, plot.area.y1 + gap + line + gap / 2}, plot.ui.text("learn.study.axis"), muted);
}

std::vector<StudyLine> recorded_lines() {
    std::vector<StudyLine> lines;
    for (const auto& net : net_names) {
        StudyLine line{net.value, {}};
        for (const std::uint64_t count : study_counts) {
            line.range.push_back(recorded_study().at(net.value, count));
            line.accuracy.emplace_back(line.range.back().mean);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

std::vector<StudyLine> live_lines(const RunViews<Pictures>& runs) {
    std::vector<StudyLine> lines;
    for (const auto& net : net_names) {
        StudyLine line{net.value, {}};
        for (const std::uint64_t count : study_counts) {
            const auto run = std::find_if(runs.begin(), runs.end(), [&](const RunView<Pictures>& r) {
                return r.recipe.net == net.value && r.recipe.distinct_pictures.value_or(0) == count;
            });
            const bool measured = run != runs.end() && run->curve && run->curve->parts();
            line.accuracy.push_back(measured ? std::optional(run->curve->unseen.back()) : std::nullopt);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

void draw_study_line(const StudyPlot& plot, const StudyLine& line, float strength) {
    const Theme& theme = plot.ui.theme;
    const Color color = run_color(plot.ui, line.net == Net::vit ? 0 : 1).with_alpha(strength);
    std::vector<Point> points;
    for (int column = 0; column < columns; ++column)
        if (const auto& accuracy = line.accuracy[static_cast<std::size_t>(column)])
            points.push_back(plot.at(column, *accuracy));
    if (points.size() > 1) plot.canvas.polyline(points, color, theme.px(strength < 1 ? 1.5F : 3));
    for (std::size_t column = 0; column < line.range.size(); ++column)
        plot.canvas.line(plot.at(static_cast<int>(column), line.range[column].least),
                         plot.at(static_cast<int>(column), line.range[column].most), color, theme.px(2));
    for (const Point& p : points) plot.canvas.circle(p, theme.px(strength < 1 ? 3 : 5), color);
}

/// Labels of all points, beyond their ranges: above for the better net, below for the other. Accuracy rises with the
/// number of pictures, so a label above is to the left of its point and one below to the right: no curve crosses them.
void write_study_numbers(const StudyPlot& plot, const std::vector<StudyLine>& lines, const char* kind) {
    const float line = plot.canvas.measure("", Font::caption).y, gap = plot.ui.theme.px(8);
    for (int column = 0; column < columns; ++column)
        for (const StudyLine& own : lines) {
            const auto place = static_cast<std::size_t>(column);
            const auto& accuracy = own.accuracy[place];
            const auto& other = lines[&own == &lines[0] ? 1 : 0].accuracy[place];
            if (!accuracy) continue;
            const bool above = !other || *accuracy > *other || (*accuracy == *other && own.net == Net::cnn);
            const Point at = plot.at(column, *accuracy);
            const std::string words = net_text(plot.ui, own.net) + " " + percent_text(*accuracy);
            double end = *accuracy;
            if (!own.range.empty()) end = above ? own.range[place].most : own.range[place].least;
            const float y = plot.at(column, end).y;
            const float width = plot.canvas.measure(words, Font::caption).x, top = above ? y - gap - line : y + gap,
                        left = above ? at.x + gap - width : at.x - gap;
            plot.canvas.fill({left, top, left + width, top + line},
                             plot.ui.theme.palette.panel.with_alpha(0.85F));  // keeps it readable over grid lines
            plot.canvas.text({left, top}, words,
                             {Font::caption, run_color(plot.ui, own.net == Net::vit ? 0 : 1), Align::left});
            const float half = gap;
            plot.ui.probe.mark(std::string("learn.study.") + kind + "." + name_of(own.net) + "." +
                                   std::to_string(study_counts[column]),
                               {at.x - half, at.y - half, at.x + half, at.y + half}, *accuracy, words);
        }
}

}  // namespace

void study_view(const Ui& ui, Canvas& canvas, Rect area, const RunViews<Pictures>& runs) {
    const Theme& theme = ui.theme;
    const float line = canvas.measure("", Font::caption).y, gap = theme.px(6);
    canvas.text({area.x0, area.y0}, ui.text("learn.study.fresh"), {Font::strong, theme.palette.text, Align::left});
    const float top = canvas.measure("", Font::strong).y + line + gap, bottom = 3 * line + 4 * gap;
    const float left = canvas.measure(percent_text(1), Font::caption).x + 2 * gap;
    const StudyPlot plot{ui, canvas, {area.x0 + left, area.y0 + top, area.x1, area.y1 - bottom}};
    draw_study_axes(plot);
    const std::vector<StudyLine> recorded = recorded_lines(), live = live_lines(runs);
    const bool learns = std::any_of(live.begin(), live.end(), [](const StudyLine& l) {
        return std::any_of(l.accuracy.begin(), l.accuracy.end(), [](const auto& a) { return a.has_value(); });
    });
    for (const StudyLine& l : recorded) draw_study_line(plot, l, learns ? faint_curve : 1);
    for (const StudyLine& l : live) draw_study_line(plot, l, 1);
    write_study_numbers(plot, learns ? live : recorded, learns ? "live" : "recorded");
    std::uint64_t seen = 0;
    for (const RunView<Pictures>& run : runs)
        if (run.now) seen = std::max(seen, run.now->report.seen);
    const auto count = [](std::uint64_t n) { return count_text(static_cast<std::int64_t>(n)); };
    const std::string legend = ui.text(learns ? "learn.study.live" : "learn.study.recorded",
                                       {{"pictures", count(recorded_study().plan.pictures)},
                                        {"seeds", count_text(recorded_study().plan.seeds)},
                                        {"seen", count(seen)}});
    canvas.text({area.x0, area.y1 - line}, fitted(canvas, legend, Font::caption, area.width()),
                {Font::caption, theme.palette.muted, Align::left});
    ui.probe.mark("learn.study", plot.area, static_cast<double>(seen), legend);
}

void study_choices(const Ui& ui, LearningState& state) {
    paragraph(ui, study_text(ui, "learn.study.setup"));
    if (!has_kept(state) &&
        button(ui, {"learn.study.own", ui.text("learn.to_custom"), ui.text("learn.study.own_tip"), {}},
               {Emphasis::plain, Icon::undo, -1}))
        choose_runs(state, "plain");
}

void study_notes(const Ui& ui) {
    heading(ui, ui.text("learn.study.outcome"));
    const std::string words = study_text(ui, "learn.study.words");
    paragraph(ui, words);
    ui.probe.mark_item("learn.study.words", 0, words);
}

}  // namespace vitrine
