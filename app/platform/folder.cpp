#include "app/platform/folder.h"

namespace vitrine {

std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder) {
    namespace fs = std::filesystem;
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && it != end; it.increment(error))
        entries.push_back(it->path());
    return entries;
}

}  // namespace vitrine
