#include "app/commands/image_list.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "app/commands/commands.h"
#include "app/commands/outputs.h"
#include "app/commands/tried.h"
#include "app/library/library.h"
#include "core/base/error.h"
#include "core/files/image.h"
#include "core/text/text_checkpoint.h"
#include "core/training/own_pictures.h"
#include "core/vit/checkpoint/checkpoint.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_list = 256 << 20;  // bytes

/// The lines of a list without empty ones; if it has a NUL byte, NUL bytes separate the names, as in the output of find
/// -print0.
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
        if (text.size() > longest_list) throw Error("the standard input: the list is longer than 256 MiB");
    }
    return text;
}

/// The content of a list, a file or - for the standard input, without a byte order mark.
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

/// The words of the command line; a list is replaced by its content.
struct ListedWords {
    std::vector<std::string> words;
    bool many = false;  // true if they come from a list
};

/// `things` names the items of the lists, for messages: "images".
ListedWords listed_words(const std::vector<std::string>& words, const std::string& things) {
    ListedWords all;
    for (const std::string& word : words) {
        std::error_code unreachable;
        const bool at = word.size() > 1 && word.front() == '@' && !fs::exists(word, unreachable);
        if (word != "-" && !at) {
            all.words.push_back(word);
            continue;
        }
        const std::vector<std::string> names = lines_of_list(list_named(at ? word.substr(1) : word));
        if (names.empty())
            throw Error((at ? word.substr(1) : std::string("the standard input")) + ": this list names no " + things +
                        "; write one a line");
        all.many = true;
        all.words.insert(all.words.end(), names.begin(), names.end());
    }
    return all;
}

/// Adds a model, or the models in a folder that is not a model itself.
void add_models(const std::string& word, ModelList& list) {
    std::error_code unreachable;
    if (fs::is_directory(word, unreachable) && !is_folder_of_model(word) && !is_text_model(word)) {
        std::vector<std::string> inside;
        for (const fs::directory_entry& entry : fs::directory_iterator(word, unreachable))
            if (is_folder_of_model(entry.path()) || is_text_model(entry.path()))
                inside.push_back(entry.path().string());
        std::ranges::sort(inside);
        if (!inside.empty()) {
            list.many = true;
            list.models.insert(list.models.end(), inside.begin(), inside.end());
            return;
        }
    }
    list.models.push_back(word);
}

}  // namespace

ImageList image_list(const std::vector<std::string>& words) {
    const ListedWords named = listed_words(words, "images");
    ImageList list;
    list.many = named.many;
    for (const std::string& word : named.words) add_named(word, list);
    return list;
}

ModelList model_list(const std::vector<std::string>& words) {
    const ListedWords named = listed_words(words, "models");
    ModelList list;
    list.many = named.many || named.words.size() > 1;
    for (const std::string& word : named.words) add_models(word, list);
    return list;
}

int for_each_model(const ModelList& list, const ModelOptions& all, bool json,
                   const std::function<nlohmann::ordered_json(const ModelOptions&)>& work) {
    std::vector<std::string> failures;
    for (const std::string& name : list.models) {
        nlohmann::ordered_json line = {{"model", name}};
        const std::string failure = tried(name, [&] {
            ModelOptions one = all;
            one.path = name;
            line.update(work(one));
            line["model"] = name;  // not the name in its files
        });
        if (!failure.empty()) failures.push_back(failure), line["error"] = failure;
        if (json) print_json_line(line);
    }
    if (!failures.empty()) fail(failures, list.models.size(), "models were read");
    return 0;
}

SentenceList sentence_list(const std::vector<std::string>& words) {
    const ListedWords named = listed_words(words, "sentences");
    return {named.words, named.many || named.words.size() > 1};
}

}  // namespace vitrine
