#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace vitrine {

// Readers for files of vocabularies and merges, which are checked as hostile input. `name` is the file's, for messages.

/// The object in a JSON file of a tokeniser. Throws Error.
nlohmann::json json_of_vocabulary(const std::filesystem::path& path);
/// The same for a file's content.
nlohmann::json json_of_vocabulary(const std::string& words, const std::string& name);

/// The number of each piece, from 0 on. Throws Error.
std::unordered_map<std::string, int> numbers_of_pieces(const nlohmann::json& vocabulary, const std::string& name);

/// The number of one piece. Throws Error if the vocabulary lacks it.
int number_of_piece(const std::unordered_map<std::string, int>& numbers, const std::string& piece,
                    const std::string& name);

/// Pieces by their numbers; "" for a number without one.
std::vector<std::string> pieces_by_number(const std::unordered_map<std::string, int>& numbers);

using PieceMerge = std::pair<std::string, std::string>;
/// The two pieces in "a b". Throws Error.
PieceMerge merge_of_line(const std::string& line, const std::string& name);
/// The merges of a tokenizer.json, each a line or a pair. Throws Error.
std::vector<PieceMerge> merges_of_tokenizer(const nlohmann::json& merges, const std::string& name);

/// Throws Error about a tokeniser's file; `what` is wrong with it.
[[noreturn]] void refuse_tokenizer(const std::string& name, const std::string& what);

}  // namespace vitrine
