#include "app/ui/terms.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace vitrine {

std::vector<Term> parse_terms(std::string_view json, const std::string& name) {
    try {
        return nlohmann::json::parse(json.begin(), json.end()).get<std::vector<Term>>();
    } catch (const nlohmann::json::exception& error) {
        throw Error(name + ": this should be a list of {\"en\": …, and other languages} (" + error.what() +
                    "); correct it");
    }
}

namespace {

/// True if a Hangul syllable (U+AC00 to U+D7A3) ends before `at`.
bool follows_hangul(const std::string& words, std::size_t at) {
    if (at < 3) return false;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(words[i])); };
    if (byte(at - 3) >> 4U != 0xE) return false;
    const unsigned sign = (byte(at - 3) & 0xFU) << 12U | (byte(at - 2) & 0x3FU) << 6U | (byte(at - 1) & 0x3FU);
    return 0xAC00 <= sign && sign <= 0xD7A3;
}

}  // namespace

std::string with_english(const std::string& words, const std::vector<Term>& terms, const std::string& language) {
    if (language == "en") return words;
    struct Found {
        std::size_t begin, end;
        std::string english;
    };
    std::vector<Found> found;
    std::vector<const Term*> order;
    for (const Term& term : terms)
        if (term.contains(language) && term.contains("en")) order.push_back(&term);
    std::stable_sort(order.begin(), order.end(),
                     [&](const Term* a, const Term* b) { return a->at(language).size() > b->at(language).size(); });
    for (const Term* const term : order) {
        const std::string& own = term->at(language);
        for (std::size_t at = 0; (at = words.find(own, at)) != std::string::npos; at += own.size()) {
            const std::size_t end = at + own.size();
            const bool inside =
                std::any_of(found.begin(), found.end(), [&](const Found& f) { return at < f.end && f.begin < end; });
            if (inside || follows_hangul(words, at)) continue;
            found.push_back({at, end, term->at("en")});
            break;
        }
    }
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.begin > b.begin; });
    std::string annotated = words;
    for (const Found& f : found) {
        // After the markup's closing brace, so that only the term itself is coloured.
        const std::size_t at = f.end < annotated.size() && annotated[f.end] == '}' ? f.end + 1 : f.end;
        annotated.insert(at, " (" + f.english + ")");
    }
    return annotated;
}

bool is_prose(std::string_view key) {
    if (!key.starts_with("step.") && !key.starts_with("text.")) return false;
    for (const std::string_view part : {".sentence", ".words", ".mistake", ".question", ".answer"})
        if (key.ends_with(part)) return true;
    return false;
}

}  // namespace vitrine
