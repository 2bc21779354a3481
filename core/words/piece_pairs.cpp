#include "core/words/piece_pairs.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <queue>
#include <tuple>

#include "core/base/utf8.h"
#include "core/words/letters.h"
#include "core/words/tokenizer_json.h"

namespace vitrine {

namespace {

using PiecesJson = nlohmann::json;

/// A key's value; null if there is none.
const PiecesJson& value_of(const PiecesJson& object, const char* key) {
    static const PiecesJson none;
    return object.is_object() && object.contains(key) ? object[key] : none;
}

std::string word_of(const PiecesJson& object, const char* key) {
    const PiecesJson& value = value_of(object, key);
    return value.is_string() ? value.get<std::string>() : "";
}

bool is_set(const PiecesJson& object, const char* key) {
    const PiecesJson& value = value_of(object, key);
    return value.is_boolean() && value.get<bool>();
}

[[noreturn]] void refuse_part(const std::string& name, const std::string& key, const std::string& what) {
    refuse_tokenizer(name,
                     "\"" + key + "\" is \"" + as_utf8(what.substr(0, 40)) + "\", which Vitrine does not read yet");
}

std::uint64_t pair_key(int first, int second) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(first)) << 32U | static_cast<std::uint32_t>(second);
}

std::string with_small_letters(std::string_view text) {
    std::string small;
    for (const char32_t letter : in_small_letters(letters_in(text))) append_letter(small, letter);
    return small;
}

std::string with_replaced(std::string_view text, const std::string& from, const std::string& to) {
    std::string replaced;
    for (std::size_t at = 0; at < text.size();) {
        const bool here = text.substr(at).starts_with(from);
        replaced += here ? to : std::string(1, text[at]);
        at += here ? from.size() : 1;
    }
    return replaced;
}

}  // namespace

PiecePairs::PiecePairs(const nlohmann::json& tokenizer, const std::string& name) {
    const PiecesJson& model = value_of(tokenizer, "model");
    if (word_of(model, "type") != "BPE") refuse_part(name, "model.type", word_of(model, "type"));
    for (const char* const key : {"continuing_subword_prefix", "end_of_word_suffix"})
        if (!word_of(model, key).empty()) refuse_part(name, key, word_of(model, key));
    if (!value_of(model, "merges").is_array()) refuse_tokenizer(name, "it has no merges");
    numbers_ = numbers_of_pieces(value_of(model, "vocab"), name);
    read_added(value_of(tokenizer, "added_tokens"), name);
    pieces_ = pieces_by_number(numbers_);
    const auto number = [&](const std::string& piece) { return number_of_piece(numbers_, piece, name); };
    int rank = 0;
    for (const auto& [first, second] : merges_of_tokenizer(model["merges"], name))
        merges_.try_emplace(pair_key(number(first), number(second)), Merged{rank++, number(first + second)});
    if (!is_set(model, "byte_fallback")) refuse_part(name, "byte_fallback", "false");
    for (unsigned byte = 0; byte < 256; ++byte) {
        char words[8];
        std::snprintf(words, sizeof words, "<0x%02X>", byte);
        bytes_.push_back(number(words));
    }
    replacements_.push_back({});  // SigLIP 2 reads lower case, although its file does not say so
    read_normaliser(value_of(tokenizer, "normalizer"), name);
    if (const PiecesJson& split = value_of(tokenizer, "pre_tokenizer"); !split.is_null()) {
        splits_ = word_of(split, "type") == "Split" && word_of(value_of(split, "pattern"), "String") == " " &&
                  word_of(split, "behavior") == "MergedWithPrevious" && !is_set(split, "invert");
        if (!splits_) refuse_part(name, "pre_tokenizer", word_of(split, "type"));
    }
    read_surroundings(value_of(tokenizer, "post_processor"), name);
    const PiecesJson& padding = value_of(value_of(tokenizer, "padding"), "pad_id");
    padding_ = padding.is_number_integer() && padding >= 0 && padding < size() ? padding.get<int>() : number("<pad>");
}

void PiecePairs::read_normaliser(const nlohmann::json& part, const std::string& name) {
    const std::string type = word_of(part, "type");
    const PiecesJson& inside = value_of(part, "normalizers");
    if (part.is_null()) return;
    if (type == "Sequence" && inside.is_array()) {
        for (const PiecesJson& each : inside) read_normaliser(each, name);
    } else if (type == "Lowercase") {
        replacements_.push_back({});
    } else if (type == "Replace" && !word_of(value_of(part, "pattern"), "String").empty()) {
        replacements_.push_back({word_of(part["pattern"], "String"), word_of(part, "content")});
    } else {
        refuse_part(name, "normalizer", type);
    }
}

/// Reads the pieces before and after every text.
void PiecePairs::read_surroundings(const nlohmann::json& template_, const std::string& name) {
    if (template_.is_null()) return;
    const PiecesJson& single = value_of(template_, "single");
    if (word_of(template_, "type") != "TemplateProcessing" || !single.is_array())
        refuse_part(name, "post_processor", word_of(template_, "type"));
    std::vector<int>* into = &before_;
    for (const PiecesJson& part : single) {
        if (!value_of(part, "Sequence").is_null()) {
            into = &after_;
            continue;
        }
        const auto found = numbers_.find(word_of(value_of(part, "SpecialToken"), "id"));
        if (found == numbers_.end()) refuse_tokenizer(name, "\"post_processor\" names a token without a number");
        into->push_back(found->second);
    }
}

void PiecePairs::read_added(const nlohmann::json& tokens, const std::string& name) {
    if (!tokens.is_array()) return;
    for (const PiecesJson& token : tokens) {
        const std::string content = word_of(token, "content");
        PiecesJson alone;
        alone[content] = value_of(token, "id");
        const auto numbered = numbers_of_pieces(alone, name);
        if (content.empty()) refuse_tokenizer(name, "one of its added tokens is empty");
        for (const char* const key : {"lstrip", "rstrip", "single_word"})
            if (is_set(token, key)) refuse_part(name, key + std::string(" of ") + content, "true");
        numbers_[content] = numbered.at(content);
        (is_set(token, "normalized") ? added_later_ : added_).push_back({content, numbered.at(content)});
    }
    // If several begin at one position, the longest is used.
    for (std::vector<Added>* const list : {&added_, &added_later_})
        std::ranges::stable_sort(*list, std::greater(), [](const Added& a) { return a.content.size(); });
}

/// Appends the numbers of added tokens in a text, and passes the text between them to `rest`.
template <class Rest>
void PiecePairs::split_at(const std::vector<Added>& added, std::string_view text, std::vector<int>& numbers,
                          const Rest& rest) const {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view here = text.substr(at);
        const auto found = std::ranges::find_if(added, [&](const Added& a) { return here.starts_with(a.content); });
        if (found == added.end()) {
            ++at;
            continue;
        }
        if (at > begin) rest(text.substr(begin, at - begin));
        numbers.push_back(found->number);
        begin = at += found->content.size();
    }
    if (begin < text.size()) rest(text.substr(begin));
}

std::vector<int> PiecePairs::encode(std::string_view text) const {
    std::vector<int> numbers;
    split_at(added_, text, numbers, [&](std::string_view plain) {
        std::string normal(plain);
        for (const auto& [from, to] : replacements_)
            normal = from.empty() ? with_small_letters(normal) : with_replaced(normal, from, to);
        split_at(added_later_, normal, numbers, [&](std::string_view part) {
            for (std::size_t begin = 0; begin < part.size();) {
                const std::size_t space = splits_ ? part.find(' ', begin) : std::string_view::npos;
                const std::size_t end = space == std::string_view::npos ? part.size() : space + 1;
                add_pieces(part.substr(begin, end - begin), numbers);
                begin = end;
            }
        });
    });
    return numbers;
}

void PiecePairs::add_pieces(std::string_view text, std::vector<int>& numbers) const {
    // Pieces in a chain: merging keeps the left one and removes the right one.
    struct Link {
        int number, before, after;
    };
    std::vector<Link> chain;
    const auto append = [&](int number) {
        const int at = static_cast<int>(chain.size());
        if (at > 0) chain.back().after = at;
        chain.push_back({number, at - 1, -1});
    };
    for (std::size_t at = 0; at < text.size();) {
        std::string letter;
        append_letter(letter, letter_at(text, at));
        const auto found = numbers_.find(letter);
        if (found != numbers_.end()) {
            append(found->second);
        } else {
            for (const char byte : letter) append(bytes_[static_cast<unsigned char>(byte)]);
        }
    }
    using Candidate = std::tuple<int, int, int, int>;  // rank, left link, and the two pieces when it was offered
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> waiting;
    const auto offer = [&](int left) {
        if (left < 0 || chain[static_cast<std::size_t>(left)].after < 0) return;
        const Link& one = chain[static_cast<std::size_t>(left)];
        const int second = chain[static_cast<std::size_t>(one.after)].number;
        const auto found = merges_.find(pair_key(one.number, second));
        if (found != merges_.end()) waiting.emplace(found->second.rank, left, one.number, second);
    };
    for (int i = 0; i < static_cast<int>(chain.size()); ++i) offer(i);
    while (!waiting.empty()) {
        const auto [rank, left, first, second] = waiting.top();
        waiting.pop();
        Link& one = chain[static_cast<std::size_t>(left)];
        if (one.number != first || one.after < 0 || chain[static_cast<std::size_t>(one.after)].number != second)
            continue;
        Link& other = chain[static_cast<std::size_t>(one.after)];
        one.number = merges_.at(pair_key(first, second)).number;
        other.number = -1;
        one.after = other.after;
        if (one.after >= 0) chain[static_cast<std::size_t>(one.after)].before = left;
        offer(left);
        offer(one.before);
    }
    for (int at = chain.empty() ? -1 : 0; at >= 0; at = chain[static_cast<std::size_t>(at)].after)
        numbers.push_back(chain[static_cast<std::size_t>(at)].number);
}

}  // namespace vitrine
