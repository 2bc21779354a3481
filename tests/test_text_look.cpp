#include <gtest/gtest.h>

#include "app/workspace/text_look.h"
#include "app/workspace/text_request.h"

namespace vitrine {
namespace {

TEST(TextLook, EveryChapterSpeaksOfATaskAndEveryTaskHasChapters) {
    for (const Named<TextChapter>& chapter : text_chapter_names) {
        TextExperiment experiment;
        TextLook look;
        const TextDraft draft{experiment, look};
        draft.enter(chapter.value);
        EXPECT_TRUE(is_about(chapter.value, draft.task())) << chapter.name;
        EXPECT_EQ(text_chapter_names[place_of(chapter.value)].value, chapter.value);
    }
    for (const Named<TextTask>& task : text_task_names) {
        TextExperiment experiment;
        TextLook look;
        const TextDraft draft{experiment, look};
        draft.choose(task.value, TextLanguage::japanese);
        EXPECT_EQ(draft.task(), task.value);
    }
}

TEST(TextLook, TheChaptersAboutChoicesBeginWhereTheModelHasToChoose) {
    TextExperiment experiment;
    TextLook look;
    const TextDraft draft{experiment, look};
    draft.enter(TextChapter::cross_attention);
    EXPECT_EQ(draft.task(), TextTask::translate);
    for (const TextChapter chapter : {TextChapter::generator, TextChapter::loss, TextChapter::decoding}) {
        draft.enter(chapter);
        EXPECT_EQ(draft.task(), TextTask::story) << name_of(chapter);
    }
    draft.choose(TextTask::translate, TextLanguage::japanese);
    draft.enter(TextChapter::loss);
    EXPECT_EQ(draft.task(), TextTask::translate) << "another one that was chosen stays among them";
}

TEST(TextLook, TheChaptersAboutChoicesKeepAnOwnTextAndAChangedRun) {
    TextExperiment experiment;
    TextLook look;
    const TextDraft draft{experiment, look};
    draft.enter(TextChapter::cross_attention);
    draft.read("This is my cat.");
    draft.enter(TextChapter::loss);
    EXPECT_EQ(draft.task(), TextTask::translate);
    EXPECT_EQ(draft.text(), "This is my cat.");

    TextExperiment changed;
    TextLook other;
    const TextDraft masked{changed, other};
    masked.enter(TextChapter::mask);
    changed.what_ifs = {"no-mask"};
    masked.enter(TextChapter::generator);
    EXPECT_EQ(masked.task(), TextTask::translate);
}

TEST(TextLook, AnotherTextLetsGoOfWhatBelongedToTheOldOne) {
    TextExperiment experiment;
    TextLook look;
    const TextDraft draft{experiment, look};
    experiment.forced = {"猫"};
    experiment.swap = {2, "dog"};
    look.source = 3;
    draft.read(draft.text());
    EXPECT_EQ(experiment.forced.size(), 1U) << "the same text is no other one";
    draft.read("This is a cat.");
    EXPECT_TRUE(experiment.forced.empty());
    EXPECT_EQ(experiment.swap, WordSwap{});
    EXPECT_EQ(look.source, -1);
    EXPECT_EQ(draft.text(), "This is a cat.");
}

TEST(TextLook, EachModelKeepsItsText) {
    TextExperiment experiment;
    TextLook look;
    const TextDraft draft{experiment, look};
    const std::string english = draft.text();
    draft.choose(TextTask::translate, TextLanguage::english);
    EXPECT_NE(draft.text(), english);
    draft.read("これはペンです。");
    draft.choose(TextTask::story, TextLanguage::english);
    draft.choose(TextTask::translate, TextLanguage::english);
    EXPECT_EQ(draft.text(), "これはペンです。");
    draft.choose(TextTask::translate, TextLanguage::japanese);
    EXPECT_EQ(draft.text(), english);
}

TEST(TextLook, GoesBackFromTheNewestChoiceToNone) {
    TextExperiment experiment;
    TextLook look;
    const TextDraft draft{experiment, look};
    look.head = 2;
    look.source = 1;
    experiment.forced = {"猫"};
    experiment.swap = {0, "dog"};
    EXPECT_TRUE(draft.back());
    EXPECT_EQ(experiment.swap, WordSwap{});
    EXPECT_TRUE(draft.back());
    EXPECT_TRUE(experiment.forced.empty());
    EXPECT_TRUE(draft.back());
    EXPECT_EQ(look.head, -1);
    EXPECT_TRUE(draft.back());
    EXPECT_EQ(look.source, -1);
    EXPECT_FALSE(draft.back());
}

TEST(TextRequests, DoNotChangeWithWhatOnlyChangesTheLook) {
    TextExperiment experiment;
    TextLook look;
    const TextRequest before = request_of(experiment, look.chapter);
    look.head = 1;
    look.matrix = true;
    look.source = 4;
    look.smoothing = 0;
    experiment.seed = 9;
    experiment.top_k = 3;
    EXPECT_EQ(request_of(experiment, look.chapter), before) << "greedy decoding draws nothing";
    experiment.method = DecodingMethod::sample;
    EXPECT_FALSE(request_of(experiment, look.chapter) == before);
}

}  // namespace
}  // namespace vitrine
