#include "core/base/utf8.h"

namespace vitrine {

char32_t letter_at(std::string_view utf8, std::size_t& at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(utf8[i]); };
    const unsigned first = byte(at++);
    if (first < 0x80) return first;
    const std::size_t more = first >= 0xF8 ? 0 : first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC2 ? 1 : 0;
    if (more == 0 || utf8.size() - at < more) return no_letter;
    char32_t letter = first & (0x3FU >> more);
    for (std::size_t i = 0; i < more; ++i) {
        if ((byte(at + i) & 0xC0U) != 0x80U) return no_letter;
        letter = letter << 6 | (byte(at + i) & 0x3FU);
    }
    constexpr char32_t least[] = {0, 0x80, 0x800, 0x10000};
    if (letter < least[more] || letter > 0x10FFFF || (letter >= 0xD800 && letter <= 0xDFFF)) return no_letter;
    at += more;
    return letter;
}

std::string_view cut_at_letter(std::string_view utf8, std::size_t bytes) {
    if (bytes >= utf8.size()) return utf8;
    while (bytes > 0 && (static_cast<unsigned char>(utf8[bytes]) & 0xC0U) == 0x80U) --bytes;
    return utf8.substr(0, bytes);
}

void append_letter(std::string& utf8, char32_t letter) {
    const auto add = [&](char32_t byte) { utf8 += static_cast<char>(static_cast<unsigned char>(byte)); };
    if (letter < 0x80) {
        add(letter);
    } else if (letter < 0x800) {
        add(0xC0 | letter >> 6);
        add(0x80 | (letter & 0x3F));
    } else if (letter < 0x10000) {
        add(0xE0 | letter >> 12);
        add(0x80 | (letter >> 6 & 0x3F));
        add(0x80 | (letter & 0x3F));
    } else {
        add(0xF0 | letter >> 18);
        add(0x80 | (letter >> 12 & 0x3F));
        add(0x80 | (letter >> 6 & 0x3F));
        add(0x80 | (letter & 0x3F));
    }
}

std::u32string letters_in(std::string_view utf8) {
    std::u32string letters;
    for (std::size_t at = 0; at < utf8.size();) letters += letter_at(utf8, at);
    return letters;
}

std::string as_utf8(std::string_view bytes) {
    std::string words;
    for (const char32_t letter : letters_in(bytes)) append_letter(words, letter);
    return words;
}

}  // namespace vitrine
