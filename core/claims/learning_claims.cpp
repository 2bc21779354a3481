#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/sha256.h"
#include "core/claims/claims.h"
#include "core/files/image.h"
#include "core/measures/analysis.h"
#include "core/text/vocabulary.h"
#include "core/training/evaluation.h"
#include "core/training/gradient_flow.h"
#include "core/training/pictures/pictures.h"
#include "core/training/presets.h"
#include "core/vit/forward.h"

// Claims about learning. A preset's claim has the preset's id, a second one has a suffix "_…"; its figures a and b are
// accuracies on unseen pictures.

namespace vitrine {

namespace {

/// Both runs of a preset; the margin is A's accuracy on unseen pictures minus B's.
Trial compare_runs(const ClaimGround& ground, const char* preset, std::uint64_t seed) {
    const std::array<Recipe, 2> recipes = recipes_of(*preset_named<Pictures>(preset), seed);
    const RunRecord a = ground.run(recipes[0]), b = ground.run(recipes[1]);
    Trial trial{a.last - b.last, {{"a", a.last}, {"b", b.last}}};
    if (recipes[0].distinct_pictures) {
        trial.figures.push_back({"own_a", a.last_training});
        trial.figures.push_back({"own_b", b.last_training});
    }
    return trial;
}

auto comparing(const char* preset) {
    return [preset](const ClaimGround& ground, std::uint64_t seed) { return compare_runs(ground, preset, seed); };
}

/// Both runs of the preset "dropout"; the margin is A's accuracy on its training pictures minus B's.
Trial compare_own_pictures(const ClaimGround& ground, std::uint64_t seed) {
    Trial trial = compare_runs(ground, "dropout", seed);
    trial.margin = trial.figures[2].value - trial.figures[3].value;
    return trial;
}

/// Post-norm with AdamW at a low rate; the margin is its accuracy on unseen pictures minus that of a guess.
Trial compare_with_a_guess(const ClaimGround& ground, std::uint64_t seed) {
    const Recipe post_norm = recipes_of(*preset_named<Pictures>("wiring_adamw"), seed)[1];
    const double accuracy = ground.run(post_norm).last;
    return {accuracy - 1.0 / post_norm.model.classes, {{"accuracy", accuracy}}};
}

/// Orders of magnitude by which the gradient's norm is smaller at z₀ than after the last block, in an encoder with this
/// wiring.
double lost_powers(const std::vector<GradientFlow>& flows, Wiring wiring) {
    const auto flow = std::ranges::find(flows, wiring, &GradientFlow::wiring);
    return std::log10(flow->norms.back() / flow->norms.front());
}

/// Loss of gradient in untrained encoders of twelve blocks on one drawn picture. The margin is how many more orders of
/// magnitude are lost with neither skips nor norms than with both or with skips alone.
Trial compare_gradients(const ClaimGround&, std::uint64_t seed) {
    const auto flows = gradient_flows(draw_picture({{.seed = seed}, 0, 32, {}}).image);
    const double neither = lost_powers(flows, Wiring::neither), norm = lost_powers(flows, Wiring::no_skips),
                 skips = lost_powers(flows, Wiring::no_norm), both = lost_powers(flows, Wiring::pre_norm);
    return {std::min(neither - std::abs(both), neither - std::abs(skips)),
            {{"neither", neither, FigureKind::number},
             {"no_skips", norm, FigureKind::number},
             {"no_norms", skips, FigureKind::number},
             {"both", both, FigureKind::number}}};
}

/// Mean cosine of all pairs of tokens on one drawn picture, in both untrained models of the preset "skips": after the
/// last block with skip connections, after the first block without. The margin is the second minus the first.
Trial compare_tokens(const ClaimGround&, std::uint64_t seed) {
    const std::array<Recipe, 2> recipes = recipes_of(*preset_named<Pictures>("skips"), seed);
    const auto together = [&](const Recipe& recipe, int block) {
        const Model net = untrained_model(recipe);
        const Image picture = draw_picture({recipe.pictures, 0, net.config.image_height, {}}).image;
        return mean_pair_cosine(forward(net, preprocess(picture, net.preprocessing, net.config).pixels).z(block));
    };
    const double with = together(recipes[0], recipes[0].model.blocks), without = together(recipes[1], 1);
    return {without - with, {{"with", with, FigureKind::number}, {"without", without, FigureKind::number}}};
}

/// The class token's attention on the drawn object ÷ the object's share of the area, in the bundled model and in an
/// untrained one. The margin is the difference.
Trial compare_maps(const ClaimGround& ground, std::uint64_t seed) {
    const EvaluationRequest request{.count = ground.pictures, .ablated = 0, .seed = seed, .threads = ground.threads};
    Recipe nothing = standard_recipe();
    nothing.model = ground.model.config;
    nothing.seed = seed;
    const double learned = evaluate(ground.model, request).last_block.mass_ratio;
    const double before = evaluate(untrained_model(nothing), request).last_block.mass_ratio;
    return {learned - before, {{"learned", learned, FigureKind::number}, {"before", before, FigureKind::number}}};
}

}  // namespace

std::vector<Claim> learning_claims() {
    std::vector<Claim> table = {
        {.id = "norms",
         .words = "twelve blocks with norms before each sublayer name more unseen pictures correctly than without",
         .keys = {"learn.experiment.norms_tip", "step.learning.words"},
         .least = 0.2,
         .check = comparing("norms"),
         .learns = true},
        {.id = "skips",
         .words = "four blocks with skip connections name more unseen pictures correctly than without",
         .keys = {"learn.experiment.skips_tip"},
         .least = 0.3,
         .check = comparing("skips"),
         .learns = true},
        {.id = "positions",
         .words = "a model with positions names more unseen pictures correctly than one without",
         .keys = {"learn.experiment.positions_tip"},
         .least = 0,
         .check = comparing("positions"),
         .learns = true},
        {.id = "dropout",
         .words = "from few pictures, dropout works against learning them by heart",
         .keys = {"learn.experiment.dropout_tip", "step.dropout.words"},
         .least = 0.05,
         .check = compare_own_pictures,
         .learns = true},
        {.id = "dropout_new",
         .words = "after so short a run dropout makes hardly any difference on unseen pictures",
         .keys = {"learn.experiment.dropout_tip", "step.dropout.words"},
         .least = -0.05,
         .most = 0.05,
         .check = comparing("dropout"),
         .learns = true},
        {.id = "optimiser",
         .words = "Muon names more unseen pictures correctly than AdamW",
         .keys = {"learn.experiment.optimiser_tip"},
         .least = 0.2,
         .check = comparing("optimiser"),
         .learns = true},
        {.id = "activation",
         .words = "GELU and ReLU hardly differ",
         .keys = {"learn.experiment.activation_tip"},
         .least = -0.1,
         .most = 0.1,
         .check = comparing("activation"),
         .learns = true},
        {.id = "wiring",
         .words =
             "twelve blocks name more unseen pictures correctly with norms before each sublayer than after each sum",
         .keys = {"learn.experiment.wiring_tip", "step.norm_place.words"},
         .least = 0.1,
         .check = comparing("wiring"),
         .learns = true},
        {.id = "wiring_adamw",
         .words = "with AdamW at a low rate twelve post-norm blocks name about as many unseen pictures correctly as "
                  "pre-norm ones",
         .keys = {"learn.experiment.wiring_adamw_tip", "learn.experiment.wiring_tip"},
         .least = -0.1,
         .most = 0.1,
         .check = comparing("wiring_adamw"),
         .learns = true},
        {.id = "wiring_adamw_learns",
         .words = "with AdamW at a low rate twelve post-norm blocks name more unseen pictures correctly than a guess",
         .keys = {"learn.experiment.wiring_adamw_tip", "step.norm_place.words"},
         .least = 0.05,
         .check = compare_with_a_guess,
         .learns = true},
        {.id = "gradients",
         .words = "with neither norms nor skips the gradient loses more powers of ten on the way down",
         .keys = {"step.learning.words", "step.residual.words", "learn.words"},
         .least = 2,
         .check = compare_gradients,
         .of = "12 blocks"},
        {.id = "collapse",
         .words = "before training, all tokens are alike after one block without skip connections, but not after all "
                  "blocks with them",
         .keys = {"learn.experiment.skips_tip", "step.learning.words"},
         .least = 0.1,
         .check = compare_tokens,
         .of = "untrained"},
        {.id = "maps",
         .words = "the class token looks at the things more than in an untrained model",
         .keys = {"learn.words"},
         .least = 0.5,
         .check = compare_maps},
    };
    for (Claim& claim : table) {
        const std::string_view id = claim.id;
        const Preset<Pictures>* preset = preset_named<Pictures>(id);
        if (preset == nullptr) preset = preset_named<Pictures>(id.substr(0, id.find_last_of('_')));
        if (preset != nullptr) {
            const auto recipes = recipes_of(*preset, 1);
            claim.of = sha256(to_json(recipes[0]) + to_json(recipes[1])).substr(0, 16);
        }
    }
    return table;
}

}  // namespace vitrine
