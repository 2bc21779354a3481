#include <cmath>

#include "app/rooms/text/text_scene.h"
#include "app/ui/languages.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/text_result.h"
#include "core/measures/analysis.h"
#include "core/text/text_samples.h"
#include "core/text/text_what_ifs.h"
#include "core/text/words_between.h"
#include "tests/ui/text_room.h"

namespace vitrine {
namespace {

TEST(TextRoom, WithoutCrossAttentionNothingDependsOnTheSource) {
    Harness h(in_the_text_room());
    h.tap("text.switch.no-cross");
    EXPECT_TRUE(is_on(experiment(h), "no-cross"));
    const std::string said = h.item("text.said").text;
    EXPECT_TRUE(h.app->state().settings.answered.contains("text.cross_attention"));
    h.press(Key::n);
    EXPECT_EQ(h.item("text.said").text, said) << "another source, the same words";
    h.tap("text.change.0.switch");
    EXPECT_TRUE(experiment(h).what_ifs.empty());
}

TEST(TextRoom, EquationsAndAnswersAreThoseOfTheModelThatIsShown) {
    Harness h(in_the_text_room());
    const auto show = [&](TextTask task, TextChapter chapter) {
        enter(h, chapter);
        h.change().text().choose(task, TextLanguage::japanese);
        h.settle();
        h.frame(3);
        EXPECT_EQ(text(h).request.task, task);
    };
    const auto equation = [&](TextTask task, TextChapter chapter) {
        show(task, chapter);
        return h.item("equation").text;
    };
    EXPECT_NE(equation(TextTask::translate, TextChapter::masked_attention).find("LN(z + "), std::string::npos);
    EXPECT_EQ(equation(TextTask::story, TextChapter::masked_attention).find("LN(z + "), std::string::npos);
    EXPECT_EQ(equation(TextTask::translate, TextChapter::generator).find("LN("), std::string::npos);
    EXPECT_NE(equation(TextTask::story, TextChapter::generator).find("LN("), std::string::npos);
    EXPECT_NE(equation(TextTask::sentiment, TextChapter::encoder).find("MSA(LN(z))"), std::string::npos);

    for (const TextChapter chapter : {TextChapter::encoder, TextChapter::masked_attention}) {
        show(TextTask::translate, chapter);
        switch_what_if(h.change()->text_experiment, "no-norm");
        h.settle();
        EXPECT_EQ(h.item("equation").text.find("LN("), std::string::npos) << name_of(chapter) << " without norms";
        switch_what_if(h.change()->text_experiment, "no-norm");
        h.settle();
    }

    const auto answer = [&](TextTask task, TextChapter chapter) {
        show(task, chapter);
        h.door().state.answer_shown = true;
        h.frame(2);
        return h.item("answer").text;
    };
    EXPECT_EQ(answer(TextTask::translate, TextChapter::encoder), h.app->text()("text.encoder.answer"));
    EXPECT_EQ(answer(TextTask::sentiment, TextChapter::encoder), h.app->text()("text.encoder.answer_pre"));
    const std::string hidden = answer(TextTask::translate, TextChapter::masked_attention);
    switch_what_if(h.change()->text_experiment, "no-mask");
    h.settle();
    EXPECT_NE(answer(TextTask::translate, TextChapter::masked_attention), hidden) << "without the mask";
}

TEST(TextRoom, AChapterThatAnotherTasksTextDoesNotFitWaitsForItsOwn) {
    Harness h(in_the_text_room());
    for (const TextChapter from : {TextChapter::gpt, TextChapter::cls, TextChapter::cross_attention})
        for (const Named<TextChapter>& row : text_chapter_names) {
            h.change().text().enter(from);
            h.settle();
            h.change().text().enter(row.value);
            h.frame();
            h.settle();
            EXPECT_EQ(h.app->error(), "") << row.name;
            EXPECT_EQ(text(h).request.task, h.change().text().task()) << row.name;
        }
}

TEST(TextRoom, LinesAlongWhichNothingComesArePale) {
    Harness h(in_the_text_room());
    const auto strength = [&] { return h.item("text.line").value; };
    h.change().focus().text.target = -1;
    h.settle();
    const double strong = strength();
    for (const char* const word : {"no-cross", "layer:decoder.2", "head:cross.2.1"}) {
        h.change()->text_experiment.what_ifs = {word};
        h.change().focus().text.block = 2;
        h.change().focus().text.head = 1;
        h.settle();
        EXPECT_LT(strength(), strong / 2) << word;
        h.change().focus().text.target = 3;
        h.settle();
        EXPECT_LT(strength(), strong / 2) << word << ": a chosen word's, too";
        h.change().focus().text.target = -1;
    }
    h.change().focus().text.head = 0;
    h.settle();
    EXPECT_EQ(strength(), strong) << "another head goes on";
    h.change().focus().text.head = -1;
    h.settle();
    EXPECT_EQ(strength(), strong) << "and so does the mean of those that are left";
}

TEST(TextRoom, TheTemperatureOfTheAttentionSharpensIt) {
    Harness h(in_the_text_room(TextChapter::self_attention));
    const auto largest = [&] {
        const AttentionMap map = map_in(h, TextAttention::encoder, 2);
        return map.at(1, map.best(1));
    };
    h.change().focus().text.head = 0;
    h.settle();
    const float before = largest();
    h.change()->text_experiment.what_ifs = {"temperature:0.25"};
    h.settle();
    EXPECT_GT(largest(), before);
    EXPECT_EQ(h.item("text.switch.temperature").value, 0.25);
}

TEST(TextRoom, AnotherWordInOnePlaceIsRunBesideTheOwn) {
    Harness h(in_the_text_room(TextChapter::self_attention));
    h.change().text().read("The animal didn't cross the street because it was too tired.");
    h.change().focus().text.source = 10;
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

TEST(TextRoom, TwoMatricesKeepApartInSmallWindows) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{800, 600}}) {
        Harness h(in_the_text_room(TextChapter::self_attention), size);
        h.change().text().read("The animal didn't cross the street because it was too tired.");
        h.change().focus().text.matrix = true;
        h.change()->text_experiment.swap = {10, "wide"};
        h.settle();
        ASSERT_TRUE(text(h).swapped);
        EXPECT_LT(h.item("text.cells").rect.y1, h.item("text.swapped.cells").rect.y0) << size.x;
        EXPECT_LT(h.item("text.swapped.cells").rect.y1, h.item("text.heads.mean").rect.y0) << size.x;
    }
}

TEST(TextRoom, AWordThatIsTakenLeadsToAnotherText) {
    Harness h(in_the_text_room(TextChapter::decoding));
    const std::string said = h.item("text.said").text;
    const std::string other = h.item("text.option.0.1").text;
    h.tap("text.option.0.1");
    EXPECT_EQ(experiment(h).forced, std::vector<std::string>{other});
    EXPECT_EQ(text(h).run.output.front(), other);
    EXPECT_TRUE(text(h).run.decoded.steps.front().forced);
    EXPECT_EQ(h.item("text.said.plain").text, said);
    EXPECT_TRUE(h.app->state().settings.answered.contains("text.decoding"));
    h.tap("text.free");
    EXPECT_TRUE(experiment(h).forced.empty());
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
    Harness h(in_the_text_room(TextChapter::generator, TextTask::translate));
    h.change().focus().text.target = 1;
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
    EXPECT_EQ(experiment(h).forced.size(), 2U);
    EXPECT_EQ(experiment(h).forced.back(), second);
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
    h.change()->text_experiment.temperature = 3;
    h.settle();
    EXPECT_EQ(text(h).request.temperature, 3);
    const std::vector<std::string> one = text(h).run.output;
    h.change()->text_experiment.seed = 2;
    h.settle();
    h.change()->text_experiment.seed = 1;
    h.settle();
    EXPECT_EQ(text(h).run.output, one) << "the same seed, the same text";
    h.tap("text.method.greedy");
    EXPECT_EQ(text(h).run.output, text(h).plain.output);
    EXPECT_EQ(text(h).request.temperature, 1) << "a dial that is not shown does nothing";
    EXPECT_EQ(text(h).run.decoded.log_probability, text(h).plain.decoded.log_probability);
}

TEST(TextRoom, OffersWordsThatStandBetweenTheSameTwoElsewhere) {
    Harness h(in_the_text_room(TextChapter::cls));
    h.change().text().choose(TextTask::sentiment, experiment(h).to);
    h.change().text().read("the food was not bad .");
    h.change().focus().text.source = 4;
    h.settle();
    ASSERT_EQ(text(h).words[3], "not");
    bool turned = false;
    for (const std::string& word : words_between(TextTask::sentiment, experiment(h).to, {"was", "bad"})) {
        h.change()->text_experiment.swap = {3, word};
        h.settle();
        ASSERT_TRUE(text(h).swapped);
        turned = turned || text(h).swapped->output != text(h).run.output;
    }
    EXPECT_TRUE(turned) << "without the negation the verdict is another";
}

TEST(TextRoom, TheCacheSavesTheRowsOfEarlierWords) {
    Harness h(in_the_text_room(TextChapter::decoding, TextTask::translate));
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
    EXPECT_FALSE(is_on(experiment(h), "no-mask")) << "one mask at a time";
}

TEST(TextRoom, TheLossIsTheMeanOfItsPlacesAndGrowsWithSmoothing) {
    Harness h(in_the_text_room(TextChapter::loss, TextTask::translate));
    h.change().text().read("This is a pen.");
    h.change().focus().text.smoothing = 0;
    h.settle();
    ASSERT_TRUE(text(h).taught && !text(h).taught->own);
    EXPECT_EQ(text(h).taught->wanted, (std::vector<std::string>{"これ", "は", "ペン", "です", "。", "[EOS]"}));
    const TextLoss loss = text_loss(text(h).taught->trace, {});
    EXPECT_NEAR(h.item("text.loss.mean").value, loss.sum / loss.rows, 1e-5);
    EXPECT_NEAR(h.item("text.perplexity").value, std::exp(loss.sum / loss.rows), 1e-4);
    double sum = 0;
    for (int i = 0; i < loss.rows; ++i) sum += h.item(at("text.loss.value", i)).value;
    EXPECT_NEAR(sum, loss.sum, 1e-4);
    h.change().focus().text.smoothing = 0.2F;
    h.settle();
    const TextLoss smooth = text_loss(text(h).taught->trace, {.label_smoothing = 0.2});
    EXPECT_NEAR(h.item("text.loss.mean").value, smooth.sum / smooth.rows, 1e-4);
    EXPECT_GT(smooth.sum, loss.sum);
    h.tap("text.loss.2");
    EXPECT_EQ(look(h).target, 2);
    h.change().text().read("This is a dog.");
    h.settle();
    EXPECT_TRUE(text(h).taught->own) << "no right translation of it is known";
}

TEST(TextRoom, ALossIsToldWhereTheProbabilityRoundsToNothing) {
    Harness h(in_the_text_room(TextChapter::loss, TextTask::translate));
    h.change().text().read("This is a pen.");
    h.change().focus().text.smoothing = 0;
    h.change()->text_experiment.what_ifs = {"no-norm"};
    h.settle();
    const TextTrace& trace = text(h).taught->trace;
    const Tensor2& p = trace.generator->probabilities;
    double least = 1;
    for (std::size_t i = 0; i < trace.batch->gold.size(); ++i)
        least = std::min(least, static_cast<double>(p(i, static_cast<std::size_t>(trace.batch->gold[i]))));
    ASSERT_LT(least, 1e-30);
    const TextLoss loss = text_loss(trace, {});
    EXPECT_NEAR(h.item("text.loss.mean").value / (loss.sum / loss.rows), 1, 1e-4);
}

TEST(TextRoom, PlacesAreTheFormulaOrBesideLearnedOnes) {
    Harness h(in_the_text_room(TextChapter::embedding));
    h.change().focus().text.source = 3;
    h.change().focus().text.feature = 4;
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
    h.change().text().read("This is a");
    h.settle();
    const int id = text(h).model->source.id("animal");
    h.tap(at("text.known", id));
    EXPECT_EQ(text(h).words, (std::vector<std::string>{"this", "is", "a", "animal", "."}));
    h.tap(at("text.known", pad_id));
    EXPECT_EQ(text(h).words.size(), 5U) << "special words are never typed";
}

TEST(TextRoom, AClickOnAWordChoosesItsRowInAModelWithoutAnEncoderToo) {
    Harness h(in_the_text_room(TextChapter::tokens));
    h.tap("text.word.2");
    EXPECT_EQ(look(h).source, 2);
    EXPECT_EQ(h.item("text.id").value, 2);
    h.tap("text.task.story");
    ASSERT_EQ(look(h).chapter, TextChapter::tokens);
    h.tap("text.word.3");
    EXPECT_EQ(look(h).target, 3);
    EXPECT_EQ(look(h).source, -1) << "a story has no encoder";
    h.hover("text.task.story");
    EXPECT_EQ(h.item("text.id").value, 3) << "it stays when the pointer goes";
    EXPECT_EQ(h.item("text.id").text, target_tokens(text(h), text(h).plain).words[3]);
    h.hover("text.word.5");
    EXPECT_EQ(h.item("text.id").value, 5);
    EXPECT_EQ(h.app->workspace().selection.hovered_target(), 5);
}

TEST(TextRoom, TheBlockShowsItsNormsWhereTheyAre) {
    Harness h(in_the_text_room(TextChapter::encoder));
    EXPECT_TRUE(h.shows("text.station.6")) << "post-norm: two sums, two norms";
    h.tap("text.switch.pre-norm");
    EXPECT_FALSE(h.shows("text.station.6"));
    EXPECT_TRUE(h.shows("text.station.4"));
    h.tap("text.switch.no-norm");
    EXPECT_FALSE(is_on(experiment(h), "pre-norm")) << "one place of norms at a time";
}

TEST(TextRoom, TheClassTokenReadsAReview) {
    Harness h(in_the_text_room(TextChapter::cls));
    EXPECT_EQ(h.item("text.query.0").text, "[CLS]");
    const double good = h.item("text.label.1").value;
    EXPECT_NEAR(good + h.item("text.label.0").value, 1, 1e-5);
    EXPECT_GT(good, 0.5) << "what I say counts";
    h.change().text().read("The movie was not bad.");
    h.change().focus().text.source = 4;
    h.settle();
    h.tap("text.swap.0");
    EXPECT_TRUE(h.shows("text.swapped.label.0"));
    const VerdictHead carries = *text(h).deciding_head;
    h.tap("text.switch." + word_of_head(TextAttention::encoder, carries.block, carries.head));
    EXPECT_TRUE(h.app->state().settings.answered.contains("text.cls"));
    EXPECT_EQ(text(h).deciding_head->head, carries.head) << "the mark stays when its head is switched off";
}

TEST(TextRoom, AStoryGoesOnAndTheTemperatureSpreadsWhatComesNext) {
    Harness h(in_the_text_room(TextChapter::gpt));
    EXPECT_GT(text(h).induction_head.count, 0);
    h.change()->text_experiment.temperature = 1;
    h.settle();
    const double cold = h.item("text.candidate.value.0").value;
    h.change()->text_experiment.temperature = 3;
    h.settle();
    EXPECT_LT(h.item("text.candidate.value.0").value, cold);
    const std::string other = h.item("text.candidate.1").text;
    h.tap("text.candidate.1");
    EXPECT_EQ(text(h).run.output.front(), other);
    EXPECT_EQ(experiment(h).forced.front(), other);
}

TEST(TextRoom, TheInductionHeadIsSaidToCopyOnlyWhereAWordHasComeBefore) {
    Harness h(in_the_text_room(TextChapter::gpt));
    h.door().state.answer_shown = true;
    const auto answer = [&] {
        h.frame(2);
        return h.item("answer").text;
    };
    const std::vector<std::string> words = target_tokens(text(h), text(h).run).words;
    int new_words = 0;
    for (std::size_t row = 0; row < words.size(); ++row) {
        h.change().focus().text.target = static_cast<int>(row);
        h.settle();
        const bool again = std::find(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(row), words[row]) !=
                           words.begin() + static_cast<std::ptrdiff_t>(row);
        EXPECT_EQ(answer().find("nothing to copy") == std::string::npos, again) << words[row] << ": " << answer();
        new_words += again ? 0 : 1;
    }
    EXPECT_GT(new_words, 2);
    EXPECT_LT(new_words, static_cast<int>(words.size()));
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

TEST(TextChapters, TheSwitchOfTheMaskStaysWhereItIsClicked) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(in_the_text_room(TextChapter::mask), size);
        h.settle();
        h.bring_into_view("text.switch.no-mask");
        const Rect place = h.item("text.switch.no-mask").rect;
        for (const bool on : {true, false, true}) {
            h.tap("text.switch.no-mask");
            EXPECT_EQ(is_on(experiment(h), "no-mask"), on);
            EXPECT_EQ(h.item("text.switch.no-mask").rect, place);
            EXPECT_TRUE(h.item("text.said").visible);
        }
        h.input.move(600, 300);
        h.frame(6);
        EXPECT_TRUE(h.item("text.changed").visible) << "told once the pointer has left";
        EXPECT_TRUE(h.item("text.switch.no-mask").visible);
    }
}

TEST(TextChapters, AreListedInTheOrderInWhichOneStepsThroughThemInEachColumn) {
    Harness h(in_the_text_room(), {1280, 720});
    std::map<float, float> lowest;  // by the left edge of a column
    for (const auto& row : text_chapters()) {
        const Rect rect = h.item("text.map." + std::string(row.id)).rect;
        const auto before = lowest.find(rect.x0);
        if (before != lowest.end()) {
            EXPECT_GT(rect.y0, before->second) << row.id;
        }
        lowest[rect.x0] = rect.y0;
    }
}

}  // namespace
}  // namespace vitrine
