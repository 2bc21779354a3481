#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <utility>

namespace vitrine {

/// A file that one process holds; the system gives it free when the process ends, however it ends.
class FileLock {
public:
    /// Makes the file where it is not there. Nothing where another holds it, or where it cannot be locked at all.
    static std::optional<FileLock> take(const std::filesystem::path& file);
    /// The same, waiting until another lets go of it, at most so long.
    static std::optional<FileLock> wait(const std::filesystem::path& file, std::chrono::milliseconds longest);
    /// What happens to the second who wants it: it gets nothing, or waits until the first lets go.
    enum class Others { refused, awaited };
    /// Locks a folder, which is made where it is not there. Where the file system knows no locks, it keeps nobody out.
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
