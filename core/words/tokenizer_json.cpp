#include "core/words/tokenizer_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/base/json_limits.h"
#include "core/base/utf8.h"

namespace vitrine {

namespace {

constexpr std::size_t most_tokenizer_bytes = std::size_t{1} << 26;
constexpr int most_pieces = 1 << 22;

}  // namespace

void refuse_tokenizer(const std::string& name, const std::string& what) {
    throw Error(name + ": " + what + "; get the model's tokenizer files again");
}

nlohmann::json json_of_vocabulary(const std::filesystem::path& path) {
    return json_of_vocabulary(words_of_file(path, most_tokenizer_bytes), path.string());
}

nlohmann::json json_of_vocabulary(const std::string& words, const std::string& name) {
    if (nests_too_deeply(words)) refuse_tokenizer(name, "this nests more deeply than a vocabulary");
    nlohmann::json json = nlohmann::json::parse(words, nullptr, false);
    if (!json.is_object()) refuse_tokenizer(name, "this is not a JSON object");
    return json;
}

std::unordered_map<std::string, int> numbers_of_pieces(const nlohmann::json& vocabulary, const std::string& name) {
    if (!vocabulary.is_object()) refuse_tokenizer(name, "its vocabulary is not a JSON object");
    std::unordered_map<std::string, int> numbers;
    for (const auto& [piece, number] : vocabulary.items()) {
        if (!number.is_number_integer() || number < 0 || number >= most_pieces)
            refuse_tokenizer(name, "the number of \"" + as_utf8(piece) + "\" is not a whole number from 0 on");
        numbers.emplace(piece, number.get<int>());
    }
    return numbers;
}

int number_of_piece(const std::unordered_map<std::string, int>& numbers, const std::string& piece,
                    const std::string& name) {
    const auto found = numbers.find(piece);
    if (found == numbers.end()) refuse_tokenizer(name, "\"" + as_utf8(piece) + "\" has no number in its vocabulary");
    return found->second;
}

std::vector<std::string> pieces_by_number(const std::unordered_map<std::string, int>& numbers) {
    int last = -1;
    for (const auto& [piece, number] : numbers) last = std::max(last, number);
    std::vector<std::string> pieces(static_cast<std::size_t>(last + 1));
    for (const auto& [piece, number] : numbers) pieces[static_cast<std::size_t>(number)] = piece;
    return pieces;
}

PieceMerge merge_of_line(const std::string& line, const std::string& name) {
    const std::size_t space = line.find(' ');
    if (space == std::string::npos || space == 0 || space + 1 == line.size() ||
        line.find(' ', space + 1) != std::string::npos)
        refuse_tokenizer(name, "\"" + as_utf8(line.substr(0, 40)) + "\" is not a pair of pieces");
    return {line.substr(0, space), line.substr(space + 1)};
}

std::vector<PieceMerge> merges_of_tokenizer(const nlohmann::json& merges, const std::string& name) {
    std::vector<PieceMerge> list;
    for (const nlohmann::json& merge : merges) {
        const bool halves = merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string();
        if (!halves && !merge.is_string()) refuse_tokenizer(name, "one of its merges is not a pair of pieces");
        list.push_back(halves ? PieceMerge{merge[0].get<std::string>(), merge[1].get<std::string>()}
                              : merge_of_line(merge.get<std::string>(), name));
    }
    return list;
}

}  // namespace vitrine
