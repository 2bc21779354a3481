#include <cmath>

#include "app/ui/widgets/number.h"
#include "core/text/text_what_ifs.h"
#include "tests/ui/text_room.h"

// What the Text room says when its model changes, and of what a model reads and writes.

namespace vitrine {
namespace {

std::string notice_of(const Harness& h) { return h.app->state().notice; }

std::string other_model(const Harness& h, TextTask task) {
    return h.app->text()("text.other_model", {{"task", h.app->text()("text.task." + std::string(name_of(task)))}});
}

TEST(TextModels, WhatIsChangedInASingleHeadGoesWithItsModelAndIsNamed) {
    const std::string head = word_of_head(TextAttention::encoder, 1, 0);
    Harness h(in_the_text_room(TextChapter::cls, TextTask::sentiment));
    h.change()->text_experiment.what_ifs = {head, "no-root"};
    h.settle();
    h.tap("text.task.translate");
    EXPECT_EQ(experiment(h).what_ifs, std::vector<std::string>{"no-root"}) << "a change of every model stays";
    EXPECT_NE(notice_of(h).find("ead 1"), std::string::npos) << notice_of(h);
}

TEST(TextModels, AChapterThatBringsAModelOfItsOwnSaysSo) {
    Harness h(in_the_text_room(TextChapter::cross_attention));
    h.press(Key::right);
    ASSERT_EQ(look(h).chapter, TextChapter::generator);
    ASSERT_EQ(experiment(h).task_in(look(h).chapter), TextTask::story);
    EXPECT_EQ(notice_of(h), other_model(h, TextTask::story));
}

TEST(TextModels, AModelThatIsAskedForIsNotAnnounced) {
    Harness h(in_the_text_room(TextChapter::generator, TextTask::translate));
    h.tap("text.task.story");
    ASSERT_EQ(experiment(h).task_in(look(h).chapter), TextTask::story);
    EXPECT_EQ(notice_of(h), "");
    h.tap("text.task.sentiment");
    ASSERT_EQ(look(h).chapter, TextChapter::cls);
    EXPECT_EQ(notice_of(h), "");
}

TEST(TextModels, AStorySaysWhyItStops) {
    Harness h(in_the_text_room(TextChapter::gpt, TextTask::story));
    ASSERT_FALSE(text(h).run.decoded.ended);
    ASSERT_EQ(text(h).run.decoded.words.size(), static_cast<std::size_t>(most_words_of_story));
    EXPECT_EQ(h.item("text.cut_story").text,
              h.app->text()("text.cut_story", {{"count", count_text(most_words_of_story)}}));
    h.tap("text.task.translate");
    EXPECT_FALSE(h.shows("text.cut_story"));
}

/// Words of the other language are no gap in the training: the model cannot read them at all.
TEST(TextModels, WordsOfTheOtherLanguageAreToldApartFromUnknownOnes) {
    Harness h(in_the_text_room(TextChapter::tokens, TextTask::translate));
    const auto warning = [&] { return h.item("text.unseen.0").text; };
    h.tap("text.to.en");
    h.change().text().read("The animal was tired.");
    h.settle();
    EXPECT_NE(warning().find("reads Japanese alone"), std::string::npos) << warning();
    EXPECT_NE(warning().find("“animal”"), std::string::npos) << warning();
    EXPECT_FALSE(h.shows("text.unseen.1"));
    h.tap("text.to.ja");
    h.change().text().read("The 動物 was tired.");
    h.settle();
    EXPECT_NE(warning().find("reads English alone"), std::string::npos) << warning();
    h.change().text().read("The wombat was tired.");
    h.settle();
    EXPECT_NE(warning().find("training texts"), std::string::npos) << warning();
}

TEST(TextModels, TheWaveOfPositionsNamesItsFeatureBelowTheScaleOfTheTable) {
    Harness h(in_the_text_room(TextChapter::embedding), {1280, 720});
    h.change().focus().text.feature = 6;
    h.frame(2);
    const Probe::Item &scale = h.item("text.places.scale"), &title = h.item("text.wave.title");
    EXPECT_NE(title.text.find(h.app->text()("text.feature", {{"feature", "7"}})), std::string::npos) << title.text;
    EXPECT_LT(scale.rect.y1, title.rect.y0);
    EXPECT_LT(title.rect.y1, h.item("text.wave").rect.y0);
    EXPECT_GT(h.item("text.wave").rect.height(), 60);
    h.expect_readable("the wave");
}

/// Japanese words upright in columns: no two touch. Kana and kanji fill about 0.83 of their line.
TEST(TextModels, TheMasksColumnsOfJapaneseWordsKeepApart) {
    Harness h(in_the_text_room(TextChapter::mask, TextTask::translate), {1280, 720});
    const float line = h.item(at("text.mask.scores.column", 0)).rect.width();
    std::vector<float> middles;
    for (int column = 0; column < 40; ++column)
        if (const std::string id = at("text.mask.scores.column", column); h.shows(id))
            middles.push_back(h.item(id).rect.centre().x);
    ASSERT_GT(middles.size(), 4U);
    for (std::size_t i = 1; i < middles.size(); ++i) EXPECT_GT(middles[i] - middles[i - 1], 0.83F * line) << i;
}

}  // namespace
}  // namespace vitrine
