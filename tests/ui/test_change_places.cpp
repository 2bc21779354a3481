#include <gtest/gtest.h>

#include "core/vit/experiment.h"
#include "core/vit/what_ifs.h"
#include "tests/ui/text_room.h"
#include "tests/ui/written.h"

// The lists of what is changed: a name leads to the part, only the symbol takes a change back, and what takes back
// never comes under a pointer that rests.

namespace vitrine {
namespace {

Opening with_changes(const WhatIfs& what_ifs, const char* room = "explore") {
    Opening opening = Harness::with_image("cat");
    opening.experiment.what_ifs = what_ifs;
    opening.state.room = room;
    return opening;
}

/// The switches of a list that lie under the pointer.
std::vector<std::string> under_pointer(Harness& h, const std::string& list) {
    const ImVec2 at = ImGui::GetIO().MousePos;
    std::vector<std::string> found;
    for (const auto& [id, item] : h.app->probe().items()) {
        const Rect& r = item.rect;
        if (!id.starts_with(list) || !id.ends_with(".switch")) continue;
        if (at.x >= r.x0 && at.x < r.x1 && at.y >= r.y0 && at.y < r.y1) found.push_back(id);
    }
    return found;
}

/// A second click where the pointer is.
void click_again(Harness& h) {
    h.input.button(0, true);
    h.input.button(0, false);
    h.frame(4);
    h.settle();
}

TEST(ChangePlaces, TheNameOfAChangeLeadsToItsPartAndTakesNothingBack) {
    for (const ImVec2 size : {small_window, large_window})
        for (const char* const room : {"explore", "laboratory"}) {
            Harness h(with_changes({remove_head(3, 2)}, room), size);
            open_changes(h);
            h.settle();
            h.tap("removal.0");
            EXPECT_EQ(h.what_ifs(), WhatIfs{remove_head(3, 2)}) << room;
            EXPECT_EQ(h.app->state().room, "explore") << room;
            EXPECT_EQ(step_at(h.focus()).id, "attention") << room;
            EXPECT_EQ(h.focus().block, 3) << room;
            EXPECT_EQ(h.focus().head, 2) << room;
            h.tap("removal.0.switch");
            EXPECT_TRUE(h.what_ifs().empty()) << room;
        }
}

TEST(ChangePlaces, EveryKindOfChangeHasAChapterAndItsTipNamesIt) {
    Harness h(with_changes({}));
    open_changes(h);
    const Config config = h.result().model->config;
    const std::pair<const char*, const char*> places[] = {{"patch:3", "patches"},
                                                          {"mlp:2", "mlp"},
                                                          {"attention:2", "heads"},
                                                          {"block:2", "depth"},
                                                          {"unit:2.5", "mlp"},
                                                          {"edge:2.1:0:5", "attention_matrix"},
                                                          {"positions", "position_embedding"},
                                                          {"shuffle", "position_embedding"},
                                                          {"no-scale", "scores"},
                                                          {"k=q", "qkv"},
                                                          {"no-skip", "residual"},
                                                          {"no-norm", "layer_norm"},
                                                          {"activation:relu", "activation"}};
    for (const auto& [word, chapter] : places) {
        go_to(h, "image");
        h.change()->what_ifs = {parse_intervention(word, config)};
        h.settle();
        h.tap("removal.0");
        EXPECT_EQ(step_at(h.focus()).id, chapter) << word;
        EXPECT_EQ(h.what_ifs().size(), 1U) << word;
    }
    go_to(h, "qkv");
    h.tap("removal.0");
    EXPECT_EQ(step_at(h.focus()).id, "activation");
    h.change()->what_ifs = {without_skips(2)};
    go_to(h, "depth");
    h.tap("removal.0");
    EXPECT_EQ(step_at(h.focus()).id, "residual") << "there is the switch of one block";
    EXPECT_EQ(h.focus().block, 2);
}

TEST(ChangePlaces, TheOpenChapterStaysWhereItHasTheSwitch) {
    Harness h(with_changes({without_scaling()}));
    open_changes(h);
    go_to(h, "attention");
    h.tap("removal.0");
    EXPECT_EQ(step_at(h.focus()).id, "attention");
}

TEST(ChangePlaces, NoOtherChangeComesUnderThePointerThatTookOneBack) {
    for (const ImVec2 size : {small_window, large_window}) {
        Harness h(with_changes({remove_head(1, 1), remove_head(2, 1), remove_head(3, 1), remove_mlp(2)}), size);
        open_changes(h);
        h.settle();
        const Rect second = h.item("removal.1").rect;
        h.tap("removal.0.switch");
        ASSERT_EQ(h.what_ifs().size(), 3U);
        for (int i = 0; i < 30; ++i) {
            h.frame();
            EXPECT_TRUE(under_pointer(h, "removal.").empty()) << size.x;
        }
        EXPECT_EQ(h.item("removal.0").rect.y0, second.y0) << "nothing has risen";
        click_again(h);
        EXPECT_EQ(h.what_ifs().size(), 3U) << "the second click hits nothing";
        h.tap("removal.0.switch");
        EXPECT_EQ(h.what_ifs().size(), 2U) << "the next one is taken back where it was";
        h.input.move(600, 300);
        h.frame(6);
        EXPECT_LT(h.item("removal.0").rect.y0, second.y0) << "once the pointer has left, the rows close up";
    }
}

TEST(ChangePlaces, OfATextLeadToTheirChapterAndKeepTheirPlace) {
    for (const ImVec2 size : {small_window, large_window}) {
        Opening opening = in_the_text_room(TextChapter::tokens);
        opening.text_experiment.what_ifs = {"head:cross.2.1", "no-mask", "no-positions"};
        Harness h(std::move(opening), size);
        h.tap("text.change.0");
        EXPECT_EQ(look(h).chapter, TextChapter::cross_attention);
        EXPECT_EQ(look(h).block, 2);
        EXPECT_EQ(look(h).head, 1);
        h.tap("text.change.1");
        EXPECT_EQ(look(h).chapter, TextChapter::mask);
        EXPECT_EQ(experiment(h).what_ifs.size(), 3U);
        h.tap("text.change.0.switch");
        ASSERT_EQ(experiment(h).what_ifs.size(), 2U);
        for (int i = 0; i < 30; ++i) {
            h.frame();
            EXPECT_TRUE(under_pointer(h, "text.change.").empty()) << size.x;
        }
        click_again(h);
        EXPECT_EQ(experiment(h).what_ifs.size(), 2U);
    }
}

}  // namespace
}  // namespace vitrine
