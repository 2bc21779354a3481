#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "app/sessions/session.h"

namespace vitrine {

class Writer;

/// Keeps the session on the disk while the window is open, so that nothing is lost when it is killed. The file goes
/// when the window is closed as it should.
///
/// Each window has a file of its own, with a name by chance and a lock that the system gives free when the process
/// ends: a file whose lock is free was left behind, whatever numbers processes have.
class Autosave {
public:
    /// In the folder of the settings; makes no file yet. The writer must outlive it.
    Autosave(const std::filesystem::path& folder, Writer& writer);
    ~Autosave();
    Autosave(const Autosave&) = delete;
    Autosave& operator=(const Autosave&) = delete;

    /// Has the writer write what has changed since the last call.
    /// `learned`: a model that was trained in the window and has no path yet; it is kept beside the session.
    void keep(Session session, const std::shared_ptr<const Model>& learned);

    /// Whether a file is named as one of these, rather than by a user.
    static bool is_own_file(const std::filesystem::path& file);
    /// What windows that are no more have left in the folder, the newest first.
    static std::vector<std::filesystem::path> left_behind(const std::filesystem::path& folder);
    /// Where the model of such a session lies, if it had to be kept.
    static std::filesystem::path model_of(const std::filesystem::path& session);
    /// Removes what was left behind.
    static void forget(const std::filesystem::path& session);

private:
    struct Disk;  // what the writer's thread alone touches

    Writer& writer_;
    std::filesystem::path file_;
    std::shared_ptr<Disk> disk_;
    std::optional<Session> kept_;
    std::shared_ptr<const Model> kept_model_;
};

}  // namespace vitrine
