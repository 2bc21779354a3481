#include <gtest/gtest.h>

#include <string>

#include "app/chapters/step.h"
#include "tests/ui/keyboard_reach.h"

// The keyboard comes wherever the mouse can press.

namespace vitrine {
namespace {

TEST(KeyboardReach, IsThatOfTheMouseInEveryStep) {
    Harness h;
    for (const Step& step : curriculum()) {
        h.change().focus().step = step_index(step.id);
        h.settle();
        h.frame(100);
        expect_all_reached(h, std::string(step.id));
    }
}

TEST(KeyboardReach, IsThatOfTheMouseInEveryDialog) {
    for (const char* const dialog : {"open_image", "open_model", "find", "help", "language", "lessons", "get_model",
                                     "take_away", "recover", "open_session", "open_lesson", "start", "save_as",
                                     "references", "own", "own_folder", "image_folder", "camera", "glossary"}) {
        Harness h;
        h.app->ask(command::ShowDialog{dialog});
        h.settle();
        expect_all_reached(h, std::string("dialog ") + dialog);
    }
}

}  // namespace
}  // namespace vitrine
