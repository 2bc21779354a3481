#include "core/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "core/error.h"

namespace vitrine {

OutputFile::OutputFile(const std::filesystem::path& path) : name_(path.string()) {
    struct stat status = {};
    in_place_ = ::stat(name_.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
    std::error_code unresolved;
    const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, unresolved);
    target_ = in_place_ || unresolved ? name_ : resolved.string();  // a link stays one
    part_ = in_place_ ? target_ : target_ + ".part";
    file_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file_ < 0) fail();
}

OutputFile::~OutputFile() {
    if (file_ < 0) return;
    close(file_);
    if (!in_place_) ::unlink(part_.c_str());
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
    if (!in_place_ && fsync(file_) != 0) fail();
    const int file = file_;
    file_ = -1;
    if (close(file) == 0 && (in_place_ || std::rename(part_.c_str(), target_.c_str()) == 0)) return;
    const int reason = errno;
    if (!in_place_) ::unlink(part_.c_str());
    errno = reason;
    fail();
}

}  // namespace vitrine
