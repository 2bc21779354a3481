#include "app/platform/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

namespace vitrine {

namespace {

/// True if the path still refers to the open file: another process may have removed it meanwhile.
bool is_at(int file, const std::filesystem::path& path) {
    struct stat open = {}, there = {};
    return fstat(file, &open) == 0 && stat(path.c_str(), &there) == 0 && open.st_ino == there.st_ino &&
           open.st_dev == there.st_dev;
}

}  // namespace

std::optional<FileLock> FileLock::take(const std::filesystem::path& path) {
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return std::nullopt;
    const bool locked = flock(file, LOCK_EX | LOCK_NB) == 0, held_elsewhere = !locked && errno == EWOULDBLOCK;
    if (locked && is_at(file, path)) return FileLock(file);
    close(file);
    errno = locked || held_elsewhere ? EWOULDBLOCK : ENOLCK;  // another try may succeed, or none can
    return std::nullopt;
}

std::optional<FileLock> FileLock::take_folder(const std::filesystem::path& folder, Others others) {
    for (;;) {
        std::error_code ignored;  // writing there will report it
        std::filesystem::create_directories(folder, ignored);
        const int file = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (file < 0) return FileLock(-1);
        int result = 0;
        do result = flock(file, LOCK_EX | (others == Others::refused ? LOCK_NB : 0));
        while (result != 0 && errno == EINTR);
        // Locked; or the folder cannot be locked at all, and then every process gets a lock.
        if (result == 0 ? is_at(file, folder) : errno != EWOULDBLOCK) return FileLock(file);
        close(file);
        if (result != 0) return std::nullopt;  // otherwise the folder was replaced meanwhile: again
    }
}

std::optional<FileLock> FileLock::wait(const std::filesystem::path& path, std::chrono::milliseconds longest) {
    constexpr std::chrono::milliseconds pause{5};
    for (auto left = longest;; left -= pause) {
        std::optional<FileLock> lock = take(path);
        if (lock || errno != EWOULDBLOCK || left <= pause) return lock;  // no use waiting for an impossible lock
        std::this_thread::sleep_for(pause);
    }
}

FileLock::~FileLock() {
    if (file_ >= 0) close(file_);
}

}  // namespace vitrine
