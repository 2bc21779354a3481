#include "app/rooms/text/text_code.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/platform/embedded.h"
#include "embedded/assets.h"

namespace vitrine {

std::string with_text_numbers(std::string listing, const TextConfig& c) {
    const std::pair<const char*, int> values[] = {{"{D}", c.embedding_dim},
                                                  {"{h}", c.heads},
                                                  {"{d}", c.head_dim()},
                                                  {"{M}", c.mlp_dim},
                                                  {"{L}", std::max(c.blocks, c.decoder_blocks)},
                                                  {"{V}", std::max(c.source_words, c.target_words)},
                                                  {"{longest}", c.longest},
                                                  {"{classes}", c.classes > 0 ? c.classes : 2}};
    for (const auto& [place, value] : values) {
        const std::string words = std::to_string(value), letter = place;
        for (std::size_t at = 0; (at = listing.find(letter, at)) != std::string::npos; at += words.size())
            listing.replace(at, letter.size(), words);
    }
    return listing;
}

std::string text_listing(TextChapter chapter, const TextConfig& config) {
    const std::string name = "text_code/" + std::string(name_of(chapter)) + ".py";
    return with_text_numbers(std::string(embedded(assets(), name).text()), config);
}

std::vector<WordCandidate> nearest_words(const Parameter& embedding, int width, int word) {
    const std::span<const float> all(embedding.data(), embedding.size());
    const auto columns = static_cast<std::size_t>(width), rows = all.size() / columns;
    const auto dot = [&](std::size_t a, std::size_t b) {
        double sum = 0;
        for (std::size_t i = 0; i < columns; ++i)
            sum += static_cast<double>(all[a * columns + i]) * static_cast<double>(all[b * columns + i]);
        return sum;
    };
    const auto own = static_cast<std::size_t>(word);
    std::vector<WordCandidate> found;
    for (std::size_t other = special_words.size(); other < rows; ++other) {
        if (other == own) continue;
        const double lengths = std::sqrt(dot(own, own) * dot(other, other));
        found.push_back({static_cast<int>(other), lengths > 0 ? dot(own, other) / lengths : 0});
    }
    std::ranges::stable_sort(found, std::greater<>(), &WordCandidate::probability);
    return found;
}

}  // namespace vitrine
