#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "app/rooms/figures/change_figure.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "core/measures/analysis.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

/// The number that is written there, without thin spaces and with a hyphen.
double read_number(std::string words) {
    for (const auto& [from, to] : {std::pair<std::string, std::string>{"\u2212", "-"}, {"\u2009", ""}})
        for (std::size_t at; (at = words.find(from)) != std::string::npos;) words.replace(at, from.size(), to);
    return std::stod(words);
}

/// Switching a part off: what is written as the change is the difference of what is written beside it.
TEST(ChangeNumbers, OfAnAnswerAreTheDifferencesOfTheNumbersBesideThem) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    h.change()->settings.folded = {"changes.open"};
    for (const WhatIfs& what_ifs :
         {WhatIfs{remove_mlp(1)}, WhatIfs{remove_positions()}, WhatIfs{remove_head(2, 1), remove_mlp(2)}}) {
        h.change()->what_ifs = what_ifs;
        h.settle();
        go_to(h, "attention");
        h.hover("change");
        h.frame(60);
        const std::string told = h.item("readout").text;
        const AnswerChange change = *change_of(h.result());
        for (const auto& [before, now] :
             {std::pair{change.before.logit, change.now.logit}, {change.before.margin, change.now.margin}}) {
            const double difference = std::abs(now - before);
            if (difference < 0.02 * std::max(std::abs(before), std::abs(now))) continue;  // in decimals of its own
            const int digits = digits_for(now - before, std::minus<>{}, now, before);
            const std::string first = digits_text(before, digits), last = digits_text(now, digits);
            EXPECT_NE(told.find(first + " → " + last), std::string::npos) << told;
            EXPECT_EQ(signed_text(read_number(last) - read_number(first)), signed_text(now - before)) << told;
        }
    }
}

}  // namespace
}  // namespace vitrine
