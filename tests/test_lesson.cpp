#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "app/chapters/step.h"
#include "app/lecture/lesson.h"
#include "app/library/library.h"
#include "app/ui/languages.h"
#include "core/base/error.h"
#include "core/files/image.h"
#include "core/measures/analysis.h"
#include "core/training/confidence.h"
#include "core/vit/forward.h"
#include "tests/files.h"
#include "tests/small_model.h"

namespace vitrine {
namespace {

constexpr const char* good = R"(# a remark
lesson: Heads
lesson.ja: ヘッド

step: attention
image: house
block: 2
head: 1
token: 13
solo: yes
what-if: head:2.0, patch:4
notes: Ask first,
  then point.
notes.ko: 먼저 묻습니다.

step: heads
minutes: 2.5

lab: ledger
head: decisive
what-if: head:decisive, positions
minutes: 4

learn: skips
exercise: key_is_query
key: heaviest
)";

TEST(Lesson, ListsItsStopsWithWhatIsLookedAt) {
    const Lesson lesson = parse_lesson(good, "heads.txt", {});
    EXPECT_EQ(lesson.title_in("en"), "Heads");
    EXPECT_EQ(lesson.title_in("ja"), "ヘッド");
    ASSERT_EQ(lesson.stops.size(), 5U);
    const LessonStop& stop = lesson.stops[0];
    EXPECT_EQ(stop.step, step_index("attention"));
    EXPECT_EQ(stop.image->sample, "house");
    EXPECT_EQ(stop.block, 2);
    EXPECT_TRUE(stop.solo);
    EXPECT_EQ(stop.what_ifs, (std::vector<std::string>{"head:2.0", "patch:4"}));
    EXPECT_EQ(own_notes(stop, "en"), "Ask first, then point.");
    EXPECT_EQ(own_notes(stop, "ko"), "먼저 묻습니다.");
    EXPECT_EQ(own_notes(lesson.stops[1], "en"), "");
}

TEST(Lesson, GoesToInstrumentsLearningModelsAndExercises) {
    const auto model = open_model({});
    const Lesson lesson = parse_lesson(good, "heads.txt", {});
    Place place;
    for (int i = 0; i < 3; ++i) place = place_of(lesson, i, place, model->config);
    EXPECT_EQ(place.room, "laboratory");
    EXPECT_EQ(place.focus.lab.instrument, Instrument::ledger);
    EXPECT_EQ(place.focus.step, step_index("heads")) << "the chapter before it";
    EXPECT_EQ(place.roles, (Roles{.look = true, .without = true}));
    EXPECT_EQ(place.experiment.what_ifs, std::vector<Intervention>{remove_positions()}) << "the head is found later";
    place = place_of(lesson, 3, place, model->config);
    EXPECT_EQ(place.room, "learn");
    EXPECT_EQ(place.runs, "skips");
    EXPECT_FALSE(place.roles.any());
    place = place_of(lesson, 4, place, model->config);
    EXPECT_EQ(place.room, "exercise");
    EXPECT_EQ(place.runs, "");
    EXPECT_EQ(place.focus.exercise, Exercise::key_is_query);
    EXPECT_EQ(place.roles, (Roles{.key = true}));
    EXPECT_EQ(lesson.minutes(), 6.5F);
    EXPECT_EQ(lesson.minutes(1), 2.5F);
}

TEST(Lesson, StopsInTheTextRoomWithTaskSentenceAndWhatIsChanged) {
    const Lesson lesson = parse_lesson(
        "lesson: A\ntext: cross_attention\ntask: translate\nto: ja\nsample: yesterday\nblock: last\nhead: mean\n"
        "what-if: no-root, head:cross.2.1\nset: text.matrix=yes\n"
        "text: decoding\nsentence: This is a pen, I say.\nwritten: これ は\nswap: 3:book\nset: text.method=beam\n"
        "text: gpt\nhead: decisive\nwhat-if: head:decisive, no-scale\nstep: heads\nlearn: translate\n",
        "texts.txt", {});
    const auto model = open_model({});
    Place place;
    place.focus.text.head = 2;
    place.focus.text.source = 4;
    place.focus.token = 7;
    place = place_of(lesson, 0, place, model->config);
    const TextLook& look = place.focus.text;
    const TextExperiment& experiment = place.text_experiment;
    EXPECT_EQ(place.room, "text");
    EXPECT_EQ(look.chapter, TextChapter::cross_attention);
    EXPECT_EQ(experiment.text_in(look.chapter), "The cat ate two fish in the park yesterday.");
    EXPECT_EQ(look.block, 0);
    EXPECT_EQ(look.head, -1);
    EXPECT_TRUE(look.matrix);
    EXPECT_EQ(look.source, -1) << "it belonged to another text";
    EXPECT_EQ(experiment.what_ifs, (std::vector<std::string>{"no-root", "head:cross.2.1"}));
    EXPECT_TRUE(place.experiment.what_ifs.empty()) << "of the Vision Transformer";
    EXPECT_EQ(place.focus.token, 7);
    place = place_of(lesson, 1, place, model->config);
    EXPECT_EQ(experiment.text_in(look.chapter), "This is a pen, I say.");
    EXPECT_EQ(experiment.forced, (std::vector<std::string>{"これ", "は"}));
    EXPECT_EQ(experiment.swap, (WordSwap{3, "book"}));
    EXPECT_EQ(experiment.method, DecodingMethod::beam);
    EXPECT_TRUE(experiment.what_ifs.empty()) << "what was changed is as it was";
    place = place_of(lesson, 2, place, model->config);
    EXPECT_EQ(experiment.task_in(look.chapter), TextTask::story);
    EXPECT_EQ(experiment.what_ifs, std::vector<std::string>{"no-scale"}) << "the head is found later";
    EXPECT_TRUE(experiment.forced.empty());
    EXPECT_EQ(place.roles, (Roles{.look = true, .without = true, .of_text = true}));
    place = place_of(lesson, 3, place, model->config);
    EXPECT_EQ(place.room, "explore");
    EXPECT_FALSE(place.roles.any());
    EXPECT_EQ(place_of(lesson, 4, place, model->config).runs, "translate");
}

TEST(Lesson, DefaultsOfATextLeaveTheImageAloneAndThoseOfAStepTheText) {
    const Lesson lesson =
        parse_lesson("lesson: A\ntext: gpt\nset: defaults\nstep: heads\nset: defaults\n", "a.txt", {});
    const auto model = open_model({});
    Place place;
    place.focus.all_tokens = true;
    place.focus.text.matrix = true;
    place.text_experiment.texts[0] = "This is mine.";
    place = place_of(lesson, 0, place, model->config);
    EXPECT_FALSE(place.focus.text.matrix);
    EXPECT_EQ(place.text_experiment.texts[0], "This is mine.");
    EXPECT_TRUE(place.focus.all_tokens);
    place.focus.text.matrix = true;
    place = place_of(lesson, 1, place, model->config);
    EXPECT_TRUE(place.focus.text.matrix);
    EXPECT_FALSE(place.focus.all_tokens);
}

TEST(Lesson, WithATextThatTheModelCannotTakeNamesItsLineWhenItIsShown) {
    const auto model = open_model(small_model());
    for (const char* const words : {"text: gpt\nsample: pen", "text: mask\ntask: story\nhead: 99",
                                    "text: cls\nblock: 99", "text: gpt\nwhat-if: no-cross",
                                    "text: self_attention\nto: en\nhead: decisive", "text: cls\nhead: decisive"}) {
        const Lesson lesson = parse_lesson(std::string("lesson: A\n") + words + "\n", "far.txt", {});
        try {
            place_of(lesson, 0, {}, model->config);
            ADD_FAILURE() << words << " was taken";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(":2: "), std::string::npos) << error.what();
        }
    }
}

TEST(Lesson, ThatIsBrokenNamesItsLine) {
    const auto refused = [](const std::string& text, const std::string& line) {
        try {
            parse_lesson(text, "broken.txt", {});
            ADD_FAILURE() << text << " was taken";
        } catch (const Error& error) {
            EXPECT_EQ(std::string(error.what()).find("broken.txt" + line), 0U) << error.what();
        }
    };
    refused("lesson: A\nstep: nose\n", ":2: ");
    refused("lesson: A\n\nstep: attention\nblock: two\n", ":4: ");
    refused("lesson: A\nblock: 2\nstep: attention\n", ":2: ");
    refused("lesson: A\nstep: attention\ncolour: red\n", ":3: ");
    refused("lesson: A\nstep: attention\nnotes.fr: oui\n", ":3: ");
    refused("lesson: A\nstep: attention\n\n  alone\n", ":4: ");
    refused("lesson: A\nstep: attention\nimage: nowhere.png\n", ":3: ");
    refused("lesson: A\nstep: attention\nimage: " + std::string(400, 'x') + "\n", ":3: ");
    refused("lesson: A\nlab: nose\n", ":2: ");
    refused("lesson: A\nlearn: nose\n", ":2: ");
    refused("lesson: A\nexercise: nose\n", ":2: ");
    refused("lesson: A\nstep: heads\nminutes: 0\n", ":3: ");
    refused("lesson: A\nstep: heads\nminutes: nan\n", ":3: ");
    refused("lesson: A\nstep: heads\nminutes: two\n", ":3: ");
    refused("lesson: A\nstep: heads\nblock: decisive\n", ":3: ");
    refused("lesson: A\nstep: mlp\nchoice: a\nchoice: * b\nchoice: * c\n", ":5: ");
    refused("lesson: A\nstep: mlp\nchoice: a\nchoice: b\n", ":2: ");
    refused("lesson: A\nstep: mlp\nchoice: * a\nchoice: b\nchoice: c\nchoice: d\nchoice: e\n", ":7: ");
    refused("lesson: A\nstep: mlp\nchoice:\n", ":3: ");
    refused("lesson: A\nhello\n", ":2: ");
    refused("lesson: A\ntext: nose\n", ":2: ");
    refused("lesson: A\ntext: gpt\ntask: translate\n", ":3: ");
    refused("lesson: A\ntext: mask\ntask: nose\n", ":3: ");
    refused("lesson: A\ntext: mask\nto: fr\n", ":3: ");
    refused("lesson: A\ntext: mask\nsample: nose\n", ":3: ");
    refused("lesson: A\ntext: mask\nsentence: " + std::string(401, 'x') + "\n", ":3: ");
    refused("lesson: A\ntext: mask\nwhat-if: positions\n", ":3: ");
    refused("lesson: A\ntext: mask\nblock: 0\n", ":3: ");
    refused("lesson: A\ntext: mask\nhead: nose\n", ":3: ");
    refused("lesson: A\ntext: mask\nswap: wide\n", ":3: ");
    refused("lesson: A\ntext: mask\nset: text.task=story\n", ":3: ");
    refused("lesson: A\nstep: attention\nsentence: Hello.\n", ":3: ");
    refused("step: attention\n", ": ");
    refused("lesson: A\n", ": ");
}

TEST(Lesson, WithANumberOutsideTheModelNamesItsLineWhenItIsShown) {
    const auto model = open_model(small_model());
    const Lesson lesson = parse_lesson("lesson: A\nstep: attention\nblock: 9\n", "far.txt", {});
    EXPECT_THROW(place_of(lesson, 0, {}, model->config), Error);
    const Lesson word = parse_lesson("lesson: A\nstep: attention\nwhat-if: head:1.9\n", "far.txt", {});
    EXPECT_THROW(place_of(word, 0, {}, model->config), Error);
}

TEST(Lesson, TheBundledOnesAreWholeAndFitTheBundledModel) {
    const auto model = open_model({});
    ASSERT_EQ(bundled_lessons().size(), 7U);
    for (const std::string& name : bundled_lessons()) {
        const Lesson lesson = load_lesson(name);
        EXPECT_GE(lesson.stops.size(), 8U);
        for (const std::string& language : language_codes()) EXPECT_FALSE(lesson.title_in(language).empty());
        EXPECT_NE(lesson.title_in("en"), lesson.title_in("ja"));
        Place place;
        for (int i = 0; i < static_cast<int>(lesson.stops.size()); ++i) {
            place = place_of(lesson, i, place, model->config);
            EXPECT_EQ(place.focus.step, lesson.stops[static_cast<std::size_t>(i)].step);
        }
    }
}

TEST(Lesson, TheBundledOnesHaveNotesInEveryLanguageAndMinutesAtEveryStop) {
    for (const std::string& name : bundled_lessons()) {
        const Lesson lesson = load_lesson(name);
        std::set<std::string> all;
        for (const LessonStop& stop : lesson.stops) {
            EXPECT_TRUE(stop.minutes) << name << ":" << stop.line;
            EXPECT_TRUE(all.insert(own_notes(stop, "en")).second) << name << ":" << stop.line << " repeats its notes";
            for (const std::string& language : language_codes())
                EXPECT_TRUE(language == "en" || stop.notes.contains(language)) << name << ":" << stop.line;
        }
        EXPECT_LE(lesson.minutes(), 45) << "it fits a period";
    }
    EXPECT_EQ(load_lesson("tour").minutes(), 20) << "its title says so";
    EXPECT_EQ(load_lesson("translation").minutes(), 10) << "its title says so";
    EXPECT_EQ(load_lesson("sentences").minutes(), 30) << "docs/lessons.md says so";
}

/// Who reads alone is no class: what is asked is asked of whoever reads it.
TEST(Lesson, TheBundledOnesSpeakToAReaderAndToALecturerAlike) {
    const std::vector<std::string> of_a_class = {
        "Ask ",   "Let the class", "Let somebody", "on the board", "show of hands", "尋ねます",   "受講者",
        "もらい", "黒板",          "挙手",         "학생들",       "칠판",          "하게 합니다"};
    for (const std::string& name : bundled_lessons())
        for (const LessonStop& stop : load_lesson(name).stops)
            for (const std::string& language : language_codes())
                for (const std::string& words : of_a_class)
                    EXPECT_EQ(own_notes(stop, language).find(words), std::string::npos)
                        << name << ":" << stop.line << " says " << words;
}

TEST(Lesson, TheBundledOnesSayOneTermForOneThing) {
    const auto forbidden =
        nlohmann::json::parse(read(std::filesystem::path(VITRINE_SOURCE) / "tests/forbidden_words.json"));
    for (const std::string& name : bundled_lessons())
        for (const LessonStop& stop : load_lesson(name).stops)
            for (const auto& [language, words] : forbidden.items())
                for (const auto& [word, instead] : words.items())
                    EXPECT_EQ(own_notes(stop, language).find(word), std::string::npos)
                        << name << ":" << stop.line << " says " << word << ", not " << instead;
}

/// Another model has other heads: a lesson names the one that matters by its role, and it must matter.
TEST(Lesson, TheHeadThatABundledOneTakesAwayChangesItsPrediction) {
    const auto model = open_model({});
    int taken = 0;
    for (const std::string& name : bundled_lessons()) {
        const Lesson lesson = load_lesson(name);
        Place place;
        for (int i = 0; i < static_cast<int>(lesson.stops.size()); ++i) {
            for (const std::string& word : lesson.stops[static_cast<std::size_t>(i)].what_ifs)
                EXPECT_FALSE(word.starts_with("head:")) << name << " names a head of one model";
            place = place_of(lesson, i, place, model->config);
            if (!place.roles.without) continue;
            ++taken;
            const auto image = open_image(place.experiment.image);
            const Trace trace = forward(*model, preprocess(image->full, model->preprocessing, model->config).pixels);
            const DecisiveHead decisive = decisive_head(*model, trace);
            const int first = top_predictions(*trace.head, 1).front().index;
            const std::vector<Intervention> away = {remove_head(decisive.block, decisive.head)};
            const Trace without = what_if(*model, trace, away);
            const auto lead = [&](const Trace& t) {
                const std::vector<Prediction> best = top_predictions(*t.head, 2);
                const float other = best[best[0].index == first ? 1 : 0].logit;
                return prediction_of(*t.head, first).logit - other;
            };
            EXPECT_GT(std::abs(lead(trace) - lead(without)), 1.0F) << name << " stop " << i + 1;
        }
    }
    EXPECT_GE(taken, 3);
}

}  // namespace
}  // namespace vitrine
