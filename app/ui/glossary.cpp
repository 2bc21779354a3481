#include "app/ui/glossary.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

namespace vitrine {

namespace {

constexpr std::string_view prefix = "glossary.", suffix = ".words";

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::string lower(std::string words) {
    for (char& c : words) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return words;
}

struct Match {
    std::size_t begin, end;
};

/// Passages in braces, possibly nested.
std::vector<Match> braced(const std::string& markup) {
    std::vector<Match> places;
    for (std::size_t at = 0; (at = markup.find('{', at)) != std::string::npos; ++at)
        if (const std::size_t end = markup.find('}', at); end != std::string::npos) places.push_back({at, end + 1});
    return places;
}

bool overlaps(const std::vector<Match>& places, const Match& p) {
    return std::any_of(places.begin(), places.end(),
                       [&](const Match& o) { return p.begin < o.end && o.begin < p.end; });
}

/// The first whole occurrence of a term outside the given places.
std::optional<Match> first_of(const std::string& words, const std::string& term, const std::vector<Match>& taken) {
    const bool latin = is_letter(term.front()) && is_letter(term.back());
    for (std::size_t at = 0; (at = words.find(term, at)) != std::string::npos; ++at) {
        std::size_t end = at + term.size();
        if (latin && end < words.size() && words[end] == 's') ++end;
        const bool whole =
            !latin || ((at == 0 || !is_letter(words[at - 1])) && (end == words.size() || !is_letter(words[end])));
        if (whole && !overlaps(taken, {at, end})) return Match{at, end};
    }
    return {};
}

/// Marks the text at each of the places, which do not overlap, with a role.
std::string with_marks(std::string markup, std::vector<Match> places, std::string_view role) {
    std::sort(places.begin(), places.end(), [](const Match& a, const Match& b) { return a.begin > b.begin; });
    for (const Match& place : places) {
        markup.insert(place.end, "}");
        markup.insert(place.begin, "{" + std::string(role) + "|");
    }
    return markup;
}

}  // namespace

std::vector<GlossaryTerm> glossary(const Text& text) {
    std::vector<GlossaryTerm> terms;
    const auto& table = text.table();
    for (auto at = table.lower_bound(prefix); at != table.end() && at->first.starts_with(prefix); ++at) {
        const auto& [key, words] = *at;
        if (!key.ends_with(suffix)) continue;
        const std::string own = key.substr(0, key.size() - suffix.size());
        if (text.has(own)) terms.push_back({own.substr(prefix.size()), text(own), words});
    }
    std::sort(terms.begin(), terms.end(), [](const auto& a, const auto& b) { return lower(a.term) < lower(b.term); });
    return terms;
}

std::string with_terms(const std::string& markup, const std::vector<GlossaryTerm>& terms) {
    const std::string small = lower(markup);
    std::vector<const GlossaryTerm*> order;
    for (const GlossaryTerm& term : terms) order.push_back(&term);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return a->term.size() > b->term.size(); });
    std::vector<Match> taken = braced(markup), found;
    for (const GlossaryTerm* const term : order)
        if (const auto place = first_of(small, lower(term->term), taken)) {
            taken.push_back(*place);
            found.push_back(*place);
        }
    return with_marks(markup, found, "term");
}

std::string with_citations(const std::string& markup, const std::vector<std::string>& citations) {
    std::vector<Match> taken = braced(markup), found;
    for (const std::string& citation : citations)
        while (const auto place = first_of(markup, citation, taken)) {
            taken.push_back(*place);
            found.push_back(*place);
        }
    return with_marks(markup, found, "cite");
}

const GlossaryTerm* term_of(const std::vector<GlossaryTerm>& terms, const std::string& marked) {
    const std::string small = lower(marked);
    const auto found = std::find_if(terms.begin(), terms.end(), [&](const GlossaryTerm& term) {
        return lower(term.term) == small || lower(term.term) + "s" == small;
    });
    return found == terms.end() ? nullptr : &*found;
}

}  // namespace vitrine
