#include "app/lecture/lesson.h"
#include "app/lecture/lesson_text.h"
#include "app/library/library.h"
#include "app/rooms/room_parts.h"
#include "app/sessions/session.h"
#include "app/workspace/linked.h"
#include "app/workspace/measured.h"
#include "app/workspace/recent.h"
#include "core/base/error.h"
#include "core/measures/head_statistics.h"
#include "core/vit/what_ifs.h"
#include "tests/files.h"
#include "tests/test_folder.h"
#include "tests/token_models.h"
#include "tests/ui/two_workspaces.h"

// The difference of two workspaces side by side.

namespace vitrine {
namespace {

TEST(TwoWorkspaces, TheDifferenceOfTheSameRunIsZeroAndThatOfAnotherIsNot) {
    Harness h({Harness::with_image("cat")}, {1920, 1080});
    go_to(h, "mlp");
    open_right(h);
    h.tap("beside.half.difference");
    ASSERT_TRUE(h.shows("difference.hidden.reach"));
    EXPECT_EQ(h.item("difference.hidden.reach").value, 0);
    open_image(h, "mug");
    EXPECT_GT(h.item("difference.hidden.reach").value, 0);
    const auto hidden = [](const Workspace& w) { return w.shown.result->trace.block(1)->mlp.activation; };
    const Tensor2 a = hidden(left(h)), b = hidden(right(h));
    float most = 0;
    for (std::size_t i = 0; i < a.shape()[1]; ++i) most = std::max(most, std::abs(a(0, i) - b(0, i)));
    EXPECT_NEAR(h.item("difference.hidden.reach").value, static_cast<double>(most), 1e-6);
    for (const Step& step : curriculum()) go_to(h, step.id);
    EXPECT_EQ(h.app->error(), "");
}

TEST(TwoWorkspaces, WhereShapesDifferTheAnswersAreCompared) {
    for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 720}}) {
        Harness h(Harness::with_image("cat"), size);
        go_to(h, "attention");
        open_right(h);
        h.tap("beside.half.difference");
        h.app->ask(command::OpenModel{{std::filesystem::path(VITRINE_GOLDEN) / "models/tiny_hf", {}}});
        h.frame(2);
        h.settle();
        const std::string prefix = size.x < 1900 ? "beside." : "";
        if (size.x < 1900) h.tap("half.title");
        EXPECT_TRUE(h.shows(prefix + "difference.shapes"));
        EXPECT_TRUE(h.shows(prefix + "difference.answers"));
        for (const Step& step : curriculum()) go_to(h, step.id);
    }
}

TEST(TwoWorkspaces, TheLaboratoryDrawsTheDifferenceOfEveryInstrument) {
    Harness h(Harness::with_image("cat"), {1920, 1080});
    go_to(h, "attention");
    open_right(h);
    h.tap("beside.half.difference");
    h.press(Key::f3);
    const std::pair<const char*, const char*> shown[] = {
        {"heads", "attention"}, {"heads", "entropy"},       {"compare", "pick.0"},      {"statistics", "distance"},
        {"depth", "rollout"},   {"tokens", "similarity"},   {"lens", "lens"},           {"lens", "lens_tokens"},
        {"ledger", "ledger"},   {"ledger", "ledger_heads"}, {"occlusion", "occlusion"}, {"causes", "importance"},
    };
    const auto visit = [&](const auto& check) {
        for (const auto& [instrument, figure] : shown) {
            h.app->ask(command::Look{{{"lab.instrument", instrument}}});
            h.frame(2);
            h.settle();
            const std::string id = std::string("difference.") + figure + ".reach";
            if (h.shows(id))
                check(id, h.item(id).value);
            else
                ADD_FAILURE() << id << " is not drawn";
        }
    };
    visit([](const std::string& id, double reach) { EXPECT_EQ(reach, 0) << id << ": A run less itself is 0"; });
    h.tap("beside.half.title");
    h.press(Key::x);  // switches the chosen head of B off
    h.settle();
    visit([](const std::string& id, double reach) {
        if (id.find("attention") == std::string::npos && id.find("pick") == std::string::npos) {  // before that head
            EXPECT_GT(reach, 0) << id;
        }
    });
    EXPECT_EQ(h.app->error(), "");
}

TEST(TwoWorkspaces, TheDifferenceOfAnInstrumentIsThatOfBothMeasurements) {
    Harness h(Harness::with_image("cat"), {1920, 1080});
    show_two_images(h);
    h.tap("beside.half.difference");
    h.press(Key::f3);
    h.app->ask(command::Look{{{"lab.instrument", "statistics"}}});
    h.frame(2);
    h.settle();
    const auto distances = [](const Workspace& w) { return w.measured->statistics->of("distance"); };
    const Tensor2 a = distances(left(h)), b = distances(right(h));
    float most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a.data()[i] - b.data()[i]));
    EXPECT_NEAR(h.item("difference.distance.reach").value, static_cast<double>(most), 1e-6);
    h.hover("difference.distance");
    EXPECT_NE(h.item("readout").text.find("A = "), std::string::npos) << "both numbers are written out";
    EXPECT_NE(h.item("readout").text.find("B = "), std::string::npos);
    h.app->ask(command::Look{{{"lab.instrument", "occlusion"}}});
    h.frame(2);
    h.settle();
    EXPECT_TRUE(h.shows("difference.shapes")) << "the cat's class in A, the mug's in B";
    h.app->ask(command::Look{{{"lab.target", "0"}}});
    h.frame(2);
    h.settle();
    EXPECT_TRUE(h.shows("difference.occlusion.reach")) << "one class for both";
}

TEST(TwoWorkspaces, TheLaboratorySaysWhatHasNoDifference) {
    for (const ImVec2 size : {ImVec2{1920, 1080}, ImVec2{1280, 720}}) {
        Harness h(Harness::with_image("cat"), size);
        go_to(h, "attention");
        open_right(h);
        h.tap("beside.half.difference");
        h.app->ask(command::OpenModel{{std::filesystem::path(VITRINE_GOLDEN) / "models/tiny_hf", {}}});
        h.frame(2);
        h.settle();
        h.press(Key::f3);
        if (size.x < 1900) h.tap("half.title");
        const std::string prefix = size.x < 1900 ? "beside." : "";
        for (const auto& row : instrument_names) {
            h.app->ask(command::Look{{{"lab.instrument", row.name}}});
            h.frame(2);
            h.settle();
            EXPECT_TRUE(h.shows(prefix + "difference.shapes")) << row.name;
            EXPECT_TRUE(h.shows(prefix + "difference.answers")) << row.name;
        }
        EXPECT_EQ(h.app->error(), "");
    }
}

TEST(TwoWorkspaces, CompareHasNoDifferenceOfAHeadThatIsOffInBoth) {
    Harness h(Harness::with_image("cat"), {1920, 1080});
    h.change()->what_ifs = {remove_head(2, 0)};
    h.settle();
    h.change().focus().lab.instrument = Instrument::compare;
    h.change().focus().lab.picks = {{2, 0, {}}, {2, 1, {}}};
    h.press(Key::f3);
    open_right(h);
    open_image(h, "mug");
    h.tap("beside.half.difference");
    EXPECT_FALSE(h.shows("difference.pick.0.reach")) << "its weights are used in no run";
    EXPECT_TRUE(h.shows("difference.pick.1.reach"));
    h.change()->what_ifs.clear();
    h.settle();
    EXPECT_TRUE(h.shows("difference.pick.0.reach")) << "in one run it is on";
}

TEST(TwoWorkspaces, TheTextRoomDrawsTheDifference) {
    Harness h(Harness::with_image("cat"), {1920, 1080});
    go_to(h, "attention");
    open_right(h);
    h.tap("beside.half.difference");
    h.press(Key::f8);
    h.settle();
    const auto enter = [&](TextChapter chapter) {
        h.app->ask(command::Look{{{"text.chapter", name_of(chapter)}}});
        h.frame(2);
        h.settle();
    };
    enter(TextChapter::encoder);
    ASSERT_TRUE(h.shows("difference.text_attention.reach"));
    EXPECT_EQ(h.item("difference.text_attention.reach").value, 0) << "the same text twice";
    h.change().text().read("The animal didn't cross the street because it was too wide.");
    h.frame(2);
    h.settle();
    EXPECT_GT(h.item("difference.text_attention.reach").value, 0) << "another word, as many words";
    EXPECT_GT(h.item("difference.text_stream.reach").value, 0);
    h.hover("difference.text_attention");
    EXPECT_NE(h.item("readout").text.find(" → "), std::string::npos);
    for (const auto& row : text_chapter_names) enter(row.value);
    enter(TextChapter::encoder);
    for (const auto& row : text_instrument_names) {
        h.app->ask(command::Look{{{"text.lab", "yes"}, {"text.instrument", row.name}}});
        h.frame(2);
        h.settle();
        const bool drawn = h.shows("difference.text_attention.reach") || h.shows("difference.text_statistic.reach") ||
                           h.shows("difference.text_rollout.reach") || h.shows("difference.text_lens.reach") ||
                           h.shows("difference.text_ledger.reach") || h.shows("difference.text_occlusion.reach");
        EXPECT_TRUE(drawn) << row.name;
    }
    h.change().text().read("The dog sees the house.");
    h.frame(2);
    h.settle();
    h.app->ask(command::Look{{{"text.instrument", "heads"}}});
    h.frame(2);
    h.settle();
    EXPECT_TRUE(h.shows("difference.shapes")) << "fewer words";
    EXPECT_TRUE(h.shows("difference.answers"));
    EXPECT_EQ(h.app->error(), "");
}

}  // namespace
}  // namespace vitrine
