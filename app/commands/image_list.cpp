#include "app/commands/image_list.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/commands/commands.h"
#include "app/workspace/library.h"
#include "core/base/error.h"
#include "core/files/image.h"
#include "core/training/own_pictures.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_list = 256 << 20;  // bytes

/// The lines of a list without empty ones; its names lie between NUL bytes if there is one, as find -print0 writes.
std::vector<std::string> lines_of_list(const std::string& text) {
    const char between = text.find('\0') == std::string::npos ? '\n' : '\0';
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(between, begin), text.size());
        std::string line = text.substr(begin, end - begin);
        if (line.ends_with('\r') && between == '\n') line.pop_back();
        if (!line.empty()) lines.push_back(std::move(line));
        begin = end + 1;
    }
    return lines;
}

std::string standard_input() {
    std::string text;
    char buffer[1 << 16];
    for (std::size_t read = 0; (read = std::fread(buffer, 1, sizeof buffer, stdin)) > 0;) {
        text.append(buffer, read);
        if (text.size() > longest_list) throw Error("the standard input: the list of images is longer than 256 MiB");
    }
    return text;
}

/// A list, which may also begin with a byte order mark.
std::string list_named(const std::string& file) {
    std::string text = file == "-" ? standard_input() : std::string();
    if (file != "-") {
        const std::vector<std::uint8_t> bytes = read_file(file);
        text.assign(bytes.begin(), bytes.end());
    }
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

/// Adds an image, or the pictures of a folder.
void add_named(const std::string& word, ImageList& list) {
    std::error_code unreachable;
    if (!fs::is_directory(word, unreachable)) return list.images.push_back(image_source(word));
    const std::vector<fs::path> pictures = pictures_in(word);
    if (pictures.empty())
        throw Error(word +
                    ": this folder holds no pictures of its own; name those of its subfolders, or give a list: find " +
                    word + " -name '*.jpg' | vitrine … -");
    list.many = true;
    for (const fs::path& picture : pictures) list.images.push_back({"", picture});
}

}  // namespace

ImageList image_list(const std::vector<std::string>& words) {
    ImageList list;
    for (const std::string& word : words) {
        std::error_code unreachable;
        const bool at = word.size() > 1 && word.front() == '@' && !fs::exists(word, unreachable);
        if (word != "-" && !at) {
            add_named(word, list);
            continue;
        }
        const std::vector<std::string> names = lines_of_list(list_named(at ? word.substr(1) : word));
        if (names.empty())
            throw Error((at ? word.substr(1) : std::string("the standard input")) +
                        ": this list names no images; write one path a line");
        list.many = true;
        for (const std::string& name : names) add_named(name, list);
    }
    return list;
}

}  // namespace vitrine
