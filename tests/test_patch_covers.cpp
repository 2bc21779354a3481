#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/measures/analysis.h"
#include "core/measures/perturbation.h"
#include "core/vit/forward.h"
#include "core/vit/patch_covers.h"
#include "core/vit/what_ifs.h"
#include "tests/lively_model.h"

namespace vitrine {
namespace {

/// "cover-blur:1+3": these patches, 0 … N_p − 1.
Intervention cover(const Config& c, const std::string& kind, std::vector<int> patches) {
    std::ranges::sort(patches);
    return parse_intervention("cover-" + kind + ":" + set_words(patches, 1), c);
}

std::vector<int> all_patches(const Config& c) {
    std::vector<int> all(static_cast<std::size_t>(c.patches()));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

TEST(PatchCovers, OverEveryPatchArePicturesOfGreyOfTheMeanColourAndOfTheBlur) {
    const Model model = lively_model(small_measured(), 9);
    const Config& c = model.config;
    const Tensor3 picture = wavy_picture(c);
    const Trace plain = forward(model, picture);
    for (const auto& [name, kind] : {std::pair("grey", Cover::grey), {"mean", Cover::mean}, {"blur", Cover::blur}}) {
        const Trace under = what_if(model, plain, std::vector{cover(c, name, all_patches(c))});
        EXPECT_EQ(under.head->logits, forward(model, cover_of(picture, c, kind)).head->logits) << name;
        EXPECT_EQ(under.embedding->image, picture) << "the picture itself stays";
    }
    const Tensor3 grey = cover_of(picture, c, Cover::grey);
    EXPECT_TRUE(std::ranges::all_of(grey, [](float x) { return x == 0; }));
}

TEST(PatchCovers, GiveThePointsOfTheDeletionCurves) {
    const Model model = lively_model(small_measured(), 9);
    const Config& c = model.config;
    const Trace plain = forward(model, wavy_picture(c));
    const PerturbationOf of{model, plain};
    const std::vector<float> map = ranking_of(of, Ranking::random);
    std::vector<int> order = all_patches(c);
    std::ranges::stable_sort(order, std::greater(), [&](int patch) { return map[static_cast<std::size_t>(patch)]; });
    const auto chosen = static_cast<std::size_t>(top_predictions(*plain.head, 1).front().index);
    for (const auto& [name, kind] : {std::pair("mean", Cover::mean), {"blur", Cover::blur}}) {
        const std::vector<float> curve = perturbation_curve(of, {map, Perturbation::deletion, kind});
        for (int step = 1; step <= perturbation_steps; ++step) {
            const auto gone = std::lround(static_cast<double>(c.patches()) * step / perturbation_steps);
            if (gone == 0) continue;
            const Intervention what = cover(c, name, {order.begin(), order.begin() + gone});
            EXPECT_EQ(what_if(model, plain, std::vector{what}).head->probabilities(0, chosen),
                      curve[static_cast<std::size_t>(step)])
                << name << ", step " << step;
        }
    }
}

TEST(PatchCovers, LeaveOtherPatchesAndAreGoneWithTheirWhatIf) {
    const Model model = lively_model(small_measured(), 9);
    const Config& c = model.config;
    const Trace plain = forward(model, wavy_picture(c));
    const Trace under = what_if(model, plain, std::vector{cover(c, "grey", {1})});
    for (int patch = 0; patch < c.patches(); ++patch) {
        const auto row = static_cast<std::size_t>(patch);
        bool same = true;
        for (std::size_t k = 0; k < under.embedding->patch_embedding.shape()[1]; ++k)
            same = same && under.embedding->patch_embedding(row, k) == plain.embedding->patch_embedding(row, k);
        EXPECT_EQ(same, patch != 1) << patch;
    }
    EXPECT_EQ(what_if(model, plain, {}).embedding, plain.embedding) << "pointers, not copies";
}

TEST(Direction, OfFactor0ChangesNoBitAndAddsATokensStateToOthers) {
    const Model model = lively_model(small_measured(), 9);
    const Config& c = model.config;
    const Trace plain = forward(model, wavy_picture(c));
    const auto with = [&](const char* word) { return what_if(model, plain, std::vector{parse_intervention(word, c)}); };
    EXPECT_EQ(with("direction:1:0:1-3:0").head->logits, plain.head->logits);
    const Trace moved = with("direction:1:2:1+3:0.5");
    const Tensor2 &before = plain.z(1), &after = moved.z(1);
    for (std::size_t row = 0; row < before.shape()[0]; ++row)
        for (std::size_t k = 0; k < before.shape()[1]; ++k)
            EXPECT_EQ(after(row, k), row == 1 || row == 3 ? before(row, k) + 0.5F * before(2, k) : before(row, k));
    EXPECT_NE(moved.head->logits, plain.head->logits);
}

}  // namespace
}  // namespace vitrine
