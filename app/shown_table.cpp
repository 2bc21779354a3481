#include "app/shown_table.h"

#include <algorithm>

#include "app/inference_worker.h"
#include "core/analysis.h"
#include "core/measures/catalogue.h"

namespace vitrine {

namespace {

/// Rows of attention or of what was made of it, each over all tokens.
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
            add_row(t, head_label(block, head),
                    attention_row(*now.trace.blocks[static_cast<std::size_t>(block - 1)], head, f.token));
    return t;
}

Table picks(const Result& now, const Focus& f) {
    Table t = rows_over_tokens(now.model->config, "compare", "block.head@query");
    for (const Pick& p : f.lab.picks) {
        const int query = p.query.value_or(f.token);
        add_row(t, head_label(p.block, p.head) + "@" + std::to_string(query),
                attention_row(*now.trace.blocks[static_cast<std::size_t>(p.block - 1)], p.head, query));
    }
    return t;
}

Table through_depth(const Result& now, const Focus& f, const Measured& m) {
    const bool rollout = f.lab.method == DepthMethod::rollout;
    const auto& matrices = rollout ? m.rollout : m.relevance;
    Table t = rows_over_tokens(now.model->config, rollout ? "rollout" : "relevance", "to block");
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
    for (int level = 0; level <= now.model->config.blocks; ++level) {
        const Tensor2& z = now.trace.z(level);
        const std::size_t n = z.shape()[0], d = z.shape()[1];
        std::vector<float> row;
        for (std::size_t i = 0; i < n; ++i)
            row.push_back(cosine({&z(static_cast<std::size_t>(f.token), 0), d}, {&z(i, 0), d}));
        add_row(t, std::to_string(level), row);
    }
    return t;
}

Table occluded(const OcclusionMap& o) {
    return {"occlusion", {"row", "column"}, {o.drop.shape()[0], o.drop.shape()[1]}, {o.drop.begin(), o.drop.end()}, {}};
}

MeasureOf measure_of(const Result& now, const Focus& f) {
    return {*now.model,   now.trace,     now.experiment.what_ifs, f.lab.rollout,
            f.lab.target, f.lab.against, f.lab.cover_size,        f.lab.cover};
}

}  // namespace

Table shown_table(const Result& now, const Focus& f, const Measured* measured) {
    const Config& c = now.model->config;
    if (measured == nullptr) {
        Table t = rows_over_tokens(c, "attention", "block.head");
        for (int head = 0; head < c.heads; ++head)
            add_row(t, head_label(f.block, head),
                    attention_row(*now.trace.blocks[static_cast<std::size_t>(f.block - 1)], head, f.token));
        return t;
    }
    const bool classifies = c.classes > 0;
    switch (f.lab.instrument) {
        case Instrument::heads: return gallery(now, f);
        case Instrument::compare: return picks(now, f);
        case Instrument::statistics: return measure(measure_of(now, f), name_of(f.lab.statistic));
        case Instrument::depth: return through_depth(now, f, *measured);
        case Instrument::tokens:
            return f.lab.figure == TokenFigure::similarity ? similarities(now, f)
                                                           : measure(measure_of(now, f), name_of(f.lab.figure));
        case Instrument::lens: return classifies ? measure(measure_of(now, f), "lens") : Table{};
        case Instrument::ledger: return classifies ? measure(measure_of(now, f), "ledger") : Table{};
        case Instrument::occlusion: return measured->occlusion ? occluded(*measured->occlusion) : Table{};
    }
    return {};
}

std::vector<std::string> shown_measures(const Result& now, const Focus& f, bool laboratory) {
    const Config& c = now.model->config;
    if (!laboratory) {
        const std::string block = "block." + std::to_string(f.block) + ".";
        std::vector<std::string> names = {"image", "patch_embedding", "tokens", "z.0"};
        for (const char* const part : {"ln1.out", "q", "k", "v", "scores", "attention", "heads", "msa", "residual",
                                       "ln2.out", "mlp.hidden", "mlp.activation", "mlp.out"})
            names.push_back(block + part);
        names.push_back("z." + std::to_string(f.block));
        names.emplace_back("head.ln");
        if (c.classes > 0) names.insert(names.end(), {"head.logits", "head.probabilities"});
        return names;
    }
    switch (f.lab.instrument) {
        case Instrument::heads:
        case Instrument::compare: return {"attention", "similarity"};
        case Instrument::statistics: return {"entropy", "effective_tokens", "distance", "confidence", "class_share"};
        case Instrument::depth:
            return c.classes > 0 ? std::vector<std::string>{"rollout", "relevance"}
                                 : std::vector<std::string>{"rollout"};
        case Instrument::tokens: return {"token_similarity", "components", "norms", "positions", "filters"};
        case Instrument::lens: return {"lens", "lens_tokens"};
        case Instrument::ledger: return {"ledger"};
        case Instrument::occlusion: return {"occlusion"};
    }
    return {};
}

}  // namespace vitrine
