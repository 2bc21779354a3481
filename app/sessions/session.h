#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/workspace/selection.h"
#include "core/base/output_file.h"
#include "core/vit/experiment.h"

namespace vitrine {

struct Workspace;

/// From how many pictures and sentences, about, the longest runs of Learn had learned that nobody had saved.
struct UnsavedLearning {
    int pictures = 0, sentences = 0;

    bool operator==(const UnsavedLearning&) const = default;
};

/// The whole state as a file holds it: what is computed and what is looked at. What-ifs are words, since they can be
/// checked only where the model is there.
struct Session {
    ModelSource model;  // by its path or bundled name; a model that was trained in the window has to be saved first
    ImageSource image;  // a drawn one with its set
    std::vector<std::string> what_ifs;
    std::string room = "explore";  // by its id
    float time = 1;                // of the step's motion
    TextExperiment text_experiment;
    Focus focus;
    UnsavedLearning unsaved = {};  // that a window which is killed takes with it; none in a file that was saved

    bool operator==(const Session&) const = default;
};

/// What a session is made of.
Session session_of(const Workspace& workspace, const std::string& room);

/// Its what-ifs for this model; throws Error where it has no such part.
std::vector<Intervention> what_ifs_of(const Session& session, const Config& config);

inline constexpr const char* session_ending = ".vitrine";

/// A file of JSON that people can read. Paths are made absolute.
std::string to_json(const Session& session);
/// Takes nothing on trust: throws Error that says what is wrong and where. `name` is for messages.
Session parse_session(std::string_view text, const std::string& name);

void save_session(const Session& session, const std::filesystem::path& file,
                  OutputFile::Readers readers = OutputFile::Readers::usual);  // throws Error
Session load_session(const std::filesystem::path& file);                      // throws Error

/// What was chosen in an exercise, as `--chosen` takes it; empty where nothing was.
std::string words_of(const ExerciseProgress& chosen);

/// How the window draws it.
struct Look {
    std::string theme = "dark", language = "en";
    int width = 1920, height = 1080;
    bool lecture = false;
    ExerciseProgress chosen = {};  // in the exercise, where one is shown
};
/// One line for a shell that makes the same picture without a window.
std::string command_line_of(const Session& session, const Look& look);

}  // namespace vitrine
