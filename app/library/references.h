#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

/// A cited paper, book or page: a row of assets/references.json.
struct Reference {
    std::string id;                    // "abnar2020"; its key in BibTeX
    std::vector<std::string> authors;  // "Abnar, Samira"
    bool others = false;               // "et al."
    int year = 0;
    std::string title, venue;     // the venue is empty for a preprint or a page
    std::string kind;             // BibTeX's: article, inproceedings, misc
    std::string doi, arxiv, url;  // empty if there is none; url only if both others are empty
    std::string cited;            // short name in texts, if not by its authors: "EL-VIT"
    std::vector<std::string> at;  // where it is cited: "step.attention", "lab.rollout"
};

/// All references, by year.
const std::vector<Reference>& references();
/// The reference of an id; null if there is none.
const Reference* reference_named(std::string_view id);
/// The references of a chapter ("step.<id>") or an instrument ("lab.<subject>").
std::vector<const Reference*> references_of(std::string_view place);

/// Short citation: "Pearson 1901", "Abnar & Zuidema 2020", "Clark et al. 2019".
std::string citation_of(const Reference& reference);
/// Full citation on one line: authors, year, title, venue, DOI or arXiv number.
std::string full_words(const Reference& reference);
/// Identifier without the title: "doi:10.18653/v1/W19-4828", "arXiv:1906.04341", or its address.
std::string identifier_of(const Reference& reference);
/// The URL of a reference: from its DOI, else its arXiv number, else its own.
std::string address_of(const Reference& reference);
/// BibTeX entry, with special characters escaped for LaTeX.
std::string to_bibtex(const Reference& reference);
/// All references as a BibTeX file.
std::string bibtex_file();

}  // namespace vitrine
