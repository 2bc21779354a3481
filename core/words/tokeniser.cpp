#include "core/words/tokeniser.h"

#include "core/base/error.h"

namespace vitrine {

TowerTokens Tokeniser::operator()(std::string_view text, int context) const {
    constexpr std::size_t most_bytes = std::size_t{1} << 14;
    if (text.size() > most_bytes)
        throw Error("a text of " + std::to_string(text.size()) +
                    " bytes is too long to be compared with an image; write a sentence");
    TowerTokens t;
    const auto room = static_cast<std::size_t>(context);
    if (const BytePairs* const pairs = std::get_if<BytePairs>(&kind_)) {
        t.numbers = pairs->encode(text);
        t.numbers.insert(t.numbers.begin(), pairs->start());
    } else {
        t.numbers = std::get<SentencePieces>(kind_).encode(text);
    }
    const int end = std::visit([](const auto& kind) { return kind.end(); }, kind_);
    t.cut = t.numbers.size() + 1 > room;
    if (t.cut) t.numbers.resize(room - 1);
    t.numbers.push_back(end);
    if (std::holds_alternative<SentencePieces>(kind_)) t.numbers.resize(room, end);
    t.read = static_cast<int>(t.numbers.size()) - 1;
    for (const int number : t.numbers)
        t.pieces.push_back(std::visit([&](const auto& kind) { return kind.piece(number); }, kind_));
    return t;
}

int Tokeniser::size() const {
    return std::visit([](const auto& kind) { return kind.size(); }, kind_);
}

}  // namespace vitrine
