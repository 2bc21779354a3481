#include "app/sessions/autosave.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>

#include "app/jobs/writer.h"
#include "app/platform/file_lock.h"
#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/files/safetensors.h"
#include "core/vit/checkpoint/save.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

constexpr const char* prefix = "autosave-";

fs::path with_ending(const fs::path& session, const char* ending) {
    return session.parent_path() / (session.stem().string() + ending);
}

fs::path lock_of(const fs::path& session) { return with_ending(session, ".lock"); }

std::string random_name() {
    std::random_device device;
    char digits[17] = {};
    std::snprintf(digits, sizeof digits, "%08x%08x", device(), device());
    return prefix + std::string(digits);
}

/// The session that a file belongs to: "autosave-0a1b.vitrine" for itself, its model and its lock. None for a file that
/// autosaving did not write.
std::optional<fs::path> session_of_file(const fs::path& file) {
    const std::string name = file.filename().string(), start = prefix;
    if (!name.starts_with(start)) return std::nullopt;
    const std::size_t end = std::min(name.size(), name.find_first_not_of("0123456789abcdef", start.size()));
    if (end == start.size()) return std::nullopt;
    return file.parent_path() / (name.substr(0, end) + session_ending);
}

/// Waits, since another process may be testing the lock for a moment.
FileLock wait_for_lock(const fs::path& file) {
    if (auto lock = FileLock::wait(file, std::chrono::milliseconds(200))) return std::move(*lock);
    throw Error(file.string() + ": cannot be locked, so the session is not kept; check the folder's permissions");
}

}  // namespace

/// The content of one write.
struct Autosave::Kept {
    Session session;
    std::shared_ptr<const Model> learned;
    KeptRuns runs;
};

struct Autosave::Disk {
    std::optional<FileLock> lock;
    std::shared_ptr<const Model> model;  // saved beside the session
    KeptRuns runs;                       // saved beside it, too

    void write_runs(const KeptRuns& now, const fs::path& folder) {
        if (now == runs) return;
        std::error_code ignored;
        if (now.empty()) fs::remove_all(folder, ignored);
        if (!now.empty() && fs::create_directory(folder, ignored))
            fs::permissions(folder, fs::perms::owner_all, ignored);
        for (const auto& [name, run] : now) {
            if (const auto before = runs.find(name); before != runs.end() && before->second == run) continue;
            replace_file(folder / name, *run, OutputFile::Readers::owner);
        }
        for (const auto& [name, run] : runs)
            if (!now.contains(name)) fs::remove(folder / name, ignored);
        runs = now;
    }

    void write(const Kept& kept, const fs::path& file) {
        const auto& [session, learned, now] = kept;
        std::error_code ignored;  // taking the lock reports the error
        fs::create_directories(file.parent_path(), ignored);
        if (!lock) lock = wait_for_lock(lock_of(file));
        if (learned && learned != model) {
            fs::create_directory(model_of(file), ignored);
            fs::permissions(model_of(file), fs::perms::owner_all, ignored);
            save_model(*learned, model_of(file), Precision::f32);
        }
        model = learned;
        write_runs(now, runs_of(file));
        save_session(session, file, OutputFile::Readers::owner);
    }
};

Autosave::Autosave(const fs::path& folder, Writer& writer)
    : writer_(writer), file_(folder / (random_name() + session_ending)), disk_(std::make_shared<Disk>()) {}

Autosave::~Autosave() {
    writer_.forget(file_);
    if (!disk_->lock) return;
    forget(file_);
    std::error_code ignored;
    fs::remove(lock_of(file_), ignored);
}

bool Autosave::is_own_file(const fs::path& file) { return session_of_file(file).has_value(); }

fs::path Autosave::model_of(const fs::path& session) { return with_ending(session, "-model"); }

fs::path Autosave::runs_of(const fs::path& session) { return with_ending(session, "-runs"); }

std::map<std::string, fs::path> Autosave::run_files_of(const fs::path& session) {
    constexpr std::uintmax_t most_bytes = std::uintmax_t{256} << 20U;
    std::map<std::string, fs::path> files;
    const auto add = [&](const std::string& name) {
        const fs::path file = runs_of(session) / name;
        std::error_code error;
        if (fs::is_regular_file(fs::symlink_status(file, error)) && fs::file_size(file, error) <= most_bytes)
            files[name] = file;
    };
    for (const bool texts : {false, true}) {
        for (std::size_t i = 0; i < most_kept_runs; ++i) add(name_of_kept_run(texts, i));
        for (std::size_t i = 0; i < most_kept_aside; ++i) add(name_of_kept_aside(texts, i));
    }
    return files;
}

KeptRuns Autosave::read_runs(const fs::path& session) {
    KeptRuns runs;
    for (const auto& [name, path] : run_files_of(session)) {
        std::ifstream file(path, std::ios::binary);
        std::string bytes(std::istreambuf_iterator<char>(file), {});
        if (!bytes.empty()) runs[name] = std::make_shared<const std::string>(std::move(bytes));
    }
    return runs;
}

void Autosave::forget(const fs::path& session) {
    std::error_code ignored;
    fs::remove(session, ignored);
    fs::remove_all(model_of(session), ignored);
    fs::remove_all(runs_of(session), ignored);
}

void Autosave::keep(Session session, const std::shared_ptr<const Model>& learned, const KeptRuns& runs) {
    if (untouched_) {
        untouched_->time = session.time;  // the animation advances by itself
        if (*untouched_ == session && !learned && runs.empty()) return;
        untouched_.reset();
    }
    if (learned) session.model.path = model_of(file_);
    if (kept_ && *kept_ == session && learned == kept_model_ && runs == kept_runs_) return;
    kept_ = session;
    kept_model_ = learned;
    kept_runs_ = runs;
    writer_.write(file_, [disk = disk_, kept = Kept{std::move(session), learned, runs}, file = file_] {
        disk->write(kept, file);
    });
}

std::vector<fs::path> Autosave::abandoned_sessions(const fs::path& folder) {
    std::set<fs::path> sessions;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (const auto session = session_of_file(entry.path())) sessions.insert(*session);
    std::vector<fs::path> left;
    for (const fs::path& session : sessions) {
        const auto lock = FileLock::take(lock_of(session));
        if (!lock) continue;
        remove_parts_of(session);
        if (fs::exists(session, error))
            left.push_back(session);
        else
            forget(session);  // only its model was written before the kill
        fs::remove(lock_of(session), error);
    }
    std::sort(left.begin(), left.end(), [](const fs::path& a, const fs::path& b) {
        std::error_code ignored;
        return fs::last_write_time(a, ignored) > fs::last_write_time(b, ignored);
    });
    return left;
}

}  // namespace vitrine
