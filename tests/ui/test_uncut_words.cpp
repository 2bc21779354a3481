#include <gtest/gtest.h>

#include "app/ui/languages.h"
#include "tests/ui/written.h"

// Long names of tokens are not cut where there is room beside them.

namespace vitrine {
namespace {

TEST(UncutWords, NamesOfTokensAreWholeInDepthAndStatistics) {
    for (const ImVec2 size : {small_window, large_window})
        for (const std::string& language : language_codes()) {
            Opening opening;
            opening.state.settings.language = language;
            opening.selection.focus.token = 196;
            Harness h(std::move(opening), size);
            for (const char* const step : {"depth", "layer_norm"}) {
                go_to(h, step);
                h.expect_readable(step + std::string(" in ") + language);
            }
            h.change().focus().lab.instrument = Instrument::statistics;
            h.app->ask(command::EnterRoom{"laboratory"});
            h.settle();
            h.expect_readable("statistics in " + language);
        }
}

/// The line of what is changed names a change alone where there is no room for "Changed", too.
TEST(UncutWords, AChangeIsNamedWholeInALowWindow) {
    for (const std::string& language : language_codes()) {
        Opening opening = Harness::with_image("cat");
        opening.state.settings.language = language;
        opening.experiment.what_ifs = {normalise(Norm::none)};
        Harness h(std::move(opening), small_window);
        const std::string name = h.app->text()("removal.norm_none_everywhere");
        bool whole = false;
        for (const Probe::Words& words : h.app->probe().words())
            whole = whole || words.text.find(name) != std::string::npos;
        EXPECT_TRUE(whole) << language;
    }
}

}  // namespace
}  // namespace vitrine
