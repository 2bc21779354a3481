#include "app/workspace/recent.h"

#include <algorithm>
#include <string>

namespace vitrine {

void remember(Settings& settings, FileKind kind, const std::filesystem::path& file) {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(file, error);
    const std::string path = (error ? file : whole).lexically_normal().string();
    std::vector<std::string>& files = settings.recent[name_of(kind)];
    std::erase(files, path);
    files.insert(files.begin(), path);
    if (files.size() > most_recent) files.resize(most_recent);
}

std::vector<std::filesystem::path> recent_files(const Settings& settings, FileKind kind) {
    std::vector<std::filesystem::path> there;
    const auto found = settings.recent.find(name_of(kind));
    if (found == settings.recent.end()) return there;
    for (const std::string& path : found->second)
        if (std::error_code error; std::filesystem::exists(path, error)) there.emplace_back(path);
    return there;
}

}  // namespace vitrine
