#include <cmath>

#include "app/ui/languages.h"
#include "app/ui/widgets/number.h"
#include "core/text/grammar/english_glosses.h"
#include "core/text/text_samples.h"
#include "core/text/text_what_ifs.h"
#include "core/text/typed_words.h"
#include "tests/ui/contrast.h"
#include "tests/ui/text_room.h"

namespace vitrine {
namespace {

TEST(TextRoom, IsAKeyOrAClickAwayAndLeavesTheRunAlone) {
    Harness h;
    EXPECT_EQ(look(h).chapter, TextChapter::tokens) << "a newcomer begins at the beginning";
    h.change().text().enter(TextChapter::cross_attention);
    h.change()->what_ifs = {remove_head(1, 0)};
    h.settle();
    h.press(Key::f8);
    EXPECT_EQ(h.app->state().room, "text");
    EXPECT_TRUE(h.shows("text.attention"));
    EXPECT_TRUE(h.shows("status.idle"));
    h.press(Key::backspace);
    EXPECT_EQ(h.what_ifs(), std::vector<Intervention>{remove_head(1, 0)}) << "keys of the room are of the text alone";
    h.tap("top.mode.explore");
    EXPECT_FALSE(h.shows("text.attention"));
    EXPECT_FALSE(h.app->workspace().text.result) << "nothing is kept of a text that nobody sees";
    h.tap("top.mode.text");
    EXPECT_TRUE(h.shows("text.attention"));
}

TEST(TextRoom, ReadsWhatIsTypedAtOnceAndMarksWhatItDoesNotKnow) {
    Harness h(in_the_text_room());
    type_text(h, "this is a zebra.");
    EXPECT_EQ(h.change().text().text(), "this is a zebra.");
    EXPECT_EQ(text(h).words, (std::vector<std::string>{"this", "is", "a", "zebra", "."}));
    EXPECT_EQ(h.item("text.strip.source.3").text, "zebra");
    enter(h, TextChapter::tokens);
    EXPECT_EQ(source_tokens(text(h), text(h).run).unknown, (std::vector<char>{0, 0, 0, 1, 0, 0}));
    EXPECT_TRUE(h.app->state().settings.answered.contains("text.tokens"));
    type_text(h, "");
}

TEST(TextRoom, OffersWordsThatBeginAsTheLastOneDoesAndNoSpecialOnes) {
    Harness h(in_the_text_room());
    type_text(h, "the ani");
    EXPECT_EQ(h.item("text.completion.0").text, "animal");
    h.tap("text.completion.0");
    EXPECT_EQ(h.change().text().text(), "the animal ");
    for (const Named<TextTask>& task : text_task_names)
        for (const char* const typed : {"[", "[B", "[PAD", "[c"})
            for (const std::string& word : completions_of(typed, task.value, TextLanguage::japanese, 50))
                EXPECT_FALSE(word.starts_with("[")) << word;
    EXPECT_EQ(completed("ペンを使いま", "ました", TextTask::translate, TextLanguage::english).find("まま"),
              std::string::npos);
}

TEST(TextRoom, AnEmptyTextSaysWhatToDo) {
    Harness h(in_the_text_room());
    h.change().text().read("");
    h.settle();
    EXPECT_TRUE(h.shows("text.empty"));
    h.press(Key::n);
    EXPECT_FALSE(h.shows("text.empty"));
    EXPECT_TRUE(h.shows("text.attention"));
}

TEST(TextRoom, WalksThroughItsSamplesByKeysArrowsAndTheirDialog) {
    Harness h(in_the_text_room());
    const std::vector<TextSample> samples = text_samples(TextTask::translate, TextLanguage::japanese);
    h.change().text().read(samples[0].source);
    h.settle();
    h.press(Key::n);
    EXPECT_EQ(h.change().text().text(), samples[1].source);
    h.press(Key::p);
    h.press(Key::p);
    EXPECT_EQ(h.change().text().text(), samples.back().source);
    h.tap("text.sample.next");
    EXPECT_EQ(h.change().text().text(), samples[0].source);
    h.tap("text.samples");
    h.tap("text.sample." + samples[2].name);
    EXPECT_EQ(h.change().text().text(), samples[2].source);
    EXPECT_EQ(h.app->state().dialog, "");
}

TEST(TextRoom, DrawsNewSentences) {
    Harness h(in_the_text_room());
    const std::string before = h.change().text().text();
    h.press(Key::d);
    const std::string first = h.change().text().text();
    EXPECT_NE(first, before);
    EXPECT_FALSE(text(h).words.empty());
    h.tap("text.draw");
    EXPECT_NE(h.change().text().text(), first);
}

TEST(TextRoom, ATextThatIsTooLongIsReadAsFarAsThereArePlaces) {
    Harness h(in_the_text_room());
    std::string longest;
    for (int i = 0; i < 60; ++i) longest += "dog ";
    h.change().text().read(longest);
    h.settle();
    EXPECT_GT(text(h).left_out, 0);
    EXPECT_TRUE(h.shows("text.left_out"));
    EXPECT_EQ(h.app->error(), "");
}

TEST(TextRoom, EveryChapterIsAClickOnTheMapAndOnTheLineAndAKeyAway) {
    Harness h(in_the_text_room(TextChapter::tokens));
    for (const Named<TextChapter>& chapter : text_chapter_names) {
        SCOPED_TRACE(chapter.name);
        EXPECT_EQ(h.item("text.chapter").value, place_of(chapter.value));
        EXPECT_EQ(h.item("text.map.lit").text, chapter.name);
        EXPECT_EQ(h.app->error(), "");
        h.press(Key::right);
    }
    for (const Named<TextChapter>& chapter : text_chapter_names) {
        SCOPED_TRACE(chapter.name);
        h.tap("text.map." + std::string(chapter.name));
        EXPECT_EQ(look(h).chapter, chapter.value);
        h.tap("text.chapter.tokens");
        EXPECT_EQ(look(h).chapter, TextChapter::tokens);
    }
}

/// In a small window, too, the map's names are whole.
TEST(TextRoom, NamesOnTheMapAreWholeInASmallWindow) {
    for (const char* const language : {"en", "ja", "ko"}) {
        Opening opening = in_the_text_room(TextChapter::mask);
        opening.state.settings.language = language;
        opening.state.settings.english_terms = false;
        Harness h(std::move(opening), {1000, 600});
        for (const auto& chapter : text_chapter_names) {
            const std::string id = "text.map." + std::string(chapter.name);
            const Rect box = h.item(id).rect;
            std::string drawn;
            for (const Probe::Words& words : h.app->probe().words())
                if (box.contains(words.rect.centre())) drawn += words.text;
            EXPECT_EQ(drawn, h.item(id).text) << id << " in " << language;
        }
    }
}

/// The sentence below the mask's matrices tells what its row's word means, to who reads no Japanese.
TEST(TextRoom, TheMasksSentenceHasTheGlossOfItsWord) {
    Harness h(in_the_text_room(TextChapter::mask), {1280, 720});
    h.change().focus().text.target = 0;
    h.frame(3);
    EXPECT_NE(h.item("text.mask.seen").text.find("” ("), std::string::npos) << h.item("text.mask.seen").text;
}

TEST(TextRoom, TasksAndDirectionsHaveTheirOwnModelAndText) {
    Harness h(in_the_text_room());
    h.tap("text.to.en");
    EXPECT_EQ(text(h).model->to, TextLanguage::english);
    h.tap("text.task.sentiment");
    EXPECT_EQ(look(h).chapter, TextChapter::cls);
    EXPECT_EQ(text(h).model->task, TextTask::sentiment);
    EXPECT_TRUE(h.shows("text.label.0"));
    h.tap("text.task.story");
    EXPECT_EQ(look(h).chapter, TextChapter::gpt);
    EXPECT_EQ(text(h).model->task, TextTask::story);
    h.tap("text.map.loss");
    EXPECT_EQ(text(h).model->task, TextTask::story) << "a chapter that speaks of several leaves the chosen one";
    h.tap("text.map.cross_attention");
    EXPECT_EQ(text(h).model->task, TextTask::translate);
    h.tap("text.task.story");
    h.tap("text.map.encoder");
    EXPECT_EQ(text(h).model->task, TextTask::translate) << "the story's run, without an encoder, is not told of";
}

TEST(TextRoom, LinesAndWordsOfTheAlignmentAreLinkedBothWays) {
    Harness h(in_the_text_room());
    h.hover("text.query.0");
    const AttentionMap map = map_in(h, TextAttention::cross, text(h).model->config.decoder_blocks);
    for (int j = 0; j < map.columns; ++j)
        EXPECT_NEAR(h.item(at("text.line", j)).value, static_cast<double>(map.at(0, j)), 1e-6);
    EXPECT_EQ(h.app->workspace().selection.hovered_target(), 0);
    h.hover("text.key.2");
    EXPECT_EQ(h.app->workspace().selection.hovered_source(), 2);
    h.hover("text.strip.target.1");
    EXPECT_EQ(h.app->workspace().selection.hovered_target(), 1);
    EXPECT_NEAR(h.item("text.line.0").value, static_cast<double>(map.at(1, 0)), 1e-6)
        << "rows are linked with the strip";
    h.tap("text.query.1");
    EXPECT_EQ(look(h).target, 1);
    h.tap("text.query.1");
    EXPECT_EQ(look(h).target, -1) << "a second click lets go";
}

TEST(TextRoom, AllLinesAreStrongUntilARowIsChosenAndTheOthersStayVisible) {
    for (const TextChapter chapter : {TextChapter::masked_attention, TextChapter::self_attention}) {
        Harness h(in_the_text_room(chapter));
        h.change().focus().text.source = -1;
        h.change().focus().text.target = -1;
        h.settle();
        EXPECT_EQ(h.item("text.line.others").value, 0) << "nobody chose a row";
        h.tap("text.query.1");
        h.input.move(4, 4);
        h.frame(3);
        EXPECT_EQ(chapter == TextChapter::self_attention ? look(h).source : look(h).target, 1);
        EXPECT_GT(h.item("text.line.others").value, 0);
        for (const ThemeKind kind : {ThemeKind::dark, ThemeKind::light}) {
            const Palette& p = palette_of(kind);
            const auto opacity = static_cast<float>(h.item("text.line.others").value);
            EXPECT_GE(contrast(over(p.panel, p.muted.with_alpha(opacity)), p.panel), 3);
        }
    }
}

TEST(TextRoom, TheRowsOfTheDecoderAreNamedAfterTheWordThatIsProduced) {
    Harness h(in_the_text_room());
    const TextResult& now = text(h);
    for (std::size_t i = 0; i < now.run.output.size(); ++i)
        EXPECT_EQ(h.item(at("text.query", static_cast<int>(i))).text, now.run.output[i]);
    EXPECT_EQ(h.item(at("text.query", static_cast<int>(now.run.output.size()))).text, "[EOS]");
}

TEST(TextRoom, HeadsAndLayersAreChosenByClicksAndKeys) {
    Harness h(in_the_text_room(TextChapter::self_attention));
    h.tap("text.heads.1");
    EXPECT_EQ(look(h).head, 1);
    h.press(Key::digit_3);
    EXPECT_EQ(look(h).head, 2);
    h.press(Key::digit_0);
    EXPECT_EQ(look(h).head, -1);
    h.tap("text.heads.0");
    h.tap("text.heads.mean");
    EXPECT_EQ(look(h).head, -1);
    h.tap("text.block.1");
    EXPECT_EQ(look(h).block, 1);
    h.press(Key::down);
    EXPECT_EQ(look(h).block, 2);
    h.press(Key::up);
    EXPECT_EQ(look(h).block, 1);
    h.tap("text.query.2");
    const AttentionMap map = map_in(h, TextAttention::encoder, 1);
    EXPECT_NEAR(h.item("text.line.0").value, static_cast<double>(map.at(2, 0)), 1e-6);
}

TEST(TextRoom, LinesAndMatrixAreTheSameWeights) {
    Harness h(in_the_text_room());
    h.press(Key::v);
    EXPECT_TRUE(look(h).matrix);
    EXPECT_TRUE(h.shows("text.cells"));
    EXPECT_FALSE(h.shows("text.query.0"));
    h.tap("text.cells");
    EXPECT_GE(look(h).target, 0) << "a click on a cell chooses its row";
    h.tap("text.lines");
    EXPECT_TRUE(h.shows("text.query.0"));
}

TEST(TextRoom, AHeadIsSwitchedOffByXAndBackspaceBringsAllBack) {
    Harness h(in_the_text_room());
    h.tap("text.heads.0");
    h.press(Key::x);
    const int block = text(h).model->config.decoder_blocks;
    EXPECT_TRUE(is_on(experiment(h), word_of_head(TextAttention::cross, block, 0)));
    EXPECT_EQ(text(h).request.what_ifs, experiment(h).what_ifs);
    const auto held = attention_of(text(h).run, TextAttention::cross, block);
    const AttentionTrace& t = *held;
    for (std::size_t i = 0; i < t.heads.shape()[1]; ++i)
        for (std::size_t j = 0; j < t.heads.shape()[2]; ++j) EXPECT_EQ(t.heads(0, i, j), 0.0F);
    EXPECT_TRUE(h.shows("text.said.plain"));
    EXPECT_LE(h.item("text.said.plain").rect.y1, h.item("text.sure").rect.y0)
        << "in a low panel what is compared is seen first";
    h.press(Key::backspace);
    EXPECT_TRUE(experiment(h).what_ifs.empty());
    EXPECT_FALSE(h.shows("text.said.plain"));
}

TEST(TextRoom, EveryWhatIfOfAChapterCanBeSwitchedAndTakenBack) {
    Harness h(in_the_text_room());
    for (const Named<TextChapter>& chapter : text_chapter_names) {
        SCOPED_TRACE(chapter.name);
        enter(h, chapter.value);
        std::vector<std::string> switches;
        for (const auto& [id, item] : h.app->probe().items())
            if (id.starts_with("text.switch.") && id != "text.switch.temperature") switches.push_back(id);
        for (const std::string& id : switches) {
            const std::string word = id.substr(std::string("text.switch.").size());
            h.tap(id);
            EXPECT_TRUE(is_on(experiment(h), word)) << word;
            EXPECT_EQ(text(h).request.what_ifs, std::vector<std::string>{word});
            h.tap(id);
            EXPECT_TRUE(experiment(h).what_ifs.empty()) << word;
        }
    }
}

TEST(TextRoom, JapaneseWordsHaveTheirMeaningBesideThem) {
    Harness h(in_the_text_room(TextChapter::decoding, TextTask::translate), {1920, 1080});
    h.change().text().read("The cat ate two fish.");
    h.settle();
    h.frame(3);
    const TextTokens produced = produced_tokens(text(h), text(h).run);
    const auto cat = std::ranges::find(produced.words, "猫");
    ASSERT_NE(cat, produced.words.end());
    const std::string gloss = at("text.strip.target.gloss", static_cast<int>(cat - produced.words.begin()));
    EXPECT_EQ(h.item(gloss).text, "cat");
    h.expect_readable("a strip with meanings");
    h.change()->settings.language = "ja";
    h.frame(3);
    EXPECT_FALSE(h.shows(gloss)) << "who reads Japanese needs none";
}

TEST(TextRoom, EveryGlossStaysBelowCrossAttentionForALongSentenceOfOnesOwn) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h({}, size);
        h.press(Key::f8);
        h.change().text().read(
            "When the small dog was tired it slept under the old tree because the house was too far.");
        h.change().text().enter(TextChapter::cross_attention);
        h.settle();
        h.frame(3);
        const TextTokens produced = produced_tokens(text(h), text(h).run);
        int glosses = 0;
        for (int i = 0; i < produced.size(); ++i) {
            const std::string gloss = english_gloss(produced.words[static_cast<std::size_t>(i)]);
            if (gloss.empty()) continue;
            EXPECT_EQ(h.item(at("text.query.gloss", i)).text, gloss);
            ++glosses;
        }
        EXPECT_GT(glosses, 2);
        h.expect_readable("a long translation at " + std::to_string(size.x));
        h.change()->settings.language = "ja";
        h.frame(3);
        for (int i = 0; i < produced.size(); ++i) EXPECT_FALSE(h.shows(at("text.query.gloss", i)));
    }
}

TEST(TextRoom, TheWindowIsNamedAfterItsText) {
    Harness h;
    EXPECT_EQ(h.app->title(), "cat – Vitrine");
    h.press(Key::f8);
    h.settle();
    EXPECT_TRUE(h.change().text().text().starts_with(h.app->title().substr(0, 20))) << h.app->title();
    EXPECT_TRUE(h.app->title().ends_with(" – Vitrine"));
    h.press(Key::f4);
    EXPECT_EQ(h.app->title(), h.app->text()("top.mode.learn") + " – Vitrine");
}

TEST(TextRoom, QuestionsAreAnsweredByA) {
    Harness h(in_the_text_room());
    for (const Named<TextChapter>& chapter : text_chapter_names) {
        SCOPED_TRACE(chapter.name);
        enter(h, chapter.value);
        EXPECT_FALSE(h.shows("answer"));
        h.press(Key::a);
        ASSERT_TRUE(h.shows("answer"));
        EXPECT_EQ(h.item("answer").text.find('{'), std::string::npos) << h.item("answer").text;
        h.press(Key::a);
    }
}

TEST(TextRoom, WhatIsChangedIsUndoneAndDoneAgain) {
    Harness h(in_the_text_room());
    h.frame(80);  // another series of looks
    h.tap("text.switch.no-cross");
    h.frame(80);
    h.press(Key::z, Key::ctrl);
    EXPECT_TRUE(experiment(h).what_ifs.empty());
    h.press(Key::y, Key::ctrl);
    EXPECT_TRUE(is_on(experiment(h), "no-cross"));
}

TEST(TextRoom, UndoNamesTheChangesOfTheText) {
    Harness h(in_the_text_room());
    h.frame(80);  // another series of looks
    h.tap("text.switch.no-cross");
    h.frame(80);
    const std::string name = h.app->text()("text.what_if.no-cross");
    h.press(Key::z, Key::ctrl);
    EXPECT_EQ(h.app->state().notice, h.app->text()("travel.gone", {{"names", name}}));
    h.press(Key::y, Key::ctrl);
    EXPECT_EQ(h.app->state().notice, h.app->text()("travel.back", {{"names", name}}));
}

TEST(TextRoom, InALectureAChangeIsNamedBelowAndWhatItChangedIsToldBesideTheTranslation) {
    Harness h(in_the_text_room());
    h.change()->text_experiment.what_ifs = {"no-cross"};
    h.settle();
    h.press(Key::l);
    h.frame(40);
    EXPECT_NE(h.item("lecture.changed").text.find(h.app->text()("text.what_if.no-cross")), std::string::npos);
    const TextResult& now = text(h);
    ASSERT_NE(now.run.output, now.plain.output);
    EXPECT_NE(h.item("lecture.said").text.find(join_words(now.run.output, TextLanguage::japanese)), std::string::npos);
    EXPECT_NE(h.item("lecture.said.0").text.find(join_words(now.plain.output, TextLanguage::japanese)),
              std::string::npos);
}

TEST(TextRoom, ALectureShowsTheTranslationOnce) {
    Harness h(in_the_text_room(), {1280, 720});
    h.press(Key::l);
    for (const auto& [chapter, name] : text_chapter_names) {
        if (!is_about(chapter, TextTask::translate) || is_about_choices(chapter)) continue;
        enter(h, chapter);
        h.frame(40);
        EXPECT_FALSE(h.shows("lecture.prediction")) << name;
        EXPECT_TRUE(h.shows("lecture.said")) << name;
    }
    h.change().focus().text.lab.open = true;
    h.settle();
    EXPECT_TRUE(h.shows("lecture.prediction")) << "an instrument has no line with the translation";
}

TEST(TextRoom, UndoFromAnotherRoomSaysWhichTextIsBack) {
    Harness h(in_the_text_room());
    h.frame(80);  // another series of looks
    const std::string before = experiment(h).texts[0];
    type_text(h, "the cat is tired.");
    h.frame(80);
    h.press(Key::escape);
    h.press(Key::f2);
    h.press(Key::z, Key::ctrl);
    ASSERT_EQ(experiment(h).texts[0], before);
    const std::string told = h.app->text()("travel.typed", {{"text", before}});
    EXPECT_NE(h.app->state().notice.find(told), std::string::npos) << h.app->state().notice;
}

TEST(TextRoom, TheFinderKnowsChaptersAndSamples) {
    Harness h;
    h.press(Key::k, Key::ctrl);
    h.type("cross-att");
    h.press(Key::enter);
    EXPECT_EQ(h.app->state().room, "text");
    EXPECT_EQ(look(h).chapter, TextChapter::cross_attention);
    h.press(Key::k, Key::ctrl);
    h.type("umbrella");
    h.press(Key::enter);
    EXPECT_EQ(text(h).words, (std::vector<std::string>{"this", "isn't", "an", "old", "umbrella", "."}));
}

TEST(TextRoom, ASampleThatIsFoundStaysInTheChapterThatIsOpen) {
    Harness h(in_the_text_room(TextChapter::cross_attention));
    const auto find_the_umbrella = [&] {
        h.press(Key::k, Key::ctrl);
        h.type("umbrella");
        h.press(Key::enter);
        EXPECT_EQ(text(h).words, (std::vector<std::string>{"this", "isn't", "an", "old", "umbrella", "."}));
    };
    find_the_umbrella();
    EXPECT_EQ(look(h).chapter, TextChapter::cross_attention);
    enter(h, TextChapter::self_attention);
    find_the_umbrella();
    EXPECT_EQ(look(h).chapter, TextChapter::self_attention) << "not that of the first search";
}

TEST(TextRoom, EveryWordOfAStoryIsInSight) {
    for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 720}}) {
        Opening opening = in_the_text_room(TextChapter::gpt);
        Harness h(std::move(opening), size);
        for (int i = 0; i < produced_tokens(text(h), text(h).run).size(); ++i)
            EXPECT_TRUE(h.item(at("text.strip.target", i)).visible) << i;
    }
}

TEST(TextRoom, OpensTheLayerOfTheHeadThatTellsMost) {
    Harness h(in_the_text_room(TextChapter::cls));
    EXPECT_EQ(h.item("text.attention").value, text(h).deciding_head->block);
    enter(h, TextChapter::gpt);
    EXPECT_EQ(h.item("text.attention").value, text(h).induction_head.block);
}

TEST(TextRoom, NoWordsAreCutOrLieOverOthersInAnyChapterLanguageOrSize) {
    for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 720}})
        for (const std::string& language : language_codes()) {
            Opening opening = in_the_text_room(TextChapter::tokens);
            opening.state.settings.language = language;
            Harness h(std::move(opening), size);
            for (const Named<TextChapter>& chapter : text_chapter_names) {
                enter(h, chapter.value);
                h.expect_readable(std::string(chapter.name) + " in " + language + " at " +
                                  std::to_string(static_cast<int>(size.x)));
                for (const auto& [id, item] : h.app->probe().items())
                    EXPECT_EQ(item.text.find("⟦"), std::string::npos) << id << ": " << item.text;
            }
        }
}

}  // namespace
}  // namespace vitrine
