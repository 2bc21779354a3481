#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "app/chapters/step.h"
#include "app/library/references.h"
#include "app/rooms/laboratory/instrument_table.h"
#include "app/ui/languages.h"
#include "app/ui/text.h"
#include "app/workspace/text_look.h"
#include "tests/files.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

TEST(References, HaveEachAnIdAnAuthorAYearATitleAndAPlaceToFindIt) {
    std::set<std::string> ids;
    int last = 0;
    for (const Reference& r : references()) {
        EXPECT_TRUE(ids.insert(r.id).second) << r.id << " stands twice";
        ASSERT_FALSE(r.authors.empty()) << r.id;
        EXPECT_GE(r.year, last) << r.id << ": by year";
        last = r.year;
        EXPECT_FALSE(r.title.empty()) << r.id;
        EXPECT_TRUE(r.kind == "article" || r.kind == "inproceedings" || r.kind == "misc") << r.id;
        EXPECT_TRUE(r.kind == "misc" || !r.venue.empty()) << r.id;
        EXPECT_TRUE(r.doi.empty() || std::regex_match(r.doi, std::regex("10\\.\\d{4,5}/\\S+"))) << r.doi;
        EXPECT_TRUE(r.arxiv.empty() || std::regex_match(r.arxiv, std::regex("\\d{4}\\.\\d{4,5}"))) << r.arxiv;
        if (r.id == "nesterov1983" || r.id == "firth1957")
            continue;  // older than such numbers, and on no shelf of the net
        EXPECT_TRUE(address_of(r).starts_with("https://")) << r.id;
        EXPECT_NE(full_words(r).find(identifier_of(r)), std::string::npos) << r.id;
    }
}

TEST(References, AreWrittenAsTextsCiteThem) {
    EXPECT_EQ(citation_of(*reference_named("pearson1901")), "Pearson 1901");
    EXPECT_EQ(citation_of(*reference_named("abnar2020")), "Abnar & Zuidema 2020");
    EXPECT_EQ(citation_of(*reference_named("timkey2021")), "Timkey & van Schijndel 2021");
    EXPECT_EQ(citation_of(*reference_named("chefer2021")), "Chefer et al. 2021");
    EXPECT_EQ(full_words(*reference_named("abnar2020")),
              "Abnar, S. & Zuidema, W. (2020). Quantifying Attention Flow in Transformers. ACL 2020. "
              "doi:10.18653/v1/2020.acl-main.385 · arXiv:2005.00928");
    EXPECT_EQ(address_of(*reference_named("abnar2020")), "https://doi.org/10.18653/v1/2020.acl-main.385");
    EXPECT_EQ(address_of(*reference_named("dosovitskiy2021")), "https://arxiv.org/abs/2010.11929");
}

/// "Abnar & Zuidema 2020", "Chefer, Gur & Wolf, ICCV 2021", "EL-VIT (2024)": each citation of a text or a doc comment.
std::set<std::string> citations_in(const std::string& words) {
    static const std::regex cited(
        "((?:van (?:de )?)?[A-Z][A-Za-z]+(?:, [A-Z][a-z]+)?(?: (?:&|and) (?:van (?:de )?)?[A-Z][a-z]+| et al\\.)?),? "
        "?(?:ICCV )?(?:\\(|（)?$");
    constexpr std::size_t longest = 60;  // of what stands before a year
    const auto digit = [&](std::size_t i) { return i < words.size() && words[i] >= '0' && words[i] <= '9'; };
    std::set<std::string> found;
    for (std::size_t at = 0; at + 4 <= words.size(); ++at) {
        const std::string year = words.substr(at, 4);
        const bool century = year.starts_with("19") || year.starts_with("20");
        if (!century || !digit(at + 2) || !digit(at + 3) || digit(at + 4) || (at > 0 && digit(at - 1))) continue;
        const std::size_t begin = at > longest ? at - longest : 0;
        const std::string before = words.substr(begin, at - begin);
        std::smatch match;
        if (!std::regex_search(before, match, cited) || match[1] == "The") continue;
        std::string names = match[1].str();
        if (const std::size_t both = names.find(" and "); both != std::string::npos) names.replace(both, 5, " & ");
        found.insert(names + " " + year);
    }
    return found;
}

/// Whether a row is what "Chefer, Gur & Wolf 2021" means: its first author, or its own name, and its year.
bool has_row(const std::string& citation) {
    const std::string year = citation.substr(citation.size() - 4);
    for (const Reference& r : references()) {
        if (std::to_string(r.year) != year) continue;
        const std::string family = r.authors.front().substr(0, r.authors.front().find(','));
        if (citation == citation_of(r) || citation.starts_with(family + ", ")) return true;
        if (!r.cited.empty() && r.cited.ends_with(citation.substr(0, citation.size() - 5))) return true;
    }
    return false;
}

TEST(References, EveryCitationOfTheTextsHasItsRow) {
    std::size_t seen = 0;
    for (const std::string& language : language_codes()) {
        const Text text = load_text(language);
        for (const auto& [key, words] : text.table())
            for (const std::string& citation : citations_in(words)) {
                ++seen;
                EXPECT_TRUE(has_row(citation)) << citation << ", cited by " << key << " in " << language;
            }
    }
    EXPECT_GT(seen, 60U);
}

TEST(References, EveryCitationOfADocCommentHasItsRow) {
    for (const char* const folder : {"core", "app"})
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(VITRINE_SOURCE) / folder)) {
            if (entry.path().extension() != ".h") continue;
            std::istringstream code(read(entry.path()));
            std::string words;
            for (std::string line; std::getline(code, line);)
                if (const std::size_t at = line.find("//"); at != std::string::npos)
                    words += line.substr(line.find_first_not_of('/', at) == std::string::npos
                                             ? line.size()
                                             : line.find_first_not_of('/', at));
            for (const std::string& citation : citations_in(words))
                EXPECT_TRUE(has_row(citation)) << citation << ", cited in " << entry.path();
        }
}

TEST(References, BelongToChaptersAndInstrumentsThatThereAre) {
    const Text text = load_text("en");
    for (const Reference& r : references())
        for (const std::string& place : r.at)
            EXPECT_TRUE(text.has(place + ".title") || text.has(place + ".source")) << r.id << " is said of " << place;
    for (const Step& step : curriculum())
        EXPECT_FALSE(references_of("step." + std::string(step.id)).empty()) << step.id << " rests on nothing";
    for (const Named<TextChapter>& chapter : text_chapter_names)
        EXPECT_FALSE(references_of("text." + std::string(chapter.name)).empty()) << chapter.name << " rests on nothing";
}

/// What a text cites is among what is shown in full beside it.
TEST(References, WhatATextCitesIsListedBesideIt) {
    const Text text = load_text("en");
    const auto listed = [&](const std::string& place, const std::string& words) {
        for (const std::string& citation : citations_in(words)) {
            bool found = false;
            for (const Reference* r : references_of(place))
                found |= citation == citation_of(*r) || citation.starts_with(r->authors.front().substr(0, 5)) ||
                         (!r->cited.empty() && citation.starts_with(r->cited.substr(3)));
            EXPECT_TRUE(found) << citation << " is not listed at " << place;
        }
    };
    for (const Step& step : curriculum())
        for (const char* const part : {"sentence", "words", "mistake", "answer"}) {
            const std::string place = "step." + std::string(step.id), key = place + "." + part;
            if (text.has(key)) listed(place, text(key));
        }
    for (const Named<TextChapter>& chapter : text_chapter_names)
        for (const char* const part : {"sentence", "words", "answer"}) {
            const std::string place = "text." + std::string(chapter.name), key = place + "." + part;
            if (text.has(key)) listed(place, text(key));
        }
    for (const auto& [key, words] : text.table())
        if (key.starts_with("lab.") && key.ends_with(".source")) listed(key.substr(0, key.size() - 7), words);
}

TEST(References, BecomeABibTexFileThatLatexTakesAsItIs) {
    const std::string file = bibtex_file();
    EXPECT_NE(file.find("@inproceedings{abnar2020,\n  author = {Abnar, Samira and Zuidema, Willem},\n  title = "
                        "{{Quantifying Attention Flow in Transformers}},\n  year = {2020},\n  booktitle = {ACL 2020},\n"
                        "  doi = {10.18653/v1/2020.acl-main.385},\n  eprint = {2005.00928},\n  archiveprefix = {arXiv}"
                        "\n}\n"),
              std::string::npos);
    EXPECT_NE(file.find("Oquab, Maxime and others"), std::string::npos);
    for (const char c : file) EXPECT_LT(static_cast<unsigned char>(c), 128U) << "a letter that old LaTeX does not know";
    EXPECT_EQ(std::count(file.begin(), file.end(), '{'), std::count(file.begin(), file.end(), '}'));
    EXPECT_EQ(static_cast<std::size_t>(std::count(file.begin(), file.end(), '@')), references().size());
}

}  // namespace
}  // namespace vitrine
