#pragma once

#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/sessions/session.h"
#include "app/workspace/kept_runs.h"

namespace vitrine {

class Writer;

/// Saves the session continuously, so that nothing is lost if the window is killed. Closing the window regularly
/// deletes the file.
///
/// Each window has a file with a random name and a lock that the system releases when the process ends: a file with a
/// free lock was left behind.
class Autosave {
public:
    /// Stores files in the folder of the settings; creates none yet. The writer must outlive this.
    Autosave(const std::filesystem::path& folder, Writer& writer);
    ~Autosave();
    Autosave(const Autosave&) = delete;
    Autosave& operator=(const Autosave&) = delete;

    /// Sets the session that the window starts with. A new one is saved only after a change. A restored one is saved at
    /// once, since its own file is gone; `opened_at`: when that file was written, 0 for a new session.
    void begin(const Session& session, std::time_t opened_at) {
        if (opened_at == 0) untouched_ = session;
    }
    /// Queues the session for the writer if it changed since the last call.
    /// `learned`: a model trained in the window that has no path yet; it is saved beside the session, as are runs.
    void keep(Session session, const std::shared_ptr<const Model>& learned, const KeptRuns& runs = {});

    /// True if a file has the name of an autosaved session or of its parts, not one given by a user.
    static bool is_own_file(const std::filesystem::path& file);
    /// Sessions left in the folder by killed windows, newest first.
    static std::vector<std::filesystem::path> abandoned_sessions(const std::filesystem::path& folder);
    /// The folder of the model of such a session; it exists only if the model had to be saved.
    static std::filesystem::path model_of(const std::filesystem::path& session);
    /// The folder of such a session's runs, one file each; it exists only if there were any.
    static std::filesystem::path runs_of(const std::filesystem::path& session);
    /// The files in that folder that are runs, by name: no folder, pipe or link, none larger than 256 MiB, none half
    /// written.
    static std::map<std::string, std::filesystem::path> run_files_of(const std::filesystem::path& session);
    /// The bytes of these files; unreadable ones are left out.
    static KeptRuns read_runs(const std::filesystem::path& session);
    /// Deletes a session left behind, its model and its runs.
    static void forget(const std::filesystem::path& session);

private:
    struct Kept;
    struct Disk;  // used only by the writer's thread

    Writer& writer_;
    std::filesystem::path file_;
    std::shared_ptr<Disk> disk_;
    std::optional<Session> untouched_;  // until the first change
    std::optional<Session> kept_;
    std::shared_ptr<const Model> kept_model_;
    KeptRuns kept_runs_;
};

}  // namespace vitrine
