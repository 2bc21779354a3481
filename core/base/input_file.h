#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace vitrine {

/// An open file of which any part is read when it is asked for, by several threads at once.
class InputFile {
public:
    /// Opens anything but waits for nothing, a pipe neither. Throws Error where it is missing or may not be read.
    explicit InputFile(const std::filesystem::path& path);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    /// Whether it is a file of a size: no folder, pipe or device.
    bool is_regular() const { return regular_; }
    /// When it was opened; 0 of what is no regular file.
    std::size_t size() const { return size_; }

    /// Bytes from an offset on. Throws Error where the file has fewer, or cannot be read.
    void read(std::size_t offset, std::span<std::uint8_t> bytes) const;

private:
    std::string name_;
    int file_ = -1;
    bool regular_ = false;
    std::size_t size_ = 0;
};

/// All bytes of a file that may be no longer than so many. Throws Error, also where it is no regular file: a pipe or a
/// device may have no end.
std::string words_of_file(const std::filesystem::path& path, std::size_t most);

}  // namespace vitrine
