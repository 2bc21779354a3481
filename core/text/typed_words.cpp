#include "core/text/typed_words.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/base/utf8.h"

namespace vitrine {

namespace {

// ---- letters

bool is_space(char32_t c) {
    return c <= 0x20 || (c >= 0x7F && c <= 0xA0) || (c >= 0x2000 && c <= 0x200F) || (c >= 0x2028 && c <= 0x202F) ||
           c == 0x205F || c == 0x3000 || c == 0xFEFF;
}

bool is_latin(char32_t c) { return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z'); }

/// True for a character that is a token by itself: neither space nor part of a word.
bool is_sign(char32_t c) {
    if (c < 0x80) return !is_space(c) && !is_latin(c) && !(c >= U'0' && c <= U'9') && c != U'\'';
    return (c >= 0x2010 && c <= 0x2027) || (c >= 0x2030 && c <= 0x205E) || c == 0x3001 || c == 0x3002 ||
           (c >= 0x3008 && c <= 0x3011) || c == no_letter;
}

/// Replaces full-width punctuation, typographic quotes and the other language's full stops by this language's own.
char32_t as_written(char32_t c, TextLanguage language) {
    if (c >= 0xFF01 && c <= 0xFF5E) c -= 0xFEE0;
    if (c == 0x2018 || c == 0x2019) c = U'\'';
    if ((c >= 0x201C && c <= 0x201F) || c == 0x300C || c == 0x300D) c = U'"';
    if (language == TextLanguage::english) return c == 0x3002 ? U'.' : c == 0x3001 ? U',' : c;
    return c == U'.' || c == U'?' ? 0x3002 : c == U',' ? 0x3001 : c;
}

std::u32string letters_of(std::string_view typed, TextLanguage language) {
    std::u32string letters;
    for (std::size_t at = 0; at < typed.size();) letters += as_written(letter_at(typed, at), language);
    return letters;
}

std::string utf8_of(std::u32string_view letters) {
    std::string utf8;
    for (const char32_t letter : letters) append_letter(utf8, letter);
    return utf8;
}

/// Splits at spaces and punctuation; punctuation marks are parts of their own.
std::vector<std::u32string> parts_of(const std::u32string& letters) {
    std::vector<std::u32string> parts;
    bool inside = false;
    for (const char32_t letter : letters) {
        const bool sign = is_sign(letter);
        if (sign || (!inside && !is_space(letter))) parts.emplace_back();
        if (!is_space(letter)) parts.back() += letter;
        inside = !sign && !is_space(letter);
    }
    return parts;
}

// ---- English

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }

/// The word with the capitals used in the vocabulary.
std::string as_known(const std::string& word, const Vocabulary& vocabulary) {
    if (vocabulary.knows(word)) return word;
    std::string small = word;
    std::transform(small.begin(), small.end(), small.begin(), lower);
    if (vocabulary.knows(small)) return small;
    std::string capital = small;
    capital[0] = upper(capital[0]);
    return vocabulary.knows(capital) ? capital : word;
}

/// Adds a word; "not" is merged into the word before it, or "didn't" split in two, if only that form is known.
void add_english(std::vector<std::string>& words, const std::string& word, const Vocabulary& vocabulary) {
    constexpr std::string_view ending = "n't";
    const std::string known = as_known(word, vocabulary);
    if (vocabulary.knows(known)) {
        words.push_back(known);
        return;
    }
    std::string small = word;
    std::transform(small.begin(), small.end(), small.begin(), lower);
    if (small == "not" && !words.empty() && vocabulary.knows(words.back() + std::string(ending))) {
        words.back() += ending;
        return;
    }
    if (small.size() > ending.size() && small.ends_with(ending)) {
        const std::string stem = as_known(word.substr(0, word.size() - ending.size()), vocabulary);
        if (vocabulary.knows(stem) && vocabulary.knows("not")) {
            words.push_back(stem);
            words.emplace_back("not");
            return;
        }
    }
    words.push_back(known);
}

/// Splits off apostrophes at both ends, used as quotation marks; each is a part of its own.
std::vector<std::u32string> without_quotes(const std::u32string& part) {
    std::size_t first = 0, last = part.size();
    while (first < last && part[first] == U'\'') ++first;
    while (last > first && part[last - 1] == U'\'') --last;
    std::vector<std::u32string> parts(first, U"'");
    if (first < last) parts.push_back(part.substr(first, last - first));
    parts.insert(parts.end(), part.size() - last, U"'");
    return parts;
}

// ---- Japanese

/// Byte length of the longest known word at the beginning; 0 if there is none.
std::size_t known_here(std::string_view rest, const Vocabulary& vocabulary) {
    for (std::size_t bytes = std::min(rest.size(), vocabulary.longest()); bytes > 0; --bytes) {
        const bool whole = bytes == rest.size() || (static_cast<unsigned char>(rest[bytes]) & 0xC0U) != 0x80U;
        if (whole && vocabulary.knows(rest.substr(0, bytes))) return bytes;
    }
    return 0;
}

void add_japanese(std::vector<std::string>& words, const std::string& part, const Vocabulary& vocabulary) {
    bool unknown = false;
    for (std::size_t at = 0; at < part.size();) {
        const std::string_view rest = std::string_view(part).substr(at);
        const std::size_t known = known_here(rest, vocabulary);
        std::size_t bytes = known;
        if (known == 0) letter_at(rest, bytes);
        if (known > 0 || !unknown) words.emplace_back();
        words.back() += rest.substr(0, bytes);
        unknown = known == 0;
        at += bytes;
    }
}

bool is_one_of(const std::string& word, std::initializer_list<const char*> list) {
    return std::any_of(list.begin(), list.end(), [&](const char* other) { return word == other; });
}

std::string join_english(const std::vector<std::string>& words) {
    std::string text;
    bool open = false, tight = true, begins = true;  // in a quotation; no space before the next word; begins a sentence
    for (const std::string& word : words) {
        const bool quote = word == "\"", closes = quote && open;
        const bool stop = is_one_of(word, {".", "?", "!"});
        if (!tight && !closes && !stop && word != ",") text += ' ';
        text += word;
        if (begins && !word.empty() && !quote) text[text.size() - word.size()] = upper(word[0]);
        if (quote) open = !open;
        tight = quote && open;
        begins = stop || (begins && quote);
    }
    return text;
}

}  // namespace

std::vector<std::string> split_words(std::string_view typed, TextLanguage language, const Vocabulary& vocabulary) {
    std::vector<std::string> words;
    for (const std::u32string& part : parts_of(letters_of(typed, language))) {
        if (language == TextLanguage::japanese) {
            add_japanese(words, utf8_of(part), vocabulary);
            continue;
        }
        for (const std::u32string& word : without_quotes(part)) add_english(words, utf8_of(word), vocabulary);
    }
    return words;
}

bool ends_sentence(const std::string& word) { return is_one_of(word, {".", "?", "!", "。"}); }

std::vector<std::string> as_sentence(std::vector<std::string> words, TextLanguage language) {
    if (words.empty() || ends_sentence(words.back())) return words;
    words.emplace_back(language == TextLanguage::japanese ? "。" : ".");
    return words;
}

std::string join_words(const std::vector<std::string>& words, TextLanguage language) {
    if (language == TextLanguage::english) return join_english(words);
    std::string text;
    for (const std::string& word : words) text += word;
    return text;
}

std::string join_after(const std::vector<std::string>& before, const std::vector<std::string>& words,
                       TextLanguage language) {
    std::vector<std::string> all = before;
    all.insert(all.end(), words.begin(), words.end());
    const std::string begun = join_words(before, language), whole = join_words(all, language);
    const std::string after = whole.substr(std::min(begun.size(), whole.size()));
    return after.starts_with(' ') ? after.substr(1) : after;
}

}  // namespace vitrine
