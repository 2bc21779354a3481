#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "app/ui/languages.h"
#include "app/ui/text.h"
#include "app/workspace/settings.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

TEST(TopBar, KeepsTheRoomForTheMarkOfTraining) {
    for (const std::string& language : language_codes())
        for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
            Opening opening = Harness::with_image("cat");
            opening.state.settings.language = language;
            Harness h(std::move(opening), size);
            const auto places = [&] {
                std::vector<Rect> all;
                for (const char* const id : {"top.mode.explore", "top.mode.learn", "top.mode.text", "top.image"})
                    all.push_back(h.item(id).rect);
                return all;
            };
            const std::vector<Rect> before = places();
            h.carry_out(command::EnterRoom{"learn"});
            h.settle();
            h.carry_out(command::Do{"learn.step"});
            h.wait_until([&] { return h.app->context().jobs().has_learning(); });
            h.carry_out(command::EnterRoom{"explore"});
            const std::string room = h.app->text()("top.mode.learn");
            h.wait_until([&] { return h.item("top.mode.learn").text != room; });
            EXPECT_EQ(places(), before) << language << " at " << size.x;
            h.expect_readable("a mark in " + language);
        }
}

/// At a dialog that has room beside it.
TEST(Notices, CoverNothingBelowADialogsTitle) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}})
        for (const std::string& language : language_codes()) {
            Opening opening = Harness::with_image("cat");
            opening.state.settings.language = language;
            Harness h(std::move(opening), size);
            std::set<std::string> of_window;
            for (const Probe::Words& words : h.app->probe().words()) of_window.insert(words.text);
            h.app->ask(command::ShowDialog{"lessons"});
            h.settle();
            const Rect dialog = h.item("dialog").rect, close = h.item("dialog.close").rect;
            std::vector<Probe::Words> below;
            for (const Probe::Words& words : h.app->probe().words())
                if (dialog.contains(words.rect.centre()) && words.rect.centre().y > close.y1 &&
                    !of_window.contains(words.text))
                    below.push_back(words);
            EXPECT_FALSE(below.empty());
            const Text& text = h.app->text();
            const std::string name = "a photograph of somebody's holidays in the mountains, taken last summer.jpeg";
            for (const std::string& notice :
                 {text("first_minute.instead", {{"name", name}}), std::string(text("lecture.led_back_over")),
                  text("lessons.kept_changed",
                       {{"count", "12"}, {"file", "/home/someone/my-lesson.lesson"}, {"parts", name + ", " + name}})}) {
                h.app->take_in(arrival::Notice{notice});
                h.frame(4);
                for (const Probe::Words& words : below)
                    EXPECT_FALSE(h.item("notice").rect.overlaps(words.rect))
                        << words.text << " in " << language << " at " << size.x;
            }
        }
}

}  // namespace
}  // namespace vitrine
