#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/workspace/history.h"
#include "app/workspace/selection.h"
#include "core/base/output_file.h"
#include "core/vit/experiment.h"

namespace vitrine {

struct Workspace;

/// The rounded number of examples that the longest unsaved training runs had seen, of pictures and of sentences.
struct UnsavedLearning {
    int pictures = 0, sentences = 0;

    bool operator==(const UnsavedLearning&) const = default;
};

/// The state stored in a file: experiment and focus. What-ifs are words, since checking them needs the model.
struct Session {
    ModelSource model;  // by path or bundled name; a model trained in the window must be saved first
    ImageSource image;  // a drawn one with the name of its set
    std::vector<std::string> what_ifs;
    std::string room = "explore";  // id of the room
    float time = 1;                // of the step's animation
    TextExperiment text_experiment;
    Focus focus;
    UnsavedLearning unsaved = {};         // lost if the window is killed; none in a file saved by the user
    std::string learning = {};            // JSON of the unsaved runs' state
    std::optional<OtherHalf> other = {};  // the run beside it, without what-ifs in its experiment
    std::vector<std::string> other_what_ifs = {};
    std::optional<StopOfLesson> lecture = {};  // the lecture that was on when a window closed; no source: no lesson

    bool operator==(const Session&) const = default;
};

/// The session of a workspace.
Session session_of(const Workspace& workspace, const std::string& room);

/// A session's what-ifs, parsed for this model; throws Error if the model has no such part.
std::vector<Intervention> what_ifs_of(const Session& session, const Config& config);
/// The other run of a session as a session of its own; there must be one.
Session other_of(const Session& session);

inline constexpr const char* session_ending = ".vitrine";

/// Human-readable JSON with absolute paths.
std::string to_json(const Session& session);
/// Parses untrusted input: throws Error with problem and place. `name` is for messages.
Session parse_session(std::string_view text, const std::string& name);

void save_session(const Session& session, const std::filesystem::path& file,
                  OutputFile::Readers readers = OutputFile::Readers::usual);  // throws Error
Session load_session(const std::filesystem::path& file);                      // throws Error

/// Appearance of the window.
struct Look {
    std::string theme = "dark", language = "en";
    int width = 1920, height = 1080;
    bool lecture = false;
    std::string chosen = {};  // answer in the shown exercise, as in `--chosen`
};
/// A shell command that draws the same picture without a window.
std::string command_line_of(const Session& session, const Look& look);

}  // namespace vitrine
