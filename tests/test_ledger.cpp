#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/measures/ledger.h"
#include "core/transformer/edits.h"
#include "core/vit/forward.h"
#include "tests/example_edits.h"
#include "tests/golden_run.h"
#include "tests/lively_model.h"

namespace vitrine {
namespace {

void expect_sum(const Ledger& ledger, const Trace& trace, const std::string& what) {
    const std::size_t classes = trace.head->logits.shape()[1];
    float largest = 0;
    for (const float x : trace.head->logits) largest = std::max(largest, std::abs(x));
    for (std::size_t c = 0; c < classes; ++c) {
        double sum = 0;
        for (std::size_t e = 0; e < ledger.entries.size(); ++e) sum += static_cast<double>(ledger.contributions(e, c));
        EXPECT_NEAR(sum, trace.head->logits(0, c), 1e-4 * static_cast<double>(largest)) << what << ", class " << c;
    }
}

bool has(const Ledger& ledger, LedgerEntry::Part part) {
    return std::any_of(ledger.entries.begin(), ledger.entries.end(),
                       [&](const LedgerEntry& e) { return e.part == part; });
}

TEST(Ledger, SumsToTheLogitsOnEveryGoldenModel) {
    std::ifstream in(golden_folder / "index.json");
    int checked = 0;
    for (const auto& row : nlohmann::json::parse(in)) {
        const std::string name = row.at("model");
        const GoldenRun run =
            golden_measures(name, row.contains("heads") ? std::optional(row.at("heads").get<int>()) : std::nullopt);
        if (run.model.config.classes == 0) continue;
        const Ledger ledger = logit_ledger(run.model, run.trace);
        expect_sum(ledger, run.trace, name);
        EXPECT_FALSE(has(ledger, LedgerEntry::Part::rest)) << name;
        ++checked;
    }
    EXPECT_GE(checked, 8);
}

TEST(Ledger, SumsToTheLogitsInEveryWiringAndUnderWhatIfs) {
    for (const Norm norm : {Norm::before, Norm::after, Norm::none})
        for (const bool skips : {true, false}) {
            Config c = small_measured();
            c.norm = norm;
            c.skips = skips;
            const Model model = lively_model(c, 9);
            const Trace trace = forward(model, wavy_picture(c));
            const std::string wiring = std::string(name_of(norm)) + (skips ? "" : ", no skips");
            const Ledger plain = logit_ledger(model, trace);
            expect_sum(plain, trace, wiring);
            EXPECT_EQ(plain.entries.size(), 1U + 3 * (2 + 1 + 1) + 2) << wiring;
            const std::vector<float> last = last_heads(model, trace, 1);
            for (std::size_t i = 0; i < plain.entries.size(); ++i) {
                const LedgerEntry& e = plain.entries[i];
                if (e.part != LedgerEntry::Part::head || e.block != c.blocks) continue;
                EXPECT_NEAR(last[static_cast<std::size_t>(e.head)], plain.contribution(i, 1), 1e-5) << wiring;
            }
            for (const std::vector<Intervention>& what_ifs :
                 {std::vector{remove_head(2, 1)}, std::vector{remove_mlp(3), remove_token(4)},
                  std::vector{without_skips(2)}, std::vector{normalise(Norm::after)}, dropout(0.2F, 5)}) {
                const Trace changed = what_if(model, trace, what_ifs);
                expect_sum(logit_ledger(model, changed, what_ifs), changed, wiring + ", what-ifs");
            }
        }
}

TEST(Ledger, SumsToTheLogitsUnderEveryKindOfEditAndNamesEveryPartWhereTheEquationsDo) {
    const Model model = lively_model(small_measured(), 9);
    const Trace trace = forward(model, wavy_picture(model.config));
    std::vector<Intervention> all = {without_skips(2),
                                     {Site::skip, {.block = 2}, Scale{0.5F}},
                                     {Site::msa, {.block = 2}, Scale{0.5F}},
                                     {Site::msa, {.block = 3}, Scale{0}}};
    for (const Intervention& i : example_edits()) all.push_back(i);
    for (const Intervention& i : all) {
        const std::vector<Intervention> what_ifs = {i};
        const Trace changed = what_if(model, trace, what_ifs);
        const Ledger ledger = logit_ledger(model, changed, what_ifs);
        expect_sum(ledger, changed, describe(i));
        const bool of_numbers = std::holds_alternative<Drop>(i.edit) || i.site == Site::stream;
        EXPECT_EQ(has(ledger, LedgerEntry::Part::rest), of_numbers) << describe(i);
    }
}

TEST(Ledger, SumsToTheLogitsForEveryReadout) {
    for (const Norm norm : {Norm::before, Norm::after})
        for (const Readout readout : {Readout::mean, Readout::last})
            for (const bool class_token : {true, false}) {
                Config c = small_measured();
                c.norm = norm;
                c.readout = readout;
                if (!class_token) c.leading.clear();
                const Model model = lively_model(c, 9);
                const Trace trace = forward(model, wavy_picture(c));
                const std::string name = std::string(name_of(norm)) + ", " + name_of(readout);
                const Ledger plain = logit_ledger(model, trace);
                expect_sum(plain, trace, name);
                EXPECT_FALSE(has(plain, LedgerEntry::Part::rest)) << name;
                const std::vector<Intervention> what_ifs = {without_skips(2), remove_head(1, 1)};
                const Trace changed = what_if(model, trace, what_ifs);
                expect_sum(logit_ledger(model, changed, what_ifs), changed, name + ", what-ifs");
            }
}

TEST(Ledger, ARemovedHeadAddsNothingAndNamesAreUnique) {
    const Model model = lively_model(small_measured(), 10);
    const std::vector<Intervention> what_ifs = {remove_head(2, 1)};
    const Trace trace = what_if(model, forward(model, wavy_picture(model.config)), what_ifs);
    const Ledger ledger = logit_ledger(model, trace, what_ifs);
    EXPECT_FALSE(has(ledger, LedgerEntry::Part::rest)) << "the head itself holds the change";
    std::vector<std::string> names;
    for (std::size_t e = 0; e < ledger.entries.size(); ++e) {
        names.push_back(name_of(ledger.entries[e]));
        if (ledger.entries[e].part == LedgerEntry::Part::head) {
            EXPECT_EQ(ledger.contribution(e, 0) == 0.0F, names.back() == "block.2.head.1") << names.back();
        }
        EXPECT_FLOAT_EQ(ledger.contribution(e, 0, 1), -ledger.contribution(e, 1, 0)) << "differences are antisymmetric";
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::unique(names.begin(), names.end()), names.end());
}

}  // namespace
}  // namespace vitrine
