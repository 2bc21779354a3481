#include <gtest/gtest.h>

#include <string>

#include "app/exports/handout.h"
#include "app/frame/language.h"
#include "app/library/library.h"
#include "tests/files.h"
#include "tests/small_model.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

enum class PageFor { students, teacher };

std::string page_for(PageFor reader, const std::string& stops) {
    const TestFolder own;
    write(own / "lesson.txt", "lesson: Words\n\n" + stops);
    HandoutOrder order{(own / "lesson.txt").string(), small_model(), open_model(small_model())};
    order.answers = order.notes = reader == PageFor::teacher;
    Handout handout(order);
    while (!handout.step()) handout.settle();
    return handout.page();
}

/// The sentence with the figures of an experiment, as its words quote them.
std::string figures_of(const std::string& experiment, const std::string& from, const std::string& to) {
    const std::string words = words_of("en", false)("learn.experiment." + experiment + "_tip");
    const std::size_t begin = words.find(from), end = words.find(to);
    return words.substr(begin, end - begin);
}

std::size_t times(const std::string& page, const std::string& words) {
    std::size_t count = 0;
    for (std::size_t at = page.find(words); at != std::string::npos; at = page.find(words, at + 1)) ++count;
    return count;
}

TEST(HandoutWords, AStopOfAnExperimentQuotesItsFigures) {
    const std::string figures = figures_of("skips", "At the end A names", "(mean of ten runs)");
    ASSERT_NE(figures.find('%'), std::string::npos) << figures;
    const std::string stops = "learn: skips\n\nlearn: plain\n";
    EXPECT_EQ(times(page_for(PageFor::students, stops), figures), 1U);
    EXPECT_EQ(times(page_for(PageFor::teacher, stops), figures), 1U) << "once, although they are its notes, too";
}

TEST(HandoutWords, TheFiguresThatAnswerAQuestionAreOnTheTeachersPageAlone) {
    const std::string figures = figures_of("skips", "At the end A names", "(mean of ten runs)");
    const std::string stop = "learn: skips\nquestion: Which one names more pictures?\n";
    EXPECT_EQ(times(page_for(PageFor::students, stop), figures), 0U);
    EXPECT_EQ(times(page_for(PageFor::teacher, stop), figures), 1U);
}

TEST(HandoutWords, AStopThatAsksNothingShowsItsChanges) {
    const std::string page =
        page_for(PageFor::students, "step: prediction\nimage: cat\nwhat-if: head:decisive\nquestion:\n");
    EXPECT_NE(page.find("→"), std::string::npos);
    EXPECT_EQ(page.find("Changed for the question: "), std::string::npos);
}

}  // namespace
}  // namespace vitrine
