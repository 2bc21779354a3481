#include "app/commands/outputs.h"

#include <algorithm>
#include <string>

#include "app/commands/commands.h"
#include "app/exports/screen.h"
#include "app/workspace/library.h"

namespace vitrine {

ModelSource ModelOptions::source() const {
    ModelSource source = model_source(path, heads);
    source.labels = labels;
    return source;
}

void check_is_name(const char* option, const std::filesystem::path& out) {
    if (out == "-")
        throw UsageError(
            std::string(option) +
            " -: this is not written to the standard output; name a file, or ./- for a file of that name");
}

const PictureFormat& picture_format_of(const std::filesystem::path& file) {
    std::string ending = file.extension().string();
    if (ending.empty()) return picture_formats().front();
    std::ranges::transform(ending, ending.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    if (const PictureFormat* const named = picture_format_named(ending.substr(1))) return *named;
    std::string all;
    for (const PictureFormat& format : picture_formats())
        all += (all.empty() ? "." : " or .") + std::string(format.name);
    throw UsageError("--out " + file.string() + ": pictures are not written in this format; end the name in " + all);
}

}  // namespace vitrine
