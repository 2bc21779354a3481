#include "app/platform/new_file.h"

#include <string>

namespace vitrine {

std::filesystem::path unused(const std::filesystem::path& wanted) {
    std::filesystem::path path = wanted;
    std::error_code ignored;
    const std::string name = wanted.stem().string(), ending = wanted.extension().string();
    for (int i = 2; std::filesystem::exists(path, ignored); ++i)
        path = wanted.parent_path() / (name + "-" + std::to_string(i) + ending);
    return path;
}

}  // namespace vitrine
