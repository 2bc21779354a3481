#pragma once

#include <cstdint>
#include <filesystem>

namespace vitrine {

/// What tells one state of a file from another without reading it. All zero where there is no such file.
struct FileStamp {
    std::filesystem::path path;
    std::uintmax_t size = 0, device = 0, inode = 0;
    std::int64_t changed_ns = 0;  // of the content, since 1970

    bool is_there() const { return inode != 0 || device != 0; }
    bool operator==(const FileStamp&) const = default;
};

/// Whether two stamps are of one file, through whichever of its names.
inline bool is_same_file(const FileStamp& a, const FileStamp& b) {
    return a.is_there() && a.device == b.device && a.inode == b.inode;
}

/// The file's stamp now; links are followed.
FileStamp stamp_of(const std::filesystem::path& path);

}  // namespace vitrine
