#pragma once

#include <cstdint>
#include <filesystem>

namespace vitrine {

/// Tells whether a file has changed, without reading it. All zero if the file does not exist.
struct FileStamp {
    std::filesystem::path path;
    std::uintmax_t size = 0, device = 0, inode = 0;
    std::int64_t changed_ns = 0;  // time of the last write to the content, since 1970

    bool is_there() const { return inode != 0 || device != 0; }
    bool operator==(const FileStamp&) const = default;
};

/// True if two stamps belong to one existing file, even under different names.
inline bool is_same_file(const FileStamp& a, const FileStamp& b) {
    return a.is_there() && a.device == b.device && a.inode == b.inode;
}

/// The file's stamp now; follows links.
FileStamp stamp_of(const std::filesystem::path& path);

}  // namespace vitrine
