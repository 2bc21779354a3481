#include <gtest/gtest.h>
#include <imgui.h>

#include <filesystem>
#include <fstream>

#include "app/platform/imgui_compat.h"
#include "app/ui/probe.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

class ProbeFrame : public testing::Test {
protected:
    void SetUp() override {
        context = ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().DisplaySize = {200, 100};
        ImGui::GetIO().DeltaTime = 1.0F / 60;
        use_null_renderer();
        ImGui::NewFrame();
        probe.on = true;
        probe.begin_frame();
        ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
        ImGui::SetNextWindowPos({0, 0});
        ImGui::SetNextWindowSize({200, 100});
        ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
        ImGui::PushClipRect({0, 0}, {200, 100}, false);
    }
    void TearDown() override {
        ImGui::PopClipRect();
        ImGui::End();
        ImGui::PopStyleVar();
        ImGui::EndFrame();
        ImGui::DestroyContext(context);
    }

    ImGuiContext* context = nullptr;
    Probe probe;
};

TEST_F(ProbeFrame, TellsWhereAThingIsAndWhatItShows) {
    probe.mark("a", {10, 20, 30, 40}, 0.25, "25 %");
    const Probe::Item* const item = probe.find("a");
    ASSERT_NE(item, nullptr);
    EXPECT_EQ(item->rect, (Rect{10, 20, 30, 40}));
    EXPECT_TRUE(item->visible);
    EXPECT_EQ(item->value, 0.25);
    EXPECT_EQ(item->text, "25 %");
    EXPECT_EQ(probe.find("b"), nullptr);
}

TEST_F(ProbeFrame, CutsAThingToWhatCanBeClicked) {
    probe.mark("half", {190, 0, 210, 10});
    probe.mark("outside", {300, 0, 310, 10});
    EXPECT_EQ(probe.find("half")->rect.x1, 200);
    EXPECT_TRUE(probe.find("half")->visible);
    EXPECT_FALSE(probe.find("outside")->visible);
}

TEST_F(ProbeFrame, NamesAnIdThatStandsTwice) {
    probe.mark("a", {0, 0, 1, 1});
    EXPECT_TRUE(probe.duplicates().empty());
    probe.mark("a", {5, 5, 6, 6});
    EXPECT_EQ(probe.duplicates(), std::vector<std::string>{"a"});
    probe.begin_frame();
    EXPECT_TRUE(probe.duplicates().empty());
    EXPECT_TRUE(probe.items().empty());
}

TEST_F(ProbeFrame, RemembersNothingWhenOff) {
    probe.on = false;
    probe.mark("a", {0, 0, 1, 1});
    ImGui::Button("button");
    probe.mark_item("b");
    EXPECT_TRUE(probe.items().empty());
}

TEST_F(ProbeFrame, WritesOneLineAnItemForTestsOutside) {
    const fs::path file = fs::path(testing::TempDir()) / "vitrine_probe_test";
    probe.mark("a", {10, 20, 30, 40}, 0.5, "one half");
    probe.mark("b", {300, 0, 310, 10});
    probe.dump(file.string());
    std::ifstream in(file);
    std::string first, second;
    std::getline(in, first);
    std::getline(in, second);
    EXPECT_EQ(first, "a 1 10 20 30 40 0.5 one half");
    EXPECT_EQ(second.substr(0, 4), "b 0 ");
    EXPECT_FALSE(fs::exists(file.string() + ".part"));
    fs::remove(file);
}

}  // namespace
}  // namespace vitrine
