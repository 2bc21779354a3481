#include "app/commands/printable.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

namespace vitrine {

namespace {

/// The letter that begins at a place; no length where the bytes are no UTF-8.
struct Letter {
    std::uint32_t code = 0;
    std::size_t length = 0;
};

Letter letter_at(std::string_view words, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(words[at + i]); };
    const std::size_t length = byte(0) < 0x80             ? 1
                               : (byte(0) & 0xE0) == 0xC0 ? 2
                               : (byte(0) & 0xF0) == 0xE0 ? 3
                               : (byte(0) & 0xF8) == 0xF0 ? 4
                                                          : 0;
    if (length == 0 || at + length > words.size()) return {};
    if (length == 1) return {byte(0), 1};
    std::uint32_t code = byte(0) & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {};
        code = code << 6 | (byte(i) & 0x3FU);
    }
    constexpr std::array<std::uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
    const bool real = code >= least[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return real ? Letter{code, length} : Letter{};
}

bool gives_orders(std::uint32_t code) {
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029;
    const bool direction = (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    return control || direction;
}

std::string written_out(std::uint32_t code) {
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
        const Letter letter = letter_at(words, at);
        if (letter.length == 0)
            out += written_out(static_cast<std::uint8_t>(words[at]));
        else if (gives_orders(letter.code))
            out += written_out(letter.code);
        else
            out += words.substr(at, letter.length);
        at += letter.length == 0 ? 1 : letter.length;
    }
    return out;
}

std::string printable_json(std::string_view json) {
    std::string out;
    for (std::size_t at = 0; at < json.size();) {
        const Letter letter = letter_at(json, at);
        if (letter.code >= 0x7F && gives_orders(letter.code)) {  // what is smaller stands between strings only
            std::array<char, 16> words;
            std::snprintf(words.data(), words.size(), "\\u%04x", static_cast<unsigned>(letter.code));
            out += words.data();
        } else {
            out += json.substr(at, std::max<std::size_t>(1, letter.length));
        }
        at += std::max<std::size_t>(1, letter.length);
    }
    return out;
}

}  // namespace vitrine
