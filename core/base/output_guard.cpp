#include "core/base/output_guard.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include "core/base/error.h"

namespace vitrine {

namespace {

using namespace std::string_view_literals;

/// How a kind of file begins, and what it holds where Vitrine wrote it.
struct Mark {
    std::size_t at;
    std::string_view beginning, mark;
};
constexpr Mark marks[] = {
    {0, "\x89PNG\r\n"sv, "tEXtSoftware\0Vitrine"sv},
    {0, "<svg "sv, "<metadata>Vitrine</metadata>"sv},
    {0, "<!DOCTYPE html>"sv, "<meta name=\"generator\" content=\"Vitrine\">"sv},
    {0, "{"sv, "\"software\": \"Vitrine\""sv},
    {0, "{\"pictures\":"sv, "\"pictures_per_second\":"sv},    // the metrics of a training run, line by line:
    {0, "{\"sentences\":"sv, "\"sentences_per_second\":"sv},  // of pictures, and of texts
    {0, "[\"settings\","sv, "\n[\"open-model\","sv},          // a recording of the window's commands
    {8, "{"sv, "\"software\":\"Vitrine\""sv},                 // safetensors
};
constexpr std::size_t looked_at = 1 << 16;

}  // namespace

void OutputGuard::reads(const std::filesystem::path& file) {
    const FileStamp stamp = stamp_of(file);
    if (stamp.is_there()) reads_.push_back(stamp);
}

void OutputGuard::check_is_not_read(const std::filesystem::path& output) const {
    const FileStamp stamp = stamp_of(output);
    if (!stamp.is_there()) return;
    const auto same =
        std::find_if(reads_.begin(), reads_.end(), [&](const FileStamp& read) { return is_same_file(read, stamp); });
    if (same != reads_.end())
        throw Error(output.string() + ": is " + (same->path == output ? "a file" : "the file " + same->path.string()) +
                    " that this very run reads; choose another name for what is written");
}

void OutputGuard::check(const std::filesystem::path& output) const {
    check_is_not_read(output);
    std::error_code not_there;
    if (foreign_ == Foreign::replaced || !std::filesystem::is_regular_file(output, not_there)) return;
    if (stamp_of(output).size == 0 || is_ours(output)) return;
    throw Error(output.string() +
                ": is there already and is not what Vitrine wrote; choose another name, or add --force to replace it");
}

bool is_ours(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string start(looked_at, '\0');
    in.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, in.gcount())));
    return std::any_of(std::begin(marks), std::end(marks), [&](const Mark& m) {
        return start.size() > m.at && std::string_view(start).substr(m.at).starts_with(m.beginning) &&
               start.find(m.mark) != std::string::npos;
    });
}

}  // namespace vitrine
