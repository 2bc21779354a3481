#include "app/platform/printable.h"

#include <array>
#include <cstdio>

#include "core/base/utf8.h"

namespace vitrine {

namespace {

bool is_unsafe(char32_t code) {
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029;
    const bool direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return control || direction;
}

std::string escaped(char32_t code) {
    if (code == '\n') return "\\n";
    if (code == '\t') return "\\t";
    if (code == '\r') return "\\r";
    std::array<char, 16> words;
    std::snprintf(words.data(), words.size(), code > 0xFF ? "\\u%04x" : "\\x%02x", static_cast<unsigned>(code));
    return words.data();
}

}  // namespace

std::string printable(std::string_view words) {
    std::string out;
    for (std::size_t at = 0; at < words.size();) {
        const std::size_t begin = at;
        const char32_t letter = letter_at(words, at);
        if (letter == no_letter && at == begin + 1)
            out += escaped(static_cast<unsigned char>(words[begin]));
        else if (is_unsafe(letter))
            out += escaped(letter);
        else
            out += words.substr(begin, at - begin);
    }
    return out;
}

std::string printable_json(std::string_view json) {
    std::string out;
    for (std::size_t at = 0; at < json.size();) {
        const std::size_t begin = at;
        const char32_t letter = letter_at(json, at);
        if (letter >= 0x7F &&
            is_unsafe(letter)) {  // smaller ones occur only outside strings, as JSON escapes them inside
            std::array<char, 16> words;
            std::snprintf(words.data(), words.size(), "\\u%04x", static_cast<unsigned>(letter));
            out += words.data();
        } else {
            out += json.substr(begin, at - begin);
        }
    }
    return out;
}

}  // namespace vitrine
