#include "app/commands/wrapped_words.h"

#include <algorithm>
#include <sstream>

namespace vitrine {

std::size_t letters_of(const std::string& words) {
    return static_cast<std::size_t>(std::ranges::count_if(words, [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string wrapped(const std::string& words, std::size_t width, std::size_t indent) {
    std::string out;
    std::size_t column = 0;
    std::istringstream all(words);
    for (std::string word; all >> word;) {
        const std::size_t length = letters_of(word);
        if (column > 0 && column + 1 + length > width) {
            out += "\n" + std::string(indent, ' ');
            column = 0;
        } else if (column > 0) {
            out += ' ';
            ++column;
        }
        out += word;
        column += length;
    }
    return out;
}

}  // namespace vitrine
