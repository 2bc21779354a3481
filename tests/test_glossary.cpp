#include <gtest/gtest.h>

#include <algorithm>

#include "app/chapters/step.h"
#include "app/ui/glossary.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/text_look.h"

namespace vitrine {
namespace {

const std::vector<GlossaryTerm> word_list = {
    {"logit", "logit", "a score"}, {"nat", "nats", "a unit"}, {"class_logit", "class logit", "another"}};

TEST(Glossary, MarksATermWhereItFirstOccursAndNowhereElse) {
    EXPECT_EQ(with_terms("A logit is a logit.", word_list), "A {term|logit} is a logit.");
    EXPECT_EQ(with_terms("Logits, all of them", word_list), "{term|Logits}, all of them");
    EXPECT_EQ(with_terms("the class logit and a logit", word_list), "the {term|class logit} and a {term|logit}");
}

TEST(Glossary, LeavesPartsOfWordsAndWhatIsMarkedAlone) {
    EXPECT_EQ(with_terms("logitech, alternates", word_list), "logitech, alternates");
    EXPECT_EQ(with_terms("{query|logit} of it", word_list), "{query|logit} of it");
}

TEST(Glossary, MarksEveryCitationThatHasNoMark) {
    const std::vector<std::string> papers = {"Clark et al. 2019", "Pearson 1901"};
    EXPECT_EQ(with_citations("(Clark et al. 2019, as Pearson 1901); Clark et al. 2019", papers),
              "({cite|Clark et al. 2019}, as {cite|Pearson 1901}); {cite|Clark et al. 2019}");
    EXPECT_EQ(with_citations("{strong|Pearson 1901}, Clark et al. 2018", papers),
              "{strong|Pearson 1901}, Clark et al. 2018");
}

TEST(Glossary, FindsTheTermOfWhatIsMarked) {
    EXPECT_EQ(term_of(word_list, "Logits")->id, "logit");
    EXPECT_EQ(term_of(word_list, "nothing"), nullptr);
}

/// In every language each term is met in some chapter, and every chapter's words stay what they are but for the marks.
TEST(Glossary, OfEveryLanguageIsUsedByItsChapters) {
    for (const std::string& language : language_codes()) {
        const Text text = load_text(language);
        const std::vector<GlossaryTerm> all = glossary(text);
        EXPECT_GE(all.size(), 15U) << language;
        std::vector<std::string> met, chapters;
        const std::string with_unit = point_change_text(0.1, text("glossary.pp"));  // beside every chapter: "+10.0 pp"
        for (const Step& step : curriculum()) chapters.push_back("step." + std::string(step.id));
        for (const Named<TextChapter>& row : text_chapter_names) chapters.push_back("text." + std::string(row.name));
        for (const std::string& chapter : chapters) {
            for (const char* const part : {"sentence", "words", "question", "answer", "question.no_tower"}) {
                if (!text.has(chapter + "." + part)) continue;  // a variant
                const std::string& words = text(chapter + "." + part);
                const std::string marked = with_terms(words, all);
                EXPECT_EQ(without_markup(marked), without_markup(words)) << chapter << " in " << language;
                for (const RichRun& run : parse_markup(marked))
                    if (run.role == "term") {
                        ASSERT_NE(term_of(all, run.words), nullptr) << run.words;
                        met.push_back(term_of(all, run.words)->id);
                    }
            }
        }
        met.push_back(term_of(all, with_unit.substr(with_unit.rfind(' ') + 1))->id);
        for (const GlossaryTerm& term : all)
            EXPECT_NE(std::find(met.begin(), met.end(), term.id), met.end())
                << term.term << " is in no chapter of " << language;
    }
}

}  // namespace
}  // namespace vitrine
