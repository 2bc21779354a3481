#include "core/base/output_guard.h"

#include <algorithm>
#include <cassert>
#include <fstream>
#include <iterator>
#include <string_view>

#include "core/base/error.h"
#include "core/base/sha256.h"

namespace vitrine {

namespace {

using namespace std::string_view_literals;

/// How a kind of file begins, and the text in it that shows that Vitrine wrote it. Formats that people edit have a seal
/// after this mark: a checksum of the file without the seal.
struct Mark {
    std::size_t at;
    std::string_view beginning, mark, end = {}, seal_begins = {}, seal_ends = {};
    bool sealed() const { return !seal_begins.empty(); }
};
constexpr Mark marks[] = {
    {0, "\x89PNG\r\n"sv, "tEXtSoftware\0Vitrine"sv},
    {0, "<svg "sv, "<metadata>Vitrine"sv, "</metadata>"sv, " "sv},
    {0, "<!DOCTYPE html>"sv, "<meta name=\"generator\" content=\"Vitrine"sv, "\">"sv, " "sv},
    {0, "{\"pictures\":"sv, "\"pictures_per_second\":"sv},    // line by line, metrics of a training run:
    {0, "{\"sentences\":"sv, "\"sentences_per_second\":"sv},  // of pictures, and of texts
    {0, "{"sv, "\"software\": \"Vitrine\""sv, ""sv, ", \"checksum\": \""sv, "\""sv},
    {0, "[\"settings\","sv, "\n[\"open-model\","sv},     // a recording of the window's commands
    {8, "{"sv, "\"software\":\"Vitrine\""sv},            // safetensors
    {0, "PK\x03\x04"sv, "{\"software\":\"Vitrine\""sv},  // the first entry of an archive of arrays
};
constexpr std::size_t searched_bytes = 1 << 16;  // at a file's beginning, for the mark
constexpr std::size_t digits = 16;               // of the checksum

bool begins_as(std::string_view bytes, const Mark& m) {
    return bytes.size() > m.at && bytes.substr(m.at).starts_with(m.beginning);
}

std::string checksum_of(const std::string& words) { return sha256(words).substr(0, digits); }

std::string bytes_of(const std::filesystem::path& file, std::size_t most) {
    std::ifstream in(file, std::ios::binary);
    std::string bytes(most, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, in.gcount())));
    return bytes;
}

/// True if the seal after its mark matches the rest of the text.
bool is_seal_whole(std::string words, const Mark& m) {
    const std::string before = std::string(m.mark) + std::string(m.seal_begins),
                      after = std::string(m.seal_ends) + std::string(m.end);
    const std::size_t at = words.find(before);
    if (at == std::string::npos || at > searched_bytes) return false;
    const std::string checksum = words.substr(at + before.size(), digits);
    if (words.compare(std::min(words.size(), at + before.size() + digits), after.size(), after) != 0) return false;
    words.erase(at + m.mark.size(), m.seal_begins.size() + digits + m.seal_ends.size());
    return checksum == checksum_of(words);
}

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
                    " that this very run reads; choose another name for the output");
}

void OutputGuard::check(const std::filesystem::path& output) const {
    check_is_not_read(output);
    std::error_code not_there;
    if (foreign_ == Foreign::replaced || !std::filesystem::is_regular_file(output, not_there)) return;
    if (stamp_of(output).size == 0 || is_ours(output)) return;
    throw Error(output.string() +
                ": this file exists and Vitrine did not write it, or it was changed since; choose another name, or add "
                "--force to replace it");
}

bool is_ours(const std::filesystem::path& file) {
    std::error_code unreachable;
    if (!std::filesystem::is_regular_file(file, unreachable)) return false;
    const std::string start = bytes_of(file, searched_bytes);
    return std::any_of(std::begin(marks), std::end(marks), [&](const Mark& m) {
        if (!begins_as(start, m) || start.find(m.mark) == std::string::npos) return false;
        return !m.sealed() || is_seal_whole(bytes_of(file, std::filesystem::file_size(file, unreachable)), m);
    });
}

std::string sealed(std::string words) {
    for (const Mark& m : marks) {
        const std::string mark = std::string(m.mark) + std::string(m.end);
        const std::size_t at = m.sealed() && begins_as(words, m) ? words.find(mark) : std::string::npos;
        if (at == std::string::npos) continue;
        const std::string seal = std::string(m.seal_begins) + checksum_of(words) + std::string(m.seal_ends);
        return words.insert(at + m.mark.size(), seal);
    }
    assert(!"what is sealed has a mark");
    return words;
}

}  // namespace vitrine
