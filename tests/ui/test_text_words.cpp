#include "app/rooms/figures/alignment.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/widgets/equation.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/text_result.h"
#include "core/measures/text/verdict_head.h"
#include "core/text/text_samples.h"
#include "core/text/text_what_ifs.h"
#include "tests/ui/text_room.h"

// What the words of the Text room say of the run that is shown.

namespace vitrine {
namespace {

/// Its name before its number.
std::string name_of_what_if(Harness& h, const std::string& word) {
    const std::string name = h.app->text()("text.what_if." + word.substr(0, word.find(':')));
    return name.substr(0, name.find('{'));
}

TEST(TextWords, CrossAttentionsSentenceSpeaksOfThisRun) {
    Harness h(in_the_text_room(TextChapter::cross_attention));
    const auto sentence = [&] { return sentence_key(chapter_of(look(h)), experiment(h)); };
    EXPECT_EQ(sentence(), "text.cross_attention.sentence");
    for (const auto& [what_if, aspect] : {std::pair("no-mask", "open"), {"mask-off-by-one", "late"}}) {
        h.change()->text_experiment.what_ifs = {what_if};
        h.settle();
        EXPECT_EQ(sentence(), std::string("text.cross_attention.sentence_") + aspect);
    }
    h.change()->text_experiment.what_ifs = {};
    h.settle();
    h.tap("text.switch.no-cross");
    EXPECT_EQ(sentence(), "text.cross_attention.sentence_off");
}

TEST(TextWords, AMatrixNamesItsRowsAndColumnsInASmallWindow) {
    Harness h(in_the_text_room(TextChapter::mask), {1280, 720});
    const int count = target_tokens(text(h), text(h).run).size();
    const auto named = [&](const std::string& id, int size) {
        int shown = 0;
        for (int i = 0; i < size; ++i) shown += h.shows(at(id, i)) ? 1 : 0;
        return shown;
    };
    EXPECT_EQ(named("text.mask.column", count), count);
    EXPECT_EQ(named("text.mask.row", count), count);
    h.change().focus().text.matrix = true;
    enter(h, TextChapter::masked_attention);
    EXPECT_EQ(named("text.cells.row", count), count);
    h.expect_readable("the rows of a matrix");
    Harness story(in_the_text_room(TextChapter::gpt, TextTask::story), {1280, 720});
    story.change().focus().text.matrix = true;
    story.settle();
    story.frame(3);
    const int rows = target_tokens(text(story), text(story).run).size();
    int shown = 0;
    for (int i = 0; i < rows; ++i) shown += story.shows(at("text.cells.row", i)) ? 1 : 0;
    EXPECT_GE(shown, rows / 2);
    story.expect_readable("many rows");
}

TEST(TextWords, NamesBesideLowRowsAreAlignedInTwoColumns) {
    for (const char* const language : {"en", "ja"}) {
        Opening opening = in_the_text_room(TextChapter::mask);
        opening.state.settings.language = language;
        Harness h(std::move(opening), {1280, 720});
        std::set<float> starts[2];
        for (int i = 0; i < produced_tokens(text(h), text(h).run).size(); ++i)
            starts[i % 2].insert(h.item(at("text.mask.row", i)).rect.x0);
        EXPECT_EQ(starts[0].size(), 1U) << language;
        EXPECT_EQ(starts[1].size(), 1U) << language;
    }
}

TEST(TextWords, ShortNamesBesideLowRowsAreWhole) {
    Opening opening = in_the_text_room(TextChapter::mask);
    opening.state.settings.language = "ja";
    Harness h(std::move(opening), {1280, 720});
    for (const TextSample& sample : text_samples(TextTask::translate, TextLanguage::japanese)) {
        h.change().text().read(sample.source);
        h.settle();
        h.frame(3);
        const TextTokens rows = produced_tokens(text(h), text(h).run);
        for (int i = 0; i < rows.size(); ++i) {
            if (!h.shows(at("text.mask.row", i))) continue;
            const Rect place = h.item(at("text.mask.row", i)).rect;
            const std::string& word = rows.words[static_cast<std::size_t>(i)];
            EXPECT_TRUE(std::ranges::any_of(
                h.app->probe().words(),
                [&](const Probe::Words& drawn) { return drawn.text == word && place.contains(drawn.rect.centre()); }))
                << word << " in: " << sample.source;
        }
    }
}

/// A line that ends at a word on a further level passes the words between without a corner.
TEST(TextWords, LinesReachEveryWordStraight) {
    Harness h(in_the_text_room(TextChapter::cross_attention), {1280, 720});
    for (const TextSample& sample : text_samples(TextTask::translate, TextLanguage::japanese)) {
        h.change().text().read(sample.source);
        h.settle();
        h.frame(3);
        for (const std::string side : {"text.key", "text.query"}) {
            std::vector<Rect> words;
            while (h.shows(at(side, static_cast<int>(words.size()))))
                words.push_back(h.item(at(side, static_cast<int>(words.size()))).rect);
            for (std::size_t i = 0; i < words.size(); ++i) {
                const std::vector<Point> way = way_past_words(words, i, side == "text.key", 8);
                if (way.size() > 1) {
                    EXPECT_NEAR(way[1].x, way[0].x, 1) << words.size() << side << i << " of " << sample.source;
                }
            }
        }
    }
}

TEST(TextWords, AnOwnTextWithoutAChangeHasOneLossAndASureWholeNoLeastWord) {
    Harness h(in_the_text_room(TextChapter::mask), {1280, 720});
    h.change().text().read("The cat sees a dog.");
    h.settle();
    const auto said_with = [&](const char* key) {
        const std::string words = h.app->text()(key);
        return h.item("text.mask.loss").text.starts_with(words.substr(0, words.find('{')));
    };
    EXPECT_TRUE(said_with("text.mask.compared_alone")) << h.item("text.mask.loss").text;
    h.change()->text_experiment.what_ifs = {"no-mask"};
    h.settle();
    EXPECT_TRUE(said_with("text.mask.compared_own")) << h.item("text.mask.loss").text;
    h.change()->text_experiment.what_ifs.clear();
    h.change().text().read("This is a pen.");
    h.settle();
    const DecodedText& d = text(h).run.decoded;
    double least = 1;
    for (const DecodingStep& step : d.steps) least = std::min(least, step.taken.probability);
    const std::string whole = probability_text(std::exp(d.log_probability));
    ASSERT_EQ(whole, probability_text(least));
    EXPECT_EQ(h.item("text.sure").text, h.app->text()("text.sure.whole", {{"value", whole}}));
}

/// Known words in an unusual combination: no neighbour is new to it that would be told, and the nouns are exchanged.
TEST(TextWords, ATranslationThatIsUnsureSaysSo) {
    Harness h(in_the_text_room(TextChapter::cross_attention), {1280, 720});
    for (const TextSample& sample : text_samples(TextTask::translate, TextLanguage::japanese)) {
        h.change().text().read(sample.source);
        h.settle();
        double least = 1;
        for (const DecodingStep& step : text(h).run.decoded.steps) least = std::min(least, step.taken.probability);
        EXPECT_EQ(h.item("text.sure").value, least < 0.95 ? 1 : 0) << sample.source;
        EXPECT_EQ(h.item("text.sure").value, 0) << "as in training: " << sample.source;
    }
    h.change().text().read("A small fish ate the dangerous umbrella.");
    h.settle();
    EXPECT_EQ(h.item("text.said").text, "小さい傘は危ない魚を食べました。");
    EXPECT_EQ(h.item("text.sure").value, 1);
    const std::string begins = h.app->text()("text.sure.unsure", {{"words", ""}});
    EXPECT_TRUE(h.item("text.sure").text.starts_with(begins)) << h.item("text.sure").text;
    h.expect_readable("an unsure translation");
}

TEST(TextWords, ATranslationSaysHowSureItIsAndWhatTrainingHadNot) {
    Harness h(in_the_text_room(TextChapter::cross_attention), {1280, 720});
    for (const TextSample& sample : text_samples(TextTask::translate, TextLanguage::japanese)) {
        h.change().text().read(sample.source);
        h.settle();
        const double p = std::exp(text(h).run.decoded.log_probability);
        EXPECT_NE(h.item("text.sure").text.find(percent_text(p)), std::string::npos) << h.item("text.sure").text;
        EXPECT_EQ(h.shows("text.unseen.0"), !text(h).familiarity.usual()) << sample.source;
    }
    h.change().text().read("My mother is hungry.");
    h.settle();
    EXPECT_NE(h.item("text.unseen.0").text.find("“mother”, “hungry”"), std::string::npos);
    h.change().text().read("My mother is small.");
    h.settle();
    EXPECT_EQ(h.item("text.unseen.0").text.find("them"), std::string::npos) << "it may be one word";
    h.change().text().read("The cat that the dog saw was small.");
    h.settle();
    EXPECT_NE(h.item("text.unseen.0").text.find("“that the”"), std::string::npos) << h.item("text.unseen.0").text;
    double least = 1;
    for (const DecodingStep& step : text(h).run.decoded.steps) least = std::min(least, step.taken.probability);
    EXPECT_NE(h.item("text.sure").text.find(percent_text(least)), std::string::npos) << h.item("text.sure").text;
    h.expect_readable("the translation");
}

TEST(TextWords, ALongSentenceIsReadWholeInItsField) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(in_the_text_room(TextChapter::cross_attention), size);
        const Rect field = h.item("text.input").rect, whole = h.item("text.input.whole").rect;
        EXPECT_GE(field.x1 + 2, whole.x1);
        EXPECT_GE(field.y1, whole.y1) << "all lines are in the field";
        const Rect below = h.item("text.samples").rect;
        EXPECT_GT(below.y0, whole.y1);
        type_text(h, "The cat saw the dog.");
        EXPECT_EQ(experiment(h).text_in(TextChapter::cross_attention), "The cat saw the dog.");
    }
}

TEST(TextWords, FactsOfTheDecoderFollowTheMaskThatIs) {
    Harness h(in_the_text_room(TextChapter::masked_attention));
    const auto run_with = [&](std::vector<std::string> what_ifs) {
        h.change()->text_experiment.what_ifs = std::move(what_ifs);
        h.change().focus().text.target = 1;
        h.settle();
        h.door().state.answer_shown = true;
        h.frame(3);
        return target_tokens(text(h), text(h).run).size();
    };
    const auto seen = [&] { return fact(h, "text.fact.sees"); };
    const auto answer = [&] { return h.item("answer").text; };
    const int all = run_with({});
    EXPECT_TRUE(seen().ends_with(" 2")) << seen();
    EXPECT_NE(answer().find(count_text(all * (all + 1) / 2)), std::string::npos) << answer();
    const int late = run_with({"mask-off-by-one"});
    ASSERT_GE(late, 4);
    EXPECT_TRUE(seen().ends_with(" 3")) << seen();
    EXPECT_NE(answer().find(count_text(late * late - (late - 1) * (late - 2) / 2)), std::string::npos) << answer();
    const int open = run_with({"no-mask"});
    EXPECT_TRUE(seen().ends_with(" " + count_text(open))) << seen();
}

TEST(TextWords, FactsOfTheEmbeddingSpeakOfTheRootOnlyWhereItIsTaken) {
    Harness h(in_the_text_room(TextChapter::embedding));
    EXPECT_NE(fact(h, "text.fact.word"), "");
    const auto has = [&](const std::string& name) {
        for (int i = 0; i < 8 && h.shows(at("fact", i)); ++i)
            if (h.item(at("fact", i)).text.starts_with(name)) return true;
        return false;
    };
    EXPECT_TRUE(has("|√D · E|"));
    h.tap("text.switch.no-root");
    EXPECT_FALSE(has("|√D · E|"));
    EXPECT_FALSE(has("√D"));
    EXPECT_TRUE(has("|E|"));
}

TEST(TextWords, TheEmbeddingShowsWhatThisRunAdds) {
    Harness h(in_the_text_room(TextChapter::embedding));
    const auto named = [&](const char* id) { return h.item(id).text; };
    const auto sentence = [&] { return sentence_key(chapter_of(look(h)), experiment(h)); };
    EXPECT_FALSE(h.shows("equation.changed"));
    EXPECT_EQ(sentence(), "text.embedding.sentence");
    const std::string sum = named("text.vector.sum"), place = named("text.vector.place");
    h.tap("text.switch.no-positions");
    EXPECT_NE(named("equation.changed").find(name_of_what_if(h, "no-positions")), std::string::npos);
    EXPECT_EQ(sentence(), "text.embedding.sentence_unplaced");
    EXPECT_NE(named("text.vector.sum"), sum);
    EXPECT_NE(named("text.vector.place"), place);
    EXPECT_EQ(h.item("text.wave").value, 0);
    EXPECT_EQ(named("text.map.embedding"), h.app->text()("text.map.embedding_unplaced"));
    h.tap("text.switch.no-root");
    EXPECT_NE(named("equation.changed").find(name_of_what_if(h, "no-root")), std::string::npos);
    EXPECT_EQ(sentence(), "text.embedding.sentence_bare");
    h.tap("text.switch.no-positions");
    EXPECT_EQ(sentence(), "text.embedding.sentence_rootless");
    EXPECT_EQ(named("text.vector.sum"), sum);
    h.press(Key::l);
    h.frame(40);
    EXPECT_TRUE(h.shows("stage.equation_changed")) << "in a lecture, too";
    h.expect_readable("the embedding without the root");
}

TEST(TextWords, EveryChapterSaysWhatItsEquationDoesNotShow) {
    const std::pair<TextChapter, std::vector<const char*>> told[] = {
        {TextChapter::embedding, {"no-root", "no-positions"}},
        {TextChapter::cls, {"no-root", "no-positions"}},
        {TextChapter::patches, {"no-root", "no-positions"}},
        {TextChapter::self_attention, {"no-scale", "temperature:2", "k=q"}},
        {TextChapter::mask, {"no-scale", "temperature:2", "k=q"}},
        {TextChapter::masked_attention, {"no-mask", "mask-off-by-one", "no-scale", "temperature:2", "k=q"}},
        {TextChapter::cross_attention, {"no-scale", "temperature:2"}}};
    Harness h(in_the_text_room(TextChapter::embedding));
    for (const auto& [chapter, words] : told)
        for (const char* const word : words) {
            h.change()->text_experiment.what_ifs = {word};
            enter(h, chapter);
            ASSERT_TRUE(h.shows("equation.changed")) << name_of(chapter) << " " << word;
            EXPECT_NE(h.item("equation.changed").text.find(name_of_what_if(h, word)), std::string::npos);
        }
    h.change()->text_experiment.what_ifs = {"no-mask"};
    enter(h, TextChapter::mask);
    EXPECT_FALSE(h.shows("equation.changed")) << "it has an equation of its own";
}

TEST(TextWords, EveryMaskAndEveryPlaceOfTheNormsHasItsEquation) {
    for (const char* const name :
         {"text_mask", "text_mask_late", "text_mask_none", "text_encoder_pre", "text_masked_attention_pre",
          "text_generator_pre", "text_encoder_none", "text_masked_attention_none"})
        EXPECT_NE(find_equation(name), nullptr) << name;
}

TEST(TextWords, NumbersSayWhereNothingComes) {
    Harness h(in_the_text_room());
    EXPECT_NE(fact(h, "text.fact.weight"), "");
    h.tap("text.switch.no-cross");
    EXPECT_EQ(fact(h, "text.fact.weight"), "");
    EXPECT_NE(fact(h, "text.fact.looks_at").find(h.app->text()("text.fact.nothing_comes")), std::string::npos);
}

TEST(TextWords, NumbersSayOfWhichRunTheyAreBesideASwappedWord) {
    Harness h(in_the_text_room(TextChapter::self_attention));
    EXPECT_EQ(fact(h, "text.fact.run"), "");
    h.change().text().read("The animal didn't cross the street because it was too tired.");
    h.change()->text_experiment.swap = {10, "wide"};
    h.settle();
    EXPECT_NE(fact(h, "text.fact.run").find(h.app->text()("text.fact.own_run")), std::string::npos);
}

TEST(TextWords, AProbabilityOfALabelIsNotCertain) {
    Harness h(in_the_text_room(TextChapter::cls));
    for (const TextSample& sample : text_samples(TextTask::sentiment, TextLanguage::english)) {
        h.change().text().read(sample.source);
        h.settle();
        const double p = h.item("text.label.0").value, other = h.item("text.label.1").value;
        EXPECT_NEAR(p + other, 1, 1e-9);
        EXPECT_NE(percent_text(p), "100 %") << sample.source;
        EXPECT_NE(percent_text(other), "100 %") << sample.source;
    }
}

TEST(TextWords, TheTopBarNamesTheMeanWhereTheModelHasNotTheChosenHead) {
    Harness h(in_the_text_room());
    h.change().focus().text.head = 3;
    h.settle();
    const std::string fourth = h.app->text()("text.head", {{"head", "4"}}), mean = h.app->text()("text.mean");
    EXPECT_TRUE(h.item("top.selection").text.ends_with(fourth)) << h.item("top.selection").text;
    h.tap("text.task.sentiment");
    ASSERT_LE(text(h).model->config.heads, 3);
    EXPECT_TRUE(h.item("top.selection").text.ends_with(mean)) << h.item("top.selection").text;
    h.tap("text.task.translate");
    enter(h, TextChapter::cross_attention);
    EXPECT_TRUE(h.item("top.selection").text.ends_with(fourth)) << "what was chosen is still chosen";
}

TEST(TextWords, TheBeamsRowsAreItsOwn) {
    Harness h(in_the_text_room(TextChapter::decoding, TextTask::translate));
    const std::int64_t greedy = text(h).run.decoded.rows_recomputed;
    h.tap("text.method.beam");
    const DecodedText& beam = text(h).run.decoded;
    EXPECT_GT(beam.rows_recomputed, greedy);
    EXPECT_NE(h.item("text.cache").text.find(count_text(beam.rows_recomputed)), std::string::npos);
    h.change()->text_experiment.method = DecodingMethod::greedy;
    h.change()->text_experiment.what_ifs = {"no-mask"};
    h.settle();
    const std::string rows = count_text(text(h).run.decoded.rows);
    EXPECT_EQ(h.item("text.cache").text, h.app->text()("text.cache_none", {{"rows", rows}}));
}

TEST(TextWords, ATextThatIsCutShortSaysSo) {
    Harness h(in_the_text_room(TextChapter::decoding, TextTask::translate));
    EXPECT_FALSE(h.shows("text.cut_short"));
    h.change()->text_experiment.method = DecodingMethod::sample;
    h.change()->text_experiment.temperature = 3;
    for (int seed = 1; seed < 20; ++seed) {
        h.change()->text_experiment.seed = seed;
        h.settle();
        EXPECT_EQ(h.shows("text.cut_short"), !text(h).run.decoded.ended) << experiment(h).seed;
        if (h.shows("text.cut_short")) return;
    }
    FAIL() << "every text ended by itself";
}

TEST(TextWords, MaskedAttentionSaysWhatItsRowsSee) {
    Harness h(in_the_text_room(TextChapter::masked_attention));
    EXPECT_EQ(h.item("text.keys").text, h.app->text()("text.keys.decoder"));
    for (const auto& [what_if, aspect] : {std::pair{"no-mask", "open"}, {"mask-off-by-one", "late"}}) {
        h.change()->text_experiment.what_ifs = {what_if};
        h.settle();
        EXPECT_EQ(h.item("text.keys").text, h.app->text()(std::string("text.keys.decoder_") + aspect));
        EXPECT_EQ(sentence_key(chapter_of(look(h)), experiment(h)),
                  std::string("text.masked_attention.sentence_") + aspect);
    }
}

TEST(TextWords, WhatIsChangedStandsAboveTheTranslationInView) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(in_the_text_room(TextChapter::masked_attention), size);
        EXPECT_FALSE(h.shows("text.changed"));
        EXPECT_TRUE(h.item("text.no_changes").visible);
        h.change()->text_experiment.what_ifs = {"no-mask"};
        h.settle();
        EXPECT_TRUE(h.item("text.changed").visible);
        EXPECT_TRUE(h.item("text.change.0").visible);
        EXPECT_LT(h.item("text.change.0").rect.y1, h.item("text.said").rect.y0);
        EXPECT_TRUE(h.item("text.said").visible) << "and so is the translation";
        h.expect_readable("what is changed in a text");
    }
}

TEST(TextWords, ALongSentenceWrapsWhileItIsTyped) {
    const std::string sentence = "Tom gave the red book to the old teacher because it was small.";
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        Harness h(in_the_text_room(TextChapter::cross_attention), size);
        type_text(h, sentence);
        const Probe::Item& whole = h.item("text.input.whole");
        EXPECT_EQ(whole.value, 1) << "it is still typed";
        const Rect field = h.item("text.input").rect;
        EXPECT_EQ(whole.rect.y0, field.y0) << "its beginning is in view";
        EXPECT_LE(whole.rect.y1, field.y1 + 1) << "and its end";
        EXPECT_GT(whole.rect.height(), 2 * ImGui::GetTextLineHeight()) << "in several lines";
        EXPECT_EQ(experiment(h).text_in(TextChapter::cross_attention), sentence) << "breaks are no part of it";
    }
}

TEST(TextWords, FactsOfTheClassTokenAreThoseOfTheRunShown) {
    Harness h(in_the_text_room(TextChapter::cls));
    h.change()->text_experiment.what_ifs = {"k=q"};
    h.settle();
    const TextResult& now = text(h);
    const VerdictHead carries = *now.deciding_head;
    const std::vector<std::string> all = {"k=q", word_of_head(TextAttention::encoder, carries.block, carries.head)};
    const double told = now.lead_without;
    const int label = now.run.label;
    EXPECT_NE(fact(h, "text.fact.without_it").find(number_text(told)), std::string::npos)
        << fact(h, "text.fact.without_it");
    h.change().text().look.block = carries.block;
    h.change().text().look.head = carries.head;
    h.settle();
    h.frame(3);
    const auto block = attention_of(now.run, TextAttention::encoder, carries.block);
    const AttentionMap map = map_of(*block, carries.head);
    float most = 0;
    for (int i = 0; i < map.columns; ++i) most = std::max(most, map.at(0, i));
    EXPECT_TRUE(h.item("fact.2").text.ends_with(number_text(static_cast<double>(most)))) << h.item("fact.2").text;
    h.change()->text_experiment.what_ifs = all;
    h.settle();
    EXPECT_NEAR(told, lead_of(text(h).run.trace, label), 1e-4) << "with the head off as well";
}

}  // namespace
}  // namespace vitrine
