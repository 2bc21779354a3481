#include "app/rooms/laboratory/lab_difference.h"

#include <algorithm>
#include <array>

#include "app/rooms/figures/difference.h"
#include "app/rooms/figures/head_off.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/laboratory/laboratory.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/workspace/compare_table.h"
#include "app/workspace/measured.h"
#include "app/workspace/over_images.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/words_measured.h"
#include "core/files/table.h"
#include "core/measures/analysis.h"
#include "core/measures/head_statistics.h"
#include "core/measures/importance.h"
#include "core/measures/perturbation.h"
#include "core/tensor/ops.h"
#include "core/vit/experiment.h"
#include "core/vit/token_weights.h"

namespace vitrine {

Numbers all_numbers(const Tensor2& of) { return {of.begin(), of.end()}; }

Numbers row_numbers(const Tensor2& of, int row) {
    const float* const first = &of(static_cast<std::size_t>(row), 0);
    return {first, first + of.shape()[1]};
}

const Config& config_in(const LabRun& run) { return run.now.model->config; }

void add_tokens(const LabPair& p, Comparison& all, const ComparedNumbers& what, bool fits) {
    all.add(what, p.ui.text("difference.shapes"), fits && same_tokens(config_in(p.a), config_in(p.b)));
}

Comparison no_comparison(const LabPair& p, const char* why) { return {{}, p.ui.text(why)}; }

namespace {

GridSize shape_of(const Tensor2& of) { return {static_cast<int>(of.shape()[0]), static_cast<int>(of.shape()[1])}; }

/// True if both are measured for the same class of the same list; otherwise the reason is in `all`.
bool one_class(const LabPair& p, Comparison& all) {
    const Config &a = config_in(p.a), &b = config_in(p.b);
    const Target &of_a = p.a.measured.target, &of_b = p.b.measured.target;
    if (!same_classes(a, b)) all.why = p.ui.text("difference.shapes");
    if (!all.why.empty()) return false;
    if (of_a.index == of_b.index && of_a.against == of_b.against) return true;
    all.why = p.ui.text("difference.classes", {{"a", class_in_words(p.ui, *p.a.now.model, of_a.index)},
                                               {"b", class_in_words(p.ui, *p.b.now.model, of_b.index)}});
    return false;
}

/// A's class by name.
std::string class_of_a(const LabPair& p) { return class_in_words(p.ui, *p.a.now.model, p.a.measured.target.index); }

void add_statistic(const LabPair& p, Comparison& all, const std::string& name) {
    if (!p.a.measured.statistics || !p.b.measured.statistics) return;
    const auto read = [&](const LabRun& run) { return all_numbers(run.measured.statistics->of(name)); };
    const GridSize size = shape_of(p.a.measured.statistics->of(name));
    ComparedNumbers what = both_runs(
        p, compared_heads(p.ui, p.selection, "difference." + name, p.ui.text("statistic." + name), size), read);
    all.add(what, p.ui.text("difference.shapes"), config_in(p.a).heads == config_in(p.b).heads);
}

}  // namespace

Comparison compare_gallery(const LabPair& p) {
    Comparison all;
    add_tokens(
        p, all,
        both_runs(p, compared_tokens(p.scene, p.selection, "difference.attention", p.ui.text("difference.attention")),
                  [](const LabRun& run) {
                      const Focus& f = run.focus;
                      return weights_of_head(run.now.trace, f.block, f.head, {f.token});
                  }));
    const HeadOrder order = p.a.focus.lab.order;
    const bool told = order == HeadOrder::distance || order == HeadOrder::class_share;
    add_statistic(p, all, told ? name_in(head_order_names, order) : "entropy");
    return all;
}

/// The combined weights of the picked heads, or the weights of the first two, without those that are off in both runs.
Comparison compare_picks(const LabPair& p) {
    Comparison all;
    const Table a = compare_table(config_in(p.a), p.a.now.trace, p.a.focus),
                b = compare_table(config_in(p.b), p.b.now.trace, p.b.focus);
    const std::vector<Pick>& picks = p.a.focus.lab.picks;
    const bool combined = a.shape[0] > picks.size();
    const auto table_row = [](const Table& t, std::size_t row) {
        const auto first = t.values.begin() + static_cast<std::ptrdiff_t>(row * t.shape[1]);
        return row < t.shape[0] ? Numbers(first, first + static_cast<std::ptrdiff_t>(t.shape[1])) : Numbers();
    };
    const auto is_off = [](const LabRun& run, const Pick& pick) {
        return contains(run.now.experiment.what_ifs, remove_head(pick.block, pick.head));
    };
    for (std::size_t row = 0; row < std::min<std::size_t>(combined ? 1 : 2, a.shape[0]); ++row) {
        if (!combined && is_off(p.a, picks[row]) && is_off(p.b, picks[row])) {
            all.why = words_of_off_head(p.ui, picks[row].head);
            continue;
        }
        const std::string title =
            combined ? p.ui.text("difference.combined") : head_name(p.ui, picks[row].block, picks[row].head);
        ComparedNumbers what = compared_tokens(p.scene, p.selection, "difference.pick." + std::to_string(row), title);
        what.a = table_row(a, row);
        what.b = table_row(b, row);
        add_tokens(p, all, what, picks == p.b.focus.lab.picks);
    }
    return all;
}

Comparison compare_statistics(const LabPair& p) {
    Comparison all;
    add_statistic(p, all, p.a.focus.lab.statistic);
    return all;
}

Comparison compare_depth(const LabPair& p) {
    Comparison all;
    const bool rollout = p.a.focus.lab.method == DepthMethod::rollout;
    if (!rollout && !one_class(p, all)) return all;
    const auto read = [&](const LabRun& run) {
        const auto& matrices = rollout ? run.measured.rollout : run.measured.relevance;
        return matrices ? row_numbers(matrices->back(), run.focus.token) : Numbers();
    };
    const std::string name = name_in(depth_method_names, p.a.focus.lab.method);
    add_tokens(
        p, all,
        both_runs(p,
                  compared_tokens(p.scene, p.selection, "difference." + name, p.ui.text("depth." + name + "_caption")),
                  read));
    return all;
}

Comparison compare_lens(const LabPair& p) {
    Comparison all;
    const std::string& shapes = p.ui.text("difference.shapes");
    ComparedNumbers levels{.id = "difference.lens",
                           .title = p.ui.text("difference.lens", {{"class", class_of_a(p)}}),
                           .name = [&p](int level) {
                               return p.ui.text("depth.level", {{"level", std::to_string(level)}});
                           }};
    const auto probability = [&](const LabRun& run) {  // of A's class, by level
        Numbers by_level;
        if (!run.measured.lens) return by_level;
        const Tensor2 all_classes = softmax(*run.measured.lens);
        const auto chosen = static_cast<std::size_t>(p.a.measured.target.index);
        for (std::size_t l = 0; l < all_classes.shape()[0] && chosen < all_classes.shape()[1]; ++l)
            by_level.push_back(all_classes(l, chosen));
        return by_level;
    };
    all.add(both_runs(p, levels, probability), shapes, same_classes(config_in(p.a), config_in(p.b)));
    if (!one_class(p, all)) return all;
    const auto level = [](const LabRun& run) {
        const int own = run.focus.lab.level, blocks = config_in(run).blocks;
        return own < 0 ? blocks : std::min(own, blocks);
    };
    add_tokens(p, all,
               both_runs(p,
                         compared_tokens(p.scene, p.selection, "difference.lens_tokens",
                                         p.ui.text("lens.caption",
                                                   {{"class", class_of_a(p)}, {"level", std::to_string(level(p.a))}})),
                         [&](const LabRun& run) {
                             const auto& lens = run.measured.token_lens;
                             return lens ? row_numbers(lens->probability, level(run)) : Numbers();
                         }));
    return all;
}

/// Contributions to the logit of A's class in both runs: of each block, and of each head.
Comparison compare_ledgers(const LabPair& p) {
    Comparison all;
    const Target& target = p.a.measured.target;
    const Config& c = config_in(p.a);
    const bool fits = same_classes(c, config_in(p.b)) && p.a.measured.ledger && p.b.measured.ledger;
    const auto contributions = [&](const LabRun& run, bool heads) {
        Numbers own(
            static_cast<std::size_t>(heads ? config_in(run).blocks * config_in(run).heads : config_in(run).blocks));
        for (std::size_t i = 0; fits && i < run.measured.ledger->entries.size(); ++i) {
            const LedgerEntry& e = run.measured.ledger->entries[i];
            if (e.block == 0 || (heads && e.part != LedgerEntry::Part::head)) continue;
            const int at = heads ? (e.block - 1) * config_in(run).heads + e.head : e.block - 1;
            own[static_cast<std::size_t>(at)] +=
                run.measured.ledger->contribution(i, target.index, target.against.value_or(-1));
        }
        return own;
    };
    const std::string& shapes = p.ui.text("difference.shapes");
    all.add(
        both_runs(p,
                  compared_heads(p.ui, p.selection, "difference.ledger_heads",
                                 p.ui.text("difference.ledger_heads", {{"class", class_of_a(p)}}), {c.blocks, c.heads}),
                  [&](const LabRun& run) { return contributions(run, true); }),
        shapes, fits && c.heads == config_in(p.b).heads);
    all.add(both_runs(p,
                      {.id = "difference.ledger",
                       .title = p.ui.text("difference.ledger", {{"class", class_of_a(p)}}),
                       .name =
                           [&p](int i) {
                               return p.ui.text("ledger.block", {{"block", p.ui.ordinal(i)}});
                           }},
                      [&](const LabRun& run) { return contributions(run, false); }),
            shapes, fits);
    return all;
}

Comparison compare_occlusion(const LabPair& p) {
    Comparison all;
    if (!one_class(p, all)) return all;
    const Watched watched = p.a.focus.lab.watched;
    const std::string caption = std::string("occlusion.caption.") + name_in(watched_names, watched);
    add_tokens(p, all,
               both_runs(p,
                         compared_patches(p.scene, p.selection, "difference.occlusion",
                                          p.ui.text(caption, {{"class", class_of_a(p)}})),
                         [&](const LabRun& run) {
                             return run.measured.occlusion ? all_numbers(run.measured.occlusion->of(watched))
                                                           : Numbers();
                         }));
    return all;
}

Comparison compare_words(const LabPair& p) {
    Comparison all;
    const auto &a = p.a.measured.words, &b = p.b.measured.words;
    if (!a || !b || a->texts != b->texts || a->texts.empty()) return no_comparison(p, "difference.shapes");
    all.add(both_runs(p,
                      {.id = "difference.words",
                       .title = p.ui.text("difference.words"),
                       .name = [&a](int i) { return a->texts[static_cast<std::size_t>(i)]; }},
                      [](const LabRun& run) { return run.measured.words->nearness.cosine; }),
            p.ui.text("difference.shapes"));
    const int text = std::min(p.a.focus.lab.text, static_cast<int>(a->texts.size()) - 1);
    add_tokens(
        p, all,
        both_runs(p, compared_patches(p.scene, p.selection, "difference.word_patches", p.ui.text("lab.words.caption")),
                  [&](const LabRun& run) { return row_numbers(run.measured.words->nearness.patches, text); }));
    return all;
}

}  // namespace vitrine
