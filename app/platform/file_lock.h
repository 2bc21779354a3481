#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

namespace vitrine {

/// A lock file that one process holds. The system releases it when the process ends, however it ends.
class FileLock {
public:
    /// Makes the file if it does not exist. None if another process holds it or it cannot be locked.
    static std::optional<FileLock> take(const std::filesystem::path& file);
    /// The same, but waits up to `longest` for another process to release the lock.
    static std::optional<FileLock> wait(const std::filesystem::path& file, std::chrono::milliseconds longest);
    /// What a second process does: gives up, or waits for the release.
    enum class Others { refused, awaited };
    /// Locks a folder and makes it if it does not exist. Where a folder cannot be locked, every process gets a lock.
    static std::optional<FileLock> take_folder(const std::filesystem::path& folder, Others others);
    ~FileLock();
    FileLock(FileLock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    FileLock& operator=(FileLock&& other) noexcept {
        std::swap(file_, other.file_);
        return *this;
    }

private:
    explicit FileLock(int file) : file_(file) {}

    int file_ = -1;
};

}  // namespace vitrine
