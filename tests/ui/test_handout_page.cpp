#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>

#include "app/exports/handout.h"
#include "app/exports/screen.h"
#include "app/library/library.h"
#include "core/measures/weight_agreement.h"
#include "tests/small_model.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

TEST(HandoutPage, WordsAreThoseOfTheFigureAndTheFigureStandsAlone) {
    const TestFolder own;
    std::ofstream(own / "lesson.txt") << "lesson: Views\n\nstep: attention\nimage: cat\n\n"
                                         "step: attention\nset: looked_at=yes\n\n"
                                         "lab: depth\n\ntext: mask\n\ntext: mask\nwhat-if: no-mask\n\n"
                                         "step: prediction\nwhat-if: head:decisive\n\n"
                                         "step: layer_norm\nwhat-if: no-norm\n";
    Handout handout(HandoutOrder{(own / "lesson.txt").string(), small_model(), open_model(small_model())});
    while (!handout.step()) handout.settle();
    const std::string page = handout.page();
    const auto section = [&](int number) {
        const std::size_t begin = page.find("<h2>" + std::to_string(number) + ". ");
        return page.substr(begin, page.find("</section>", begin) - begin);
    };
    EXPECT_NE(section(1).find("Every head shows where"), std::string::npos);
    EXPECT_NE(section(2).find("Every head shows who looks"), std::string::npos);
    EXPECT_EQ(section(2).find("Every head shows where"), std::string::npos);
    EXPECT_NE(section(3).find("Ā fuses the heads"), std::string::npos);
    EXPECT_NE(section(4).find("must stay hidden"), std::string::npos);
    EXPECT_EQ(section(5).find("must stay hidden"), std::string::npos);
    EXPECT_NE(section(5).find("Without the mask"), std::string::npos);
    EXPECT_NE(section(6).find("→"), std::string::npos) << "the prediction, without the head and with it";
    EXPECT_NE(section(7).find("Layer norms are off in all blocks"), std::string::npos);
    EXPECT_EQ(section(7).find("Each token on its own"), std::string::npos) << "untrue of this run";
    EXPECT_EQ(page.find("⟦"), std::string::npos) << "no text is missing";
}

/// The page of a lesson with one stop, which asks what its change does.
std::string page_of_a_guess(bool answers, std::string* unchanged = nullptr) {
    const TestFolder own;
    const std::string stop = "step: prediction\nimage: cat\n", question = "question: Is the same class first?\n";
    const std::shared_ptr<const Model> model = open_model(small_model());
    const auto page = [&](const std::string& lesson) {
        std::ofstream(own / "lesson.txt") << "lesson: Guess\n\n" << lesson;
        HandoutOrder order{(own / "lesson.txt").string(), small_model(), model};
        order.answers = answers;
        Handout handout(order);
        while (!handout.step()) handout.settle();
        return handout.page();
    };
    if (unchanged != nullptr) *unchanged = page(stop + question);
    return page(stop + "what-if: head:decisive\n" + question);
}

/// The first picture of a page.
std::string picture_of(const std::string& page) {
    const std::size_t begin = page.find("<img class=\"picture\"");
    return page.substr(begin, page.find('>', begin) - begin);
}

TEST(HandoutPage, TheStudentsPageDoesNotAnswerWhatAStopAsks) {
    std::string unchanged;
    const std::string page = page_of_a_guess(false, &unchanged);
    EXPECT_EQ(page.find("→"), std::string::npos) << "the changed prediction is the answer";
    EXPECT_NE(page.find("Changed for the question: "), std::string::npos) << "but what is changed is told";
    EXPECT_EQ(picture_of(page), picture_of(unchanged)) << "the bars are those of before";
}

TEST(HandoutPage, TheTeachersPageHasTheChangedPrediction) {
    const std::string page = page_of_a_guess(true);
    EXPECT_NE(page.find("→"), std::string::npos);
    EXPECT_EQ(page.find("Changed for the question: "), std::string::npos);
}

TEST(HandoutPage, NotAnExplanationHasTheHeadOfTheStopElseTheChaptersOwn) {
    const TestFolder own;
    std::ofstream(own / "lesson.txt")
        << "lesson: Maps\n\nstep: explanation\nimage: cat\nblock: 1\nhead: 0\ntoken: 0\n\n"
           "step: explanation\n";
    const std::shared_ptr<const Model> model = open_model(small_model());
    HandoutOrder order{(own / "lesson.txt").string(), small_model(), model};
    order.answers = true;
    Handout handout(order);
    while (!handout.step()) handout.settle();
    const std::string page = handout.page();
    const Harness h;  // the same run in a window
    const Trace& trace = h.result().baseline;
    for (const PlacedMap& map : {PlacedMap{{1, 0}, 0}, PlacedMap{least_agreeing_head(trace, 0), 0}}) {
        const int patch = model->config.patch_of(brightest_patch(model->config, trace, map)) + 1;
        EXPECT_NE(page.find("patch " + std::to_string(patch) + " ·"), std::string::npos)
            << map.at.block << "." << map.at.head;
    }
}

}  // namespace
}  // namespace vitrine
