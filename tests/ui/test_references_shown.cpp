#include <gtest/gtest.h>

#include <fstream>

#include "app/library/references.h"
#include "tests/files.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

TEST(ReferencesShown, StandInFullAtEveryChapterAndInstrument) {
    Harness h;
    for (const Step& step : curriculum()) {
        go_to(h, step.id);
        for (const Reference* const row : references_of("step." + std::string(step.id)))
            EXPECT_EQ(h.item("reference." + row->id).text, full_words(*row)) << step.id;
    }
    h.press(Key::f3);
    for (const auto& [instrument, name] : instrument_names) {
        h.change().focus().lab.instrument = instrument;
        h.settle();
        for (const Reference* const row : references_of("lab." + std::string(name)))
            EXPECT_EQ(h.item("reference." + row->id).text, full_words(*row)) << name;
    }
}

TEST(ReferencesShown, AClickOpensThemAndTheirButtonCopiesThem) {
    Harness h;
    h.app->ask(command::LookUp{"references", "Quantifying"});
    h.frame(4);
    h.tap("references.row.abnar2020");
    EXPECT_EQ(h.app->take_link(), "https://doi.org/10.18653/v1/2020.acl-main.385");
    EXPECT_EQ(h.app->take_link(), "") << "once";
    EXPECT_FALSE(h.shows("notice")) << "not before a browser was found";
    h.app->report_link("https://example.org/a", true);
    h.frame(2);
    EXPECT_EQ(h.item("notice").text, "Opened in your browser: https://example.org/a");
    h.app->report_link("https://example.org/b", false);
    h.frame(2);
    EXPECT_TRUE(h.item("notice").text.starts_with("Copied the address")) << h.item("notice").text;
    EXPECT_EQ(std::string(ImGui::GetClipboardText()), "https://example.org/b");
    h.tap("references.row.abnar2020.copy");
    EXPECT_EQ(std::string(ImGui::GetClipboardText()), full_words(*reference_named("abnar2020")));
    EXPECT_NE(h.item("notice").text.find("Abnar & Zuidema 2020"), std::string::npos);
    h.app->ask(command::OpenReference{"nobody1900"});
    h.frame(2);
    EXPECT_NE(h.app->error(), "");
}

TEST(ReferencesShown, AreSearchedAndTakenAwayAsBibTex) {
    const TestFolder folder;
    Opening opening = Harness::with_image("cat");
    opening.state.settings.export_folder = folder.path().string();
    Harness h(std::move(opening));
    h.press(Key::k, Key::ctrl);
    h.type("bibliography");
    h.press(Key::enter);
    ASSERT_EQ(h.item("dialog").text, "dialog.references");
    h.type("1901");
    h.frame(3);
    EXPECT_TRUE(h.shows("references.row.pearson1901"));
    EXPECT_FALSE(h.shows("references.row.abnar2020"));
    h.tap("references.bibtex");
    EXPECT_EQ(read(folder / "vitrine.bib"), bibtex_file());
    EXPECT_NE(h.item("notice").text.find("vitrine.bib"), std::string::npos);
}

}  // namespace
}  // namespace vitrine
