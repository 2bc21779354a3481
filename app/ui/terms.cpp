#include "app/ui/terms.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

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

constexpr std::string_view english_here = "{english}";

/// The Hangul syllable (U+AC00 to U+D7A3) whose three bytes begin at `at`; 0 if there is none.
unsigned hangul_at(const std::string& words, std::size_t at) {
    if (at + 3 > words.size()) return 0;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(words[i])); };
    if (byte(at) >> 4U != 0xE) return 0;
    const unsigned sign = (byte(at) & 0xFU) << 12U | (byte(at + 1) & 0x3FU) << 6U | (byte(at + 2) & 0x3FU);
    return 0xAC00 <= sign && sign <= 0xD7A3 ? sign : 0;
}

/// True if a term that ends at `end` is a whole word: no Hangul syllable follows, except one that begins a particle.
bool ends_word(const std::string& words, std::size_t end, const std::string& particles) {
    return hangul_at(words, end) == 0 || particles.find(words.substr(end, 3)) != std::string::npos;
}

/// True if the place is inside brackets or right before one, where more brackets would be hard to read.
bool beside_brackets(const std::string& words, std::size_t begin, std::size_t end) {
    int depth = 0;
    for (std::size_t i = 0; i < begin; ++i) {
        const std::string_view rest = std::string_view(words).substr(i);
        if (rest.starts_with("(") || rest.starts_with("（")) ++depth;
        if (rest.starts_with(")") || rest.starts_with("）")) --depth;
    }
    std::string_view rest = std::string_view(words).substr(end);
    if (rest.starts_with("}")) rest.remove_prefix(1);
    if (rest.starts_with(" ")) rest.remove_prefix(1);
    return depth > 0 || rest.starts_with("(") || rest.starts_with("（");
}

}  // namespace

std::string with_english(const std::string& words, const std::vector<Term>& terms, const std::string& language,
                         const Gloss& gloss) {
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
            const bool in_a_word =
                (at >= 3 && hangul_at(words, at - 3) != 0) || !ends_word(words, end, gloss.particles);
            if (inside || in_a_word || beside_brackets(words, at, end)) continue;
            found.push_back({at, end, term->at("en")});
            break;
        }
    }
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.begin > b.begin; });
    std::string annotated = words;
    for (const Found& f : found) {
        // After the markup's closing brace, so that only the term itself is coloured.
        const std::size_t at = f.end < annotated.size() && annotated[f.end] == '}' ? f.end + 1 : f.end;
        std::string brackets = gloss.brackets;
        brackets.replace(brackets.find(english_here), english_here.size(), f.english);
        annotated.insert(at, brackets);
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
