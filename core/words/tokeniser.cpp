#include "core/words/tokeniser.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/error.h"
#include "core/words/tokenizer_json.h"

namespace vitrine {

namespace {

/// The tokens before and after a text's own, and the token that pads it; none if texts are not padded.
struct Surroundings {
    std::vector<int> before, after;
    std::optional<int> padding;
};
Surroundings around(const BytePairs& pairs) { return {{pairs.start()}, {pairs.end()}, {}}; }
Surroundings around(const SentencePieces& pieces) { return {{}, {pieces.end()}, pieces.end()}; }
Surroundings around(const PiecePairs& pairs) { return {pairs.before(), pairs.after(), pairs.padding()}; }

}  // namespace

Tokeniser Tokeniser::of_folder(const std::filesystem::path& folder, bool causal) {
    if (causal) return Tokeniser(BytePairs::of_folder(folder));
    std::error_code ignored;
    const std::filesystem::path file = folder / "tokenizer.json";
    if (!std::filesystem::exists(folder / "spiece.model", ignored) && std::filesystem::exists(file, ignored)) {
        const nlohmann::json json = json_of_vocabulary(file);
        if (json.contains("model") && json["model"].is_object() && json["model"].contains("merges"))
            return Tokeniser(PiecePairs(json, file.string()));
    }
    return Tokeniser(SentencePieces::of_folder(folder));
}

TowerTokens Tokeniser::operator()(std::string_view text, int context) const {
    constexpr std::size_t most_bytes = std::size_t{1} << 14;
    if (text.size() > most_bytes)
        throw Error("a text of " + std::to_string(text.size()) +
                    " bytes is too long to be compared with an image; write a sentence");
    TowerTokens t;
    const Surroundings with = std::visit([](const auto& kind) { return around(kind); }, kind_);
    const std::vector<int> own = std::visit([&](const auto& kind) { return kind.encode(text); }, kind_);
    t.numbers = with.before;
    t.numbers.insert(t.numbers.end(), own.begin(), own.end());
    const std::size_t all = static_cast<std::size_t>(context), after = std::min(with.after.size(), all);
    t.cut = t.numbers.size() + after > all;
    if (t.cut) t.numbers.resize(all - after);
    t.numbers.insert(t.numbers.end(), with.after.begin(), with.after.begin() + static_cast<std::ptrdiff_t>(after));
    if (with.padding) t.numbers.resize(all, *with.padding);
    t.read = static_cast<int>(t.numbers.size()) - 1;
    for (const int number : t.numbers)
        t.pieces.push_back(std::visit([&](const auto& kind) { return kind.piece(number); }, kind_));
    return t;
}

int Tokeniser::size() const {
    return std::visit([](const auto& kind) { return kind.size(); }, kind_);
}

}  // namespace vitrine
