#include "app/rooms/text/text_scene.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/text_result.h"
#include "core/measures/text/verdict_head.h"
#include "core/text/grammar/english_glosses.h"
#include "core/text/text_samples.h"
#include "tests/ui/text_room.h"

// The mask of the Text room: what it hides, says and costs.

namespace vitrine {
namespace {

TEST(TextWords, TheMaskCountsAndNamesWhatTheRunHides) {
    Harness h(in_the_text_room(TextChapter::mask));
    const int n = target_tokens(text(h), text(h).run).size();
    const auto hidden = [&] { return static_cast<int>(h.item("text.mask.masked.title").value); };
    const auto equation = [&] { return h.item("equation").text; };
    EXPECT_EQ(hidden(), n * (n - 1) / 2);
    EXPECT_NE(fact(h, "text.fact.hidden").find(count_text(n * (n - 1) / 2)), std::string::npos);
    EXPECT_NE(equation().find("−∞ for j > i"), std::string::npos);
    h.tap("text.switch.mask-off-by-one");
    EXPECT_EQ(hidden(), (n - 1) * (n - 2) / 2);
    EXPECT_NE(equation().find("−∞ for j > i + 1"), std::string::npos);
    h.tap("text.switch.no-mask");
    EXPECT_EQ(hidden(), 0);
    EXPECT_TRUE(fact(h, "text.fact.hidden").ends_with(" 0"));
    EXPECT_EQ(equation().find("∞"), std::string::npos);
    EXPECT_EQ(h.item("text.mask.masked.title").text, h.app->text()("text.mask.masked_open"));
}

TEST(TextWords, TheMasksSentenceIsThatOfTheMaskThatIs) {
    Harness h(in_the_text_room(TextChapter::mask));
    const auto sentence = [&] { return sentence_key(chapter_of(look(h)), experiment(h)); };
    EXPECT_EQ(sentence(), "text.mask.sentence");
    h.tap("text.switch.no-mask");
    EXPECT_EQ(sentence(), "text.mask.sentence_open");
    h.tap("text.switch.mask-off-by-one");
    EXPECT_EQ(sentence(), "text.mask.sentence_late");
}

TEST(TextWords, TheMasksMatricesHaveWordsScalesAndAHead) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(in_the_text_room(TextChapter::mask), size);
        for (const char* const id :
             {"text.mask.scores.column.0", "text.mask.masked.column.0", "text.mask.column.0", "text.mask.row.0",
              "text.mask.axes", "text.mask.scale_scores", "text.mask.scale_weights"})
            EXPECT_TRUE(h.shows(id)) << id << " at " << size.x;
        h.tap("text.mask.head.2");
        EXPECT_EQ(look(h).head, 2);
        EXPECT_EQ(h.item("text.mask.scale_weights").value, 1);
        h.expect_readable("the mask");
    }
}

TEST(TextWords, TheMaskTellsTheLossOfTheCorrectWordsAndOfItsOwnPerWord) {
    Harness h(in_the_text_room(TextChapter::mask));
    h.change()->text_experiment.what_ifs = {"no-mask"};
    h.settle();
    const DecodedText& own = text(h).run.decoded;
    double sum = 0;
    for (const DecodingStep& step : own.steps) sum -= std::log(step.taken.probability);
    const std::string& told = h.item("text.mask.loss").text;
    EXPECT_NE(told.find(number_text(h.item("text.mask.loss").value)), std::string::npos) << told;
    EXPECT_NE(told.find(number_text(sum / static_cast<double>(own.steps.size()))), std::string::npos) << told;
}

TEST(TextWords, TheMaskOpensOnARowThatSeesSomeWordsAndNotOthers) {
    Harness h(in_the_text_room(TextChapter::mask));
    for (const auto& [task, to] : {std::pair(TextTask::translate, TextLanguage::japanese),
                                   {TextTask::translate, TextLanguage::english},
                                   {TextTask::story, TextLanguage::english}}) {
        h.change().text().choose(task, to);
        for (const TextSample& sample : text_samples(task, to)) {
            h.change().text().read(sample.source);
            h.change().text().enter(TextChapter::mask);
            h.settle();
            h.frame(3);
            ASSERT_EQ(text(h).request.task, task);
            const auto row = static_cast<int>(h.item("text.mask.seen").value);
            EXPECT_GT(row, 0) << sample.name;
            EXPECT_LT(row, produced_tokens(text(h), text(h).run).size() - 1) << sample.name;
        }
    }
}

TEST(TextWords, ScoresBeforeTheMaskAreTheRunsOwn) {
    Harness h(in_the_text_room(TextChapter::mask));
    const auto corner = [&](const char* square) {
        const Rect figure = h.item(std::string("text.mask.figure.") + square).rect;
        h.input.move(figure.x0 + 3, figure.y0 + 3);
        h.frame(3);
        return h.item("readout").text;
    };
    const std::string plain = corner("scores");
    EXPECT_EQ(plain, corner("masked"));
    h.change()->text_experiment.what_ifs = {"no-scale"};
    h.settle();
    EXPECT_NE(corner("scores"), plain);
    EXPECT_EQ(corner("scores"), corner("masked")) << "[BOS] sees itself: no mask is on it";
}

TEST(TextWords, TheLastSquareOfTheMaskHasItsWords) {
    Harness h(in_the_text_room(TextChapter::mask), {1920, 1080});
    const TextTokens rows = produced_tokens(text(h), text(h).run), columns = target_tokens(text(h), text(h).run);
    for (int i = 0; i < rows.size(); ++i) {
        const std::string &word = rows.words[static_cast<std::size_t>(i)], gloss = english_gloss(word);
        EXPECT_EQ(h.item(at("text.mask.row", i)).text, gloss.empty() ? word : word + " (" + gloss + ")");
        EXPECT_EQ(h.item(at("text.mask.column", i)).text, columns.words[static_cast<std::size_t>(i)]);
    }
}

TEST(TextWords, AModelThatLearnedWithItsMaskIsWorseWithoutAndMostlyWritesTheSame) {
    Harness h(in_the_text_room(TextChapter::mask));
    int same = 0, count = 0;
    for (const TextSample& sample : text_samples(TextTask::translate, TextLanguage::japanese)) {
        h.change()->text_experiment.what_ifs = {};
        h.change().text().read(sample.source);
        h.settle();
        const double with = h.item("text.mask.loss").value;
        h.change()->text_experiment.what_ifs = {"no-mask"};
        h.settle();
        EXPECT_GT(h.item("text.mask.loss").value, with) << sample.source;
        same += text(h).run.output == text(h).plain.output ? 1 : 0;
        ++count;
    }
    EXPECT_GT(2 * same, count) << "of " << count;
}

TEST(TextWords, TheMaskLeadsToTheExperimentWithoutIt) {
    Harness h(in_the_text_room(TextChapter::mask));
    h.tap("learn.watch_it");
    EXPECT_EQ(h.app->state().room, "learn");
    EXPECT_TRUE(h.app->state().learning.texts);
    EXPECT_TRUE(h.app->state().learning.text.choices[0].causal);
    EXPECT_FALSE(h.app->state().learning.text.choices[1].causal);
}

TEST(TextWords, TheMasksMatricesStayWhereTheyAreWhenItIsSwitched) {
    int compared = 0;
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(in_the_text_room(TextChapter::mask), size);
        const auto place = [&] { return h.item("text.mask.figure.scores").rect; };
        const auto words = [&] { return text(h).run.decoded.words.size(); };
        const Rect before = place();
        const std::size_t written = words();
        h.tap("text.switch.no-mask");
        if (words() != written) continue;  // other words, other matrices
        EXPECT_NEAR(place().y1, before.y1, 0.5F) << size.x;
        EXPECT_NEAR(place().width(), before.width(), 0.5F) << size.x;
        ++compared;
    }
    EXPECT_GT(compared, 0) << "both wrote other words: take another sample";
}

TEST(TextWords, TheMasksMatricesHaveMostOfTheirStage) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const char* const language : {"en", "ja", "ko"}) {
            Harness h(in_the_text_room(TextChapter::mask), size);
            h.change()->settings.language = language;
            h.settle();
            const std::string where = std::string(language) + " at " + std::to_string(size.x);
            const auto widths = [&](const std::string& square) {
                return h.item("text.mask.figure." + square).rect.width();
            };
            const Rect stage = h.item("stage").rect;
            EXPECT_GT(widths("scores") + widths("masked") + widths("weights"), 0.7F * stage.width()) << where;
            EXPECT_GT(h.item("text.mask.figure.scores").rect.height(), 0.24F * stage.height()) << where;
            EXPECT_TRUE(h.shows("text.mask.loss")) << where;
            h.press(Key::l);
            h.frame(40);
            const Rect hall = h.item("stage").rect;
            EXPECT_GT(h.item("text.mask.figure.scores").rect.height(), 0.3F * hall.height()) << where;
            h.expect_readable("the mask, " + where);
        }
}

TEST(TextWords, EveryWordAtTheMasksEdgeCanBeRead) {
    Harness h(in_the_text_room(TextChapter::mask), {1000, 600});
    const TextTokens rows = produced_tokens(text(h), text(h).run), columns = target_tokens(text(h), text(h).run);
    const int missing = [&] {
        for (int i = 0; i < rows.size(); ++i)
            if (!h.shows(at("text.mask.column", i))) return i;
        return -1;
    }();
    ASSERT_GE(missing, 0) << "this window has room for all";
    const auto point_at = [&](const char* id, Point share) {
        const Rect edge = h.item(id).rect;
        h.input.move(edge.x0 + share.x * edge.width(), edge.y0 + share.y * edge.height());
        h.frame(3);
    };
    const float middle = (static_cast<float>(missing) + 0.5F) / static_cast<float>(rows.size());
    point_at("text.mask.columns", {middle, 0.5F});
    const auto tells = [&](const std::string& word) {  // and what it means, behind it
        return h.item("readout").text.starts_with(word);
    };
    EXPECT_TRUE(tells(columns.words[static_cast<std::size_t>(missing)])) << "where the pointer is";
    point_at("text.mask.rows", {0.5F, middle});
    EXPECT_TRUE(tells(rows.words[static_cast<std::size_t>(missing)]));
    point_at("text.mask.figure.weights", {middle, middle});
    EXPECT_TRUE(h.shows(at("text.mask.column", missing))) << "of the cell at the pointer";
    EXPECT_TRUE(h.shows(at("text.mask.row", missing)));
}

}  // namespace
}  // namespace vitrine
