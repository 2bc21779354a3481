#include "app/workspace/settings.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

namespace {

/// Reads settings from a file of these words.
Settings read(std::string_view words) {
    static const std::string file =
        (std::filesystem::temp_directory_path() / ("vitrine-fuzz-settings-" + std::to_string(getpid()))).string();
    std::ofstream(file, std::ios::binary) << words;
    Settings settings = load_settings(file);
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    std::filesystem::remove(file + ".broken", ignored);
    return settings;
}

}  // namespace

void settings(Bytes bytes) {
    const std::string_view text = text_of(bytes);
    const Settings got = read(text);
    demand(read(to_json(got)) == got, "settings that are written and read are the same");
    Settings changed;
    change_settings(changed, {{"theme", std::string(text)}, {"folded", std::string(text)}, {"x", std::string(text)}});
    Settings replayed = changed;
    change_settings(replayed, changed_settings(Settings(), changed));
    demand(replayed == changed, "changes that are done twice change nothing more");
}

}  // namespace vitrine::fuzz
