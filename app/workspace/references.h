#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

/// A paper, a book or a page that Vitrine rests on: a row of assets/references.json.
struct Reference {
    std::string id;                    // "abnar2020"; its key in BibTeX
    std::vector<std::string> authors;  // "Abnar, Samira"
    bool others = false;               // there are more authors than these
    int year = 0;
    std::string title, venue;      // the venue may be empty: a preprint, a page
    std::string kind;              // BibTeX's: article, inproceedings, misc
    std::string doi, arxiv, url;   // empty where there is none; the url where neither of the others leads there
    std::string cited;             // how texts call it that do not say its authors: "EL-VIT"
    std::vector<std::string> at;   // what rests on it: "step.attention", "lab.rollout"
};

/// All of them, by year.
const std::vector<Reference>& references();
/// The one of an id; null where there is none.
const Reference* reference_named(std::string_view id);
/// Those that belong to a chapter ("step.<id>") or an instrument ("lab.<subject>").
std::vector<const Reference*> references_of(std::string_view place);

/// As texts cite it: "Pearson 1901", "Abnar & Zuidema 2020", "Clark et al. 2019".
std::string citation_of(const Reference& reference);
/// In full on one line: authors, year, title, venue, DOI or arXiv number.
std::string full_words(const Reference& reference);
/// Its number without the title: "doi:10.18653/v1/W19-4828", "arXiv:1906.04341", or its address.
std::string identifier_of(const Reference& reference);
/// Where a browser finds it.
std::string address_of(const Reference& reference);
/// As an entry of a BibTeX file, for LaTeX as it is: special letters are written out.
std::string to_bibtex(const Reference& reference);
/// All of them as a BibTeX file.
std::string bibtex_file();

}  // namespace vitrine
