#include "app/ui/languages.h"

#include <algorithm>

#include "app/ui/text.h"
#include "core/base/names.h"
#include "embedded/assets.h"

namespace vitrine {

namespace {

constexpr std::string_view folder = "text/", ending = ".json";

std::vector<std::string> codes_of_files() {
    std::vector<std::string> codes;
    for (const Embedded& file : assets())
        if (file.name.starts_with(folder) && file.name.ends_with(ending))
            codes.emplace_back(file.name.substr(folder.size(), file.name.size() - folder.size() - ending.size()));
    std::ranges::sort(codes, {}, [](const std::string& code) { return std::pair(code != "en", code); });
    return codes;
}

std::vector<Language> read_languages() {
    std::vector<Language> list;
    for (const std::string& code : language_codes()) list.push_back({code, load_text(code)("language.name")});
    return list;
}

}  // namespace

const std::vector<std::string>& language_codes() {
    static const std::vector<std::string> codes = codes_of_files();
    return codes;
}

const std::vector<Language>& languages() {
    static const std::vector<Language> list = read_languages();
    return list;
}

bool is_language(std::string_view code) { return std::ranges::find(language_codes(), code) != language_codes().end(); }

std::string language_list() { return listed(language_codes()); }

}  // namespace vitrine
