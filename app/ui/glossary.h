#pragma once

#include <string>
#include <vector>

#include "app/ui/text.h"

namespace vitrine {

/// A word that chapters use before they come to explain it: "glossary.<id>" and "glossary.<id>.words" of a language.
struct GlossaryTerm {
    std::string id, term, words;
};

/// All of a language, by term.
std::vector<GlossaryTerm> glossary(const Text& text);

/// The same words with each term marked where it first occurs: "the {term|softmax} of the scores". What has a mark of
/// its own stays as it is; an English plural is marked whole.
std::string with_terms(const std::string& markup, const std::vector<GlossaryTerm>& terms);

/// The same words with each citation marked: "see {cite|Clark et al. 2019}". What has a mark of its own stays as it is.
std::string with_citations(const std::string& markup, const std::vector<std::string>& citations);

/// The term that such marked words stand for; null where there is none.
const GlossaryTerm* term_of(const std::vector<GlossaryTerm>& terms, const std::string& marked);

}  // namespace vitrine
