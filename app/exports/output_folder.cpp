#include "app/exports/output_folder.h"

#include <cstdio>

#include "app/platform/printable.h"
#include "core/base/error.h"
#include "core/vit/checkpoint/checkpoint.h"

namespace vitrine {

OutputGuard guard_of(bool force, const ModelSource& model, const ImageSource& image) {
    OutputGuard guard(force ? OutputGuard::Foreign::replaced : OutputGuard::Foreign::kept);
    if (!model.path.empty())
        for (const std::filesystem::path& file : files_of_checkpoint(model.path)) guard.reads(file);
    if (!image.path.empty()) guard.reads(image.path);
    return guard;
}

OutputFolder::OutputFolder(const std::filesystem::path& folder, FileLock::Others others) {
    namespace fs = std::filesystem;
    std::error_code error;
    for (fs::path p = fs::absolute(folder, error).lexically_normal(); p.has_relative_path() && !fs::exists(p, error);
         p = p.parent_path())
        made_.push_back(p);
    fs::create_directories(folder, error);
    if (error)
        throw Error(folder.string() + ": the folder cannot be created (" + error.message() + "); choose another place");
    lock_ = FileLock::take_folder(folder, FileLock::Others::refused);
    if (!lock_ && others == FileLock::Others::awaited) {
        std::fprintf(stderr, "%s: another command writes into this folder; waiting until it is done\n",
                     printable(folder.string()).c_str());
        lock_ = FileLock::take_folder(folder, others);
    }
    if (!lock_)
        throw Error(folder.string() +
                    ": another command writes into this folder now; wait until it is done, or choose another folder");
}

OutputFolder::~OutputFolder() {
    std::error_code ignored;
    for (const std::filesystem::path& folder : made_)  // while it is locked
        if (std::filesystem::is_empty(folder, ignored) && std::filesystem::is_directory(folder, ignored))
            std::filesystem::remove(folder, ignored);
}

}  // namespace vitrine
