#include "core/words/sentence_pieces.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/base/utf8.h"
#include "core/words/letters.h"

namespace vitrine {

namespace {

constexpr std::size_t most_model_bytes = std::size_t{1} << 26;
constexpr const char* space_mark = "\xE2\x96\x81";  // U+2581
constexpr float unknown_penalty = 10;

/// Kinds of piece in the file; those that are ignored are not listed.
enum PieceKind { normal_piece = 1, unknown_piece = 2, user_piece = 4 };

[[noreturn]] void refuse_pieces(const std::string& name, const std::string& what) {
    throw Error(name + ": " + what + "; get the model's spiece.model again");
}

using MessageBytes = std::span<const std::uint8_t>;

/// A field of a protobuf message: a number, or bytes.
struct MessageField {
    std::uint64_t id = 0, number = 0;
    MessageBytes bytes;
};

/// Reads a message field by field. https://protobuf.dev/programming-guides/encoding
class MessageReader {
public:
    MessageReader(MessageBytes bytes, const std::string& name) : rest_(bytes), name_(name) {}

    std::optional<MessageField> next() {
        if (rest_.empty()) return {};
        const std::uint64_t tag = varint();
        MessageField field{.id = tag >> 3U, .number = 0, .bytes = {}};
        switch (tag & 7U) {
            case 0: field.number = varint(); break;
            case 1: field.bytes = taken(8); break;
            case 2: field.bytes = taken(varint()); break;
            case 5: field.bytes = taken(4); break;
            default: refuse_pieces(name_, "this is not a SentencePiece model");
        }
        return field;
    }

private:
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::uint8_t byte = taken(1)[0];
            value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
            if (byte < 0x80) return value;
        }
        refuse_pieces(name_, "this is not a SentencePiece model");
    }
    MessageBytes taken(std::uint64_t count) {
        if (count > rest_.size()) refuse_pieces(name_, "this is not a whole SentencePiece model");
        const MessageBytes first = rest_.first(static_cast<std::size_t>(count));
        rest_ = rest_.subspan(first.size());
        return first;
    }

    MessageBytes rest_;
    const std::string& name_;
};

std::uint32_t little_endian(const std::uint8_t* bytes) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i) value |= static_cast<std::uint32_t>(bytes[i]) << (8 * i);
    return value;
}

/// The text as SigLIP normalises it: lower case, no ASCII punctuation, single spaces between words.
std::string normalised_for_siglip(std::string_view text) {
    std::string written;
    bool space = false;
    for (char32_t letter : in_small_letters(letters_in(text))) {
        if (letter == 0x2581) letter = U' ';
        if (letter > 0x20 && letter < 0x7F && !(letter >= U'a' && letter <= U'z') &&
            !(letter >= U'0' && letter <= U'9'))
            continue;
        if (is_white(letter)) {
            space = !written.empty();
            continue;
        }
        if (space) written += ' ';
        space = false;
        append_letter(written, letter);
    }
    return written;
}

}  // namespace

SentencePieces::SentencePieces(std::span<const std::uint8_t> bytes, const std::string& name) : name_(name) {
    least_ = std::numeric_limits<float>::max();
    MessageReader model(bytes, name);
    while (const std::optional<MessageField> field = model.next()) {
        if (field->id == 1) read_piece(field->bytes);
        if (field->id == 3) read_normaliser(field->bytes);
        if (field->id != 2) continue;
        MessageReader trainer(field->bytes, name);
        while (const std::optional<MessageField> setting = trainer.next()) {
            if (setting->id == 3 && setting->number != 1)
                throw Error(name +
                            ": this SentencePiece model is not a unigram model, the kind that Vitrine reads; use "
                            "a SigLIP of the first generation");
            if (setting->id == 35 && setting->number != 0)
                throw Error(name +
                            ": this SentencePiece model spells unknown letters as bytes, which Vitrine does not "
                            "read; use a SigLIP of the first generation");
        }
    }
    const auto found = std::ranges::find(pieces_, "</s>");
    if (pieces_.empty() || unknown_ < 0 || found == pieces_.end() || scores_.empty())
        refuse_pieces(name, "this SentencePiece model lacks pieces, <unk> or </s>");
    end_ = static_cast<int>(found - pieces_.begin());
}

void SentencePieces::read_piece(std::span<const std::uint8_t> message) {
    MessageReader reader(message, name_);
    std::string piece;
    float score = 0;
    std::uint64_t kind = normal_piece;
    while (const std::optional<MessageField> field = reader.next()) {
        if (field->id == 1) piece.assign(field->bytes.begin(), field->bytes.end());
        if (field->id == 2 && field->bytes.size() == 4)
            score = std::bit_cast<float>(little_endian(field->bytes.data()));
        if (field->id == 3) kind = field->number;
    }
    const int number = static_cast<int>(pieces_.size());
    pieces_.push_back(piece);
    if (kind == unknown_piece) unknown_ = number;
    if (kind == user_piece)
        throw Error(name_ +
                    ": this SentencePiece model has pieces of a user's own, which Vitrine does not read; use a "
                    "SigLIP of the first generation");
    if (kind != normal_piece) return;
    if (piece.empty() || !std::isfinite(score)) refuse_pieces(name_, "a piece is empty, or its score is not a number");
    scores_.emplace(piece, std::pair{number, score});
    longest_ = std::max(longest_, piece.size());
    least_ = std::min(least_, score);
}

void SentencePieces::read_normaliser(std::span<const std::uint8_t> message) {
    MessageReader reader(message, name_);
    while (const std::optional<MessageField> field = reader.next()) {
        if (field->id == 4) joins_spaces_ = field->number != 0;
        if (field->id == 5 && field->number == 0) refuse_pieces(name_, "it writes spaces as they are, not as \"▁\"");
        if (field->id != 2 || field->bytes.empty()) continue;
        const MessageBytes table = field->bytes;
        const std::size_t size = table.size() < 4 ? 0 : little_endian(table.data());
        if (size == 0 || size % 4 != 0 || size > table.size() - 4)
            refuse_pieces(name_, "its table of letters is incomplete");
        trie_.resize(size / 4);
        for (std::size_t i = 0; i < trie_.size(); ++i) trie_[i] = little_endian(&table[4 + 4 * i]);
        replacements_.assign(table.begin() + 4 + static_cast<std::ptrdiff_t>(size), table.end());
    }
}

SentencePieces SentencePieces::of_folder(const std::filesystem::path& folder) {
    for (const char* const name : {"spiece.model", "tokenizer.model"}) {
        std::error_code ignored;
        if (!std::filesystem::exists(folder / name, ignored)) continue;
        const std::string bytes = words_of_file(folder / name, most_model_bytes);
        return {{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, (folder / name).string()};
    }
    throw Error(folder.string() +
                ": words need spiece.model or tokenizer.model beside the model; get it from the model's page");
}

/// Replaces letters by the file's table. Its trie is a double array in the units of darts-clone: a label in the lowest
/// byte, an offset from bit 10 on, bit 8 for a node with a value, which is the unit at its offset.
std::string SentencePieces::replaced(std::string_view text) const {
    std::string written = space_mark;
    const auto unit = [&](std::uint32_t at) { return at < trie_.size() ? trie_[at] : 0; };
    const auto offset = [](std::uint32_t of) { return (of >> 10U) << ((of & (1U << 9U)) >> 6U); };
    bool space = joins_spaces_;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t length = 0;
        letter_at(text.substr(at), length);
        std::string_view letters = text.substr(at, length);
        std::uint32_t node = offset(unit(0));
        for (std::size_t i = at; i < text.size() && !trie_.empty(); ++i) {
            const auto byte = static_cast<std::uint8_t>(text[i]);
            node ^= byte;
            const std::uint32_t here = unit(node);
            if ((here & ((1U << 31U) | 0xFFU)) != byte) break;
            node ^= offset(here);
            if ((here >> 8U & 1U) == 0) continue;
            const std::uint32_t begins = unit(node) & 0x7FFFFFFFU;
            if (begins >= replacements_.size()) refuse_pieces(name_, "its table of letters is incomplete");
            length = i + 1 - at;
            letters = std::string_view(replacements_).substr(begins);
            letters = letters.substr(0, letters.find('\0'));
        }
        at += length;
        for (const char letter : letters) {
            if (letter != ' ')
                written += letter;
            else if (!space)
                written += space_mark;
            space = letter == ' ' && joins_spaces_;
        }
    }
    while (joins_spaces_ && written.ends_with(space_mark)) written.resize(written.size() - std::strlen(space_mark));
    return written;
}

std::vector<int> SentencePieces::encode(std::string_view text) const {
    const std::string typed = normalised_for_siglip(text);
    if (typed.empty()) return {};
    const std::string written = replaced(typed);
    struct Best {
        float score = 0;
        int number = -1;
        std::size_t begins = 0;
    };
    std::vector<Best> best(written.size() + 1);
    const auto offer = [&](std::size_t from, std::size_t to, int number, float score) {
        if (best[to].number < 0 || score > best[to].score) best[to] = {score, number, from};
    };
    for (std::size_t at = 0; at < written.size();) {
        std::size_t letter = 0;
        letter_at(std::string_view(written).substr(at), letter);
        bool alone = false;
        for (std::size_t length = 1; length <= std::min(longest_, written.size() - at); ++length) {
            const auto found = scores_.find(written.substr(at, length));
            if (found == scores_.end()) continue;
            offer(at, at + length, found->second.first, best[at].score + found->second.second);
            alone = alone || length == letter;
        }
        if (!alone) offer(at, at + letter, unknown_, best[at].score + (least_ - unknown_penalty));
        at += letter;
    }
    std::vector<int> numbers;
    for (std::size_t at = written.size(); at > 0; at = best[at].begins)
        if (numbers.empty() || best[at].number != unknown_ || numbers.back() != unknown_)
            numbers.push_back(best[at].number);
    std::ranges::reverse(numbers);
    return numbers;
}

}  // namespace vitrine
