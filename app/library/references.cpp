#include "app/library/references.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "app/platform/embedded.h"
#include "embedded/assets.h"

namespace vitrine {

namespace {

using Json = nlohmann::json;

Reference reference_from(const Json& row) {
    const auto word = [&](const char* key) { return row.value(key, std::string()); };
    return {.id = word("id"),
            .authors = row.at("authors").get<std::vector<std::string>>(),
            .others = row.value("others", false),
            .year = row.at("year").get<int>(),
            .title = word("title"),
            .venue = word("venue"),
            .kind = word("kind"),
            .doi = word("doi"),
            .arxiv = word("arxiv"),
            .url = word("url"),
            .cited = word("cited"),
            .at = row.at("at").get<std::vector<std::string>>()};
}

/// "Abnar" of "Abnar, Samira".
std::string family_of(const std::string& author) { return author.substr(0, author.find(',')); }

/// "Abnar, S." of "Abnar, Samira"; a name without a comma stays whole.
std::string with_initials(const std::string& author) {
    const std::size_t comma = author.find(", ");
    if (comma == std::string::npos) return author;
    std::string words = author.substr(0, comma) + ",";
    bool begins = true;
    for (std::size_t i = comma + 1; i < author.size(); ++i) {
        const char c = author[i];
        if (begins && c != ' ') {
            words += ' ';
            words += c;
            while (i + 1 < author.size() && (static_cast<unsigned char>(author[i + 1]) & 0xC0U) == 0x80U)
                words += author[++i];  // the other bytes of the same letter
            words += '.';
        }
        begins = c == ' ';
    }
    return words;
}

std::string authors_in_full(const Reference& r) {
    constexpr std::size_t most = 6;
    std::string words;
    const std::size_t shown = std::min(most, r.authors.size());
    const bool more = r.others || shown < r.authors.size();
    for (std::size_t i = 0; i < shown; ++i) {
        if (i > 0) words += !more && i + 1 == shown ? " & " : ", ";
        words += with_initials(r.authors[i]);
    }
    return more ? words + " et al." : words;
}

/// Escapes special characters for LaTeX.
std::string for_latex(const std::string& words) {
    static const std::vector<std::pair<std::string, std::string>> letters = {
        {"&", "\\&"},   {"é", "{\\'e}"}, {"á", "{\\'a}"}, {"ö", "{\\\"o}"}, {"Ł", "{\\L}"},
        {"ł", "{\\l}"}, {"–", "--"},     {"²", "$^2$"},   {"ü", "{\\\"u}"}, {"ä", "{\\\"a}"},
    };
    std::string out = words;
    for (const auto& [letter, written] : letters)
        for (std::size_t at = 0; (at = out.find(letter, at)) != std::string::npos; at += written.size())
            out.replace(at, letter.size(), written);
    return out;
}

}  // namespace

const std::vector<Reference>& references() {
    static const std::vector<Reference> all = [] {
        std::vector<Reference> list;
        for (const Json& row : Json::parse(embedded(assets(), "references.json").text()))
            list.push_back(reference_from(row));
        return list;
    }();
    return all;
}

const Reference* reference_named(std::string_view id) {
    const auto found = std::ranges::find(references(), id, &Reference::id);
    return found == references().end() ? nullptr : &*found;
}

std::vector<const Reference*> references_of(std::string_view place) {
    std::vector<const Reference*> list;
    for (const Reference& r : references())
        if (std::ranges::find(r.at, place) != r.at.end()) list.push_back(&r);
    return list;
}

std::string citation_of(const Reference& r) {
    const std::string year = " " + std::to_string(r.year);
    if (r.others || r.authors.size() > 2) return family_of(r.authors.front()) + " et al." + year;
    if (r.authors.size() == 2) return family_of(r.authors[0]) + " & " + family_of(r.authors[1]) + year;
    return family_of(r.authors.front()) + year;
}

std::string identifier_of(const Reference& r) {
    std::string words;
    if (!r.doi.empty()) words = "doi:" + r.doi;
    if (!r.arxiv.empty()) words += (words.empty() ? "arXiv:" : " · arXiv:") + r.arxiv;
    return words.empty() ? r.url : words;
}

std::string full_words(const Reference& r) {
    std::string words = authors_in_full(r) + " (" + std::to_string(r.year) + "). " + r.title;
    if (words.back() != '?') words += ".";
    if (!r.venue.empty()) words += " " + r.venue + ".";
    const std::string identifier = identifier_of(r);
    return identifier.empty() ? words : words + " " + identifier;
}

std::string address_of(const Reference& r) {
    if (!r.doi.empty()) return "https://doi.org/" + r.doi;
    if (!r.arxiv.empty()) return "https://arxiv.org/abs/" + r.arxiv;
    return r.url;
}

std::string to_bibtex(const Reference& r) {
    std::string authors;
    for (const std::string& author : r.authors) authors += (authors.empty() ? "" : " and ") + for_latex(author);
    if (r.others) authors += " and others";
    std::string entry = "@" + r.kind + "{" + r.id;
    const auto field = [&](const char* name, const std::string& value) {
        if (!value.empty()) entry += ",\n  " + std::string(name) + " = {" + value + "}";
    };
    field("author", authors);
    field("title", "{" + for_latex(r.title) + "}");
    field("year", std::to_string(r.year));
    field(r.kind == "article"         ? "journal"
          : r.kind == "inproceedings" ? "booktitle"
                                      : "howpublished",
          for_latex(r.venue));
    field("doi", r.doi);
    field("eprint", r.arxiv);
    if (!r.arxiv.empty()) field("archiveprefix", "arXiv");
    if (r.doi.empty()) field("url", address_of(r));
    return entry + "\n}\n";
}

std::string bibtex_file() {
    std::string file;
    for (const Reference& r : references()) file += (file.empty() ? "" : "\n") + to_bibtex(r);
    return file;
}

}  // namespace vitrine
