#include <gtest/gtest.h>

#include "app/lecture/lesson.h"
#include "app/ui/languages.h"
#include "tests/ui/contrast.h"
#include "tests/ui/walks.h"

// The stops of the bundled lessons in a window of 1280 × 720.

namespace vitrine {
namespace {

class StopsInASmallWindow : public testing::TestWithParam<std::string> {};

TEST_P(StopsInASmallWindow, AreReadableInEveryLanguage) {
    for (const std::string& language : language_codes())
        walk_stops(GetParam(), language, [](Harness& h, const std::string& where) { h.expect_readable(where); });
}

TEST_P(StopsInASmallWindow, HaveEnoughContrast) { walk_stops(GetParam(), "en", WalkedContrasts().visit); }

INSTANTIATE_TEST_SUITE_P(All, StopsInASmallWindow, testing::ValuesIn(bundled_lessons()));

}  // namespace
}  // namespace vitrine
