#include "core/text/vocabulary.h"

#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_limits.h"

namespace vitrine {

namespace {

char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool begins_with(std::string_view word, std::string_view prefix) {
    return word.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), word.begin(),
                                                      [](char a, char b) { return folded(a) == folded(b); });
}

[[noreturn]] void refuse(const char* why) {
    throw Error(std::string("The vocabulary cannot be used: ") + why +
                "; use the file that was written with the model.");
}

}  // namespace

Vocabulary::Vocabulary(const std::vector<std::string>& words) : words_(special_words.begin(), special_words.end()) {
    words_.insert(words_.end(), words.begin(), words.end());
    for (int i = 0; i < size(); ++i) {
        const std::string& word = words_[static_cast<std::size_t>(i)];
        assert(!word.empty());
        longest_ = std::max(longest_, word.size());
        [[maybe_unused]] const bool first = ids_.emplace(word, i).second;
        assert(first);
    }
}

int Vocabulary::id(std::string_view word) const {
    const auto found = ids_.find(word);
    return found == ids_.end() ? unknown_id : found->second;
}

std::vector<int> Vocabulary::ids(const std::vector<std::string>& words) const {
    std::vector<int> ids;
    ids.reserve(words.size());
    for (const std::string& word : words) ids.push_back(id(word));
    return ids;
}

std::vector<std::string> Vocabulary::completions(std::string_view prefix, int count) const {
    std::vector<std::string> found;
    for (std::size_t i = special_words.size(); i < words_.size() && static_cast<int>(found.size()) < count; ++i)
        if (begins_with(words_[i], prefix)) found.push_back(words_[i]);
    return found;
}

std::string to_json(const Vocabulary& vocabulary) { return nlohmann::json(vocabulary.words()).dump(0); }

Vocabulary vocabulary_from_json(const std::string& text) {
    if (nests_too_deeply(text)) refuse("it is not a list of words");
    const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    if (!json.is_array()) refuse("it is not a list of words");
    std::vector<std::string> words;
    for (const nlohmann::json& word : json) {
        if (!word.is_string() || word.get_ref<const std::string&>().empty()) refuse("an entry is not a word");
        words.push_back(word.get<std::string>());
    }
    if (words.size() < special_words.size() || !std::equal(special_words.begin(), special_words.end(), words.begin()))
        refuse("it does not begin with [PAD], [BOS], [EOS], [UNK], [CLS]");
    std::vector<std::string> sorted = words;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) refuse("a word appears in it twice");
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(special_words.size()));
    return Vocabulary(words);
}

}  // namespace vitrine
