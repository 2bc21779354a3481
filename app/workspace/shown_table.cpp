#include "app/workspace/shown_table.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "app/workspace/block_parts.h"
#include "app/workspace/compare_table.h"
#include "app/workspace/over_images.h"
#include "app/workspace/result.h"
#include "app/workspace/words_measured.h"
#include "app/workspace/words_table.h"
#include "core/measures/analysis.h"
#include "core/measures/catalogue.h"
#include "core/measures/head_statistics.h"
#include "core/measures/importance.h"
#include "core/measures/pair_measures.h"
#include "core/measures/patching.h"
#include "core/measures/perturbation.h"
#include "core/measures/rollout.h"
#include "core/tensor/ops.h"
#include "core/vit/token_weights.h"

namespace vitrine {

namespace {

constexpr const char* importance_over_images = "importance_over_images";

/// A table without rows whose columns are all tokens, for rows of attention or of matrices derived from it.
Table rows_over_tokens(const Config& c, const std::string& name, const std::string& axis) {
    Table t{name, {axis, "key"}, {0, static_cast<std::size_t>(c.tokens())}, {}, {{}, token_labels(c)}};
    return t;
}

void add_row(Table& t, const std::string& label, std::span<const float> row) {
    t.values.insert(t.values.end(), row.begin(), row.end());
    t.labels[0].push_back(label);
    ++t.shape[0];
}

std::string head_label(int block, int head) { return std::to_string(block) + "." + std::to_string(head); }

Table gallery(const Result& now, const Focus& f) {
    const Config& c = now.model->config;
    Table t = rows_over_tokens(c, "attention", "block.head");
    for (int block = 1; block <= c.blocks; ++block)
        for (int head = 0; head < c.heads; ++head)
            add_row(t, head_label(block, head), weights_of_head(now.trace, block, head, {f.token}));
    return t;
}

/// The row that combines all picked heads, with its name; none if each head keeps its own row.
std::optional<std::pair<std::string, std::vector<float>>> combined_row(const std::vector<std::vector<float>>& rows,
                                                                       Combine combine) {
    const std::vector<std::span<const float>> spans(rows.begin(), rows.end());
    switch (combine) {
        case Combine::side_by_side:
        case Combine::uniform: return {};
        case Combine::difference: {
            if (rows.size() < 2) return {};
            std::vector<float> difference = rows[0];
            for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= rows[1][i];
            return std::pair{"X − Y", std::move(difference)};
        }
        case Combine::mean: return std::pair{"mean", fuse(spans, HeadFusion::mean)};
        case Combine::max: return std::pair{"max", fuse(spans, HeadFusion::max)};
        case Combine::min: return std::pair{"min", fuse(spans, HeadFusion::min)};
    }
    return {};
}

Table through_depth(const Result& now, const Focus& f, const Measured& m) {
    const bool rollout = f.lab.method == DepthMethod::rollout;
    const auto& matrices = rollout ? m.rollout : m.relevance;
    Table t = rows_over_tokens(now.model->config, rollout ? "rollout" : "relevance", "block");
    if (!matrices) return {};
    const int first = block_range(m.range.first_block, m.range.last_block, now.model->config.blocks).first;
    for (std::size_t i = 0; i < matrices->size(); ++i) {
        const Tensor2& r = (*matrices)[i];
        add_row(t, std::to_string(first + static_cast<int>(i)),
                {&r(static_cast<std::size_t>(f.token), 0), r.shape()[1]});
    }
    return t;
}

Table similarities(const Result& now, const Focus& f) {
    Table t = rows_over_tokens(now.model->config, "cosine", "level");
    for (int level = 0; level <= now.model->config.blocks; ++level)
        add_row(t, std::to_string(level), cosines_to(now.trace.z(level), f.token));
    return t;
}

Table matrix(const std::string& name, const Tensor2& t, const std::vector<std::string>& axes,
             const std::vector<std::vector<std::string>>& labels = {}) {
    return {name, axes, {t.shape()[0], t.shape()[1]}, {t.begin(), t.end()}, labels};
}

std::vector<std::string> block_labels(std::size_t count) {
    std::vector<std::string> blocks;
    for (std::size_t l = 1; l <= count; ++l) blocks.push_back(std::to_string(l));
    return blocks;
}

Table statistic_table(const HeadStatistics& s, const std::string& name) {
    const Tensor2& t = s.of(name);
    return matrix(name, t, {"block", "head"}, {block_labels(t.shape()[0]), {}});
}

/// Adds the heads' numbers, block by block, and the MLPs' as the last column.
void add_parts(Table& t, const std::string& label, const Tensor2& heads, std::span<const float> mlps) {
    const std::vector<std::string> blocks = block_labels(mlps.size());
    for (std::size_t l = 0; l < blocks.size(); ++l) {
        std::vector<float> row(&heads(l, 0), &heads(l, 0) + heads.shape()[1]);
        row.push_back(mlps[l]);
        add_row(t, label + blocks[l], row);
    }
}

Table table_of_parts(const std::string& name, const std::string& axis, std::size_t heads) {
    Table t{name, {axis, "head"}, {0, heads + 1}, {}, {{}, {}}};
    for (std::size_t head = 0; head < heads; ++head) t.labels[1].push_back(std::to_string(head));
    t.labels[1].emplace_back("MLP");
    return t;
}

/// The heads' importance, and the MLPs' as the last column.
Table importance_table(const Importance& i) {
    Table t = table_of_parts("importance", "block", i.heads.shape()[1]);
    add_parts(t, "", i.heads, i.mlps);
    return t;
}

/// Importance over images: the means of all blocks, then the standard deviations.
Table importance_over_table(const ImportanceOver& over) {
    if (over.numbers.count() == 0) return {};
    Table t = table_of_parts(importance_over_images, "statistic.block", over.heads.shape()[1]);
    add_parts(t, "mean.", over.heads, over.mlps);
    add_parts(t, "deviation.", over.heads_deviation, over.mlps_deviation);
    return t;
}

/// The deletion or insertion curves, with both fillings, one row per filling and ranking.
Table curves_table(const PerturbationCurves& p, Perturbation way) {
    const std::size_t rankings = p.curves.shape()[1], points = p.curves.shape()[2],
                      fillings = std::size(perturbation_fillings), first = static_cast<std::size_t>(way) * fillings;
    Table t{name_in(perturbation_names, way), {"filling.ranking", "step"}, {0, points}, {}, {{}, {}}};
    for (std::size_t i = 0; i < fillings; ++i)
        for (std::size_t r = 0; r < rankings; ++r)
            add_row(t, std::string(name_in(cover_names, perturbation_fillings[i])) + "." + ranking_names[r].name,
                    {&p.curves(first + i, r, 0), points});
    return t;
}

Table causes(const Focus& f, const Measured& m, const Config& c) {
    switch (f.lab.cause) {
        case CauseFigure::importance:
            if (f.lab.over == ImportanceScope::images)
                return m.importance_over ? importance_over_table(*m.importance_over) : Table{};
            return m.importance ? importance_table(*m.importance) : Table{};
        case CauseFigure::pruning:
            return m.pruned && m.pruned->curve.images > 0 ? pruning_table(m.pruned->curve, m.pruned->order) : Table{};
        case CauseFigure::patching:
            if (!m.patching || m.patching->total == 0) return {};
            return table_of_patching(*m.patching, m.site, c);
        case CauseFigure::perturbation: return m.perturbation ? curves_table(*m.perturbation, f.lab.way) : Table{};
    }
    return {};
}

/// The numbers of the figure; for colours and filters the components behind them.
Table tokens(const Result& now, const Focus& f, const Measured& m) {
    const Config& c = now.model->config;
    switch (f.lab.figure) {
        case TokenFigure::similarity: return similarities(now, f);
        case TokenFigure::positions:
            if (now.position_similarity->size() == 0) return {};
            return matrix("positions", *now.position_similarity, {"patch", "other"});
        case TokenFigure::norms:
            return m.norms ? matrix("norms", m.norms->norms, {"level", "token"}, {{}, token_labels(c)}) : Table{};
        case TokenFigure::filters:
            return m.filter_components ? matrix("filters", m.filter_components->directions, {"component", "weight"})
                                       : Table{};
        case TokenFigure::components: {
            if (!m.colours) return {};
            Table t{"components",
                    {"level", "patch", "component"},
                    {m.colours->size(), static_cast<std::size_t>(c.patches()), 3},
                    {},
                    {}};
            for (const LevelColours& level : *m.colours)
                for (std::size_t i = 0; i < t.shape[1]; ++i)
                    for (std::size_t k = 0; k < 3; ++k)
                        t.values.push_back(k < level.scores.shape()[1] ? level.scores(i, k) : 0.0F);
            return t;
        }
    }
    return {};
}

/// All measures of an instrument.
std::vector<std::string> measures_of(const Config& c, Instrument instrument) {
    switch (instrument) {
        case Instrument::heads: return {"attention", "similarity"};
        case Instrument::compare: return {compare_measure, "attention", "similarity"};
        case Instrument::statistics: {
            std::vector<std::string> names;
            for (const HeadStatistic& row : head_statistics_table())
                if (says_something(row, c)) names.emplace_back(row.name);
            return names;
        }
        case Instrument::depth:
            return c.classes > 0
                       ? std::vector<std::string>{"rollout", "rollout_readout", "relevance", "relevance_readout"}
                       : std::vector<std::string>{"rollout", "rollout_readout"};
        case Instrument::tokens: return {"token_similarity", "components", "norms", "positions", "filters"};
        case Instrument::lens: return {"lens", "lens_tokens"};
        case Instrument::ledger: return {"ledger"};
        case Instrument::occlusion: return {"occlusion", "occlusion_logit", "occlusion_margin", "occlusion_loss"};
        case Instrument::causes:
            return {"importance", "importance_mlp", "importance_gradient", "perturbation", "perturbation_area"};
        case Instrument::words: return {words_measures[0].name, words_measures[1].name};
    }
    return {};
}

/// The measure that an instrument's figure shows.
std::string first_measure(const Laboratory& lab) {
    switch (lab.instrument) {
        case Instrument::heads: return "attention";
        case Instrument::compare: return compare_measure;
        case Instrument::lens: return "lens";
        case Instrument::ledger: return "ledger";
        case Instrument::words: return words_measures[0].name;
        case Instrument::statistics: return lab.statistic;
        case Instrument::depth: return name_in(depth_method_names, lab.method);
        case Instrument::tokens:
            return lab.figure == TokenFigure::similarity ? "token_similarity" : name_of(lab.figure);
        case Instrument::occlusion:
            return lab.watched == Watched::probability
                       ? "occlusion"
                       : std::string("occlusion_") + name_in(watched_names, lab.watched);
        case Instrument::causes:
            return lab.cause == CauseFigure::importance && lab.over == ImportanceScope::images
                       ? importance_over_images
                       : name_in(cause_figure_names, lab.cause);
    }
    return {};
}

}  // namespace

Table compare_table(const Config& config, const Trace& trace, const Focus& f) {
    Table t = rows_over_tokens(config, compare_measure, "block (from 1).head (from 0)@query (from 0)");
    std::vector<std::vector<float>> rows;
    for (const Pick& p : f.lab.picks)
        rows.push_back(weights_of_head(trace, p.block, p.head, {p.query.value_or(f.token)}));
    if (rows.empty()) return t;
    if (const auto own = combined_row(rows, f.lab.combine)) add_row(t, own->first, own->second);
    const float even = f.lab.combine == Combine::uniform ? 1.0F / static_cast<float>(t.shape[1]) : 0.0F;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Pick& p = f.lab.picks[i];
        for (float& weight : rows[i]) weight -= even;
        add_row(t,
                head_label(p.block, p.head) + "@" + std::to_string(p.query.value_or(f.token)) +
                    (f.lab.combine == Combine::uniform ? " − 1/N" : ""),
                rows[i]);
    }
    return t;
}

Table shown_table(const Result& now, const Focus& f, const Measured* measured) {
    const Config& c = now.model->config;
    if (measured == nullptr) {
        Table t = rows_over_tokens(c, "attention", f.looked_at ? "block.head, who looks at the token" : "block.head");
        for (int head = 0; head < c.heads; ++head)
            add_row(t, head_label(f.block, head), weights_of_head(now.trace, f.block, head, {f.token, f.looked_at}));
        return t;
    }
    const Measured& m = *measured;
    switch (f.lab.instrument) {
        case Instrument::heads: return gallery(now, f);
        case Instrument::compare: return compare_table(c, now.trace, f);
        case Instrument::statistics: return m.statistics ? statistic_table(*m.statistics, f.lab.statistic) : Table{};
        case Instrument::depth: return through_depth(now, f, m);
        case Instrument::tokens: return tokens(now, f, m);
        case Instrument::lens:  // the curves' probabilities
            return m.lens ? matrix("lens_probability", softmax(*m.lens), {"level", "class"}, {{}, class_labels(c)})
                          : Table{};
        case Instrument::ledger: return m.ledger ? ledger_table(*m.ledger, c) : Table{};
        case Instrument::occlusion:
            return m.occlusion ? matrix("occlusion", m.occlusion->of(f.lab.watched), {"row", "column"}) : Table{};
        case Instrument::causes: return causes(f, m, c);
        case Instrument::words:
            return m.words && m.words->refused.empty() && !m.words->texts.empty()
                       ? matrix("words", m.words->nearness.patches, {"text", "patch"}, {m.words->texts, {}})
                       : Table{};
    }
    return {};
}

std::vector<std::string> tensors_in_view(const Config& c, const Focus& f) {
    const std::string block = "block." + std::to_string(f.block) + ".";
    std::vector<std::string> names = {"image", "patch_embedding", "tokens", "z.0"};
    for (const char* const part : {"ln1.out", "q", "k", "v", "scores", "attention", "heads", "msa", "residual",
                                   "ln2.out", "mlp.hidden", "mlp.activation", "mlp.out"})
        names.push_back(block + part);
    const std::vector<std::string> parts = tensors_of_block_parts(c, f.block);
    names.insert(names.end(), parts.begin(), parts.end());
    names.push_back("z." + std::to_string(f.block));
    names.emplace_back("head.ln");
    if (c.classes > 0) names.insert(names.end(), {"head.logits", "head.probabilities"});
    return names;
}

std::vector<std::string> measures_in_view(const Config& c, const Laboratory& lab) {
    std::vector<std::string> names = measures_of(c, lab.instrument);
    const std::string first = first_measure(lab);
    if (const auto at = std::ranges::find(names, first); at != names.end())
        std::rotate(names.begin(), at, at + 1);
    else if (is_of_several_runs(first))
        names.insert(names.begin(), first);
    return names;
}

bool is_of_several_runs(const std::string& measure) {
    return measure == importance_over_images || measure == name_in(cause_figure_names, CauseFigure::pruning) ||
           measure == name_in(cause_figure_names, CauseFigure::patching);
}

}  // namespace vitrine
