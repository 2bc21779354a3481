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

/// One stop of a lesson: a step of the curriculum, an instrument, models that learn, an exercise or a chapter of the
/// Text room, and what is looked at there. What is absent stays as it was.
struct LessonStop {
    std::string room = "explore";
    std::string id;                // of the step, the instrument, the runs, the exercise or the chapter
    int step = 0;                  // index into the curriculum; in another room that of the stop before
    std::optional<float> minutes;  // planned
    Roles roles;                   // what is named by its role in the run
    std::optional<ImageSource> image;
    std::optional<int> block, head, token, key;
    bool solo = false;
    bool recorded = false;                     // of runs that learn: instead of them those that were recorded
    bool defaults = false;                     // what else can be looked at is as in a fresh window
    std::vector<FocusWord> set;                // and then so
    std::vector<std::string> what_ifs;         // words of the command line; checked against the model when shown
    TextStop text;                             // of a stop in the Text room, instead of block, head and what-ifs
    std::map<std::string, std::string> notes;  // by language, "" for all; none: the step's own notes
    std::map<std::string, std::string> title;  // by language, "" for all; none: the place's own name
    std::map<std::string, std::string> question, answer;  // the same; a question without words: nothing is asked
    int line = 0;                                         // where the stop begins in its file

    bool operator==(const LessonStop&) const = default;
};

/// What a lecturer goes through: a plain-text file, docs/lessons.md describes it.
struct Lesson {
    std::string source;                        // a bundled lesson's name, or the file's path
    std::map<std::string, std::string> title;  // by language, "" for all
    std::vector<LessonStop> stops;

    std::string title_in(const std::string& language) const;
    /// Of the stops up to and with `last`; of all without it.
    float minutes(std::optional<int> last = {}) const;
};

/// What an indented line begins with that is a line of its own, rather than one that continues the words above it.
inline constexpr std::string_view own_line = "|";

/// Reads a lesson; `folder` is what its image paths start from. Throws Error that names the line.
Lesson parse_lesson(std::string_view text, const std::string& name, const std::filesystem::path& folder);

/// The bundled lessons in the order of the menu: "tour", "attention", …
const std::vector<std::string>& bundled_lessons();
bool is_bundled_lesson(const std::string& source);

/// Whether a part of what is looked at has a line of its own in a lesson, and no place in "set".
bool has_line_of_its_own(const std::string& part);

/// The text of a lesson's file. Throws Error where it is none that could be a lesson.
std::string read_lesson_file(const std::filesystem::path& file);

/// A bundled lesson by name, or a file. Throws Error.
Lesson load_lesson(const std::string& source);

/// The notes of a stop in a language; empty where it has none of its own.
std::string own_notes(const LessonStop& stop, const std::string& language);

/// The name that a stop was given in a language; empty where it has none of its own.
std::string own_title(const LessonStop& stop, const std::string& language);

/// What a stop asks in a language: none where it asks what its place does, no words where it asks nothing.
std::optional<std::string> own_question(const LessonStop& stop, const std::string& language);
/// What it answers; empty where it has no answer of its own.
std::string own_answer(const LessonStop& stop, const std::string& language);

/// Goes to a stop. Throws Error that names the line where the model has no such block, head, token or what-if.
struct Place {
    Experiment experiment;
    TextExperiment text_experiment;
    Focus focus;
    std::string room = "explore";
    std::string runs = {};  // that learn there
    Roles roles = {};
};
Place place_of(const Lesson& lesson, int stop, const Place& from, const Config& config);

}  // namespace vitrine
