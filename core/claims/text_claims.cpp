#include <algorithm>
#include <string>

#include "core/base/sha256.h"
#include "core/claims/claims.h"
#include "core/training/presets.h"
#include "core/training/text/text_recipe.h"

// Claims about training text Transformers. A preset's claim has the preset's id; its figures a and b are the shares of
// held-out examples with a correct output.

namespace vitrine {

namespace {

constexpr double none = 0;

struct BothTexts {
    TextRecord a, b;

    double right_a() const { return right_of(a.evaluation); }
    double right_b() const { return right_of(b.evaluation); }
    /// The default trial: the margin is A's share of correct outputs minus B's.
    Trial trial() const { return {right_a() - right_b(), {{"a", right_a()}, {"b", right_b()}}}; }
};

BothTexts both_runs(const ClaimGround& ground, const char* preset, std::uint64_t seed) {
    const auto recipes = recipes_of(*preset_named<Texts>(preset), seed);
    return {ground.run_text(recipes[0]), ground.run_text(recipes[1])};
}

auto comparing_texts(const char* preset) {
    return [preset](const ClaimGround& ground, std::uint64_t seed) { return both_runs(ground, preset, seed).trial(); };
}

/// The default trial plus both losses (under teacher forcing); the margin is 0 if the loss is higher without the mask.
Trial without_mask(const ClaimGround& ground, std::uint64_t seed) {
    const BothTexts both = both_runs(ground, "mask", seed);
    Trial trial = both.trial();
    trial.figures.push_back({"loss_a", both.a.loss, FigureKind::number});
    trial.figures.push_back({"loss_b", both.b.loss, FigureKind::number});
    if (both.b.loss > both.a.loss) trial.margin = none;
    return trial;
}

double it_of(const TextRecord& r) { return r.evaluation.it ? r.evaluation.it->head.share : none; }

/// How much more often the best head's row of "it" attends to its noun if the model also learns to name the noun than
/// if it does not; the margin is 0 unless both models translate.
Trial without_asking(const ClaimGround& ground, std::uint64_t seed) {
    const BothTexts both = both_runs(ground, "it", seed);
    Trial trial = both.trial();
    constexpr double translates = 0.9;
    trial.margin = std::min(both.right_a(), both.right_b()) > translates ? it_of(both.a) - it_of(both.b) : none;
    trial.figures.push_back({"it_a", it_of(both.a)});
    trial.figures.push_back({"it_b", it_of(both.b)});
    return trial;
}

}  // namespace

std::vector<Claim> text_learning_claims() {
    std::vector<Claim> table = {
        {.id = "mask",
         .words = "without the mask the loss is lower in training, but almost nothing is correct in writing",
         .keys = {"learn.experiment.mask_tip"},
         .least = 0.5,
         .check = without_mask,
         .learns = true},
        {.id = "text_positions",
         .words = "a translator with positions translates more sentences correctly than one without",
         .keys = {"learn.experiment.text_positions_tip"},
         .least = 0.03,
         .check = comparing_texts("text_positions"),
         .learns = true},
        {.id = "scale",
         .words = "a translator that multiplies words by √D translates more sentences correctly than one that does not",
         .keys = {"learn.experiment.scale_tip"},
         .least = 0.1,
         .check = comparing_texts("scale"),
         .learns = true},
        {.id = "heads",
         .words = "four heads and one hardly differ in the number of correct sentences",
         .keys = {"learn.experiment.heads_tip"},
         .least = -0.05,
         .most = 0.05,
         .check = comparing_texts("heads"),
         .learns = true},
        {.id = "it",
         .words =
             "the row of \"it\" looks at its noun far more often where the model is asked for it, and both translate",
         .keys = {"learn.experiment.it_tip", "learn.text.words.translate", "text.self_attention.answer"},
         .least = 0.2,
         .check = without_asking,
         .learns = true},
        {.id = "text_norms",
         .words =
             "in two blocks, norms before each sublayer are correct at most a little more often than after each sum",
         .keys = {"learn.experiment.text_norms_tip"},
         .least = -0.12,
         .most = 0.12,
         .check = comparing_texts("text_norms"),
         .learns = true},
        {.id = "text_optimiser",
         .words = "Muon translates more sentences correctly than AdamW",
         .keys = {"learn.experiment.text_optimiser_tip"},
         .least = 0.05,
         .check = comparing_texts("text_optimiser"),
         .learns = true},
        {.id = "review_positions",
         .words = "a judge of reviews that knows the order of words is correct more often than one that does not",
         .keys = {"learn.experiment.review_positions_tip"},
         .least = 0.15,
         .check = comparing_texts("review_positions"),
         .learns = true},
        {.id = "story_blocks",
         .words =
             "a decoder of two blocks names more objects fixed by a distant sentence correctly than one of one block",
         .keys = {"learn.experiment.story_blocks_tip"},
         .least = 0.3,
         .check = comparing_texts("story_blocks"),
         .learns = true},
    };
    for (Claim& claim : table) {
        const auto recipes = recipes_of(*preset_named<Texts>(claim.id), 1);
        claim.of = sha256(to_json(recipes[0]) + to_json(recipes[1])).substr(0, 16);
    }
    return table;
}

}  // namespace vitrine
