#include "core/base/folder.h"

#include <algorithm>
#include <system_error>

namespace vitrine {

std::vector<std::string> names_in(const std::filesystem::path& folder) {
    namespace fs = std::filesystem;
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
        names.push_back(it->path().filename().string());
    std::ranges::sort(names);
    return names;
}

}  // namespace vitrine
