#include "app/lecture/lecture.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"

namespace vitrine {

void Ink::begin(Point at) { lines_.push_back({at}); }

void Ink::extend(Point at) {
    constexpr float least = 0.0008F;  // smaller steps would only cost time
    if (lines_.empty()) return begin(at);
    const Point last = lines_.back().back();
    if (std::hypot(at.x - last.x, at.y - last.y) >= least) lines_.back().push_back(at);
}

void Ink::erase(Point at, float radius, float aspect) {
    std::vector<Line> left;
    for (const Line& line : lines_) {
        Line part;
        for (const Point p : line) {
            if (std::hypot((p.x - at.x) * aspect, p.y - at.y) >= radius) {
                part.push_back(p);
            } else if (!part.empty()) {
                left.push_back(std::move(part));
                part.clear();
            }
        }
        if (!part.empty()) left.push_back(std::move(part));
    }
    lines_ = std::move(left);
}

void Ink::undo() {
    if (!lines_.empty()) lines_.pop_back();
}

LessonRow lesson_row_of(const std::filesystem::path& file) {
    LessonRow row{file.string(), false, {}};
    try {
        row.lesson = load_lesson(row.source);
    } catch (const Error&) {
        // Choosing the lesson reports the error.
    }
    return row;
}

std::vector<LessonRow> lesson_rows(std::vector<std::filesystem::path> own, const std::string& chosen) {
    const bool listed = std::find(own.begin(), own.end(), std::filesystem::path(chosen)) != own.end();
    if (!chosen.empty() && !is_bundled_lesson(chosen) && !listed) own.emplace_back(chosen);
    std::vector<LessonRow> rows;
    for (const std::string& source : bundled_lessons()) rows.push_back({source, true, load_lesson(source)});
    for (const std::filesystem::path& source : own) rows.push_back(lesson_row_of(source));
    return rows;
}

std::string notes_key(const std::string& source, int stop) { return source + "#" + std::to_string(stop + 1); }

}  // namespace vitrine
