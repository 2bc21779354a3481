#include "app/lecture/lecture.h"

#include <algorithm>
#include <cmath>

#include "app/rooms/explore/steps/step.h"
#include "core/base/error.h"

namespace vitrine {

void Ink::begin(Point at) { lines_.push_back({at}); }

void Ink::extend(Point at) {
    constexpr float least = 0.0008F;  // closer points would only cost time
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

std::vector<LessonRow> lesson_rows(const std::string& chosen) {
    std::vector<LessonRow> rows;
    for (const std::string& source : bundled_lessons()) rows.push_back({source, true, load_lesson(source)});
    const bool known = std::any_of(rows.begin(), rows.end(), [&](const LessonRow& r) { return r.source == chosen; });
    if (chosen.empty() || known) return rows;
    rows.push_back({chosen, false, {}});
    try {
        rows.back().lesson = load_lesson(chosen);
    } catch (const Error&) {
        // Choosing it tells what is wrong.
    }
    return rows;
}

std::string Lecture::notes_key(int step) const {
    if (lesson) return lesson->source + "#" + std::to_string(stop + 1);
    return std::string(curriculum()[static_cast<std::size_t>(step)].id);
}

}  // namespace vitrine
