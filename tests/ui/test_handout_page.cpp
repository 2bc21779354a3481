#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>

#include "app/exports/handout.h"
#include "app/exports/screen.h"
#include "app/workspace/library.h"
#include "tests/small_model.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

TEST(HandoutPage, WordsAreThoseOfTheFigureAndTheFigureStandsAlone) {
    const TestFolder own;
    std::ofstream(own / "lesson.txt") << "lesson: Views\n\nstep: attention\nimage: cat\n\n"
                                         "step: attention\nset: looked_at=yes\n\n"
                                         "lab: depth\n\ntext: mask\n\ntext: mask\nwhat-if: no-mask\n\n"
                                         "step: prediction\nwhat-if: head:decisive\n";
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
    EXPECT_EQ(page.find("⟦"), std::string::npos) << "no text is missing";
}

}  // namespace
}  // namespace vitrine
