#include "core/base/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace vitrine {

namespace {

// Parts of a temporary file's name, NAME.vitrine-PID-N.part: other files ending in ".part" are not ours.
constexpr std::string_view part_mark = ".vitrine-", part_ending = ".part";
constexpr int most_parts = 1000;

/// Creates a temporary file and locks it while it is open: one that is not locked was left behind. Returns its
/// descriptor; -1 if it exists or cannot be created; -2 if another process removed it before it was locked.
int make_part(const std::string& name, mode_t mode) {
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);  // never through a link
    if (file < 0) return -1;
    struct stat status = {};
    if (flock(file, LOCK_EX) != 0 || fstat(file, &status) != 0 || status.st_nlink > 0) return file;
    close(file);
    return -2;
}

/// The first symbolic link in `path` that another user created in a folder to which all may write, such as /tmp; empty
/// if there is none. Linux refuses to follow such links only if configured to.
std::filesystem::path foreign_link(const std::filesystem::path& path) {
    std::error_code unreachable;
    std::filesystem::path way;
    for (const std::filesystem::path& name : std::filesystem::absolute(path, unreachable)) {
        struct stat link = {}, folder = {};
        const std::filesystem::path before = way;
        way /= name;
        if (lstat(way.c_str(), &link) != 0 || !S_ISLNK(link.st_mode)) continue;
        const bool shared =
            ::stat(before.c_str(), &folder) == 0 && (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0;
        if (shared && link.st_uid != geteuid() && link.st_uid != folder.st_uid) return way;
    }
    return {};
}

/// Removes a temporary file that no process is writing.
void remove_if_left(const std::filesystem::path& part) {
    const int file = ::open(part.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return;
    unlink_if_left(file, part);
    close(file);
}

/// True if a name is that of a temporary file whose target's name ends at `at`.
bool is_part(std::string_view name, std::size_t at) {
    if (!name.ends_with(part_ending) || !name.substr(std::min(at, name.size())).starts_with(part_mark)) return false;
    name.remove_suffix(part_ending.size());
    if (name.size() < at + part_mark.size()) return false;
    const std::string_view numbers = name.substr(at + part_mark.size());
    return !numbers.empty() && numbers.find_first_not_of("0123456789-") == std::string_view::npos;
}

}  // namespace

OutputFile::OutputFile(const std::filesystem::path& path, Readers readers) : name_(path.string()) {
    if (const std::filesystem::path link = foreign_link(path); !link.empty())
        throw Error(name_ + ": is not written, since " + link.string() +
                    " is another user's link in a shared folder; remove it or choose another place");
    struct stat status = {};
    const bool there = ::stat(name_.c_str(), &status) == 0;
    in_place_ = there && !S_ISREG(status.st_mode);
    const mode_t mode = readers == Readers::owner ? 0600 : there ? status.st_mode & 0777 : 0644;
    std::error_code unresolved;
    const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, unresolved);
    target_ = in_place_ || unresolved ? name_ : resolved.string();  // a link stays a link
    if (in_place_) {
        part_ = target_;
        file_ = ::open(part_.c_str(), O_WRONLY | O_CLOEXEC);
    }
    if (!in_place_) remove_parts_of(target_);
    for (int n = 0; !in_place_ && file_ < 0 && n < most_parts; ++n) {
        part_ = target_;
        part_.append(part_mark).append(std::to_string(getpid()) + "-" + std::to_string(n)).append(part_ending);
        file_ = make_part(part_, mode);
        if (file_ == -1 && errno != EEXIST) break;
    }
    if (there && !in_place_ && file_ >= 0 && fchmod(file_, mode) != 0) {  // restores bits removed by the umask
        ::unlink(part_.c_str());
        close(file_);
        fail();
    }
    if (file_ < 0) fail();
}

OutputFile::~OutputFile() {
    if (file_ < 0) return;
    if (!in_place_) ::unlink(part_.c_str());  // still locked: no other process uses the name
    close(file_);
}

void OutputFile::fail() const {
    throw Error(name_ + ": cannot be written (" + std::strerror(errno) + "); choose another place");
}

void OutputFile::write(const void* data, std::size_t size) {
    const char* bytes = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t written = ::write(file_, bytes, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail();
        bytes += written;
        size -= static_cast<std::size_t>(written);
    }
}

void OutputFile::commit() {
    if (!in_place_ && (fsync(file_) != 0 || std::rename(part_.c_str(), target_.c_str()) != 0)) fail();
    const int file = std::exchange(file_, -1);
    if (close(file) != 0) fail();
}

void replace_file(const std::filesystem::path& path, std::string_view content, OutputFile::Readers readers) {
    OutputFile out(path, readers);
    out.write(content);
    out.commit();
}

void flush_to_disk(const std::filesystem::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    fsync(file);
    close(file);
}

void unlink_if_left(int file, const std::filesystem::path& part) {
    struct stat opened = {}, named = {};
    if (fstat(file, &opened) == 0 && S_ISREG(opened.st_mode) && flock(file, LOCK_EX | LOCK_NB) == 0 &&
        lstat(part.c_str(), &named) == 0 && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino)
        ::unlink(part.c_str());
}

void remove_parts_of(const std::filesystem::path& path) {
    const std::string file = path.filename().string();
    std::vector<std::filesystem::path> parts;
    std::error_code ignored;
    for (std::filesystem::directory_iterator entry(path.has_parent_path() ? path.parent_path() : ".", ignored), end;
         !ignored && entry != end; entry.increment(ignored))
        if (const std::string name = entry->path().filename().string();
            name.starts_with(file) && is_part(name, file.size()))
            parts.push_back(entry->path());
    for (const std::filesystem::path& part : parts) remove_if_left(part);
}

}  // namespace vitrine
