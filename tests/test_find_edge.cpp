#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/files.h"
#include "tests/program.h"
#include "tests/small_model.h"

namespace vitrine {
namespace {

using Json = nlohmann::json;

Json json_of_run(const std::string& words) {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.status, 0) << words << ": " << outcome.err;
    return Json::parse(outcome.out);
}

TEST(FindEdge, FindsTheSamePicturesAgainAndTellsWhatChangesThere) {
    const std::string words =
        std::string("find-edge --what-if positions,head:2.1 --count 26 --tried 4 --top 2 --json") + with_small_model;
    const Json once = json_of_run(words);
    EXPECT_EQ(once, json_of_run(words));
    EXPECT_EQ(once["what_if"], Json({"positions", "head:2.1"}));
    EXPECT_EQ(once["scenes"], "pictograms");
    EXPECT_EQ(once["tried"], 4);
    ASSERT_EQ(once["pictures"].size(), 2U);
    const Json& best = once["pictures"][0];
    const std::string picture = best["picture"];
    // The picture's word, given to trace, shows the very change.
    const Json trace =
        json_of_run("trace " + picture + " --what-if positions,head:2.1 --json" + std::string(with_small_model));
    EXPECT_NEAR(trace["change"]["difference"]["margin"].get<double>(),
                best["change"]["difference"]["margin"].get<double>(), 1e-4);
    EXPECT_EQ(trace["change"]["class"], best["change"]["class"]);
    EXPECT_NE(json_of_run(words + " --seed 2")["pictures"], once["pictures"]);
}

TEST(FindEdge, SaysItInWordsAndWhatIsWrongInASentence) {
    const Outcome told =
        run(std::string("find-edge --what-if no-norm --count 13 --tried 2 --top 1") + with_small_model);
    ASSERT_EQ(told.status, 0) << told.err;
    for (const char* const word : {"pictograms:", "probability", "logit", "margin", "loss"})
        EXPECT_NE(told.out.find(word), std::string::npos) << told.out;
    expect_failure("find-edge", 2, "--what-if");
    expect_failure("find-edge --what-if nonsense", 2, "nonsense");
    const std::string other = " --model " + (std::filesystem::path(VITRINE_GOLDEN) / "models/tiny_hf").string();
    expect_failure("find-edge --what-if positions --count 3" + other, 1, "none of its classes");
}

TEST(TraceCommand, TellsWhatTheWhatIfsChangeAndNothingWithoutThem) {
    const std::string trace = "trace cat --json" + std::string(with_small_model);
    const Json plain = json_of_run(trace), off = json_of_run(trace + " --what-if head:2.1");
    EXPECT_FALSE(plain.contains("change"));
    const Json& change = off["change"];
    const double logit = off["top"][0]["logit"].get<double>() - plain["top"][0]["logit"].get<double>();
    ASSERT_EQ(plain["top"][0]["label"], change["class"]["label"]);
    ASSERT_EQ(off["top"][0]["label"], change["first_now"]["label"]);
    ASSERT_EQ(off["top"][0]["label"], plain["top"][0]["label"]) << "one head leaves the cat a cat";
    EXPECT_NEAR(change["difference"]["logit"].get<double>(), logit, 1e-5);
    for (const char* const part : {"probability", "logit", "margin", "loss"})
        EXPECT_NEAR(change["now"][part].get<double>() - change["before"][part].get<double>(),
                    change["difference"][part].get<double>(), 1e-9)
            << part;
}

}  // namespace
}  // namespace vitrine
