#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/base/team.h"
#include "core/measures/analysis.h"
#include "core/measures/occlusion.h"
#include "core/vit/forward.h"
#include "tests/lively_model.h"

namespace vitrine {
namespace {

TEST(Occlusion, ACoverThatChangesNothingDropsNothingAndEveryPatchIsCounted) {
    const Model model = lively_model(small_measured(), 12);
    Tensor3 flat = tensor3(3, 12, 12);
    std::fill(flat.begin(), flat.end(), 0.25F);
    for (const Cover cover : {Cover::mean, Cover::blur}) {
        const OcclusionMap map = occlusion({model, flat, {}, {2, cover, 1}});
        EXPECT_EQ(map.done, 4);
        EXPECT_EQ(map.total, 4);
        EXPECT_EQ(map.counts, (std::vector<int>{1, 2, 1, 2, 4, 2, 1, 2, 1}));
        for (const float drop : map.drop) EXPECT_NEAR(drop, 0, 1e-6);
    }
}

TEST(Occlusion, OfOnePatchIsTheDifferenceOfTwoRuns) {
    const Model model = lively_model(small_measured(), 13);
    const Tensor3 image = wavy_picture(model.config);
    const Trace plain = forward(model, image);
    const OcclusionMap tokens = occlusion({model, image, {}, {1, Cover::token, 2}});
    const float without = what_if(model, plain, std::vector{remove_token(6)}).head->probabilities(0, 2);
    const auto first_of = [](const Trace& trace) { return top_predictions(*trace.head, 1).front().index; };
    int others = 0;
    for (int token = 1; token < model.config.tokens(); ++token)
        if (first_of(what_if(model, plain, std::vector{remove_token(token)})) != first_of(plain)) ++others;
    EXPECT_EQ(tokens.other_answers, others) << "covers under which another class comes first";
    EXPECT_NEAR(tokens.drop(1, 2), plain.head->probabilities(0, 2) - without, 1e-6);

    Tensor3 grey = image;
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t y = 4; y < 8; ++y) std::fill_n(&grey(c, y, 8), 4, 0.0F);
    const OcclusionMap pixels = occlusion({model, image, {}, {1, Cover::grey, 2}});
    EXPECT_NEAR(pixels.drop(1, 2), plain.head->probabilities(0, 2) - forward(model, grey).head->probabilities(0, 2),
                1e-6);
    EXPECT_NE(pixels.drop(1, 2), 0.0F);
}

TEST(Occlusion, TriesSeveralCoversAtOnceWithTheSameNumbers) {
    const Model model = lively_model(small_measured(), 16);
    const Tensor3 image = wavy_picture(model.config);
    const OcclusionOf of{model, image, {}, {2, Cover::mean, 1}};
    const auto with_threads = [&](int threads) {
        const ThreadCount count(threads);
        return occlusion(of);
    };
    const OcclusionMap alone = with_threads(1), together = with_threads(3);
    EXPECT_EQ(alone.drop, together.drop);
    EXPECT_EQ(alone.loss, together.loss);
    EXPECT_EQ(alone.counts, together.counts);
}

TEST(Occlusion, UnderAShuffleTheMapFollowsTheTokens) {
    const Model model = lively_model(small_measured(), 15);
    const Tensor3 image = wavy_picture(model.config);
    const std::vector<Intervention> what_ifs = {shuffle_tokens(2)};
    const std::vector<int> order = shuffled_order(9, 2);
    const OcclusionMap map = occlusion({model, image, what_ifs, {1, Cover::grey, 2}});
    const std::size_t token = 4, patch = static_cast<std::size_t>(order[token]), top = patch / 3 * 4,
                      left = patch % 3 * 4;
    Tensor3 grey = image;
    for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t y = top; y < top + 4; ++y) std::fill_n(&grey(c, y, left), 4, 0.0F);
    const auto p = [&](const Tensor3& x) { return forward(model, x, {}, what_ifs).head->probabilities(0, 2); };
    EXPECT_NEAR(map.drop.data()[token], p(image) - p(grey), 1e-6);
}

TEST(Occlusion, TellsHowFarItIsAndStopsWhenAsked) {
    const Model model = lively_model(small_measured(), 14);
    int changes = 0;
    const OcclusionMap whole =
        occlusion({model, wavy_picture(model.config), {}, {1, Cover::mean, 0}}, [&](const OcclusionMap& map) {
            ++changes;
            EXPECT_EQ(std::accumulate(map.counts.begin(), map.counts.end(), 0), map.done);
        });
    EXPECT_GE(changes, 1);
    EXPECT_EQ(whole.done, 9);
    const auto stopped_at = [&](int threads, int call) {
        const ThreadCount count(threads);
        int calls = 0;
        EXPECT_THROW(occlusion({model, wavy_picture(model.config), {}, {1, Cover::mean, 0}}, {},
                               [&](double) {
                                   if (++calls == call) throw Cancelled();
                               }),
                     Cancelled)
            << threads;
        EXPECT_EQ(calls, call) << threads;
    };
    stopped_at(2, 4);
    stopped_at(64, 2);  // all covers at once
}

}  // namespace
}  // namespace vitrine
