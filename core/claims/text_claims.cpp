#include <algorithm>
#include <string>

#include "core/base/sha256.h"
#include "core/claims/claims.h"
#include "core/training/text_presets.h"

// What is said of text Transformers that learn. A preset's claim has its id; its figures a and b are shares of held-out
// examples that come out right.

namespace vitrine {

namespace {

constexpr double none = 0;

struct BothTexts {
    TextRecord a, b;

    double right_a() const { return a.evaluation.held_out.share(); }
    double right_b() const { return b.evaluation.held_out.share(); }
    /// The usual trial: by how much A has more right.
    Trial trial() const { return {right_a() - right_b(), {{"a", right_a()}, {"b", right_b()}}}; }
};

BothTexts both_runs(const ClaimGround& ground, const char* preset, std::uint64_t seed) {
    const auto recipes = recipes_of(*text_preset_named(preset), seed);
    return {ground.run_text(recipes[0]), ground.run_text(recipes[1])};
}

auto comparing(const char* preset) {
    return [preset](const ClaimGround& ground, std::uint64_t seed) { return both_runs(ground, preset, seed).trial(); };
}

/// Right when it writes by itself, and the loss while the right words are given.
Trial without_mask(const ClaimGround& ground, std::uint64_t seed) {
    const BothTexts both = both_runs(ground, "mask", seed);
    Trial trial = both.trial();
    trial.figures.push_back({"loss_a", both.a.loss, FigureKind::number});
    trial.figures.push_back({"loss_b", both.b.loss, FigureKind::number});
    if (both.b.loss > both.a.loss) trial.margin = none;
    return trial;
}

double nouns_of(const TextRecord& r) { return r.evaluation.alignment ? r.evaluation.alignment->nouns.share() : none; }
double it_of(const TextRecord& r) { return r.evaluation.it ? r.evaluation.it->head.share : none; }

/// By how much more often a noun of A looks at the word that it translates.
Trial with_one_head(const ClaimGround& ground, std::uint64_t seed) {
    const BothTexts both = both_runs(ground, "heads", seed);
    Trial trial = both.trial();
    trial.margin = nouns_of(both.a) - nouns_of(both.b);
    trial.figures.push_back({"nouns_a", nouns_of(both.a)});
    trial.figures.push_back({"nouns_b", nouns_of(both.b)});
    return trial;
}

/// By how much more often the best head's row of "it" looks at its noun where the model is asked for it.
Trial without_asking(const ClaimGround& ground, std::uint64_t seed) {
    const BothTexts both = both_runs(ground, "it", seed);
    Trial trial = both.trial();
    trial.margin = it_of(both.a) - it_of(both.b);
    trial.figures.push_back({"it_a", it_of(both.a)});
    trial.figures.push_back({"it_b", it_of(both.b)});
    return trial;
}

}  // namespace

std::vector<Claim> text_learning_claims() {
    std::vector<Claim> table = {
        {.id = "mask",
         .words = "without the mask the loss is lower while it learns, and next to nothing is right when it writes",
         .keys = {"learn.experiment.mask_tip"},
         .least = 0.5,
         .check = without_mask,
         .learns = true},
        {.id = "text_positions",
         .words = "a translator with positions has more sentences right than one without",
         .keys = {"learn.experiment.text_positions_tip"},
         .least = 0.05,
         .check = comparing("text_positions"),
         .learns = true},
    };
    for (Claim& claim : table) {
        const auto recipes = recipes_of(*text_preset_named(claim.id), 1);
        claim.of = sha256(to_json(recipes[0]) + to_json(recipes[1])).substr(0, 16);
    }
    return table;
}

}  // namespace vitrine
