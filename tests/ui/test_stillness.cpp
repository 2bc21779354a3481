#include <gtest/gtest.h>
#include <imgui.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/ui/drawn_triangles.h"
#include "tests/ui/text_room.h"

// Without animation nothing moves by itself.

namespace vitrine {
namespace {

/// All that a frame draws, to be compared with another one.
std::vector<float> drawing_of_frame() {
    std::vector<float> all;
    for (const Triangle& t : drawn_triangles())
        for (int k = 0; k < 3; ++k) {
            all.push_back(t.at[k].x);
            all.push_back(t.at[k].y);
            all.push_back(static_cast<float>(t.color[k]));
        }
    return all;
}

/// Without animation a frame is drawn as the one a second before, once what is told has had its time.
void expect_still(Harness& h, const std::string& where) {
    ImGuiIO& io = ImGui::GetIO();
    const float usual = std::exchange(io.DeltaTime, 10.0F);
    h.frame(2);
    io.DeltaTime = usual;
    h.wait_until([&] { return !h.app->busy() && !h.app->context().jobs().busy(); });  // thumbnails come one by one
    h.frame(3);
    const std::vector<float> before = drawing_of_frame();
    io.DeltaTime = 0.7F;
    h.frame();
    EXPECT_TRUE(drawing_of_frame() == before) << "something moves in " << where;
    h.frame();
    EXPECT_TRUE(drawing_of_frame() == before) << "something moves in " << where;
    io.DeltaTime = usual;
}

TEST(Animation, OffLeavesEveryScreenStill) {
    Opening opening = Harness::with_image("cat");
    opening.state.settings.motion = false;
    Harness h(std::move(opening), {1280, 720});
    for (const Step& step : curriculum()) {
        go_to(h, step.id);
        expect_still(h, std::string(step.id));
    }
    h.carry_out(command::EnterRoom{"laboratory"});
    for (const auto& [instrument, name] : instrument_names) {
        h.change().focus().lab.instrument = instrument;
        h.settle();
        expect_still(h, std::string("lab ") + name);
    }
    for (const char* const room : {"learn", "exercise"}) {
        h.carry_out(command::EnterRoom{room});
        h.settle();
        expect_still(h, room);
    }
    h.carry_out(command::EnterRoom{"text"});
    h.settle();
    for (const auto& [chapter, name] : text_chapter_names) {
        enter(h, chapter);
        expect_still(h, std::string("text ") + name);
    }
    h.carry_out(command::EnterRoom{"explore"});
    for (const char* const dialog : {"start", "find", "help", "lessons", "language", "glossary", "references", "own",
                                     "take_away", "get_model", "open_image", "open_model", "camera", "save_as"}) {
        h.carry_out(command::ShowDialog{dialog});
        h.settle();
        expect_still(h, dialog);
    }
    h.carry_out(command::ShowDialog{});
    begin_lecture(h);
    expect_still(h, "a lecture");
}

TEST(Animation, OffStopsTheTextCursorThatBlinks) {
    for (const bool motion : {true, false}) {
        Opening opening = Harness::with_image("cat");
        opening.state.settings.motion = motion;
        Harness h(std::move(opening), {1280, 720});
        h.carry_out(command::ShowDialog{"find"});
        h.settle();
        h.frame(10);
        ImGui::GetIO().DeltaTime = 0.1F;
        bool blinks = false;
        const std::vector<float> before = drawing_of_frame();
        for (int i = 0; i < 20; ++i) {
            h.frame();
            blinks = blinks || drawing_of_frame() != before;
        }
        EXPECT_EQ(blinks, motion);
    }
}

}  // namespace
}  // namespace vitrine
