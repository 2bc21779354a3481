#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace vitrine {

/// Replaces a file atomically: the new content is written to a temporary file in the same folder (NAME.vitrine-….part),
/// flushed to the disk and renamed. Pipes and devices are written in place. Removes temporary files of the same name
/// that killed processes left. Throws Error if the file cannot be written, or if its name is somebody else's link in a
/// folder that everybody may write to.
class OutputFile {
public:
    /// Readers of a new file: everybody whom the system's settings allow, or its owner alone. An existing file keeps
    /// its permissions.
    enum class Readers { usual, owner };

    explicit OutputFile(const std::filesystem::path& path, Readers readers = Readers::usual);
    /// Without `commit`, no file is left behind and the existing file stays as it was.
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// Appends to the new content. Throws Error, as `commit` does.
    void write(const void* data, std::size_t size);
    void write(std::string_view text) { write(text.data(), text.size()); }
    /// Puts the new content in the file's place.
    void commit();

private:
    [[noreturn]] void fail() const;

    std::string name_, target_, part_;  // as given; the file that links lead to; the temporary file
    bool in_place_ = false;
    int file_ = -1;
};

/// Replaces a file's whole content. Throws Error as OutputFile does.
void replace_file(const std::filesystem::path& path, std::string_view content,
                  OutputFile::Readers readers = OutputFile::Readers::usual);

/// Waits until a file's bytes are on the disk, so that a rename cannot precede them. A failure is not an error.
void flush_to_disk(const std::filesystem::path& path);

/// Removes the temporary files of `path` that stopped processes left, but none that is still being written. A failure
/// is not an error.
void remove_parts_of(const std::filesystem::path& path);

/// Removes a temporary file, open as `file`, if no process is writing it and the name still belongs to it: another
/// process may have removed it meanwhile, and a third one may have made a new file with that name. `file` then holds
/// the lock.
void unlink_if_left(int file, const std::filesystem::path& part);

}  // namespace vitrine
