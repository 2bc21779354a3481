#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/lecture/text_stop.h"
#include "app/workspace/focus_words.h"
#include "app/workspace/roles.h"
#include "app/workspace/selection.h"
#include "core/vit/experiment.h"

namespace vitrine {

/// An answer to choose from, for the class.
struct LessonChoice {
    std::string words;
    bool right = false;

    bool operator==(const LessonChoice&) const = default;
};
inline constexpr std::size_t most_choices = 4;
/// Precedes the words of the correct choice in a lesson's file.
inline constexpr std::string_view right_choice = "*";

/// Differences of the run in the right half from the stop's own.
struct StopBeside {
    std::optional<ImageSource> image;
    std::optional<ModelSource> model;
    std::vector<std::string> what_ifs;  // checked against its model when shown

    bool operator==(const StopBeside&) const = default;
};

/// A stop of a lesson: a step of the curriculum, an instrument, runs in training, an exercise or a chapter of the Text
/// room, with a view of it. Absent values stay unchanged.
struct LessonStop {
    std::string room = "explore";
    std::string id;                // of step, instrument, runs, exercise or chapter
    int step = 0;                  // index into the curriculum; in other rooms that of the previous stop
    std::optional<float> minutes;  // planned
    Roles roles;                   // parts named by their role in the run
    std::optional<ImageSource> image;
    std::optional<StopBeside> beside;  // none: a single run
    std::optional<int> block, head, token, key;
    bool solo = false;
    bool recorded = false;                     // shows recorded runs instead of training
    bool defaults = false;                     // resets the view before `set`
    std::vector<FocusWord> set;                // parts of the view, set after that
    std::vector<std::string> what_ifs;         // as on the command line; checked against the model when shown
    TextStop text;                             // for a stop in the Text room, instead of block, head and what-ifs
    std::map<std::string, std::string> notes;  // by language, "" for all; none: the step's own notes
    std::map<std::string, std::string> title;  // by language, "" for all; none: the place's own name
    std::map<std::string, std::string> question, answer;       // the same; a question without words: none is asked
    std::map<std::string, std::vector<LessonChoice>> choices;  // of the question, by language, "" for all
    int line = 0;                                              // first line of the stop in its file

    bool operator==(const LessonStop&) const = default;
};

/// A lesson: a plain-text file, described in docs/lessons.md.
struct Lesson {
    std::string source;                        // a bundled lesson's name, or the file's path
    std::map<std::string, std::string> title;  // by language, "" for all
    std::vector<LessonStop> stops;

    std::string title_in(const std::string& language) const;
    /// Planned minutes up to and including the stop `last`, or of all stops.
    float minutes(std::optional<int> last = {}) const;
    /// Number of stops without planned minutes.
    int unplanned() const;
};

/// Prefix of an indented line that is a new line rather than a continuation.
inline constexpr std::string_view own_line = "|";

/// Parses a lesson; image paths are relative to `folder`. Throws Error with the line.
Lesson parse_lesson(std::string_view text, const std::string& name, const std::filesystem::path& folder);

/// The bundled lessons in menu order: "tour", "attention", …
const std::vector<std::string>& bundled_lessons();
bool is_bundled_lesson(const std::string& source);

/// True if a part of the focus has a keyword of its own, and is not allowed in "set".
bool has_line_of_its_own(const std::string& part);

/// The text of a lesson's file. Throws Error if it cannot be a lesson.
std::string read_lesson_file(const std::filesystem::path& file);

/// A bundled lesson by name, or a file. Throws Error.
Lesson load_lesson(const std::string& source);

/// A stop's own notes in a language; empty if there are none.
std::string own_notes(const LessonStop& stop, const std::string& language);

/// A stop's own name in a language; empty if there is none.
std::string own_title(const LessonStop& stop, const std::string& language);

/// A stop's own question in a language: none if the place's question is asked, empty if no question is.
std::optional<std::string> own_question(const LessonStop& stop, const std::string& language);
/// A stop's own answer in a language; empty if there is none.
std::string own_answer(const LessonStop& stop, const std::string& language);

/// The choices of a stop's question in a language, in order.
const std::vector<LessonChoice>& own_choices(const LessonStop& stop, const std::string& language);

/// The state shown after a move from a place to a stop. `place_of` throws Error with the line if the model has no such
/// block, head, token or what-if.
struct Place {
    Experiment experiment;
    TextExperiment text_experiment;
    Focus focus;
    std::string room = "explore";
    std::string runs = {};  // id of the runs in training
    Roles roles = {};
};
Place place_of(const Lesson& lesson, int stop, const Place& from, const Config& config);
/// The place before a stop that is not reached from the previous one: the result of all earlier stops, applied to
/// `from` in order. Stops that this model cannot show change nothing.
Place place_before(const Lesson& lesson, int stop, Place from, const Config& config);

}  // namespace vitrine
