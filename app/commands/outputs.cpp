#include "app/commands/outputs.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "app/commands/commands.h"
#include "app/exports/screen.h"
#include "app/library/library.h"
#include "app/library/source_words.h"
#include "app/platform/printable.h"
#include "app/workspace/settings.h"
#include "core/vit/forward.h"
#include "core/vit/run_memory.h"

namespace vitrine {

ModelSource ModelOptions::source(const ModelSource& without_path) const {
    ModelSource source = path.empty() ? without_path : model_source(path, said.heads);
    for (const SourceWord& word : source_words())
        if (const std::string value = word.write(said); !value.empty()) word.read(source, value);
    return source;
}

namespace {

RunMemory parse_memory(const std::string& words) {
    if (const std::optional<RunMemory> memory = run_memory_of(words)) return *memory;
    throw UsageError("--memory " + words + ": write an amount such as 320M or 4G, automatic or all");
}

}  // namespace

Runs ModelOptions::runs(std::shared_ptr<const Model> model, const RunUse& use, int at_a_time) const {
    Runs runs{std::move(model)};
    if (memory.empty()) return runs;
    RunMemory each = parse_memory(memory);
    each.bytes /= at_a_time;
    runs.kept_blocks = blocks_in(*runs.model, each, use);
    return runs;
}

void ModelOptions::change(Settings& settings) const {
    if (!memory.empty()) parse_memory(memory);
    if (!memory.empty()) settings.memory = memory;
    if (!colour.empty()) settings.colours = colours();
}

void check_is_name(const char* option, const std::filesystem::path& out) {
    if (out == "-")
        throw UsageError(std::string(option) +
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

void print_json(const nlohmann::ordered_json& json) {
    const std::string words = json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
    std::printf("%s\n", printable_json(words).c_str());
}

void print_json_line(const nlohmann::ordered_json& json) {
    const std::string words = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    std::printf("%s\n", printable_json(words).c_str());
    std::fflush(stdout);
}

}  // namespace vitrine
