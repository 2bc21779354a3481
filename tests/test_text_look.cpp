#include <gtest/gtest.h>

#include "app/workspace/text_look.h"
#include "app/workspace/text_request.h"

namespace vitrine {
namespace {

TEST(TextLook, EveryChapterSpeaksOfATaskAndEveryTaskHasChapters) {
    for (const Named<TextChapter>& chapter : text_chapter_names) {
        TextLook look;
        look.enter(chapter.value);
        EXPECT_TRUE(speaks_of(chapter.value, look.shown_task())) << chapter.name;
        EXPECT_EQ(text_chapter_names[place_of(chapter.value)].value, chapter.value);
    }
    for (const Named<TextTask>& task : text_task_names) {
        TextLook look;
        look.choose(task.value, TextLanguage::japanese);
        EXPECT_EQ(look.shown_task(), task.value);
    }
}

TEST(TextLook, AnotherTextLetsGoOfWhatBelongedToTheOldOne) {
    TextLook look;
    look.forced = {"猫"};
    look.swap = {2, "dog"};
    look.source = 3;
    look.read(look.text());
    EXPECT_EQ(look.forced.size(), 1U) << "the same text is no other one";
    look.read("This is a cat.");
    EXPECT_TRUE(look.forced.empty());
    EXPECT_EQ(look.swap, WordSwap{});
    EXPECT_EQ(look.source, -1);
    EXPECT_EQ(look.text(), "This is a cat.");
}

TEST(TextLook, EachModelKeepsItsText) {
    TextLook look;
    const std::string english = look.text();
    look.choose(TextTask::translate, TextLanguage::english);
    EXPECT_NE(look.text(), english);
    look.read("これはペンです。");
    look.choose(TextTask::story, TextLanguage::english);
    look.choose(TextTask::translate, TextLanguage::english);
    EXPECT_EQ(look.text(), "これはペンです。");
    look.choose(TextTask::translate, TextLanguage::japanese);
    EXPECT_EQ(look.text(), english);
}

TEST(TextLook, GoesBackFromTheNewestChoiceToNone) {
    TextLook look;
    look.head = 2;
    look.source = 1;
    look.forced = {"猫"};
    look.swap = {0, "dog"};
    EXPECT_TRUE(look.back());
    EXPECT_EQ(look.swap, WordSwap{});
    EXPECT_TRUE(look.back());
    EXPECT_TRUE(look.forced.empty());
    EXPECT_TRUE(look.back());
    EXPECT_EQ(look.head, -1);
    EXPECT_TRUE(look.back());
    EXPECT_EQ(look.source, -1);
    EXPECT_FALSE(look.back());
}

TEST(TextRequests, DoNotChangeWithWhatOnlyChangesTheLook) {
    TextLook look;
    const TextRequest before = request_of(look);
    look.head = 1;
    look.matrix = true;
    look.source = 4;
    look.smoothing = 0;
    look.seed = 9;
    look.top_k = 3;
    EXPECT_EQ(request_of(look), before) << "greedy decoding draws nothing";
    look.method = DecodingMethod::sample;
    EXPECT_FALSE(request_of(look) == before);
}

}  // namespace
}  // namespace vitrine
