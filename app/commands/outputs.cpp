#include "app/commands/outputs.h"

#include "app/commands/commands.h"
#include "app/workspace/library.h"
#include "core/vit/checkpoint/checkpoint.h"

namespace vitrine {

ModelSource ModelOptions::source() const { return model_source(path, heads); }

OutputGuard guard_of(bool force, const ModelSource& model, const ImageSource& image) {
    OutputGuard guard(force ? OutputGuard::Foreign::replaced : OutputGuard::Foreign::kept);
    if (!model.path.empty())
        for (const std::filesystem::path& file : files_of_checkpoint(model.path)) guard.reads(file);
    if (!image.path.empty()) guard.reads(image.path);
    return guard;
}

void check_is_name(const char* option, const std::filesystem::path& out) {
    if (out == "-")
        throw UsageError(
            std::string(option) +
            " -: nothing of this kind is written to the standard output; name a file, or ./- for that name");
}

}  // namespace vitrine
