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

/// Function of the pointer in a lecture.
enum class Pointer { arrow, laser, spotlight, pen, eraser };

/// Content that fills the window in place of the picture.
enum class Alone { nothing, equation, question, answer };

/// Freehand lines over one step; points as fractions of the window, so that they scale with it.
class Ink {
public:
    using Line = std::vector<Point>;
    static constexpr float eraser_radius = 0.03F;  // of the window's height

    void begin(Point at);
    void extend(Point at);
    /// Erases points nearer than `radius` (a fraction of the height; `aspect` = width / height), which may split lines.
    void erase(Point at, float radius, float aspect);
    void undo();
    void clear() { lines_.clear(); }
    const std::vector<Line>& lines() const { return lines_; }

private:
    std::vector<Line> lines_;
};

/// An entry in the list of lessons, as of the time the list was made.
struct LessonRow {
    std::string source;
    bool bundled = true;
    std::optional<Lesson> lesson;  // none if it cannot be read
};
/// The entry of a user's own file.
LessonRow lesson_row_of(const std::filesystem::path& file);
/// The bundled lessons, then the user's own, including the chosen one.
std::vector<LessonRow> lesson_rows(std::vector<std::filesystem::path> own, const std::string& chosen);

/// A lesson's file while it is being written.
struct UnwrittenLesson {
    std::string text;                  // the new content
    int writes = 0;                    // number of writes in progress
    std::shared_ptr<FileStamp> stamp;  // state when last read or written; belongs to the job until all is written
    std::map<std::string, std::string> notes;  // return to the settings if the writes fail
};

/// State of a lecture: the window's lecture mode, and the open lesson, if any.
struct Lecture {
    bool on = false;
    Pointer pointer = Pointer::arrow;
    bool black = false;  // the screen is black
    Alone alone = Alone::nothing;
    bool notes = false;   // over the picture, until the lecture ends
    bool reading = true;  // beside the picture, for reading a lesson alone
    std::string editing;  // key of the notes under edit; empty: none
    bool peek = false;    // the presenter's window shows the answer
    bool told = false;    // the prediction is shown with all its numbers
    std::optional<Lesson> lesson;
    int stop = 0;                           // of the lesson
    int left = 0;                           // where the last lecture with this lesson was left; 0: begin at the first
    std::optional<Moment> before;           // view before the lesson, restored at its end
    std::map<int, std::vector<int>> hands;  // counted for each choice, by stop
    std::map<int, Ink> ink;                 // by stop, or by step without a lesson
    Clock::time_point began;                // when the lecture began
    float slide = 0;                        // 0: all zones, 1: only the stage

    // State of the open lesson's file, if it is the user's own.
    FileStamp stamp;                                   // when it was read
    std::vector<std::string> earlier;                  // its content before each change made here, newest last
    bool types_title = false;                          // the last change was a letter of its title
    std::filesystem::path keeps_in;                    // file for views kept during a lecture, if not the open lesson
    bool begins = false;                               // the next kept view begins a new lesson
    std::filesystem::path begun;                       // a new lesson that began with a kept view, until it is written
    std::map<std::string, UnwrittenLesson> unwritten;  // by their sources

    /// The ink of the current stop or step.
    Ink& ink_of(int step) { return ink[at(step)]; }
    const Ink* find_ink(int step) const {
        const auto found = ink.find(at(step));
        return found == ink.end() ? nullptr : &found->second;
    }
    int stops(int steps) const { return lesson ? static_cast<int>(lesson->stops.size()) : steps; }
    int at(int step) const { return lesson ? stop : step; }
};

/// Key in the settings for the lecturer's notes at a stop (0 …) of a lesson.
std::string notes_key(const std::string& source, int stop);

}  // namespace vitrine
