#include "app/ui/widgets/equation_paths.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <optional>

#include "core/base/error.h"

namespace vitrine {
namespace {

constexpr float none = std::numeric_limits<float>::infinity();
constexpr Rect nothing = {none, none, -none, -none};

Rect around(Rect a, Rect b) {
    return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

Rect around(Rect box, Point p) { return around(box, Rect{p.x, p.y, p.x, p.y}); }

/// Parses the numbers of an attribute: "-.6-24.39L1 2".
class Numbers {
public:
    Numbers(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    bool at_end() {
        skip();
        return text_.empty();
    }
    /// The next character, if it is a letter; 0 if a number follows.
    char letter() {
        skip();
        if (text_.empty() || !std::isalpha(static_cast<unsigned char>(text_.front()))) return 0;
        const char found = text_.front();
        text_.remove_prefix(1);
        return found;
    }
    float number() {
        skip();
        float value = 0;
        const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
        constexpr float most = 1e6F;  // points: larger than any page
        if (error != std::errc() || !(std::abs(value) < most))
            throw Error(file_ +
                        ": a number is missing or does not fit a page; make the equations again with ./dev equations");
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        return value;
    }
    Point point() {
        const float x = number();
        return {x, number()};
    }

private:
    void skip() {
        const std::size_t start = text_.find_first_not_of(" ,\n\t");
        text_.remove_prefix(std::min(start, text_.size()));
    }

    std::string_view text_;
    const std::string& file_;
};

/// Builds an outline from the commands of an SVG path.
class Pen {
public:
    explicit Pen(const std::string& file) : file_(file) {}

    void follow(std::string_view commands) {
        Numbers numbers(commands, file_);
        char command = 0;
        while (!numbers.at_end()) {
            if (const char next = numbers.letter()) {
                command = next;
            } else if (command == 'M') {
                command = 'L';
            } else if (command == 'Z') {
                refuse(command);  // a command without numbers
            }
            if (outline.pieces.empty() && command != 'M') refuse(command);
            draw(command, numbers);
        }
        close();
        if (outline.pieces.empty()) refuse(0);
    }
    void move(Point to) {
        close();
        start_ = to;
        add({PathPiece::Kind::move, to, {}});
    }
    void line(Point to) { add({PathPiece::Kind::line, to, {}}); }

    Outline outline = {{}, nothing, false};

private:
    /// Filled shapes are closed implicitly.
    void close() {
        if (at_.x != start_.x || at_.y != start_.y) line(start_);
    }
    void draw(char command, Numbers& numbers) {
        switch (command) {
            case 'M': return move(numbers.point());
            case 'L': return line(numbers.point());
            case 'H': return line({numbers.number(), at_.y});
            case 'V': return line({at_.x, numbers.number()});
            case 'Z': return line(start_);
            case 'C':
            case 'S': {
                const Point first = command == 'C' ? numbers.point() : mirrored();
                const Point second = numbers.point();
                return curve(first, second, numbers.point());
            }
            case 'Q': {
                const Point from = at_, middle = numbers.point(), to = numbers.point();
                const auto third = [&](Point end) {
                    return Point{end.x + (middle.x - end.x) * 2 / 3, end.y + (middle.y - end.y) * 2 / 3};
                };
                return curve(third(from), third(to), to);
            }
            default: refuse(command);
        }
    }
    void curve(Point first, Point second, Point to) {
        outline.box = around(around(outline.box, first), second);
        add({PathPiece::Kind::curve, to, {first, second}});
    }
    /// The control point for a smooth continuation of the last curve.
    Point mirrored() const {
        const PathPiece& last = outline.pieces.back();
        if (last.kind != PathPiece::Kind::curve) return at_;
        return {2 * at_.x - last.controls[1].x, 2 * at_.y - last.controls[1].y};
    }
    void add(const PathPiece& piece) {
        outline.pieces.push_back(piece);
        outline.box = around(outline.box, piece.to);
        at_ = piece.to;
    }
    [[noreturn]] void refuse(char command) const {
        throw Error(file_ + ": the command " + std::string(1, command ? command : '?') +
                    " of a path is not one that equations use; make them again with ./dev equations");
    }

    const std::string& file_;
    Point at_ = {}, start_ = {};
};

using Attributes = std::map<std::string, std::string, std::less<>>;

/// A tag between < and >.
struct Tag {
    std::string name;  // "/g" for a closing tag
    Attributes attributes;
    bool empty = false;  // self-closing: <name …/>
};

class EquationReader {
public:
    EquationReader(std::string_view svg, const std::string& file) : svg_(svg), file_(file) {}

    EquationPaths read() {
        while (const auto tag = next_tag()) take(*tag);
        if (!open_.empty()) refuse("ends too early");
        if (paths_.box.empty()) refuse("has no viewBox");
        return std::move(paths_);
    }

private:
    std::optional<Tag> next_tag() {
        const std::size_t start = svg_.find('<');
        if (svg_.substr(0, start).find_first_not_of(" \t\r\n") < std::min(start, svg_.size())) refuse("holds text");
        if (start == svg_.npos) return {};
        const std::size_t end = svg_.find('>', start);
        if (end == svg_.npos) refuse("ends within a tag");
        const std::string_view inside = svg_.substr(start + 1, end - start - 1);
        svg_.remove_prefix(end + 1);
        return parse_tag(inside);
    }

    Tag parse_tag(std::string_view inside) const {
        Tag tag;
        if (!inside.empty() && inside.back() == '/') {
            tag.empty = true;
            inside.remove_suffix(1);
        }
        tag.name = inside.substr(0, inside.find_first_of(" \n\t"));
        inside.remove_prefix(tag.name.size());
        for (;;) {
            inside.remove_prefix(std::min(inside.find_first_not_of(" \n\t"), inside.size()));
            if (inside.empty()) return tag;
            const std::size_t equals = inside.find('=');
            if (equals == inside.npos || equals + 1 >= inside.size()) refuse("has an attribute without a value");
            const char quote = inside[equals + 1];
            const std::size_t end = quote == '\'' || quote == '"' ? inside.find(quote, equals + 2) : inside.npos;
            if (end == inside.npos) refuse("has an attribute without quotes");
            tag.attributes.emplace(inside.substr(0, equals), inside.substr(equals + 2, end - equals - 2));
            inside.remove_prefix(end + 1);
        }
    }

    void take(const Tag& tag) {
        if (tag.name == "svg") {
            allow(tag, {"version", "xmlns", "xmlns:xlink", "width", "height", "viewBox"});
            Numbers numbers(value(tag, "viewBox"), file_);
            const Point corner = numbers.point(), size = numbers.point();
            paths_.box = {corner.x, corner.y, corner.x + size.x, corner.y + size.y};
            open(tag, {});
        } else if (tag.name == "g") {
            allow(tag, {"id", "class"});
            const auto found = tag.attributes.find("class");
            open(tag, found == tag.attributes.end() ? std::string() : found->second);
        } else if (tag.name == "path" && tag.empty) {
            allow(tag, {"d"});
            Pen pen(file_);
            pen.follow(value(tag, "d"));
            add(std::move(pen.outline));
        } else if (tag.name == "rect" && tag.empty) {
            allow(tag, {"x", "y", "width", "height"});
            add(rule(tag));
        } else if (tag.name == "/g" || tag.name == "/svg") {
            close(tag.name.substr(1));
        } else if (tag.name != "defs" || !tag.empty) {
            refuse("has the element " + tag.name + ", which no equation uses");
        }
    }

    Outline rule(const Tag& tag) const {
        const auto number = [&](const char* name) { return Numbers(value(tag, name), file_).number(); };
        const float x = number("x"), y = number("y"), width = number("width"), height = number("height");
        Pen pen(file_);
        pen.move({x, y});
        pen.line({x + width, y});
        pen.line({x + width, y + height});
        pen.line({x, y + height});
        pen.line({x, y});
        pen.outline.is_rule = true;
        return std::move(pen.outline);
    }

    void add(Outline outline) {
        if (open_.empty()) refuse("draws outside its svg element");
        for (const Open& around_it : open_) {
            Rect& box = paths_.parts[around_it.part].box;
            box = around(box, outline.box);
        }
        paths_.parts[open_.back().part].outlines.push_back(std::move(outline));
    }

    /// A group without a class belongs to the part around it.
    void open(const Tag& tag, const std::string& symbol) {
        if (tag.empty) return;
        if (open_.empty() || !symbol.empty()) {
            paths_.parts.push_back({symbol, {}, nothing});
            open_.push_back({tag.name, paths_.parts.size() - 1});
        } else {
            open_.push_back({tag.name, open_.back().part});
        }
    }

    void close(const std::string& name) {
        if (open_.empty() || open_.back().element != name) refuse("closes " + name + " where it is not open");
        open_.pop_back();
    }

    void allow(const Tag& tag, std::initializer_list<std::string_view> names) const {
        for (const auto& [name, value] : tag.attributes)
            if (std::ranges::find(names, name) == names.end())
                refuse("gives " + tag.name + " the attribute " + name + ", which no equation uses");
    }

    const std::string& value(const Tag& tag, std::string_view name) const {
        const auto found = tag.attributes.find(name);
        if (found == tag.attributes.end()) refuse("has a " + tag.name + " without " + std::string(name));
        return found->second;
    }

    [[noreturn]] void refuse(const std::string& what) const {
        throw Error(file_ + " " + what + "; make the equations again with ./dev equations");
    }

    struct Open {
        std::string element;
        std::size_t part;
    };

    std::string_view svg_;
    const std::string& file_;
    EquationPaths paths_;
    std::vector<Open> open_;
};

void append_point(std::string& data, Point p) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.2f %.2f", static_cast<double>(p.x), static_cast<double>(p.y));
    if (std::isdigit(static_cast<unsigned char>(data.back()))) data += ' ';
    data += buffer;
}

}  // namespace

EquationPaths parse_equation(std::string_view svg, const std::string& file) { return EquationReader(svg, file).read(); }

std::string path_data(const Outline& outline, Point at, float scale) {
    std::string data;
    for (const PathPiece& piece : outline.pieces) {
        const auto append = [&](Point p) { append_point(data, {at.x + p.x * scale, at.y + p.y * scale}); };
        data += piece.kind == PathPiece::Kind::move ? 'M' : piece.kind == PathPiece::Kind::line ? 'L' : 'C';
        if (piece.kind == PathPiece::Kind::curve)
            for (const Point control : piece.controls) append(control);
        append(piece.to);
    }
    return data;
}

}  // namespace vitrine
