#pragma once

#include <string>
#include <vector>

#include "app/ui/text.h"

namespace vitrine {

/// A term that chapters use before they explain it; its text is "glossary.<id>", its explanation "glossary.<id>.words".
struct GlossaryTerm {
    std::string id, term, words;
};

/// A language's terms and their explanations.
std::vector<GlossaryTerm> glossary(const Text& text);

/// The markup with each term marked where it first occurs: "the {term|softmax} of the scores". Marked passages stay as
/// they are; an English plural is marked as a whole.
std::string with_terms(const std::string& markup, const std::vector<GlossaryTerm>& terms);

/// The markup with each citation marked: "see {cite|Clark et al. 2019}". Marked passages stay as they are.
std::string with_citations(const std::string& markup, const std::vector<std::string>& citations);

/// The term whose mark contains these words; null if there is none.
const GlossaryTerm* term_of(const std::vector<GlossaryTerm>& terms, const std::string& marked);

}  // namespace vitrine
