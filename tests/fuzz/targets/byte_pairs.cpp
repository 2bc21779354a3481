#include "core/words/byte_pairs.h"

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

namespace {

/// The beginning of a tokenizer.json up to the pieces that every vocabulary has: single bytes and the marks of a text.
std::string beginning_of_tokenizer() {
    std::string words = R"({"model":{"vocab":{"<|startoftext|>":0,"<|endoftext|>":1)";
    int number = 2;
    const auto add = [&](char32_t letter) {
        std::string piece;
        if (letter == U'"' || letter == U'\\') piece += '\\';
        append_letter(piece, letter);
        for (const char* const end : {"", "</w>"}) words += ",\"" + piece + end + "\":" + std::to_string(number++);
    };
    for (char32_t letter = 0x21; letter <= 0x7E; ++letter) add(letter);
    for (char32_t letter = 0xA1; letter <= 0xFF; ++letter)
        if (letter != 0xAD) add(letter);
    for (char32_t letter = 0x100; letter < 0x144; ++letter) add(letter);
    return words;
}

void read_pairs(const std::string& words) {
    try {
        const BytePairs pairs = BytePairs::of_tokenizer(words, "file");
        for (const char* const text : {"A dog's 2 cats", "ﬁne Ａpple ½ 犬", "", "\xFF\xFE a"})
            for (const int number : pairs.encode(text))
                demand(number >= 0 && number < pairs.size(), "a piece is one of the vocabulary's");
        demand(pairs.start() < pairs.size() && pairs.end() < pairs.size(), "the marks of a text are pieces");
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace

/// Both a file of its own and the rest of one whose bytes have numbers.
void byte_pairs(Bytes bytes) {
    static const std::string beginning = beginning_of_tokenizer();
    const std::string words(text_of(bytes));
    read_pairs(words);
    read_pairs(beginning + words);
}

}  // namespace vitrine::fuzz
