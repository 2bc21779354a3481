#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lecture/lesson.h"
#include "app/ui/geometry.h"
#include "app/workspace/history.h"
#include "core/base/clock.h"
#include "core/base/file_stamp.h"

namespace vitrine {

/// What the pointer does while lecturing.
enum class Pointer { arrow, laser, spotlight, pen, eraser };

/// What fills the window instead of the picture.
enum class Alone { nothing, equation, question, answer };

/// Freehand lines over one step; points as fractions of the window, so that they stay where they are when it grows.
class Ink {
public:
    using Line = std::vector<Point>;
    static constexpr float eraser_radius = 0.03F;  // of the window's height

    void begin(Point at);
    void extend(Point at);
    /// Takes away what lies nearer than `radius` (a fraction of the height; `aspect` = width / height), which may cut a
    /// line in two.
    void erase(Point at, float radius, float aspect);
    void undo();
    void clear() { lines_.clear(); }
    const std::vector<Line>& lines() const { return lines_; }

private:
    std::vector<Line> lines_;
};

/// A lesson that can be chosen, as it was when the list was made.
struct LessonRow {
    std::string source;
    bool bundled = true;
    std::optional<Lesson> lesson;  // none where it cannot be read
};
/// One's own, in a file.
LessonRow lesson_row_of(const std::filesystem::path& file);
/// The bundled lessons, then one's own, the chosen one among them.
std::vector<LessonRow> lesson_rows(std::vector<std::filesystem::path> own, const std::string& chosen);

/// A lesson's file while it is written.
struct UnwrittenLesson {
    std::string text;                          // as it will be
    int writes = 0;                            // that are under way
    std::shared_ptr<FileStamp> stamp;          // as it was read, or written last; the job's own until all is written
    std::map<std::string, std::string> notes;  // beside the file until then, of what could not be written
};

/// The state of a lecture: a skin of the window, and the lesson that is gone through, if any.
struct Lecture {
    bool on = false;
    Pointer pointer = Pointer::arrow;
    bool black = false;  // the whole screen
    Alone alone = Alone::nothing;
    bool notes = false;   // over the picture, until the lecture ends
    bool reading = true;  // beside the picture, where somebody reads a lesson alone
    std::string editing;  // under which key the notes are edited; empty: they are not
    bool peek = false;    // the presenter's window shows the answer
    std::optional<Lesson> lesson;
    int stop = 0;                  // of the lesson
    std::optional<Moment> before;  // what was looked at when the lesson began, where its end leads back to
    std::map<int, Ink> ink;        // by stop, or by step without a lesson
    Clock::time_point began;       // the lecture
    float slide = 0;               // 0: all zones, 1: the stage alone

    // The file of the open lesson, where it is one's own.
    FileStamp stamp;                                   // as it was read
    std::vector<std::string> earlier;                  // what it held before each change made here, the newest last
    std::filesystem::path keeps_in;                    // views go there while a lecture along none of one's own is on
    std::filesystem::path begun;                       // the same while a lesson is written that a view begins
    std::map<std::string, UnwrittenLesson> unwritten;  // by their sources

    /// Where the ink of what is shown is kept.
    Ink& ink_of(int step) { return ink[at(step)]; }
    const Ink* find_ink(int step) const {
        const auto found = ink.find(at(step));
        return found == ink.end() ? nullptr : &found->second;
    }
    int stops(int steps) const { return lesson ? static_cast<int>(lesson->stops.size()) : steps; }
    int at(int step) const { return lesson ? stop : step; }
};

/// Under which name the lecturer's own notes at a stop of a lesson, 0 …, are remembered.
std::string notes_key(const std::string& source, int stop);

}  // namespace vitrine
