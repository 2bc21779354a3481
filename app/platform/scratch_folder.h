#pragma once

#include <filesystem>
#include <string>

namespace vitrine {

/// A folder of this process in the system's temporary folder, with an unpredictable name and permissions for its owner
/// only. It is deleted, with its content, with this object.
class ScratchFolder {
public:
    ScratchFolder();  // throws Error if none can be made
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

}  // namespace vitrine
