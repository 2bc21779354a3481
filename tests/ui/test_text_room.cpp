#include <cmath>

#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_zones.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/number.h"
#include "core/text/text_samples.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

Opening in_the_text_room(TextChapter chapter = TextChapter::cross_attention) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "text";
    opening.selection.focus.text.enter(chapter);
    return opening;
}

TextLook& look(Harness& h) { return h.focus().text; }
const TextResult& text(Harness& h) { return *h.app->workspace().text.result; }
std::string at(const std::string& id, int number) { return id + "." + std::to_string(number); }

void enter(Harness& h, TextChapter chapter) {
    look(h).enter(chapter);
    h.settle();
    h.frame(3);
}

void type_text(Harness& h, const std::string& words) {
    h.tap("text.input");
    h.press(Key::a, Key::ctrl);
    h.type(words);
    h.settle();
}

/// The attention that a chapter draws, read off the trace.
AttentionMap map_in(Harness& h, TextAttention kind, int block) {
    return map_of(*attention_of(text(h).run, kind, block), look(h).head);
}

TEST(TextRoom, IsAKeyOrAClickAwayAndLeavesTheRunAlone) {
    Harness h;
    h.app->workspace().experiment.what_ifs = {remove_head(1, 0)};
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
    EXPECT_EQ(look(h).text(), "this is a zebra.");
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
    EXPECT_EQ(look(h).text(), "the animal ");
    for (const Named<TextTask>& task : text_task_names)
        for (const char* const typed : {"[", "[B", "[PAD", "[c"})
            for (const std::string& word : completions_of(typed, task.value, TextLanguage::japanese, 50))
                EXPECT_FALSE(word.starts_with("[")) << word;
    EXPECT_EQ(completed("ペンを使いま", "ました", TextTask::translate, TextLanguage::english).find("まま"),
              std::string::npos);
}

TEST(TextRoom, AnEmptyTextSaysWhatToDo) {
    Harness h(in_the_text_room());
    look(h).read("");
    h.settle();
    EXPECT_TRUE(h.shows("text.empty"));
    h.press(Key::n);
    EXPECT_FALSE(h.shows("text.empty"));
    EXPECT_TRUE(h.shows("text.attention"));
}

TEST(TextRoom, WalksThroughItsSamplesByKeysArrowsAndTheirDialog) {
    Harness h(in_the_text_room());
    const std::vector<TextSample> samples = text_samples(TextTask::translate, TextLanguage::japanese);
    look(h).read(samples[0].source);
    h.settle();
    h.press(Key::n);
    EXPECT_EQ(look(h).text(), samples[1].source);
    h.press(Key::p);
    h.press(Key::p);
    EXPECT_EQ(look(h).text(), samples.back().source);
    h.tap("text.sample.next");
    EXPECT_EQ(look(h).text(), samples[0].source);
    h.tap("text.samples");
    h.tap("text.sample." + samples[2].name);
    EXPECT_EQ(look(h).text(), samples[2].source);
    EXPECT_EQ(h.app->state().dialog, "");
}

TEST(TextRoom, DrawsNewSentences) {
    Harness h(in_the_text_room());
    const std::string before = look(h).text();
    h.press(Key::d);
    const std::string first = look(h).text();
    EXPECT_NE(first, before);
    EXPECT_FALSE(text(h).words.empty());
    h.tap("text.draw");
    EXPECT_NE(look(h).text(), first);
}

TEST(TextRoom, ATextThatIsTooLongIsReadAsFarAsThereArePlaces) {
    Harness h(in_the_text_room());
    std::string longest;
    for (int i = 0; i < 60; ++i) longest += "dog ";
    look(h).read(longest);
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
    EXPECT_TRUE(is_on(look(h), word_of_head(TextAttention::cross, block, 0)));
    EXPECT_EQ(text(h).request.what_ifs, look(h).what_ifs);
    const AttentionTrace& t = *attention_of(text(h).run, TextAttention::cross, block);
    for (std::size_t i = 0; i < t.heads.shape()[1]; ++i)
        for (std::size_t j = 0; j < t.heads.shape()[2]; ++j) EXPECT_EQ(t.heads(0, i, j), 0.0F);
    EXPECT_TRUE(h.shows("text.said.plain"));
    h.press(Key::backspace);
    EXPECT_TRUE(look(h).what_ifs.empty());
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
            EXPECT_TRUE(is_on(look(h), word)) << word;
            EXPECT_EQ(text(h).request.what_ifs, std::vector<std::string>{word});
            h.tap(id);
            EXPECT_TRUE(look(h).what_ifs.empty()) << word;
        }
    }
}

TEST(TextRoom, WithoutCrossAttentionNothingDependsOnTheSource) {
    Harness h(in_the_text_room());
    h.tap("text.switch.no-cross");
    EXPECT_TRUE(is_on(look(h), "no-cross"));
    const std::string said = h.item("text.said").text;
    EXPECT_TRUE(h.app->state().settings.answered.contains("text.cross_attention"));
    h.press(Key::n);
    EXPECT_EQ(h.item("text.said").text, said) << "another source, the same words";
    h.tap("text.change.0");
    EXPECT_TRUE(look(h).what_ifs.empty());
}

TEST(TextRoom, AChapterThatAnotherTasksTextDoesNotFitWaitsForItsOwn) {
    Harness h(in_the_text_room());
    for (const TextChapter from : {TextChapter::gpt, TextChapter::cls, TextChapter::cross_attention})
        for (const Named<TextChapter>& row : text_chapter_names) {
            look(h).enter(from);
            h.settle();
            look(h).enter(row.value);
            h.frame();
            h.settle();
            EXPECT_EQ(h.app->error(), "") << row.name;
            EXPECT_EQ(text(h).request.task, look(h).shown_task()) << row.name;
        }
}

TEST(TextRoom, LinesAlongWhichNothingComesArePale) {
    Harness h(in_the_text_room());
    const auto strength = [&] { return h.item("text.line").value; };
    look(h).target = -1;
    h.settle();
    const double strong = strength();
    for (const char* const word : {"no-cross", "layer:decoder.2", "head:cross.2.1"}) {
        look(h).what_ifs = {word};
        look(h).block = 2;
        look(h).head = 1;
        h.settle();
        EXPECT_LT(strength(), strong / 2) << word;
        look(h).target = 3;
        h.settle();
        EXPECT_LT(strength(), strong / 2) << word << ": a chosen word's, too";
        look(h).target = -1;
    }
    look(h).head = 0;
    h.settle();
    EXPECT_EQ(strength(), strong) << "another head goes on";
    look(h).head = -1;
    h.settle();
    EXPECT_EQ(strength(), strong) << "and so does the mean of those that are left";
}

TEST(TextRoom, TheTemperatureOfTheAttentionSharpensIt) {
    Harness h(in_the_text_room(TextChapter::self_attention));
    const auto largest = [&] {
        const AttentionMap map = map_in(h, TextAttention::encoder, 2);
        return map.at(1, map.best(1));
    };
    look(h).head = 0;
    h.settle();
    const float before = largest();
    look(h).what_ifs = {"temperature:0.25"};
    h.settle();
    EXPECT_GT(largest(), before);
    EXPECT_EQ(h.item("text.switch.temperature").value, 0.25);
}

TEST(TextRoom, AnotherWordInOnePlaceIsRunBesideTheOwn) {
    Harness h(in_the_text_room(TextChapter::self_attention));
    look(h).read("The animal didn't cross the street because it was too tired.");
    look(h).source = 10;
    h.settle();
    EXPECT_EQ(text(h).words[10], "tired");
    EXPECT_EQ(h.item("text.swap.0").text, "wide") << "the sample that differs there alone comes first";
    h.tap("text.swap.0");
    ASSERT_TRUE(text(h).swapped);
    EXPECT_EQ(text(h).swapped->input[10], "wide");
    EXPECT_TRUE(h.shows("text.swapped.attention"));
    EXPECT_EQ(h.item("text.swapped.query.10").text, "wide");
    EXPECT_NE(h.item("text.said.swapped").text, h.item("text.said").text)
        << "the animal is another noun than the street";
    h.press(Key::escape);
    EXPECT_FALSE(text(h).swapped);
    EXPECT_FALSE(h.shows("text.swapped.attention"));
}

TEST(TextRoom, AWordThatIsTakenLeadsToAnotherText) {
    Harness h(in_the_text_room(TextChapter::decoding));
    const std::string said = h.item("text.said").text;
    const std::string other = h.item("text.option.0.1").text;
    h.tap("text.option.0.1");
    EXPECT_EQ(look(h).forced, std::vector<std::string>{other});
    EXPECT_EQ(text(h).run.output.front(), other);
    EXPECT_TRUE(text(h).run.decoded.steps.front().forced);
    EXPECT_EQ(h.item("text.said.plain").text, said);
    EXPECT_TRUE(h.app->state().settings.answered.contains("text.decoding"));
    h.tap("text.free");
    EXPECT_TRUE(look(h).forced.empty());
    EXPECT_EQ(h.item("text.said").text, said);
}

TEST(TextRoom, NoSpecialWordIsEverOffered) {
    for (const TextChapter chapter : {TextChapter::generator, TextChapter::decoding, TextChapter::gpt}) {
        Harness h(in_the_text_room(chapter));
        for (const auto& [id, item] : h.app->probe().items())
            if (id.starts_with("text.candidate.value.") || id.starts_with("text.option.")) {
                for (const char* const special : {"[PAD]", "[BOS]", "[UNK]", "[CLS]"})
                    EXPECT_NE(item.text, special) << id;
            }
    }
}

TEST(TextRoom, CandidatesStandInOrderWithTheirProbabilities) {
    Harness h(in_the_text_room(TextChapter::generator));
    look(h).target = 1;
    h.settle();
    const Tensor2& p = text(h).run.trace.generator->probabilities;
    double last = 1;
    for (int i = 0; i < 5; ++i) {
        const Probe::Item& item = h.item(at("text.candidate.value", i));
        const int id = text(h).model->target.id(item.text == "[EOS]" ? "" : item.text);
        if (item.text != "[EOS]") {
            EXPECT_NEAR(item.value, static_cast<double>(p(1, static_cast<std::size_t>(id))), 1e-6);
        }
        EXPECT_LE(item.value, last);
        last = item.value;
    }
    const double log_p = h.item("text.log_p").value;
    EXPECT_NEAR(std::exp(log_p), h.item("text.candidate.value.0").value, 1e-4);
    const std::string second = h.item("text.candidate.1").text;
    h.tap("text.candidate.1");
    EXPECT_EQ(look(h).forced.size(), 2U);
    EXPECT_EQ(look(h).forced.back(), second);
}

TEST(TextRoom, BeamAndSamplingAreAClickAway) {
    Harness h(in_the_text_room(TextChapter::decoding));
    h.tap("text.method.beam");
    EXPECT_EQ(text(h).request.method, DecodingMethod::beam);
    EXPECT_TRUE(h.shows("text.beam.1"));
    EXPECT_GT(text(h).run.decoded.tree.size(), text(h).run.decoded.steps.size());
    h.tap("text.method.sample");
    EXPECT_EQ(text(h).request.method, DecodingMethod::sample);
    for (const char* const dial : {"text.temperature", "text.top_k", "text.top_p", "text.seed"})
        EXPECT_TRUE(h.shows(dial)) << dial;
    look(h).temperature = 3;
    h.settle();
    const std::vector<std::string> one = text(h).run.output;
    look(h).seed = 2;
    h.settle();
    look(h).seed = 1;
    h.settle();
    EXPECT_EQ(text(h).run.output, one) << "the same seed, the same text";
    h.tap("text.method.greedy");
    EXPECT_EQ(text(h).run.output, text(h).plain.output);
}

TEST(TextRoom, TheCacheSavesTheRowsOfEarlierWords) {
    Harness h(in_the_text_room(TextChapter::decoding));
    const auto n = static_cast<double>(text(h).run.decoded.steps.size());
    EXPECT_EQ(h.item("text.cache").value, n);
    EXPECT_NE(h.item("text.cache").text.find(count_text(static_cast<std::int64_t>(n * (n + 1) / 2))),
              std::string::npos);
}

TEST(TextRoom, TheMaskHidesLaterWordsUntilItIsTakenAway) {
    Harness h(in_the_text_room(TextChapter::mask));
    h.hover("text.strip.target.1");
    const std::vector<std::string> read = target_tokens(text(h), text(h).run).words;
    EXPECT_NE(h.item("text.mask.seen").text.find(read[1]), std::string::npos);
    EXPECT_EQ(h.item("text.mask.seen").text.find("。"), std::string::npos) << "the end is not seen yet";
    h.tap("text.switch.no-mask");
    h.hover("text.strip.target.1");
    EXPECT_NE(h.item("text.mask.seen").text.find("。"), std::string::npos);
    EXPECT_TRUE(h.app->state().settings.answered.contains("text.mask"));
    h.tap("text.switch.mask-off-by-one");
    EXPECT_FALSE(is_on(look(h), "no-mask")) << "one mask at a time";
}

TEST(TextRoom, TheLossIsTheMeanOfItsPlacesAndGrowsWithSmoothing) {
    Harness h(in_the_text_room(TextChapter::loss));
    look(h).read("This is a pen.");
    look(h).smoothing = 0;
    h.settle();
    ASSERT_TRUE(text(h).taught && !text(h).taught->own);
    EXPECT_EQ(text(h).taught->wanted, (std::vector<std::string>{"これ", "は", "ペン", "です", "。", "[EOS]"}));
    const TextLoss loss = text_loss(text(h).taught->trace, {});
    EXPECT_NEAR(h.item("text.loss.mean").value, loss.sum / loss.rows, 1e-5);
    EXPECT_NEAR(h.item("text.perplexity").value, std::exp(loss.sum / loss.rows), 1e-4);
    double sum = 0;
    for (int i = 0; i < loss.rows; ++i) sum += h.item(at("text.loss.value", i)).value;
    EXPECT_NEAR(sum, loss.sum, 1e-4);
    look(h).smoothing = 0.2F;
    h.settle();
    const TextLoss smooth = text_loss(text(h).taught->trace, {.label_smoothing = 0.2});
    EXPECT_NEAR(h.item("text.loss.mean").value, smooth.sum / smooth.rows, 1e-4);
    EXPECT_GT(smooth.sum, loss.sum);
    h.tap("text.loss.2");
    EXPECT_EQ(look(h).target, 2);
    look(h).read("This is a dog.");
    h.settle();
    EXPECT_TRUE(text(h).taught->own) << "no right translation of it is known";
}

TEST(TextRoom, PlacesAreTheFormulaOrBesideLearnedOnes) {
    Harness h(in_the_text_room(TextChapter::embedding));
    look(h).source = 3;
    look(h).feature = 4;
    h.settle();
    EXPECT_NEAR(h.item("text.wave").value, std::sin(3 / std::pow(10000.0, 4.0 / text(h).model->config.embedding_dim)),
                1e-5);
    h.tap("text.vector.sum");
    EXPECT_NE(look(h).feature, 4) << "a click on a vector chooses a feature";
    h.tap("text.learned");
    EXPECT_TRUE(h.shows("text.similarity.learned"));
    EXPECT_FALSE(h.shows("text.wave"));
    h.tap("text.switch.no-root");
    EXPECT_TRUE(h.app->state().settings.answered.contains("text.embedding"));
}

TEST(TextRoom, AClickOnAWordOfTheVocabularyPutsItBehindTheText) {
    Harness h(in_the_text_room(TextChapter::tokens));
    look(h).read("This is a");
    h.settle();
    const int id = text(h).model->source.id("animal");
    h.tap(at("text.known", id));
    EXPECT_EQ(text(h).words, (std::vector<std::string>{"this", "is", "a", "animal", "."}));
    h.tap(at("text.known", pad_id));
    EXPECT_EQ(text(h).words.size(), 5U) << "special words are never typed";
}

TEST(TextRoom, TheBlockShowsItsNormsWhereTheyAre) {
    Harness h(in_the_text_room(TextChapter::encoder));
    EXPECT_TRUE(h.shows("text.station.6")) << "post-norm: two sums, two norms";
    h.tap("text.switch.pre-norm");
    EXPECT_FALSE(h.shows("text.station.6"));
    EXPECT_TRUE(h.shows("text.station.4"));
    h.tap("text.switch.no-norm");
    EXPECT_FALSE(is_on(look(h), "pre-norm")) << "one place of norms at a time";
}

TEST(TextRoom, TheClassTokenReadsAReview) {
    Harness h(in_the_text_room(TextChapter::cls));
    EXPECT_EQ(h.item("text.query.0").text, "[CLS]");
    const double good = h.item("text.label.1").value;
    EXPECT_NEAR(good + h.item("text.label.0").value, 1, 1e-5);
    EXPECT_GT(good, 0.5) << "what I say counts";
    look(h).read("The movie was not bad.");
    look(h).source = 4;
    h.settle();
    h.tap("text.swap.0");
    EXPECT_TRUE(h.shows("text.swapped.label.0"));
    EXPECT_TRUE(h.app->state().settings.answered.contains("text.cls"));
}

TEST(TextRoom, AStoryGoesOnAndTheTemperatureSpreadsWhatComesNext) {
    Harness h(in_the_text_room(TextChapter::gpt));
    EXPECT_GT(text(h).induction_head.count, 0);
    look(h).temperature = 1;
    h.settle();
    const double cold = h.item("text.candidate.value.0").value;
    look(h).temperature = 3;
    h.settle();
    EXPECT_LT(h.item("text.candidate.value.0").value, cold);
    const std::string other = h.item("text.candidate.1").text;
    h.tap("text.candidate.1");
    EXPECT_EQ(text(h).run.output.front(), other);
    EXPECT_EQ(look(h).forced.front(), other);
}

TEST(TextRoom, BothModelsAreReadOffForTheWayBackToPatches) {
    Harness h(in_the_text_room(TextChapter::patches));
    EXPECT_EQ(h.item("text.compared.width").text, count_text(text(h).model->config.embedding_dim) + " | " +
                                                      count_text(h.result().model->config.embedding_dim));
    EXPECT_EQ(h.item("text.compared.norm").value, 0);
    h.tap("text.task.sentiment");
    EXPECT_EQ(h.item("text.compared.norm").value, 1) << "both norm before their sublayers";
    EXPECT_TRUE(h.app->state().settings.answered.contains("text.patches"));
}

TEST(TextRoom, AFamilyOpensOurModelOfItsKind) {
    Harness h(in_the_text_room(TextChapter::after));
    h.tap("text.family.decoder");
    EXPECT_EQ(text(h).model->task, TextTask::story);
    EXPECT_EQ(look(h).chapter, TextChapter::after);
    h.tap("text.family.encoder");
    EXPECT_EQ(text(h).model->task, TextTask::sentiment);
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
    EXPECT_TRUE(look(h).what_ifs.empty());
    h.press(Key::y, Key::ctrl);
    EXPECT_TRUE(is_on(look(h), "no-cross"));
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
    EXPECT_EQ(h.item("text.attention").value, text(h).deciding_head.block);
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
