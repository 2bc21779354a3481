#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace vitrine {

/// A file that a reader sees whole or not at all: written beside its place under a name that nothing has
/// (NAME.vitrine-….part), brought to the disk, then renamed. A pipe or a device is written in place. What a process
/// that was killed has left half written of the same file goes. Throws Error where it cannot be written, and where a
/// link of somebody else in a folder that all may write to leads there.
class OutputFile {
public:
    /// Who may read a new file: all whom the system lets, or its owner alone. One that is written over stays as open or
    /// closed as it was.
    enum class Readers { usual, owner };

    explicit OutputFile(const std::filesystem::path& path, Readers readers = Readers::usual);
    /// Without `commit` nothing is left behind, and what was there before stays.
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(const void* data, std::size_t size);
    void write(std::string_view text) { write(text.data(), text.size()); }
    void commit();

private:
    [[noreturn]] void fail() const;

    std::string name_, target_, part_;
    bool in_place_ = false;
    int file_ = -1;
};

/// Removes what processes that were stopped have left half written of a file, and nothing that one still writes.
/// Failing to is no error.
void remove_parts_of(const std::filesystem::path& path);
/// The same of all files of a folder.
void remove_parts_in(const std::filesystem::path& folder);

/// Removes a part that is open as `file` if nobody writes it and the name is still its own: meanwhile another may have
/// removed it, and a third begun a new one of that name. `file` then holds its lock.
void unlink_if_left(int file, const std::filesystem::path& part);

}  // namespace vitrine
