#pragma once

#include <filesystem>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "app/ui/geometry.h"
#include "app/workspace/focus_words.h"
#include "core/vit/experiment.h"

namespace vitrine {

struct Config;

/// What a user wants done, as values: keys, buttons, the finder, drops, lessons, recordings and tests all make them,
/// and one place (app/frame/carry_out) does them. `word` is a command's name in a recording, `parts` its content.
namespace command {

/// What comes next comes so many seconds later; stands in recordings alone.
struct Wait {
    static constexpr const char* word = "wait";
    float seconds = 0;
    auto parts() { return std::tie(seconds); }
};

/// A row of the table of commands (app/frame/keymap): all that needs no more words than its name.
struct Do {
    static constexpr const char* word = "do";
    std::string id;
    auto parts() { return std::tie(id); }
};

struct OpenImage {
    static constexpr const char* word = "open-image";
    ImageSource image;
    auto parts() { return std::tie(image.sample, image.path); }
};
struct OpenModel {
    static constexpr const char* word = "open-model";
    ModelSource model;
    static constexpr std::size_t least_parts = 2;  // of lines from before there were several bundled ones
    auto parts() { return std::tie(model.path, model.heads, model.bundled); }
};
struct OpenSession {
    static constexpr const char* word = "open-session";
    std::filesystem::path file;
    auto parts() { return std::tie(file); }
};
/// Begins a lecture along a lesson; without one where the source is empty.
struct OpenLesson {
    static constexpr const char* word = "open-lesson";
    std::string source;  // a bundled lesson's name or a file
    auto parts() { return std::tie(source); }
};

struct EnterRoom {
    static constexpr const char* word = "enter-room";
    std::string id;
    auto parts() { return std::tie(id); }
};
struct ShowDialog {
    static constexpr const char* word = "show-dialog";
    std::string id;  // "": none
    auto parts() { return std::tie(id); }
};

struct GoToChapter {
    static constexpr const char* word = "go-to-chapter";
    std::string id;  // a step's
    auto parts() { return std::tie(id); }
};
/// Sets parts of what is looked at.
struct Look {
    static constexpr const char* word = "look";
    std::vector<FocusWord> focus;
    auto parts() { return std::tie(focus); }
};
/// The what-ifs from now on.
struct SetWhatIfs {
    static constexpr const char* word = "what-ifs";
    std::vector<Intervention> what_ifs;
    auto parts() { return std::tie(what_ifs); }
};
/// Where the step's motion stands, and whether it goes on.
struct MoveTime {
    static constexpr const char* word = "move-time";
    float time = 1;
    bool playing = false;
    auto parts() { return std::tie(time, playing); }
};

/// Settings by their names in the settings' file, values as JSON.
struct ChangeSettings {
    static constexpr const char* word = "settings";
    std::vector<std::pair<std::string, std::string>> values;
    auto parts() { return std::tie(values); }
};

/// What learns and what of it is looked at, as JSON (app/rooms/learning/learning_state).
struct ChangeLearning {
    static constexpr const char* word = "learning";
    std::string json;
    auto parts() { return std::tie(json); }
};
/// Sets up the runs that a chapter speaks of and shows them.
struct WatchLearning {
    static constexpr const char* word = "watch-learning";
    std::string runs;  // a word of `choose_runs`
    auto parts() { return std::tie(runs); }
};
/// Explores the model of a run as it is shown.
struct OpenLearned {
    static constexpr const char* word = "open-learned";
    int run = 0;
    auto parts() { return std::tie(run); }
};
struct SaveLearned {
    static constexpr const char* word = "save-learned";
    int run = 0;
    auto parts() { return std::tie(run); }
};

/// Teaches the model that is shown the classes of a folder of one's own pictures.
struct LearnOwnPictures {
    static constexpr const char* word = "learn-own-pictures";
    std::filesystem::path folder;
    auto parts() { return std::tie(folder); }
};

/// Pictures and numbers into files.
struct ExportPicture {
    static constexpr const char* word = "export-picture";
    std::string part, format;  // of the window; "png" or "svg"
    int times = 1;             // pixels for one
    bool transparent = false;
    bool bare = false, caption = false, outlines = false;  // a figure for slides
    bool white = false;                                    // on white, in the colours of the light theme
    bool to_clipboard = false;                             // instead of a file
    std::string name = {};                                 // of the file, without its ending; "": of what is shown
    static constexpr std::size_t least_parts = 4;          // of lines from before there were bare figures
    auto parts() {
        return std::tie(part, format, times, transparent, bare, caption, outlines, white, to_clipboard, name);
    }
};
struct ExportNumbers {
    static constexpr const char* word = "export-numbers";
    std::vector<std::string> measures;
    std::string format;
    auto parts() { return std::tie(measures, format); }
};
struct WriteHandout {
    static constexpr const char* word = "write-handout";
    std::string lesson;
    auto parts() { return std::tie(lesson); }
};

/// Which picture is drawn next, as the word of one.
struct ChooseDrawing {
    static constexpr const char* word = "choose-drawing";
    std::string drawing;  // "cat:1000:hard:256"
    auto parts() { return std::tie(drawing); }
};

/// The pen or the eraser of a lecture moves to a place, as fractions of the window; `begins`: it was put down there.
struct MovePen {
    static constexpr const char* word = "pen";
    Point at;
    bool begins = false;
    float aspect = 1;  // of the window, width / height
    auto parts() { return std::tie(at.x, at.y, begins, aspect); }
};
/// The lecturer's own notes at a place of a lecture.
struct SetNotes {
    static constexpr const char* word = "notes";
    std::string key, words;
    auto parts() { return std::tie(key, words); }
};
/// Changes the file of the lesson that is open (app/lecture/lesson_writing).
struct ChangeLesson {
    static constexpr const char* word = "change-lesson";
    std::string what;   // "open", "title", "stop_title", "question", "usual_question", "answer", "notes", "minutes",
                        // "move", "remove", "take_back"
    int stop = 0;       // 0 …
    std::string words;  // the new ones; of a move how far: "-1"; which lesson is opened
    auto parts() { return std::tie(what, stop, words); }
};

/// Writes the session to a file of that name, which becomes its own.
struct SaveSession {
    static constexpr const char* word = "save-session";
    std::filesystem::path file;
    auto parts() { return std::tie(file); }
};
/// Opens what a window that was killed has left.
struct Recover {
    static constexpr const char* word = "recover";
    std::filesystem::path file;
    auto parts() { return std::tie(file); }
};
/// Opens a dialog that is searched, with words in its field.
struct LookUp {
    static constexpr const char* word = "look-up";
    std::string dialog, words;
    auto parts() { return std::tie(dialog, words); }
};
/// Opens a paper in the browser, or copies it; app/workspace/references knows its id.
struct OpenReference {
    static constexpr const char* word = "open-reference";
    std::string id;
    auto parts() { return std::tie(id); }
};
struct CopyReference {
    static constexpr const char* word = "copy-reference";
    std::string id;
    auto parts() { return std::tie(id); }
};

}  // namespace command

using Command =
    std::variant<command::Wait, command::Do, command::OpenImage, command::OpenModel, command::OpenSession,
                 command::OpenLesson, command::EnterRoom, command::ShowDialog, command::GoToChapter, command::Look,
                 command::SetWhatIfs, command::MoveTime, command::ChangeSettings, command::ChangeLearning,
                 command::WatchLearning, command::OpenLearned, command::SaveLearned, command::LearnOwnPictures,
                 command::ExportPicture, command::ExportNumbers, command::WriteHandout, command::ChooseDrawing,
                 command::MovePen, command::SetNotes, command::SaveSession, command::Recover, command::LookUp,
                 command::OpenReference, command::CopyReference, command::ChangeLesson>;

/// What was asked for while a frame was drawn, in order.
class Commands {
public:
    void add(Command command) { asked_.push_back(std::move(command)); }
    void add(const char* id);
    bool empty() const { return asked_.empty(); }
    std::vector<Command> take() { return std::exchange(asked_, {}); }

private:
    std::vector<Command> asked_;
};

/// A command as a line of a recording: ["look",[["block","3"]]]. What-ifs are of a model of this shape.
std::string to_line(const Command& command, const Config& config);
/// Takes nothing on trust: throws Error that says what is wrong. What-ifs are checked against the model's shape.
Command parse_line(const std::string& line, const Config& config);

}  // namespace vitrine
