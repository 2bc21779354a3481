#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/workspace/selection.h"
#include "core/experiment.h"

namespace vitrine {

/// The whole state as a file holds it: what is computed and what is looked at. What-ifs are words, since they can be
/// checked only where the model is there.
struct Session {
    ModelSource model;  // by its path; a model that was trained in the window has to be saved first
    ImageSource image;
    std::vector<std::string> what_ifs;
    std::string room = "explore";  // by its id
    float time = 1;  // of the step's motion
    Focus focus;

    bool operator==(const Session&) const = default;
};

/// What a session is made of.
Session session_of(const Experiment& experiment, const Focus& focus, const std::string& room, float time);

/// Its what-ifs for this model; throws Error where it has no such part.
std::vector<Intervention> what_ifs_of(const Session& session, const Config& config);

inline constexpr const char* session_ending = ".vitrine";

/// A file of JSON that people can read. Paths are made absolute.
std::string to_json(const Session& session);
/// Takes nothing on trust: throws Error that says what is wrong and where. `name` is for messages.
Session parse_session(std::string_view text, const std::string& name);

void save_session(const Session& session, const std::filesystem::path& file);  // throws Error
Session load_session(const std::filesystem::path& file);                       // throws Error

/// How the window draws it.
struct Look {
    std::string theme = "dark", language = "en";
    int width = 1920, height = 1080;
    bool lecture = false;
};
/// One line for a shell that makes the same picture without a window.
std::string command_line_of(const Session& session, const Look& look);

/// Keeps the session on the disk while the window is open, so that nothing is lost when it is killed. The file goes
/// when the window is closed as it should.
class Autosave {
public:
    /// In the folder of the settings; makes no file yet.
    explicit Autosave(const std::filesystem::path& folder);
    ~Autosave();
    Autosave(const Autosave&) = delete;
    Autosave& operator=(const Autosave&) = delete;

    /// Writes what has changed, at most once in `seconds_between`; failing to write is no error.
    /// `learned`: a model that was trained in the window and has no path yet; it is kept beside the session.
    void keep(Session session, const std::shared_ptr<const Model>& learned, double seconds);
    /// Whether a change waits to be written.
    bool waits() const { return waits_; }

    /// What a process that is no more has left in the folder, the newest first.
    static std::vector<std::filesystem::path> left_behind(const std::filesystem::path& folder);
    /// Where the model of such a session lies, if it had to be kept.
    static std::filesystem::path model_of(const std::filesystem::path& session);

private:
    static constexpr double seconds_between = 1;
    std::filesystem::path file_;
    std::optional<Session> kept_;
    std::shared_ptr<const Model> kept_model_;
    double at_ = -1e9;
    bool waits_ = false;
};

}  // namespace vitrine
