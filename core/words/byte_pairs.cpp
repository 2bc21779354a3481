#include "core/words/byte_pairs.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/base/utf8.h"
#include "core/words/letters.h"
#include "core/words/tokenizer_json.h"

namespace vitrine {

namespace {

constexpr const char *start_of_text = "<|startoftext|>", *end_of_text = "<|endoftext|>", *end_of_word = "</w>";
constexpr std::size_t most_vocabulary_bytes = std::size_t{1} << 26;

/// The letter that represents each byte: a printable byte is its own letter, the others are U+0100 onwards, in order.
const std::array<std::string, 256>& letters_of_bytes() {
    static const std::array<std::string, 256> letters = [] {
        std::array<std::string, 256> list;
        char32_t next = 0x100;
        for (char32_t byte = 0; byte < 256; ++byte) {
            const bool printed =
                (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || (byte >= 0xAE && byte <= 0xFF);
            append_letter(list[byte], printed ? byte : next++);
        }
        return list;
    }();
    return letters;
}

/// The end of the contraction that begins at `at` ("'s", "'re"); `at` if there is none.
std::size_t end_of_contraction(std::u32string_view text, std::size_t at) {
    for (const std::u32string_view end : {U"'s", U"'t", U"'re", U"'ve", U"'m", U"'ll", U"'d"})
        if (text.substr(at).starts_with(end)) return at + end.size();
    return at;
}

enum class LetterClass { white, letter, number, other };
LetterClass class_of(char32_t letter) {
    if (is_white(letter)) return LetterClass::white;
    if (is_letter_of_script(letter)) return LetterClass::letter;
    return is_number_of_script(letter) ? LetterClass::number : LetterClass::other;
}

/// The end of the word that begins at `at`, which is not white space: a contraction, a run of letters, one digit, or a
/// run of other characters.
std::size_t end_of_run(std::u32string_view text, std::size_t at) {
    if (const std::size_t end = end_of_contraction(text, at); end > at) return end;
    const LetterClass kind = class_of(text[at]);
    std::size_t end = at + 1;
    while (kind != LetterClass::number && end < text.size() && class_of(text[end]) == kind) ++end;
    return end;
}

}  // namespace

BytePairs::BytePairs(std::unordered_map<std::string, int> numbers, const std::vector<Merge>& merges,
                     const std::string& name)
    : numbers_(std::move(numbers)) {
    const auto number = [&](const std::string& piece) { return number_of_piece(numbers_, piece, name); };
    pieces_ = pieces_by_number(numbers_);
    start_ = number(start_of_text);
    end_ = number(end_of_text);
    for (const std::string& byte : letters_of_bytes()) {
        number(byte);
        number(byte + end_of_word);
    }
    for (const auto& [first, second] : merges) {
        number(first + second);
        ranks_.emplace(first + " " + second, static_cast<int>(ranks_.size()));
    }
}

BytePairs BytePairs::of_tokenizer(const std::string& words, const std::string& name) {
    const nlohmann::json json = json_of_vocabulary(words, name);
    const nlohmann::json model = json.value("model", nlohmann::json::object());
    if (!model.is_object() || !model.contains("vocab") || !model.contains("merges") || !model["merges"].is_array())
        refuse_tokenizer(name, "this is not a byte-pair encoding with a vocabulary and merges");
    const std::vector<Merge> merges = merges_of_tokenizer(model["merges"], name);
    return {numbers_of_pieces(model["vocab"], name), merges, name};
}

BytePairs BytePairs::of_folder(const std::filesystem::path& folder) {
    std::error_code ignored;
    const std::filesystem::path vocabulary = folder / "vocab.json", merges = folder / "merges.txt",
                                tokenizer = folder / "tokenizer.json";
    const bool both = std::filesystem::exists(vocabulary, ignored) && std::filesystem::exists(merges, ignored);
    if (!both && std::filesystem::exists(tokenizer, ignored))
        return of_tokenizer(words_of_file(tokenizer, most_vocabulary_bytes), tokenizer.string());
    if (!both)
        throw Error(folder.string() +
                    ": words need vocab.json and merges.txt, or tokenizer.json, beside the model; get them from the "
                    "model's page");
    std::istringstream lines(words_of_file(merges, most_vocabulary_bytes));
    std::vector<Merge> list;
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        const bool is_version = list.empty() && line.starts_with("#version");
        if (!line.empty() && !is_version) list.push_back(merge_of_line(line, merges.string()));
    }
    return {numbers_of_pieces(json_of_vocabulary(vocabulary), vocabulary.string()), list, vocabulary.string()};
}

std::vector<int> BytePairs::encode(std::string_view text) const {
    const std::u32string letters = in_small_letters(composed(letters_in(text)));
    std::vector<int> numbers;
    for (std::size_t at = 0; at < letters.size();) {
        if (is_white(letters[at])) {
            ++at;
            continue;
        }
        const std::size_t end = end_of_run(letters, at);
        std::string bytes;
        for (; at < end; ++at) append_letter(bytes, letters[at]);
        add_word(bytes, numbers);
    }
    return numbers;
}

void BytePairs::add_word(std::string_view bytes, std::vector<int>& numbers) const {
    std::vector<std::string> pieces;
    for (const char byte : bytes) pieces.push_back(letters_of_bytes()[static_cast<unsigned char>(byte)]);
    pieces.back() += end_of_word;
    constexpr int none = std::numeric_limits<int>::max();
    const auto rank = [&](std::size_t i) {
        const auto found = ranks_.find(pieces[i] + " " + pieces[i + 1]);
        return found == ranks_.end() ? none : found->second;
    };
    while (pieces.size() > 1) {
        int best = none;
        for (std::size_t i = 0; i + 1 < pieces.size(); ++i) best = std::min(best, rank(i));
        if (best == none) break;
        for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
            if (rank(i) != best) continue;
            pieces[i] += pieces[i + 1];
            pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
    }
    for (const std::string& piece : pieces) numbers.push_back(numbers_.at(piece));
}

}  // namespace vitrine
