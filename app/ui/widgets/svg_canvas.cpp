#include "app/ui/widgets/svg_canvas.h"

#include <stb/stb_image_write.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "app/ui/widgets/equation_paths.h"
#include "app/ui/widgets/letter_outlines.h"
#include "app/ui/widgets/picture.h"
#include "core/base/utf8.h"
#include "core/files/image.h"

namespace vitrine {
namespace {

constexpr int most_cells = 5000;  // drawn as rectangles; larger maps become an image

// In line heights, for Inter: the baseline and the em.
constexpr float baseline = 0.80F;
constexpr float em = 0.826F;

/// A coordinate with at most two decimals.
std::string svg_number(float value) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.2f", static_cast<double>(value));
    std::string text = buffer;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

/// Text valid in XML 1.0, with special characters escaped.
std::string escaped(const std::string& words) {
    std::string out;
    for (const char c : as_utf8(words)) {
        switch (c) {
            case '&': out += "&amp;"; break;
            case '<': out += "&lt;"; break;
            case '>': out += "&gt;"; break;
            case '"': out += "&quot;"; break;
            case '\t':
            case '\n': out += ' '; break;
            default:
                if (static_cast<unsigned char>(c) >= 0x20) out += c;
        }
    }
    return out;
}

std::string attribute(const char* name, float value) {
    return std::string(" ") + name + "=\"" + svg_number(value) + "\"";
}

std::string attribute(const char* name, const std::string& value) {
    return std::string(" ") + name + "=\"" + value + "\"";
}

/// The attributes of a colour and its opacity; `role` is fill or stroke.
std::string paint(const std::string& role, Color color) {
    char hex[8];
    std::snprintf(hex, sizeof hex, "#%02x%02x%02x", color.r, color.g, color.b);
    std::string out = attribute(role.c_str(), hex);
    if (color.a < 255) out += attribute((role + "-opacity").c_str(), static_cast<float>(color.a) / 255);
    return out;
}

std::string stroke_attributes(Color color, float thickness) {
    return " fill=\"none\"" + paint("stroke", color) + attribute("stroke-width", thickness);
}

std::string box(Rect rect) {
    return attribute("x", rect.x0) + attribute("y", rect.y0) + attribute("width", std::max(0.0F, rect.width())) +
           attribute("height", std::max(0.0F, rect.height()));
}

std::string points_of(std::span<const Point> points) {
    std::string list;
    for (const Point p : points) list += (list.empty() ? "" : " ") + svg_number(p.x) + "," + svg_number(p.y);
    return attribute("points", list);
}

std::string base64(std::span<const std::uint8_t> bytes) {
    constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t triple = 0;
        for (std::size_t k = 0; k < 3; ++k) triple = triple << 8 | (k < left ? bytes[i + k] : 0U);
        for (std::size_t k = 0; k < 4; ++k) text += k <= left ? letters[triple >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

/// Pixels with 3 or 4 channels, top row first.
struct Pixels {
    int width, height, channels;
    std::vector<std::uint8_t> bytes;
};

/// Enlarges every pixel to a square, since viewers that smooth would blur small images.
Pixels in_large_pixels(const Pixels& pixels) {
    constexpr int wanted = 672;  // pixels of the longer side, approximately
    const int times = std::max(1, wanted / std::max({1, pixels.width, pixels.height}));
    if (times == 1) return pixels;
    Pixels large = {pixels.width * times, pixels.height * times, pixels.channels, {}};
    large.bytes.reserve(pixels.bytes.size() * static_cast<std::size_t>(times) * static_cast<std::size_t>(times));
    const auto channels = static_cast<std::ptrdiff_t>(pixels.channels);
    for (int y = 0; y < large.height; ++y)
        for (int x = 0; x < large.width; ++x) {
            const auto from = pixels.bytes.begin() + channels * (y / times * pixels.width + x / times);
            large.bytes.insert(large.bytes.end(), from, from + channels);
        }
    return large;
}

std::string data_uri(const Pixels& pixels) {
    std::vector<std::uint8_t> png;
    const auto append = [](void* context, void* data, int size) {
        const auto* bytes = static_cast<const std::uint8_t*>(data);
        auto& out = *static_cast<std::vector<std::uint8_t>*>(context);
        out.insert(out.end(), bytes, bytes + size);
    };
    stbi_write_png_to_func(append, &png, pixels.width, pixels.height, pixels.channels, pixels.bytes.data(),
                           pixels.width * pixels.channels);
    return "data:image/png;base64," + base64(png);
}

std::string image_element(Rect rect, const Pixels& pixels, const std::string& more) {
    return "<image" + box(rect) + " preserveAspectRatio=\"none\"" + more + attribute("href", data_uri(pixels)) + "/>\n";
}

// Two spellings of one property: older viewers know only the first.
constexpr const char* crisp_pixels = " style=\"image-rendering:optimizeSpeed;image-rendering:pixelated\"";

Pixels cells_as_pixels(const HeatMap& map, ThemeKind kind) {
    Pixels pixels = {map.columns, map.rows, 4, {}};
    for (int i = 0; i < map.rows * map.columns; ++i) {
        const Color c = colour_of_cell(map, map.values[i], kind);
        pixels.bytes.insert(pixels.bytes.end(), {c.r, c.g, c.b, c.a});
    }
    return pixels;
}

Pixels cropped(const Picture& picture) {
    const Image& image = *picture.image;
    const Rect whole = {0, 0, static_cast<float>(image.width), static_cast<float>(image.height)};
    const Rect crop = picture.crop.empty() ? whole : picture.crop;
    const int left = std::clamp(static_cast<int>(std::floor(crop.x0)), 0, image.width);
    const int top = std::clamp(static_cast<int>(std::floor(crop.y0)), 0, image.height);
    const int right = std::clamp(static_cast<int>(std::ceil(crop.x1)), left, image.width);
    const int bottom = std::clamp(static_cast<int>(std::ceil(crop.y1)), top, image.height);
    Pixels pixels = {right - left, bottom - top, 3, {}};
    pixels.bytes.reserve(static_cast<std::size_t>(3) * pixels.width * pixels.height);
    for (int y = top; y < bottom; ++y) {
        const std::uint8_t* row = image.rgb.data() + 3 * (static_cast<std::size_t>(y) * image.width + left);
        pixels.bytes.insert(pixels.bytes.end(), row, row + 3 * static_cast<std::size_t>(pixels.width));
    }
    desaturate(pixels.bytes, picture.saturation);
    return pixels;
}

const char* family_of(Font font) {
    return font == Font::mono ? "'JetBrains Mono', monospace" : "Inter, 'DejaVu Sans', sans-serif";
}

bool is_bold(Font font) { return font == Font::strong || font == Font::heading || font == Font::title; }

}  // namespace

std::string SvgCanvas::document() const {
    std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", view_.width()) +
                      attribute("height", view_.height()) +
                      attribute("viewBox", svg_number(view_.x0) + " " + svg_number(view_.y0) + " " +
                                               svg_number(view_.width()) + " " + svg_number(view_.height())) +
                      ">\n<metadata>Vitrine</metadata>\n" + body_ + (line_.empty() ? "" : line_ + "</text>\n");
    for (int i = 0; i < open_clips_; ++i) out += "</g>\n";
    return out + "</svg>\n";
}

void SvgCanvas::fill(Rect rect, Color color, float rounding) {
    body() += "<rect" + box(rect) + (rounding > 0 ? attribute("rx", rounding) : "") + paint("fill", color) + "/>\n";
}

void SvgCanvas::stroke(Rect rect, Color color, float thickness, float rounding) {
    const Rect middle = rect.inset(thickness / 2);
    body() += "<rect" + box(middle) + (rounding > 0 ? attribute("rx", rounding) : "") +
              stroke_attributes(color, thickness) + "/>\n";
}

void SvgCanvas::line(Point from, Point to, Color color, float thickness) {
    body_ += "<line" + attribute("x1", from.x) + attribute("y1", from.y) + attribute("x2", to.x) +
             attribute("y2", to.y) + stroke_attributes(color, thickness) + "/>\n";
}

void SvgCanvas::polyline(std::span<const Point> points, Color color, float thickness) {
    body() += "<polyline" + points_of(points) + stroke_attributes(color, thickness) + " stroke-linejoin=\"round\"/>\n";
}

void SvgCanvas::polygon(std::span<const Point> points, Color color) {
    body() += "<polygon" + points_of(points) + paint("fill", color) + "/>\n";
}

void SvgCanvas::circle(Point centre, float radius, Color color) {
    body() += "<circle" + attribute("cx", centre.x) + attribute("cy", centre.y) + attribute("r", radius) +
              paint("fill", color) + "/>\n";
}

void SvgCanvas::ring(Point centre, float radius, Color color, float thickness) {
    body() += "<circle" + attribute("cx", centre.x) + attribute("cy", centre.y) + attribute("r", radius) +
              stroke_attributes(color, thickness) + "/>\n";
}

struct SvgCanvas::Run {
    Point at;  // on the line's top edge, by the style's alignment
    const std::string& words;
    const TextStyle& style;
    float width, height;
};

void SvgCanvas::text(Point at, const std::string& words, const TextStyle& style) {
    const Point size = measure(words, style.font);
    const Run run{at, words, style, size.x * style.size, size.y * style.size};
    if (letters_ == Letters::outlines) return draw_outlines(run);
    const std::string place = attribute("x", at.x) + attribute("y", at.y + baseline * run.height);
    const std::string look = attribute("font-family", family_of(style.font)) + attribute("font-size", em * run.height) +
                             (is_bold(style.font) ? " font-weight=\"600\"" : "") + paint("fill", style.color);
    if (!continues_line(run)) {
        const char* anchor = style.align == Align::left ? "start" : style.align == Align::centre ? "middle" : "end";
        body();
        line_ = "<text" + place + look + attribute("text-anchor", anchor) + " xml:space=\"preserve\">" + escaped(words);
    } else if (look == line_look_ && at.y == line_end_.y) {
        const float blank = measure(" ", style.font).x * style.size;
        const auto blanks = static_cast<std::size_t>(std::max(0L, std::lround((at.x - line_end_.x) / blank)));
        line_ += std::string(blanks, ' ') + escaped(words);
    } else {
        line_ += "<tspan" + place + look + ">" + escaped(words) + "</tspan>";
    }
    line_look_ = look;
    line_end_ = style.align == Align::left ? Point{at.x + run.width, at.y} : Point{-1e9F, -1e9F};
}

bool SvgCanvas::continues_line(const Run& run) const {
    const float gap = run.at.x - line_end_.x, rise = std::abs(run.at.y - line_end_.y);
    return !line_.empty() && run.style.align == Align::left && gap > -2 && gap < run.height && rise < run.height / 2;
}

std::string& SvgCanvas::body() {
    if (!line_.empty()) body_ += line_ + "</text>\n";
    line_.clear();
    return body_;
}

void SvgCanvas::draw_outlines(const Run& run) {
    const LetterOutlines line = letter_outlines(run.words, run.style.font, run.height);
    const float left = run.style.align == Align::left     ? run.at.x
                       : run.style.align == Align::centre ? run.at.x - line.width / 2
                                                          : run.at.x - line.width;
    std::string data;
    for (const Outline& letter : line.letters) data += path_data(letter, {left, run.at.y}, 1) + "Z";
    if (!data.empty()) body_ += "<path" + attribute("d", data) + paint("fill", run.style.color) + "/>\n";
}

void SvgCanvas::heat_map(Rect rect, const HeatMap& map) {
    // Adjacent translucent rectangles would show seams.
    if (map.rows * map.columns > most_cells || map.opacity_floor < 1) {
        body() += image_element(rect, in_large_pixels(cells_as_pixels(map, theme_.kind)), crisp_pixels);
        return;
    }
    const float width = rect.width() / static_cast<float>(map.columns);
    const float height = rect.height() / static_cast<float>(map.rows);
    body() += "<g shape-rendering=\"crispEdges\">\n";
    for (int i = 0; i < map.rows * map.columns; ++i) {
        const float x = rect.x0 + width * static_cast<float>(i % map.columns);
        const float y = rect.y0 + height * static_cast<float>(i / map.columns);
        fill({x, y, x + width, y + height}, colour_of_cell(map, map.values[i], theme_.kind));
    }
    body() += "</g>\n";
}

void SvgCanvas::picture(Rect rect, const Picture& picture) {
    if (!picture.image) return;
    const Pixels pixels = cropped(picture);
    if (pixels.bytes.empty()) return;
    const std::string opacity = picture.opacity < 1 ? attribute("opacity", picture.opacity) : "";
    body() += image_element(rect, picture.pixelated ? in_large_pixels(pixels) : pixels,
                            opacity + (picture.pixelated ? crisp_pixels : ""));
}

void SvgCanvas::equation(Point at, float scale, const EquationInk& ink) {
    const EquationPaths& paths = *ink.paths;
    const Point origin = {at.x - paths.box.x0 * scale, at.y - paths.box.y0 * scale};
    for (std::size_t i = 0; i < paths.parts.size(); ++i) {
        std::string data;
        for (const Outline& outline : paths.parts[i].outlines) data += path_data(outline, origin, scale);
        if (!data.empty()) body() += "<path" + attribute("d", data) + paint("fill", ink.colors[i]) + "/>\n";
    }
}

void SvgCanvas::push_clip(Rect rect) {
    const std::string id = "clip" + std::to_string(++clips_);
    body() += "<clipPath id=\"" + id + "\"><rect" + box(rect) + "/></clipPath>\n<g clip-path=\"url(#" + id + ")\">\n";
    ++open_clips_;
}

void SvgCanvas::pop_clip() {
    body() += "</g>\n";
    --open_clips_;
}

Point SvgCanvas::measure(const std::string& words, Font font) const { return measure_text(theme_, words, font); }

}  // namespace vitrine
