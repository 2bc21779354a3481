#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace vitrine {

/// CLIP's byte-pair encoding (Sennrich et al. 2016; Radford et al. 2021): a text in lower case, in which letters and
/// their accents are composed, is cut into runs of letters, single digits and runs of other characters; the bytes of
/// each are merged pair by pair, in the order in which the pairs were learned. The last piece of a word ends in "</w>".
class BytePairs {
public:
    using Merge = std::pair<std::string, std::string>;
    /// `name` is the file's, for messages. Throws Error if a single byte, a merged piece or the mark of a text's
    /// beginning or end has no number.
    BytePairs(std::unordered_map<std::string, int> numbers, const std::vector<Merge>& merges, const std::string& name);

    /// Reads a folder's vocab.json with merges.txt, or its tokenizer.json, which has the content of both. Throws Error.
    static BytePairs of_folder(const std::filesystem::path& folder);

    /// Reads the content of a tokenizer.json. Throws Error.
    static BytePairs of_tokenizer(const std::string& words, const std::string& name);

    /// The numbers of a text's pieces, without the tokens for its beginning and end.
    std::vector<int> encode(std::string_view text) const;
    /// A piece as the vocabulary spells it: "dog</w>".
    const std::string& piece(int number) const { return pieces_[static_cast<std::size_t>(number)]; }

    int start() const { return start_; }
    int end() const { return end_; }
    int size() const { return static_cast<int>(pieces_.size()); }  // V

private:
    void add_word(std::string_view bytes, std::vector<int>& numbers) const;

    std::unordered_map<std::string, int> numbers_;
    std::unordered_map<std::string, int> ranks_;  // of a merge, "a b", from 0
    std::vector<std::string> pieces_;
    int start_ = 0, end_ = 0;
};

}  // namespace vitrine
