#include "core/base/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.h"

namespace vitrine {

InputFile::InputFile(const std::filesystem::path& path) : name_(path.string()) {
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file_ < 0) {
        if (errno == ENOENT) throw Error(name_ + ": there is no such file; check the path");
        if (errno == EACCES) throw Error(name_ + ": there is no permission to read this file; change its permissions");
        throw Error(name_ + ": this file cannot be opened (" + std::strerror(errno) + "); check the path");
    }
    struct stat status = {};
    regular_ = fstat(file_, &status) == 0 && S_ISREG(status.st_mode);
    size_ = regular_ ? static_cast<std::size_t>(status.st_size) : 0;
}

InputFile::~InputFile() { close(file_); }

void InputFile::read(std::size_t offset, std::span<std::uint8_t> bytes) const {
    while (!bytes.empty()) {
        const ssize_t got = pread(file_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw Error(name_ + ": this file cannot be read (" + std::strerror(errno) + "); try again");
        if (got == 0) throw Error(name_ + ": this file became shorter while it was read; open it again");
        offset += static_cast<std::size_t>(got);
        bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
}

std::string words_of_file(const std::filesystem::path& path, std::size_t most) {
    const InputFile file(path);
    if (!file.is_regular()) throw Error(path.string() + ": is not a regular file; name one that is");
    if (file.size() > most)
        throw Error(path.string() + ": is longer than " + std::to_string(most) + " bytes, more than such a file has; " +
                    "name another");
    std::string words(file.size(), '\0');
    file.read(0, {reinterpret_cast<std::uint8_t*>(words.data()), words.size()});
    return words;
}

}  // namespace vitrine
