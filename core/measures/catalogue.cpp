#include "core/measures/catalogue.h"

#include <algorithm>
#include <cassert>
#include <functional>

#include "core/base/error.h"
#include "core/files/safetensors.h"
#include "core/measures/analysis.h"
#include "core/measures/components.h"
#include "core/measures/head_similarity.h"
#include "core/measures/head_statistics.h"
#include "core/measures/importance.h"
#include "core/measures/ledger.h"
#include "core/measures/lens.h"
#include "core/measures/outliers.h"
#include "core/measures/perturbation.h"
#include "core/measures/position_similarity.h"
#include "core/measures/relevance.h"

namespace vitrine {

namespace {

using Labels = std::vector<std::string>;

Labels counted(int first, int last) {
    Labels labels;
    for (int i = first; i <= last; ++i) labels.push_back(std::to_string(i));
    return labels;
}

Labels blocks_of(const Config& c) { return counted(1, c.blocks); }

Table table_of(const std::string& name, const Tensor2& t, const std::vector<std::string>& axes,
               const std::vector<Labels>& labels) {
    return {name, axes, {t.shape()[0], t.shape()[1]}, {t.begin(), t.end()}, labels};
}

Table of_heads(const std::string& name, const Tensor2& t, const Config& c) {
    return table_of(name, t, {"block", "head"}, {blocks_of(c), {}});
}

Target target_of(const MeasureOf& of) {
    const int predicted = top_predictions(*of.trace.head, 1).front().index, last = of.model.config.classes - 1;
    const Target target{of.target.value_or(predicted), of.against};
    for (const int index : {target.index, target.against.value_or(target.index)})
        if (index < 0 || index > last)
            throw Error("class " + std::to_string(index) + ": this model has classes 0 to " + std::to_string(last) +
                        "; choose one of them");
    return target;
}

Table attention(const MeasureOf& of) {
    const Config& c = of.model.config;
    const auto blocks = static_cast<std::size_t>(c.blocks), heads = static_cast<std::size_t>(c.heads),
               n = static_cast<std::size_t>(c.tokens());
    Table t{"attention", {"block", "head", "query", "key"}, {blocks, heads, n, n}, {}, {blocks_of(c), {}, {}, {}}};
    for (int l = 1; l <= c.blocks; ++l) {
        const auto block = of.trace.block(l);
        t.values.insert(t.values.end(), block->attention.begin(), block->attention.end());
    }
    return t;
}

Table token_similarity(const MeasureOf& of) {
    const std::size_t levels = static_cast<std::size_t>(of.trace.blocks()) + 1, n = of.trace.embedding->z.shape()[0];
    Table t{"token_similarity", {"level", "token", "other"}, {levels, n, n}, {}, {}};
    for (std::size_t l = 0; l < levels; ++l) {
        const Tensor2& z = of.trace.z(static_cast<int>(l));
        const Tensor2 s = cosine_similarity(z.data(), n, z.shape()[1]);
        t.values.insert(t.values.end(), s.begin(), s.end());
    }
    return t;
}

Table token_colours(const MeasureOf& of, const Progress& progress) {
    const std::size_t levels = static_cast<std::size_t>(of.trace.blocks()) + 1,
                      n = static_cast<std::size_t>(of.model.config.patches());
    Table t{"components", {"level", "patch", "component"}, {levels, n, 3}, {}, {}};
    for (std::size_t l = 0; l < levels; ++l) {
        report(progress, static_cast<double>(l) / static_cast<double>(levels));
        const Tensor2 scores = token_components(of.model.config, of.trace, static_cast<int>(l)).scores;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t k = 0; k < 3; ++k) t.values.push_back(k < scores.shape()[1] ? scores(i, k) : 0.0F);
    }
    return t;
}

Table filters(const MeasureOf& of) {
    constexpr int count = 28;  // as in the ViT paper's Fig. 7
    const Config& c = of.model.config;
    const Tensor2 d = filter_components(of.model, count).directions;
    const auto side = static_cast<std::size_t>(c.patch_size);
    return {"filters",
            {"component", "channel", "row", "column"},
            {d.shape()[0], static_cast<std::size_t>(c.channels), side, side},
            {d.begin(), d.end()},
            {}};
}

Table head_similarity(const MeasureOf& of, const Progress& progress) {
    const Config& c = of.model.config;
    Labels heads;
    for (int i = 0; i < c.blocks * c.heads; ++i)
        heads.push_back(std::to_string(i / c.heads + 1) + "." + std::to_string(i % c.heads));
    return table_of("similarity", head_divergences(of.trace, progress), {"head", "other"}, {heads, heads});
}

Table skip_ratio(const MeasureOf& of) {
    Table t{"skip_ratio",
            {"block", "branch"},
            {static_cast<std::size_t>(of.trace.blocks()), 2},
            {},
            {blocks_of(of.model.config), {"attention", "mlp"}}};
    for (const SkipRatio& r : skip_ratios(of.trace)) {
        t.values.push_back(static_cast<float>(r.attention));
        t.values.push_back(static_cast<float>(r.mlp));
    }
    return t;
}

/// A result that several measures of a run share: computed once and kept in the memo if there is one.
template <class T, class F>
std::shared_ptr<const T> measured_once(const MeasureOf& of, std::shared_ptr<const T> MeasureMemo::*part, F measure) {
    MeasureMemo alone;
    std::shared_ptr<const T>& there = (of.memo != nullptr ? *of.memo : alone).*part;
    if (!there) there = std::make_shared<const T>(measure());
    return there;
}

Table occlusion_table(const MeasureOf& of, const Progress& progress, const char* name, Watched watched) {
    const OcclusionOptions o{of.cover_size, of.cover, target_of(of).index};
    const auto map = measured_once(of, &MeasureMemo::occlusion, [&] {
        return occlusion({of.model, of.trace.embedding->image, of.what_ifs, o}, {}, progress);
    });
    return table_of(name, map->of(watched), {"row", "column"}, {});
}

/// The importance of a run's heads and MLPs, measured once.
std::shared_ptr<const Importance> importance_of(const MeasureOf& of, const Progress& progress) {
    return measured_once(of, &MeasureMemo::importance, [&] {
        return importance({of.model, of.trace, of.what_ifs}, of.ablation, progress);
    });
}

/// The rollout matrix R after the last block of the range, computed once.
std::shared_ptr<const Tensor2> rollout_of(const MeasureOf& of, const Progress& progress) {
    return measured_once(of, &MeasureMemo::rollout,
                         [&] { return std::move(rollout_by_block(of.trace, of.rollout, progress).back()); });
}

RelevanceOf relevance_options(const MeasureOf& of) {
    return {of.model, of.trace, of.what_ifs, target_of(of), of.rollout.first_block, of.rollout.last_block};
}

std::shared_ptr<const Tensor2> relevance_of(const MeasureOf& of, const Progress& progress) {
    return measured_once(of, &MeasureMemo::relevance,
                         [&] { return std::move(relevance_by_block(relevance_options(of), progress).back()); });
}

/// The perturbation curves of a run, or the areas under them: (way, filling, ranking, …).
Table perturbation_table(const MeasureOf& of, const Progress& progress, bool areas) {
    const auto curves = measured_once(of, &MeasureMemo::perturbation, [&] {
        return perturbation_curves({of.model, of.trace, of.what_ifs, of.rollout, of.seed}, progress);
    });
    const PerturbationCurves& all = *curves;
    Labels fillings;
    for (const Cover filling : perturbation_fillings) fillings.emplace_back(name_in(cover_names, filling));
    Table t{areas ? "perturbation_area" : "perturbation",
            {"way", "filling", "ranking"},
            {std::size(perturbation_names), fillings.size(), std::size(ranking_names)},
            {},
            {names_of(perturbation_names), fillings, names_of(ranking_names)}};
    if (areas) {
        t.values.assign(all.areas.begin(), all.areas.end());
        return t;
    }
    t.axes.emplace_back("step");
    t.shape.push_back(all.curves.shape()[2]);
    t.labels.emplace_back();
    t.values.assign(all.curves.begin(), all.curves.end());
    return t;
}

/// A catalogue entry with the function that computes it.
struct Row {
    MeasureEntry entry;
    std::function<Table(const MeasureOf&, const Progress&)> measure;
};

Row row_of(const HeadStatistic& statistic) {
    const std::string name = statistic.name;
    return {{statistic.name, "(L, h)", statistic.words}, [name](const MeasureOf& of, const Progress& p) {
                const auto heads = measured_once(of, &MeasureMemo::heads,
                                                 [&] { return head_statistics(of.trace, of.model.config, p); });
                return of_heads(name, heads->of(name), of.model.config);
            }};
}

std::vector<Row> make_rows() {
    std::vector<Row> all = {{{"attention", "(L, h, N, N)", "attention of every head"},
                             [](const MeasureOf& of, const Progress&) { return attention(of); }}};
    for (const HeadStatistic& statistic : head_statistics_table()) all.push_back(row_of(statistic));
    const std::vector<Row> others = {
        {{"similarity", "(L·h, L·h)", "Jensen-Shannon divergence of any two heads"}, head_similarity},
        {{"rollout", "(N, N)", "attention rollout"},
         [](const MeasureOf& of, const Progress& p) {
             return table_of("rollout", *rollout_of(of, p), {"query", "key"},
                             {token_labels(of.model.config), token_labels(of.model.config)});
         }},
        {{"rollout_readout", "(N)", "attention rollout of what the head reads"},
         [](const MeasureOf& of, const Progress& p) {
             const std::vector<float> row =
                 rollout_of_readout(of.model.config, *of.trace.head, *rollout_of(of, p), of.rollout);
             return Table{"rollout_readout", {"key"}, {row.size()}, row, {token_labels(of.model.config)}};
         }},
        {{"relevance", "(N, N)", "gradient-weighted relevance for a class", true},
         [](const MeasureOf& of, const Progress& p) {
             return table_of("relevance", *relevance_of(of, p), {"query", "key"},
                             {token_labels(of.model.config), token_labels(of.model.config)});
         }},
        {{"relevance_readout", "(N)", "relevance of what the head reads", true},
         [](const MeasureOf& of, const Progress& p) {
             const std::vector<float> row = relevance_of_readout(relevance_options(of), *relevance_of(of, p));
             return Table{"relevance_readout", {"key"}, {row.size()}, row, {token_labels(of.model.config)}};
         }},
        {{"lens", "(L + 1, classes)", "logits of what the head reads after every block", true},
         [](const MeasureOf& of, const Progress&) {
             return table_of("lens", logit_lens(of.model, of.trace), {"level", "class"},
                             {{}, class_labels(of.model.config)});
         }},
        {{"lens_tokens", "(L + 1, N)", "a class's probability for every token after every block", true},
         [](const MeasureOf& of, const Progress& p) {
             return table_of("lens_tokens", token_lens(of.model, of.trace, target_of(of).index, p).probability,
                             {"level", "token"}, {{}, token_labels(of.model.config)});
         }},
        {{"ledger", "(parts, classes)", "what every part adds to every logit", true},
         [](const MeasureOf& of, const Progress&) {
             return ledger_table(logit_ledger(of.model, of.trace, of.what_ifs), of.model.config);
         }},
        {{"occlusion", "(rows, columns)", "drop of a class's probability under a cover", true},
         [](const MeasureOf& of, const Progress& p) {
             return occlusion_table(of, p, "occlusion", Watched::probability);
         }},
        {{"occlusion_logit", "(rows, columns)", "drop of its logit under a cover", true},
         [](const MeasureOf& of, const Progress& p) {
             return occlusion_table(of, p, "occlusion_logit", Watched::logit);
         }},
        {{"occlusion_margin", "(rows, columns)", "drop of its margin under a cover", true},
         [](const MeasureOf& of, const Progress& p) {
             return occlusion_table(of, p, "occlusion_margin", Watched::margin);
         }},
        {{"occlusion_loss", "(rows, columns)", "rise of its loss under a cover", true},
         [](const MeasureOf& of, const Progress& p) {
             return occlusion_table(of, p, "occlusion_loss", Watched::loss);
         }},
        {{"importance", "(L, h)", "fall of the first choice's margin without each head", true},
         [](const MeasureOf& of, const Progress& p) {
             return of_heads("importance", importance_of(of, p)->heads, of.model.config);
         }},
        {{"importance_mlp", "(L)", "the same without each MLP", true},
         [](const MeasureOf& of, const Progress& p) {
             const std::vector<float> mlps = importance_of(of, p)->mlps;
             return Table{"importance_mlp", {"block"}, {mlps.size()}, mlps, {blocks_of(of.model.config)}};
         }},
        {{"importance_gradient", "(L, h)", "importance of heads from one backward pass", true},
         [](const MeasureOf& of, const Progress& p) {
             return of_heads("importance_gradient", gradient_importance({of.model, of.trace, of.what_ifs}, p),
                             of.model.config);
         }},
        {{"perturbation", "(2, 2, 5, 21)", "probability as patches go or come, ranked by five maps", true},
         [](const MeasureOf& of, const Progress& p) { return perturbation_table(of, p, false); }},
        {{"perturbation_area", "(2, 2, 5)", "areas under those curves", true},
         [](const MeasureOf& of, const Progress& p) { return perturbation_table(of, p, true); }},
        {{"positions", "(N_p, N_p)", "cosine similarity of the position embeddings"},
         [](const MeasureOf& of, const Progress&) {
             return table_of("positions", position_similarity(of.model), {"patch", "other"}, {});
         }},
        {{"filters", "(28, C, P, P)", "principal components of the patch filters"},
         [](const MeasureOf& of, const Progress&) { return filters(of); }},
        {{"token_similarity", "(L + 1, N, N)", "cosine similarity of the tokens after every block"},
         [](const MeasureOf& of, const Progress&) { return token_similarity(of); }},
        {{"token_pairs", "(L + 1)", "mean cosine similarity of all pairs of tokens after every block"},
         [](const MeasureOf& of, const Progress&) {
             Table t{"token_pairs", {"level"}, {static_cast<std::size_t>(of.trace.blocks()) + 1}, {}, {}};
             for (int l = 0; l <= of.trace.blocks(); ++l)
                 t.values.push_back(static_cast<float>(mean_pair_cosine(of.trace.z(l))));
             return t;
         }},
        {{"components", "(L + 1, N_p, 3)", "principal components of the patch tokens"}, token_colours},
        {{"norms", "(L + 1, N)", "lengths of the tokens after every block"},
         [](const MeasureOf& of, const Progress&) {
             return table_of("norms", token_norms(of.model.config, of.trace).norms, {"level", "token"},
                             {{}, token_labels(of.model.config)});
         }},
        {{"skip_ratio", "(L, 2)", "lengths of the sublayers' outputs relative to what they are added to"},
         [](const MeasureOf& of, const Progress&) { return skip_ratio(of); }},
    };
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

const std::vector<Row>& rows() {
    static const std::vector<Row> all = make_rows();
    return all;
}

const Row* row_named(const std::string& name) {
    const auto row = std::find_if(rows().begin(), rows().end(), [&](const Row& r) { return r.entry.name == name; });
    return row == rows().end() ? nullptr : &*row;
}

}  // namespace

const std::vector<MeasureEntry>& measure_catalogue() {
    static const std::vector<MeasureEntry> entries = [] {
        std::vector<MeasureEntry> list;
        for (const Row& row : rows()) list.push_back(row.entry);
        return list;
    }();
    return entries;
}

std::vector<std::string> token_labels(const Config& c) {
    Labels labels;
    for (int token = 0; token < c.tokens(); ++token) {
        const TokenKind kind = c.kind_of(token);
        const std::string number = std::to_string(c.number_in_kind(token) + 1);
        labels.push_back(std::string(name_in(token_kinds, kind)) + " " + (is_counted(kind) ? number : "token"));
    }
    return labels;
}

std::vector<std::string> class_labels(const Config& c) {
    Labels labels;
    for (int i = 0; i < c.classes; ++i) labels.push_back(c.label(i));
    return labels;
}

Table ledger_table(const Ledger& ledger, const Config& config) {
    Labels parts;
    for (const LedgerEntry& e : ledger.entries) parts.push_back(name_of(e));
    return table_of("ledger", ledger.contributions, {"part", "class"}, {parts, class_labels(config)});
}

bool is_measure(const std::string& name, const Trace& trace) {
    if (row_named(name) != nullptr) return true;
    const std::vector<NamedTensor> tensors = named_tensors(trace);
    return std::any_of(tensors.begin(), tensors.end(), [&](const NamedTensor& t) { return t.name == name; });
}

void check_measure(const std::string& name, const Config& config) {
    const Row* const row = row_named(name);
    if (name == "positions" && !has_position_similarity(config))
        throw Error(name + ": this model has no positions of its own; leave the measure out");
    if (row != nullptr && row->entry.needs_classes && config.classes == 0)
        throw Error(name + ": this model has no classifier; open one that has, or leave the measure out");
}

Table measure(const MeasureOf& of, const std::string& name, const Progress& progress) {
    if (const Row* const row = row_named(name)) {
        check_measure(name, of.model.config);
        return row->measure(of, progress);
    }
    for (const NamedTensor& t : named_tensors(of.trace)) {
        if (t.name != name) continue;
        std::size_t count = 1;
        Labels axes;
        for (const std::size_t n : t.shape) {
            count *= n;
            axes.push_back("axis " + std::to_string(axes.size()));
        }
        const std::shared_ptr<const float> made = t.data == nullptr ? t.make() : nullptr;  // within a budget of memory
        const float* const data = t.data == nullptr ? made.get() : t.data;
        return {name, axes, t.shape, {data, data + count}, {}};
    }
    assert(false && "the caller asks is_measure first");
    return {};
}

}  // namespace vitrine
