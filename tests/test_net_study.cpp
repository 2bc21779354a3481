#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/base/error.h"
#include "core/training/net_study.h"

namespace vitrine {
namespace {

NetStudy recorded() {
    const std::filesystem::path file = std::filesystem::path(VITRINE_SOURCE) / "assets/studies/vit_cnn.json";
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return net_study_from_json(text.str(), file.string());
}

TEST(NetStudy, LetsBothNetsLearnFromEveryNumberOfPictures) {
    const NetStudyPlan plan{.pictures = 64, .seed = 3, .seeds = 2, .fresh = 32};
    const std::vector<Recipe> recipes = study_recipes(plan);
    ASSERT_EQ(recipes.size(), 8U);
    for (std::size_t i = 0; i < recipes.size(); i += 2) {
        EXPECT_EQ(recipes[i].net, Net::vit);
        EXPECT_EQ(recipes[i + 1].net, Net::cnn);
        EXPECT_EQ(recipes[i].distinct_pictures, recipes[i + 1].distinct_pictures);
        EXPECT_EQ(recipes[i].batch, recipes[i + 1].batch);
        EXPECT_NO_THROW(check(recipes[i]));
    }
    const NetStudy study = study_nets(plan, 2);
    EXPECT_EQ(study.points.size(), 16U);
    EXPECT_EQ(study.points.front().seed, 3U);
    EXPECT_EQ(study.points.back().seed, 4U);
    const NetStudySpread spread = study.at(Net::cnn, 0);
    EXPECT_EQ(spread.mean, (study.points[7].accuracy + study.points[15].accuracy) / 2);
    EXPECT_EQ(spread.least, std::min(study.points[7].accuracy, study.points[15].accuracy));
    EXPECT_EQ(spread.most, std::max(study.points[7].accuracy, study.points[15].accuracy));
    for (const std::uint64_t count : study_counts)
        for (const Net net : {Net::vit, Net::cnn}) EXPECT_GE(study.at(net, count).least, 0);
    EXPECT_EQ(to_json(net_study_from_json(to_json(study), "test")), to_json(study));
    EXPECT_THROW(study.at(Net::vit, 7), Error);
}

TEST(NetStudy, RefusesWhatIsNone) {
    for (const char* const text :
         {"", "[]", "{}", R"({"pictures":1,"seed":1,"threads":1,"fresh":1,"runs":[{"net":"rnn"}]})"})
        EXPECT_THROW(net_study_from_json(text, "test"), Error);
}

TEST(NetStudy, IsReadFromFilesThatDoNotSayWhoWroteThem) {
    const std::string text = R"({"pictures":64,"seed":3,"threads":2,"fresh":32,"runs":[{"net":"vit","accuracy":0.5}]})";
    const NetStudy study = net_study_from_json(text, "test");
    EXPECT_EQ(study.plan.pictures, 64U);
    EXPECT_EQ(study.plan.seeds, 1);
    EXPECT_EQ(study.at(Net::vit, 0).mean, 0.5);
}

TEST(NetStudy, TheRecordingSaysWhatIsToldOfIt) {
    const NetStudy study = recorded();
    const NetStudyPlan offered;  // what Learn runs
    EXPECT_EQ(study.plan.pictures, offered.pictures);
    EXPECT_EQ(study.plan.seed, offered.seed);
    EXPECT_EQ(study.plan.seeds, offered.seeds);
    EXPECT_EQ(study.points.size(), 8U * static_cast<std::size_t>(offered.seeds));
    for (const std::uint64_t count : {1'000, 10'000, 0})
        EXPECT_GT(study.at(Net::cnn, count).least, study.at(Net::vit, count).most) << "the bias pays, " << count;
    for (const Net net : {Net::vit, Net::cnn}) {
        EXPECT_LT(study.at(net, 100).most, study.at(net, 1'000).least) << "more pictures help";
        EXPECT_LT(study.at(net, 1'000).mean, study.at(net, 0).mean);
        EXPECT_GT(study.at(net, 100).training_mean, 0.95) << "few are learned by heart";
        EXPECT_LT(study.at(net, 100).most, 0.2) << "and little else is known";
    }
    const NetStudySpread many = study.at(Net::cnn, 10'000), endless = study.at(Net::cnn, 0);
    EXPECT_LT(std::abs(endless.mean - many.mean), endless.most - endless.least) << "less than a seed makes";
}

}  // namespace
}  // namespace vitrine
