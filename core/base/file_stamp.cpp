#include "core/base/file_stamp.h"

#include <sys/stat.h>

namespace vitrine {

FileStamp stamp_of(const std::filesystem::path& path) {
    FileStamp stamp{path};
    struct stat status = {};
    if (stat(path.c_str(), &status) != 0) return stamp;
    stamp.size = static_cast<std::uintmax_t>(status.st_size);
    stamp.device = status.st_dev;
    stamp.inode = status.st_ino;
    stamp.changed_ns = static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec;
    return stamp;
}

}  // namespace vitrine
