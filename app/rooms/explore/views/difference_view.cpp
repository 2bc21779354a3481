#include <algorithm>
#include <array>

#include "app/chapters/step.h"
#include "app/rooms/explore/views/views.h"
#include "app/rooms/figures/difference.h"
#include "app/rooms/figures/figures.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/measures/analysis.h"

namespace vitrine {

namespace {

using Numbers = std::vector<float>;

/// One of two runs, with the focus in it.
struct FocusedRun {
    const Result& now;
    const Focus& focus;

    std::shared_ptr<const BlockTrace> block() const { return now.trace.block(focus.block); }
    Numbers row(const Tensor2& of) const {
        const auto numbers = row_of(of, focus.token);
        return {numbers.begin(), numbers.end()};
    }
    Numbers row(const Tensor3& of) const {
        const auto numbers = row_of(of, focus.head, focus.token);
        return {numbers.begin(), numbers.end()};
    }
};

/// A quantity to compare in both runs: a number for each token, or a vector of the chosen token.
struct Kind {
    const char* id;  // its words are "difference.<id>"
    bool tokens;
    Numbers (*of)(const FocusedRun& run);
};

Numbers attention_of(const FocusedRun& run) { return run.row(run.block()->attention); }
Numbers scores_of(const FocusedRun& run) { return run.row(run.block()->scores); }
Numbers norm_of(const FocusedRun& run) { return run.row(run.block()->ln1.out); }
Numbers msa_of(const FocusedRun& run) { return run.row(run.block()->msa); }
Numbers hidden_of(const FocusedRun& run) { return run.row(run.block()->mlp.activation); }
Numbers mlp_out_of(const FocusedRun& run) { return run.row(run.block()->mlp.out); }
Numbers stream_of(const FocusedRun& run) { return run.row(run.now.trace.z(run.focus.block)); }
Numbers embedded_of(const FocusedRun& run) { return run.row(run.now.trace.z(0)); }
Numbers lengths_of(const FocusedRun& run) { return row_norms(run.now.trace.z(run.focus.block)); }
Numbers logits_of(const FocusedRun& run) {
    const auto& logits = run.now.trace.head->logits;
    return {logits.begin(), logits.end()};
}

/// The quantities that a step compares, at most two.
std::array<Kind, 2> kinds_of(std::string_view step) {
    constexpr Kind stream{"stream", false, stream_of}, lengths{"lengths", true, lengths_of},
        attention{"attention", true, attention_of}, logits{"logits", false, logits_of};
    const auto is = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::find(names, step) != names.end();
    };
    if (is({"attention", "attention_matrix", "class_token", "explanation"})) return {attention, stream};
    if (is({"scores", "qkv"})) return {Kind{"scores", true, scores_of}, attention};
    if (is({"heads"})) return {attention, Kind{"msa", false, msa_of}};
    if (is({"layer_norm", "norm_variants", "norm_place"})) return {Kind{"norm", false, norm_of}, lengths};
    if (is({"mlp", "activation", "dropout"})) return {Kind{"hidden", false, hidden_of}, Kind{"mlp", false, mlp_out_of}};
    if (is({"image", "patches", "patch_embedding", "position_embedding"}))
        return {Kind{"embedded", false, embedded_of}, logits};
    if (is({"prediction", "loss", "learning"})) return {logits, stream};
    return {lengths, stream};
}

/// The values of a kind in both runs, with their names.
ComparedNumbers compared(const Scene& scene, Selection& selection, const Kind& kind, const FocusedRun& a,
                         const FocusedRun& b) {
    const Ui& ui = scene.ui;
    const std::string id = std::string("difference.") + kind.id;
    ComparedNumbers what = kind.tokens ? compared_tokens(scene, selection, id, ui.text(id))
                                       : ComparedNumbers{.id = id, .title = ui.text(id)};
    const bool classes = kind.of == logits_of;
    if (!kind.tokens)
        what.name = [&scene, classes](int i) {
            return classes ? class_name(scene.ui, *scene.now.model, i)
                           : scene.ui.text("difference.feature", {{"feature", scene.ui.ordinal(i)}});
        };
    what.a = kind.of(a);
    what.b = kind.of(b);
    return what;
}

}  // namespace

void difference_view(const Scene& scene, const Focus& focus, Selection& selection) {
    const FocusedRun a{scene.now, focus}, b{scene.other->now, scene.other->selection.focus};
    const Config &here = a.now.model->config, &there = b.now.model->config;
    Comparison all;
    for (const Kind& kind : kinds_of(step_at(focus).id)) {
        const bool fits =
            (!kind.tokens || same_tokens(here, there)) && (kind.of != logits_of || same_classes(here, there));
        all.add(compared(scene, selection, kind, a, b), scene.ui.text("difference.shapes"), fits);
    }
    draw_comparison(scene.ui, scene.canvas, scene.area, all, [&](Rect rest) { draw_in_common(scene, rest); });
}

}  // namespace vitrine
