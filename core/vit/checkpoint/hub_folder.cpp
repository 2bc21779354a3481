#include "core/vit/checkpoint/hub_folder.h"

#include <cstddef>
#include <string_view>

#include "core/base/error.h"
#include "core/base/input_file.h"

namespace vitrine {

namespace {

constexpr std::string_view hub_folder_begin = "models--";
constexpr std::size_t longest_name = 255;          // of a folder, so of a commit in snapshots/
constexpr std::size_t most_bytes_of_ref = 65'536;  // including white space after the name

}  // namespace

std::string folder_name_of(const std::string& model) {
    std::string name = model;
    if (const std::size_t slash = name.find('/'); slash != std::string::npos) name.replace(slash, 1, "--");
    return std::string(hub_folder_begin) + name;
}

std::string model_of_folder_name(const std::string& folder) {
    if (!folder.starts_with(hub_folder_begin)) return "";
    std::string model = folder.substr(hub_folder_begin.size());
    if (const std::size_t at = model.find("--"); at != std::string::npos) model.replace(at, 2, "/");
    return model;
}

std::string commit_in(const std::filesystem::path& file) {
    std::error_code unreachable;
    if (!std::filesystem::is_regular_file(file, unreachable)) return "";
    try {
        std::string words = words_of_file(file, most_bytes_of_ref);
        while (!words.empty() && static_cast<unsigned char>(words.back()) <= ' ') words.pop_back();
        const bool names_folder =
            words.size() <= longest_name && words.find('/') == std::string::npos && !words.starts_with('.');
        return names_folder ? words : "";
    } catch (const Error&) {
        return "";
    }
}

}  // namespace vitrine
