#pragma once

#include <filesystem>
#include <string>

namespace vitrine {

/// A folder of this process alone in the system's temporary folder: a name that nobody can know before, permissions for
/// its owner only, gone with the object and all that lies in it.
class ScratchFolder {
public:
    ScratchFolder();  // throws Error where none can be made
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

}  // namespace vitrine
