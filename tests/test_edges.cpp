#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "app/library/edges.h"
#include "app/library/library.h"
#include "app/library/samples.h"
#include "core/vit/forward.h"
#include "core/vit/what_ifs.h"
#include "tests/files.h"
#include "tests/small_model.h"

namespace vitrine {
namespace {

using EdgeFile = std::map<std::string, std::map<std::string, std::string>>;

EdgeFile committed_edges() {
    return nlohmann::json::parse(read(std::filesystem::path(VITRINE_SOURCE) / "assets/edges.json")).get<EdgeFile>();
}

AnswerChange change_on(const Model& model, const std::string& picture, const Intervention& what_if_of_it) {
    const auto image = open_image({picture, {}});
    const Trace trace = forward(model, preprocess(image->full, model.preprocessing, model.config).pixels);
    const Intervention alone[] = {what_if_of_it};
    return answer_change(*what_if(model, trace, alone).head, *trace.head);
}

TEST(Edges, EveryBundledPictureIsNamedRightlyAndItsWhatIfTells) {
    for (const BundledModel& bundled : bundled_models()) {
        const auto model = open_model(source_of(bundled));
        const EdgeFile all = committed_edges();
        ASSERT_TRUE(all.contains(bundled.name)) << "run ./dev model";
        const auto& edges = all.at(bundled.name);
        EXPECT_GT(edges.size(), 5U) << bundled.name;
        int other_choices = 0;
        for (const auto& [word, picture] : edges) {
            const Intervention what_if_of_it = parse_intervention(word, model->config);
            EXPECT_EQ(edge_picture(*model, what_if_of_it), picture) << word;
            const AnswerChange change = change_on(*model, picture, what_if_of_it);
            EXPECT_EQ(model->config.label(change.chosen), class_of_sample(picture.substr(picture.find(':') + 1)))
                << word << " on " << picture;
            EXPECT_GE(change.before.probability, sure_enough) << word << " on " << picture;
            EXPECT_TRUE(change.other_choice() || std::abs(change.probability()) >= 0.1)
                << word << " tells nothing on " << picture << "; run ./dev model";
            other_choices += change.other_choice() ? 1 : 0;
        }
        EXPECT_GT(other_choices, static_cast<int>(edges.size()) / 2) << bundled.name;
    }
}

TEST(Edges, AWhatIfThatTakesANumberHasThePictureOfTheNearestOnItsSide) {
    const auto model = open_model(small_model());
    const auto at = [&](float t) { return edge_picture(*model, temperature(t)); };
    ASSERT_TRUE(at(0.25F) && at(4));
    EXPECT_EQ(at(0.5F), at(0.25F));
    EXPECT_EQ(at(8), at(4));
    EXPECT_NE(at(0.5F), at(2)) << "colder and warmer do different things";
}

TEST(Edges, NeedNoWeights) {
    const auto model = open_model(small_model());
    for (const Intervention& head : {remove_head(2, 1), remove_head(1, 0)})
        EXPECT_EQ(edge_picture(open_header(small_model()), head), edge_picture(*model, head));
}

TEST(Edges, AModelThatIsNoneOfOursHasNone) {
    Model model = *open_model(small_model());
    model.provenance.path = "/somewhere/else";
    EXPECT_FALSE(edge_picture(model, remove_positions()));
}

TEST(Edges, AreFoundAgainByTheSameSearch) {
    const auto model = open_model(small_model());
    const std::vector<PictureRequest> pictures = edge_candidates({.set = pictures_of(*model), .count = 26, .seed = 3});
    ASSERT_EQ(pictures.size(), 26U);
    const std::vector<Interventions> what_ifs = {{remove_positions()}, {remove_head(2, 1)}};
    double told = 0;
    const EdgePictures once = edge_pictures({*model, pictures, what_ifs, 8}, [&](double share) {
        EXPECT_GE(share, told);
        told = share;
    });
    EXPECT_NEAR(told, 1, 1e-9);
    const EdgePictures again = edge_pictures({*model, pictures, what_ifs, 8});
    EXPECT_EQ(once.right, again.right);
    ASSERT_EQ(once.found.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
        ASSERT_EQ(once.found[i].size(), 8U);
        for (std::size_t k = 0; k < 8; ++k)
            EXPECT_EQ(sample_word(once.found[i][k].picture), sample_word(again.found[i][k].picture));
        for (std::size_t k = 1; k < 8; ++k)
            EXPECT_FALSE(changes_more(once.found[i][k].change, once.found[i][k - 1].change)) << "most telling first";
    }
    const EdgePicture& best = once.found[0].front();
    const AnswerChange change = change_on(*model, sample_word(best.picture), remove_positions());
    EXPECT_NEAR(change.margin(), best.change.margin(), 1e-4) << "the word opens the very picture";
}

TEST(Edges, OtherSeedsSearchOtherPictures) {
    const PictureSet set = bundled_pictures();
    const auto first = edge_candidates({.set = set, .count = 5, .seed = 1}),
               second = edge_candidates({.set = set, .count = 5, .seed = 2});
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NE(sample_word(first[i]), sample_word(second[i]));
}

}  // namespace
}  // namespace vitrine
