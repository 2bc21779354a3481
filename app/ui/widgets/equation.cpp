#include "app/ui/widgets/equation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "app/platform/embedded.h"
#include "app/ui/fonts.h"
#include "app/ui/probe.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/hot_area.h"
#include "embedded/equations.h"

namespace vitrine {
namespace {

constexpr float points_of_em = 9.963F;  // TeX's 10 pt in SVG points
constexpr float body_em = 18;           // size of the body text at scale 1
constexpr float largest = 8;            // in multiples of the body text

constexpr EquationSymbol symbols[] = {
    {"x", &Palette::text},      {"patch", &Palette::text},     {"E", &Palette::text},
    {"bias", &Palette::text},   {"class", &Palette::text},     {"pos", &Palette::residual},
    {"z", &Palette::residual},  {"zmid", &Palette::residual},  {"zout", &Palette::residual},
    {"mu", &Palette::norm},     {"sigma", &Palette::norm},     {"epsilon", &Palette::norm},
    {"gamma", &Palette::norm},  {"beta", &Palette::norm},      {"ln", &Palette::norm},
    {"q", &Palette::query},     {"k", &Palette::key},          {"v", &Palette::value},
    {"WQ", &Palette::query},    {"WK", &Palette::key},         {"WV", &Palette::value},
    {"d", &Palette::text},      {"scores", &Palette::accent},  {"attention", &Palette::accent},
    {"heads", &Palette::text},  {"WO", &Palette::text},        {"msa", &Palette::text},
    {"hidden", &Palette::mlp},  {"activation", &Palette::mlp}, {"mlp", &Palette::mlp},
    {"W1", &Palette::mlp},      {"W2", &Palette::mlp},         {"y", &Palette::text},
    {"logits", &Palette::text}, {"p", &Palette::text},         {"Phi", &Palette::mlp},
    {"mask", &Palette::text},   {"loss", &Palette::text},      {"L", &Palette::text},
    {"N", &Palette::text},      {"D", &Palette::text},         {"M", &Palette::text},
    {"h", &Palette::text},      {"P", &Palette::text},         {"angle", &Palette::residual},
    {"gain", &Palette::norm},   {"value", &Palette::mlp},      {"Wx", &Palette::mlp},
};

Color color_of(const Palette& palette, std::string_view symbol) {
    const auto* const found = std::ranges::find(symbols, symbol, &EquationSymbol::symbol);
    return palette.*(found == std::end(symbols) ? &Palette::text : found->color);
}

bool is_lit(const EquationFigure& figure, std::string_view symbol) {
    return !symbol.empty() && std::ranges::find(figure.lit, symbol) != figure.lit.end();
}

/// Pixels per point that keep the equation within the width limit.
float scale_for(const Ui& ui, const EquationFigure& figure, float width_limit) {
    const float em = font_size(Font::body, ui.theme.scale) / font_size(Font::body, 1.0F) * body_em;
    const float wanted = std::min(figure.size, largest) * em / points_of_em;
    return std::min(wanted, width_limit / find_equation(figure.id)->box.width());
}

/// A part's rectangle on the screen, with a small margin.
Rect placed(const EquationPaths& paths, Rect box, Point at, float scale) {
    const Rect exact = {at.x + (box.x0 - paths.box.x0) * scale, at.y + (box.y0 - paths.box.y0) * scale,
                        at.x + (box.x1 - paths.box.x0) * scale, at.y + (box.y1 - paths.box.y0) * scale};
    return exact.inset(-scale);
}

/// The smallest part under the pointer, since parts nest.
const EquationPart* part_at(const EquationPaths& paths, Rect figure, Point pointer) {
    const float scale = figure.width() / paths.box.width();
    const EquationPart* best = nullptr;
    const auto area = [](const EquationPart& part) { return part.box.width() * part.box.height(); };
    for (const EquationPart& part : paths.parts) {
        if (part.symbol.empty() || part.box.empty()) continue;
        if (!placed(paths, part.box, {figure.x0, figure.y0}, scale).contains(pointer)) continue;
        if (best == nullptr || area(part) < area(*best)) best = &part;
    }
    return best;
}

}  // namespace

std::span<const EquationSymbol> equation_symbols() { return symbols; }

const EquationPaths* find_equation(std::string_view id) {
    static std::map<std::string, EquationPaths, std::less<>> read;  // cached on first use
    if (const auto found = read.find(id); found != read.end()) return &found->second;
    const std::string name = "equations/" + std::string(id) + ".svg";
    for (const Embedded& file : equations())
        if (file.name == name) return &read.emplace(id, parse_equation(file.text(), name)).first->second;
    return nullptr;
}

Point equation_size(const Ui& ui, const EquationFigure& figure, float width_limit) {
    const EquationPaths* const paths = find_equation(figure.id);
    if (paths == nullptr) return {};
    const float scale = scale_for(ui, figure, width_limit);
    return {paths->box.width() * scale, paths->box.height() * scale};
}

void draw_equation(Canvas& canvas, const Ui& ui, Rect rect, const EquationFigure& figure) {
    const EquationPaths* const paths = find_equation(figure.id);
    if (paths == nullptr) return;
    const float scale = scale_for(ui, figure, rect.width());
    std::vector<Color> colors;
    for (const EquationPart& part : paths->parts) {
        const Color color = color_of(ui.theme.palette, part.symbol);
        colors.push_back(color);
        if (is_lit(figure, part.symbol) && !part.box.empty())
            canvas.fill(placed(*paths, part.box, {rect.x0, rect.y0}, scale), color.with_alpha(0.22F), ui.theme.px(4));
    }
    canvas.equation({rect.x0, rect.y0}, scale, {paths, colors});
}

EquationHit equation_figure(Canvas& canvas, const Ui& ui, Rect rect, const EquationFigure& figure) {
    const EquationPaths* const paths = find_equation(figure.id);
    if (paths == nullptr) return {};
    draw_equation(canvas, ui, rect, figure);
    const Point size = equation_size(ui, figure, rect.width());
    const Rect whole = {rect.x0, rect.y0, rect.x0 + size.x, rect.y0 + size.y};
    const float scale = size.x / paths->box.width();
    std::set<std::string_view> marked;
    for (const EquationPart& part : paths->parts)
        if (!part.symbol.empty() && !part.box.empty() && marked.insert(part.symbol).second)
            ui.probe.mark("equation." + part.symbol, placed(*paths, part.box, {rect.x0, rect.y0}, scale),
                          is_lit(figure, part.symbol) ? 1 : 0, part.symbol);
    const Hit hit = hot_area(ui, "equation", whole, figure.words);
    const EquationPart* const part = hit.at ? part_at(*paths, whole, *hit.at) : nullptr;
    return {part == nullptr ? std::string() : part->symbol};
}

}  // namespace vitrine
