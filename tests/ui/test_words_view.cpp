#include <gtest/gtest.h>

#include <filesystem>

#include "app/workspace/focus_words.h"
#include "app/workspace/words_measured.h"
#include "tests/files.h"
#include "tests/golden_files.h"
#include "tests/test_folder.h"
#include "tests/ui/laboratory_room.h"

// The instrument "Words": typed texts beside the image. The numbers themselves: tests/test_words.cpp.

namespace vitrine {
namespace {

Opening words_of_model(const std::string& kind) {
    Opening state = laboratory(Instrument::words);
    state.experiment.model = {golden_folder / "words" / kind, {}};
    return state;
}

std::string word_at(Harness& h, const std::string& id) { return h.item(id).text; }

TEST(WordsView, ShowsEachTextsProbabilityAndAClickShowsItsMap) {
    for (const std::string kind : {"clip", "siglip"}) {
        Harness h(words_of_model(kind));
        const WordsMeasured& w = *measured(h).words;
        ASSERT_EQ(w.refused, "");
        ASSERT_EQ(w.texts, (std::vector<std::string>{"a photo of a dog", "a photo of a cat", "a drawing"}));
        EXPECT_EQ(w.each_alone, kind == "siglip");
        for (std::size_t i = 0; i < w.texts.size(); ++i) {
            const std::string id = "words.text." + std::to_string(i);
            EXPECT_NEAR(h.item(id).value, static_cast<double>(w.nearness.probability[i]), 1e-6) << kind;
            EXPECT_EQ(word_at(h, id), w.texts[i]);
            for (std::size_t other = 0; other < w.texts.size(); ++other)
                if (w.nearness.logit[i] > w.nearness.logit[other]) {
                    EXPECT_LT(h.item(id).rect.y0, h.item("words.text." + std::to_string(other)).rect.y0);
                }
            h.tap("words.choose." + std::to_string(i));
            EXPECT_EQ(lab(h).text, static_cast<int>(i));
            EXPECT_NEAR(h.item("words.cosine").value, static_cast<double>(w.nearness.cosine[i]), 1e-6);
        }
        EXPECT_TRUE(h.shows("words.map"));
    }
}

TEST(WordsView, ATypedTextIsMeasuredAtOnce) {
    Harness h(words_of_model("clip"));
    const std::shared_ptr<const TextTower> tower = measured(h).text_tower;
    ASSERT_TRUE(tower);
    h.change().focus().lab.texts = "a dog\n\n  two cats ";
    h.settle();
    EXPECT_EQ(measured(h).text_tower, tower) << "it is read once";
    EXPECT_EQ(measured(h).words->texts, (std::vector<std::string>{"a dog", "two cats"}));
    EXPECT_FALSE(h.shows("words.text.2"));
    h.tap("lab.texts");
    h.type("boats");
    h.settle();
    EXPECT_NE(lab(h).texts.find("boats"), std::string::npos) << lab(h).texts;
    EXPECT_EQ(measured(h).words->typed, lab(h).texts);
    h.tap("words.choose.0");  // the field is left
    h.change().focus().lab.texts = "  \n";
    h.settle();
    EXPECT_TRUE(h.shows("words.none")) << "an empty list asks for a text";
}

TEST(WordsView, ItsCosinesAreExportedFromTheWindow) {
    const TestFolder own;
    Opening state = words_of_model("clip");
    state.state.settings.export_folder = (own / "taken").string();
    Harness h(std::move(state));
    h.app->ask(command::ExportNumbers{{"words", "words_patches"}, "csv"});
    h.frame(2);
    h.wait_until([&] { return !h.app->state().exporting.has_value(); });
    h.frame(2);
    EXPECT_EQ(h.app->error(), "");
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(own.path())) {
        if (entry.path().filename() != "words.csv") continue;
        ++files;
        const std::string written = read(entry.path());
        EXPECT_EQ(written.rfind("text,words\na photo of a dog,", 0), 0U) << written;
    }
    EXPECT_EQ(files, 1U);
}

TEST(WordsView, AModelWithoutATextTowerSaysWhatToOpen) {
    Harness h(laboratory(Instrument::words));
    ASSERT_TRUE(h.shows("words.none"));
    EXPECT_EQ(word_at(h, "words.none"), h.app->text()("two_towers.none")) << "the sentence of the chapter";
    EXPECT_EQ(word_at(h, "stage.sentence"), "") << "a space that this model lacks";
    EXPECT_FALSE(h.shows("lab.texts")) << "no text can be compared";
    EXPECT_FALSE(h.shows("brightness"));
    h.tap("words.get_model");
    EXPECT_EQ(h.app->state().dialog, "get_model");
}

TEST(WordsView, TheListIsAPartOfTheView) {
    Focus focus;
    TextExperiment text;
    focus.lab.texts = "a dog\ntwo cats";
    focus.lab.text = 1;
    Focus again;
    for (const FocusWord& word : focus_words({focus, text})) {
        EXPECT_EQ(word.second.find('\n'), std::string::npos);
        set_focus({again, text}, word);
    }
    EXPECT_EQ(again.lab.texts, focus.lab.texts);
    EXPECT_EQ(again.lab.text, 1);
    EXPECT_EQ(texts_in(std::string(300, '\n')).size(), 0U);
    std::string many;
    for (int i = 0; i < 60; ++i) many += "x\n";
    EXPECT_EQ(texts_in(many).size(), 20U);
}

}  // namespace
}  // namespace vitrine
