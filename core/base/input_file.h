#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace vitrine {

/// An open file. Any part can be read at any time, by several threads at once.
class InputFile {
public:
    /// Opens any kind of file without blocking, pipes included. Throws Error if it is missing or not readable.
    explicit InputFile(const std::filesystem::path& path);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    /// True for a regular file; false for a folder, pipe or device.
    bool is_regular() const { return regular_; }
    /// The size in bytes when the file was opened; 0 if it is not a regular file.
    std::size_t size() const { return size_; }

    /// Fills `bytes` from `offset` on. Throws Error if the file has fewer bytes or cannot be read.
    void read(std::size_t offset, std::span<std::uint8_t> bytes) const;

private:
    std::string name_;
    int file_ = -1;
    bool regular_ = false;
    std::size_t size_ = 0;
};

/// Reads a whole file of at most `most` bytes. Throws Error if it is longer or not a regular file: a pipe or a device
/// may have no end.
std::string words_of_file(const std::filesystem::path& path, std::size_t most);

}  // namespace vitrine
