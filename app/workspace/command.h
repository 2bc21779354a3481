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

/// User actions as values: made by keys, buttons, the finder, drops, lessons, recordings and tests, and carried out in
/// one place (app/frame/carry_out). `word` is a command's name in a recording, `parts` its content.
namespace command {

/// A pause before the next command, in seconds; only in recordings.
struct Wait {
    static constexpr const char* word = "wait";
    float seconds = 0;
    auto parts() { return std::tie(seconds); }
};

/// A row of the table of commands (app/frame/keymap): an action without arguments.
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
    static constexpr std::size_t least_parts = 2;  // of older recordings, when only one model was bundled
    auto parts() { return ModelSource::parts_of(model); }
};
/// Changes a setting of the open model: a row of app/library/source_words, and its value as text; "": the model's own.
struct ChangeModelSetting {
    static constexpr const char* word = "model-setting";
    std::string setting, value;
    auto parts() { return std::tie(setting, value); }
};
struct OpenSession {
    static constexpr const char* word = "open-session";
    std::filesystem::path file;
    auto parts() { return std::tie(file); }
};
/// Starts a lecture with a lesson; without one if the source is empty.
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
/// Sets parts of the focus.
struct Look {
    static constexpr const char* word = "look";
    std::vector<FocusWord> focus;
    auto parts() { return std::tie(focus); }
};
/// Replaces the what-ifs.
struct SetWhatIfs {
    static constexpr const char* word = "what-ifs";
    std::vector<Intervention> what_ifs;
    auto parts() { return std::tie(what_ifs); }
};
/// Sets the time of the step's animation, and whether it plays.
struct MoveTime {
    static constexpr const char* word = "move-time";
    float time = 1;
    bool playing = false;
    auto parts() { return std::tie(time, playing); }
};

/// Settings by their names in the settings file, values as JSON.
struct ChangeSettings {
    static constexpr const char* word = "settings";
    std::vector<std::pair<std::string, std::string>> values;
    auto parts() { return std::tie(values); }
};

/// The runs in training and the view of them, as JSON (app/rooms/learning/learning_state).
struct ChangeLearning {
    static constexpr const char* word = "learning";
    std::string json;
    auto parts() { return std::tie(json); }
};
/// Sets up and shows the runs that a chapter refers to.
struct WatchLearning {
    static constexpr const char* word = "watch-learning";
    std::string runs;  // an argument of `choose_runs`
    auto parts() { return std::tie(runs); }
};
/// Opens the model of a run, as of the moment that is shown, in Explore; pictures only.
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

/// Trains a new head of the shown model on the classes of a folder of the user's pictures.
struct LearnOwnPictures {
    static constexpr const char* word = "learn-own-pictures";
    std::filesystem::path folder;
    auto parts() { return std::tie(folder); }
};

/// Exports pictures and numbers.
struct ExportPicture {
    static constexpr const char* word = "export-picture";
    std::string part, format;  // part of the window; "png" or "svg"
    int times = 1;             // scale in pixels
    bool transparent = false;
    bool bare = false, caption = false, outlines = false;  // a figure for slides
    bool white = false;                                    // on white, in the light theme's colours
    bool to_clipboard = false;                             // instead of a file
    std::string name = {};                                 // file name without extension; "": derived from the content
    bool title = false;                                    // of a figure for slides, above it
    static constexpr std::size_t least_parts = 4;          // of older recordings, without bare figures
    auto parts() {
        return std::tie(part, format, times, transparent, bare, caption, outlines, white, to_clipboard, name, title);
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
    static constexpr std::size_t least_parts = 1;
    std::string lesson;
    bool answers = false;  // with answers and notes, for the teacher
    auto parts() { return std::tie(lesson, answers); }
};

/// Selects the next drawn picture, by its word.
struct ChooseDrawing {
    static constexpr const char* word = "choose-drawing";
    std::string drawing;  // "cat:1000:hard:256"
    auto parts() { return std::tie(drawing); }
};

/// Moves the pen or the eraser of a lecture, in fractions of the window; `begins`: it is put down there.
struct MovePen {
    static constexpr const char* word = "pen";
    Point at;
    bool begins = false;
    float aspect = 1;  // of the window, width / height
    auto parts() { return std::tie(at.x, at.y, begins, aspect); }
};
/// The lecturer's own notes for a place in a lecture.
struct SetNotes {
    static constexpr const char* word = "notes";
    std::string key, words;
    auto parts() { return std::tie(key, words); }
};
/// Edits the file of the open lesson (app/lecture/lesson_writing).
struct ChangeLesson {
    static constexpr const char* word = "change-lesson";
    std::string what;   // "open", "title", "typed_title" (undone with the letters before it), "stop_title", "question",
                        // "usual_question", "answer", "notes", "minutes", "view" (the current one), "move", "remove",
                        // "take_back"
    int stop = 0;       // 0 …
    std::string words;  // new text; for a move the offset: "-1"; the lesson to open
    auto parts() { return std::tie(what, stop, words); }
};

/// Saves the session to a file of that name, which becomes its own.
struct SaveSession {
    static constexpr const char* word = "save-session";
    std::filesystem::path file;
    auto parts() { return std::tie(file); }
};
/// Opens the session left by a killed window.
struct Recover {
    static constexpr const char* word = "recover";
    std::filesystem::path file;
    auto parts() { return std::tie(file); }
};
/// Opens a searchable dialog with words in its field.
struct LookUp {
    static constexpr const char* word = "look-up";
    std::string dialog, words;
    auto parts() { return std::tie(dialog, words); }
};
/// Opens a paper in the browser, or copies it; the id is one of app/library/references.
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

/// Opens a camera, a folder of pictures or a moving picture as a stream of frames.
struct PlayStream {
    static constexpr const char* word = "play-stream";
    std::filesystem::path source;
    auto parts() { return std::tie(source); }
};

/// Joins the last moments of the history with the present, so that one undo undoes all of them.
struct JoinMoments {
    static constexpr const char* word = "join-moments";
    int moments = 0;
    auto parts() { return std::tie(moments); }
};

}  // namespace command

using Command =
    std::variant<command::Wait, command::Do, command::OpenImage, command::OpenModel, command::OpenSession,
                 command::OpenLesson, command::EnterRoom, command::ShowDialog, command::GoToChapter, command::Look,
                 command::SetWhatIfs, command::MoveTime, command::ChangeSettings, command::ChangeLearning,
                 command::WatchLearning, command::OpenLearned, command::SaveLearned, command::LearnOwnPictures,
                 command::ExportPicture, command::ExportNumbers, command::WriteHandout, command::ChooseDrawing,
                 command::MovePen, command::SetNotes, command::SaveSession, command::Recover, command::LookUp,
                 command::OpenReference, command::CopyReference, command::ChangeLesson, command::ChangeModelSetting,
                 command::PlayStream, command::JoinMoments>;

/// The commands issued while a frame was drawn, in order.
class Commands {
public:
    void add(Command command) { asked_.push_back(std::move(command)); }
    void add(const char* id);
    bool empty() const { return asked_.empty(); }
    std::vector<Command> take() { return std::exchange(asked_, {}); }

private:
    std::vector<Command> asked_;
};

/// A command as a line of a recording: ["look",[["block","3"]]]. The config is that of the model for its what-ifs.
std::string to_line(const Command& command, const Config& config);
/// Parses untrusted input: throws Error with the problem. What-ifs are checked against the model's shape.
Command parse_line(const std::string& line, const Config& config);

}  // namespace vitrine
