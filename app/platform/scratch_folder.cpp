#include "app/platform/scratch_folder.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.h"

namespace vitrine {

ScratchFolder::ScratchFolder() {
    std::error_code error;
    const std::filesystem::path shared = std::filesystem::temp_directory_path(error);
    std::string name = (shared / "vitrine-XXXXXX").string();
    if (error || mkdtemp(name.data()) == nullptr)
        throw Error(name + ": no folder for temporary files can be created there (" +
                    (error ? error.message() : std::strerror(errno)) +
                    "); set TMPDIR to a folder that may be written to");
    path_ = name;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace vitrine
