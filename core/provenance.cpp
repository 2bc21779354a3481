#include "core/provenance.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

#include "core/intervention.h"
#include "core/model.h"
#include "core/readout.h"
#include "core/trace.h"

namespace vitrine {

namespace {

using Q = Quantity;

struct Row {
    Quantity quantity;
    const char* name;     // "ℓ" stands for the block
    const char* symbol;   // of the equations
    const char* letters;  // as the paper writes it, markup as on the screen
};

constexpr std::array<Row, static_cast<std::size_t>(Q::count)> rows = {{
    {Q::image, "image", "x", "x"},
    {Q::patch_embedding, "patch_embedding", "patch", "xₚE"},
    {Q::tokens, "tokens", "z", "x"},
    {Q::position, "position", "pos", "Eₚₒₛ"},
    {Q::z, "z.ℓ", "zout", "z"},
    {Q::ln1_mean, "block.ℓ.ln1.mean", "mu", "μ"},
    {Q::ln1_var, "block.ℓ.ln1.var", "sigma", "σ²"},
    {Q::ln1, "block.ℓ.ln1.out", "ln", "LN(z)"},
    {Q::q, "block.ℓ.q", "q", "q"},
    {Q::k, "block.ℓ.k", "k", "k"},
    {Q::v, "block.ℓ.v", "v", "v"},
    {Q::scores, "block.ℓ.scores", "scores", "s"},
    {Q::attention, "block.ℓ.attention", "attention", "A"},
    {Q::heads, "block.ℓ.heads", "heads", "head"},
    {Q::msa, "block.ℓ.msa", "msa", "MSA"},
    {Q::residual, "block.ℓ.residual", "zmid", "z′"},
    {Q::ln2_mean, "block.ℓ.ln2.mean", "mu", "μ"},
    {Q::ln2_var, "block.ℓ.ln2.var", "sigma", "σ²"},
    {Q::ln2, "block.ℓ.ln2.out", "ln", "LN(z′)"},
    {Q::mlp_hidden, "block.ℓ.mlp.hidden", "hidden", "u"},
    {Q::mlp_activation, "block.ℓ.mlp.activation", "activation", "act(u)"},
    {Q::mlp_out, "block.ℓ.mlp.out", "mlp", "MLP"},
    {Q::head_ln, "head.ln", "y", "y"},
    {Q::logits, "head.logits", "logits", "logit"},
    {Q::probabilities, "head.probabilities", "p", "p"},
    {Q::patch_weight, "patch_embedding.weight", "E", "E"},
    {Q::patch_bias, "patch_embedding.bias", "bias", "b"},
    {Q::class_token, "class_token", "class", "x{sub|class}"},
    {Q::ln1_gamma, "block.ℓ.ln1.gamma", "gamma", "γ"},
    {Q::ln1_beta, "block.ℓ.ln1.beta", "beta", "β"},
    {Q::query_weight, "block.ℓ.query.weight", "WQ", "W{sub|Q}"},
    {Q::query_bias, "block.ℓ.query.bias", "WQ", "b"},
    {Q::key_weight, "block.ℓ.key.weight", "WK", "W{sub|K}"},
    {Q::key_bias, "block.ℓ.key.bias", "WK", "b"},
    {Q::value_weight, "block.ℓ.value.weight", "WV", "W{sub|V}"},
    {Q::value_bias, "block.ℓ.value.bias", "WV", "b"},
    {Q::projection_weight, "block.ℓ.projection.weight", "WO", "W{sub|O}"},
    {Q::projection_bias, "block.ℓ.projection.bias", "WO", "b"},
    {Q::ln2_gamma, "block.ℓ.ln2.gamma", "gamma", "γ"},
    {Q::ln2_beta, "block.ℓ.ln2.beta", "beta", "β"},
    {Q::mlp_in_weight, "block.ℓ.mlp_in.weight", "W1", "W₁"},
    {Q::mlp_in_bias, "block.ℓ.mlp_in.bias", "W1", "b₁"},
    {Q::mlp_out_weight, "block.ℓ.mlp_out.weight", "W2", "W₂"},
    {Q::mlp_out_bias, "block.ℓ.mlp_out.bias", "W2", "b₂"},
    {Q::norm_gamma, "norm.gamma", "gamma", "γ"},
    {Q::norm_beta, "norm.beta", "beta", "β"},
    {Q::classifier_weight, "classifier.weight", "logits", "W{sup|y}"},
    {Q::classifier_bias, "classifier.bias", "logits", "b"},
}};

const Row& row_of(Quantity quantity) {
    const Row& row = rows[static_cast<std::size_t>(quantity)];
    assert(row.quantity == quantity);
    return row;
}

CellMatrix matrix(const Parameter& p) {
    if (p.empty()) return {};
    const auto& s = p.shape();
    if (s.size() == 1) return {p.data(), 1, static_cast<int>(s[0])};
    return {p.data(), static_cast<int>(s[0]), static_cast<int>(p.size() / s[0])};
}
CellMatrix matrix(const Tensor1& t) { return {t.data(), 1, static_cast<int>(t.size())}; }
CellMatrix matrix(const Tensor2& t) {
    return {t.data(), static_cast<int>(t.shape()[0]), static_cast<int>(t.shape()[1])};
}
CellMatrix matrix(const Tensor3& t, int head) {
    const auto r = t.shape()[1], c = t.shape()[2];
    return {t.data() + static_cast<std::size_t>(head) * r * c, static_cast<int>(r), static_cast<int>(c)};
}

CellMatrix matrix_in(const BlockTrace& t, const BlockWeights& w, Quantity quantity, int head) {
    switch (quantity) {
        case Q::ln1_mean: return matrix(t.ln1.mean);
        case Q::ln1_var: return matrix(t.ln1.var);
        case Q::ln1: return matrix(t.ln1.out);
        case Q::q: return matrix(t.q, head);
        case Q::k: return matrix(t.k, head);
        case Q::v: return matrix(t.v, head);
        case Q::scores: return matrix(t.scores, head);
        case Q::attention: return matrix(t.attention, head);
        case Q::heads: return matrix(t.heads, head);
        case Q::msa: return matrix(t.msa);
        case Q::residual: return matrix(t.residual);
        case Q::ln2_mean: return matrix(t.ln2.mean);
        case Q::ln2_var: return matrix(t.ln2.var);
        case Q::ln2: return matrix(t.ln2.out);
        case Q::mlp_hidden: return matrix(t.mlp.hidden);
        case Q::mlp_activation: return matrix(t.mlp.activation);
        case Q::mlp_out: return matrix(t.mlp.out);
        case Q::ln1_gamma: return matrix(w.ln1.gamma);
        case Q::ln1_beta: return matrix(w.ln1.beta);
        case Q::query_weight: return matrix(w.query.weight);
        case Q::query_bias: return matrix(w.query.bias);
        case Q::key_weight: return matrix(w.key.weight);
        case Q::key_bias: return matrix(w.key.bias);
        case Q::value_weight: return matrix(w.value.weight);
        case Q::value_bias: return matrix(w.value.bias);
        case Q::projection_weight: return matrix(w.projection.weight);
        case Q::projection_bias: return matrix(w.projection.bias);
        case Q::ln2_gamma: return matrix(w.ln2.gamma);
        case Q::ln2_beta: return matrix(w.ln2.beta);
        case Q::mlp_in_weight: return matrix(w.mlp_in.weight);
        case Q::mlp_in_bias: return matrix(w.mlp_in.bias);
        case Q::mlp_out_weight: return matrix(w.mlp_out.weight);
        case Q::mlp_out_bias: return matrix(w.mlp_out.bias);
        default: return {};
    }
}

CellMatrix matrix_of_block(const Record& record, Quantity quantity, int block, int head) {
    const auto t = record.trace.block(block);
    CellMatrix m = matrix_in(*t, record.model.weights.blocks[static_cast<std::size_t>(block - 1)], quantity, head);
    m.owner = t;
    return m;
}

/// The table of the forward pass: for each tensor, the rule of its cells and the cells that they come from.
class Table {
public:
    Table(const Record& record, const Cell& cell) : record_(record), cell_(cell) {}

    Rule rule = Rule::given;
    double factor = 1.0;
    std::vector<Source> sources;

    void look_up() {
        const Config& c = record_.model.config;
        const int block = cell_.block, row = cell_.row, column = cell_.column, d = c.head_dim();
        const int feature = cell_.head * d + column;  // of a head's column among all D
        switch (cell_.quantity) {
            case Q::patch_embedding: return patch_embedding();
            case Q::tokens:
                rule = Rule::copy;
                return c.is_patch(row) ? one(Part::a, {Q::patch_embedding, 0, 0, c.patch_of(row), column})
                                       : one(Part::a, {Q::class_token, 0, 0, 0, column});
            case Q::z:
                if (block == 0 && !adds_positions(record_.what_ifs)) return copy({Q::tokens, 0});
                return block == 0 ? add({Q::tokens, 0}, {Q::position, 0}) : output(block);
            case Q::ln1_mean: return statistics(Rule::mean, ln1_input());
            case Q::ln1_var: return statistics(Rule::variance, ln1_input());
            case Q::ln1: return normalise(ln1_input(), {Q::ln1_mean, Q::ln1_var, Q::ln1_gamma, Q::ln1_beta});
            case Q::q: return linear(attention_input(), {Q::query_weight, Q::query_bias, feature});
            case Q::k:
                if (copies_query(Site::k)) return one(Part::a, {Q::q, block, cell_.head, row, column});
                return linear(attention_input(), {Q::key_weight, Q::key_bias, feature});
            case Q::v:
                if (copies_query(Site::v)) return one(Part::a, {Q::q, block, cell_.head, row, column});
                return linear(attention_input(), {Q::value_weight, Q::value_bias, feature});
            case Q::scores:
                rule = Rule::product_sum;
                factor = 1.0 / score_rule_of(record_.what_ifs, {block, cell_.head, row}).divisor(d);
                whole_row(Part::a, {Q::q, block}, row);
                return whole_row(Part::b, {Q::k, block}, column);
            case Q::attention:
                rule = Rule::softmax;
                one(Part::own, {Q::scores, block, cell_.head, row, column});
                return whole_row(Part::all, {Q::scores, block}, row);
            case Q::heads:
                rule = Rule::product_sum;
                whole_row(Part::a, {Q::attention, block}, row);
                return sources.push_back({Part::b, {Q::v, block, cell_.head, 0, c.tokens(), column, column + 1}});
            case Q::msa:
                rule = Rule::product_sum;
                for (int head = 0; head < c.heads; ++head)
                    sources.push_back({Part::a, {Q::heads, block, head, row, row + 1, 0, d}});
                return weights({Q::projection_weight, Q::projection_bias, column});
            case Q::residual: return residual();
            case Q::ln2_mean: return statistics(Rule::mean, ln2_input());
            case Q::ln2_var: return statistics(Rule::variance, ln2_input());
            case Q::ln2: return normalise(ln2_input(), {Q::ln2_mean, Q::ln2_var, Q::ln2_gamma, Q::ln2_beta});
            case Q::mlp_hidden: return linear(mlp_input(), {Q::mlp_in_weight, Q::mlp_in_bias, column});
            case Q::mlp_activation:
                rule = Rule::activation;
                return one(Part::a, {Q::mlp_hidden, block, 0, row, column});
            case Q::mlp_out: return linear({Q::mlp_activation, block}, {Q::mlp_out_weight, Q::mlp_out_bias, column});
            case Q::head_ln:
                read_out(column);
                one(Part::gamma, {Q::norm_gamma, 0, 0, 0, column});
                return one(Part::beta, {Q::norm_beta, 0, 0, 0, column});
            case Q::logits: return linear({Q::head_ln, 0}, {Q::classifier_weight, Q::classifier_bias, column});
            case Q::probabilities:
                rule = Rule::softmax;
                one(Part::own, {Q::logits, 0, 0, 0, column});
                return whole_row(Part::all, {Q::logits, 0}, 0);
            default: return;
        }
    }

private:
    struct Place {
        Quantity quantity;
        int block;
    };
    struct Layer {
        Quantity weight, bias;
        int output;
    };
    struct NormParts {
        Quantity mean, variance, gamma, beta;
    };

    Norm norm() const { return norm_of(record_.model.config, record_.what_ifs, cell_.block); }
    /// Whether a what-if puts the queries in the place of keys or values; the rule is then a copy.
    bool copies_query(Site site) {
        const auto copies = [&](const Intervention& i) {
            return i.site == site && std::holds_alternative<CopyQuery>(i.edit) &&
                   i.where.block.value_or(cell_.block) == cell_.block;
        };
        const bool found = std::any_of(record_.what_ifs.begin(), record_.what_ifs.end(), copies);
        if (found) rule = Rule::copy;
        return found;
    }
    bool skips() const { return skips_of(record_.model.config, record_.what_ifs, cell_.block); }
    int columns(Place place) const { return matrix_of(record_, place.quantity, place.block, 0).columns; }

    void one(Part part, const Cell& c) {
        sources.push_back({part, {c.quantity, c.block, c.head, c.row, c.row + 1, c.column, c.column + 1}});
    }
    void whole_row(Part part, Place place, int row) {
        sources.push_back({part, {place.quantity, place.block, cell_.head, row, row + 1, 0, columns(place)}});
    }

    // What feeds a block's parts: the layer norm's output, or what stands in its place.
    std::vector<Place> ln1_input() const {
        if (norm() == Norm::after && !skips()) return {{Q::msa, cell_.block}};
        if (norm() == Norm::after) return {{Q::msa, cell_.block}, {Q::z, cell_.block - 1}};
        return {{Q::z, cell_.block - 1}};
    }
    std::vector<Place> ln2_input() const {
        if (norm() == Norm::after && !skips()) return {{Q::mlp_out, cell_.block}};
        if (norm() == Norm::after) return {{Q::mlp_out, cell_.block}, {Q::residual, cell_.block}};
        return {{Q::residual, cell_.block}};
    }
    Place attention_input() const {
        return norm() == Norm::after ? Place{Q::z, cell_.block - 1} : Place{Q::ln1, cell_.block};
    }
    Place mlp_input() const {
        return norm() == Norm::after ? Place{Q::residual, cell_.block} : Place{Q::ln2, cell_.block};
    }

    void add(Place a, Place b) {
        rule = Rule::sum;
        one(Part::a, {a.quantity, a.block, 0, cell_.row, cell_.column});
        one(Part::b, {b.quantity, b.block, 0, cell_.row, cell_.column});
    }
    void copy(Place a) {
        rule = Rule::copy;
        one(Part::a, {a.quantity, a.block, 0, cell_.row, cell_.column});
    }
    void residual() {
        if (norm() == Norm::after) return copy({Q::ln1, cell_.block});
        if (!skips()) return copy({Q::msa, cell_.block});
        add({Q::msa, cell_.block}, {Q::z, cell_.block - 1});
    }
    void output(int block) {
        if (norm() == Norm::after) return copy({Q::ln2, block});
        if (!skips()) return copy({Q::mlp_out, block});
        add({Q::mlp_out, block}, {Q::residual, block});
    }

    /// Mean or variance of a token's row, or of the sum of two rows.
    void statistics(Rule which, const std::vector<Place>& input) {
        rule = which;
        const int token = cell_.column;  // statistics are (1, N)
        for (std::size_t i = 0; i < input.size(); ++i) {
            const Place& p = input[i];
            const Part part = i == 0 ? Part::a : Part::b;
            sources.push_back({part, {p.quantity, p.block, 0, token, token + 1, 0, columns(p)}});
        }
    }

    void normalise(const std::vector<Place>& input, const NormParts& parts) {
        if (norm() == Norm::none) return copy(input.front());
        rule = Rule::normalise;
        const int block = cell_.block, row = cell_.row, column = cell_.column;
        for (const Place& p : input) one(Part::own, {p.quantity, p.block, 0, row, column});
        one(Part::mean, {parts.mean, block, 0, 0, row});
        one(Part::variance, {parts.variance, block, 0, 0, row});
        one(Part::gamma, {parts.gamma, block, 0, 0, column});
        one(Part::beta, {parts.beta, block, 0, 0, column});
    }

    /// The final norm's input: a column of what is read. Its statistics are no tensor of the trace: whole rows are the
    /// source.
    void read_out(int column) {
        rule = Rule::normalise;
        const Config& c = record_.model.config;
        const ReadTokens read = read_tokens(c);
        sources.push_back({Part::own, {Q::z, c.blocks, 0, read.first, read.last, column, column + 1}});
        sources.push_back({Part::all, {Q::z, c.blocks, 0, read.first, read.last, 0, c.embedding_dim}});
    }

    void weights(const Layer& layer) {
        const int block = cell_.block, inputs = columns({layer.weight, block});
        sources.push_back({Part::b, {layer.weight, block, 0, layer.output, layer.output + 1, 0, inputs}});
        if (matrix_of(record_, layer.bias, block, 0).data != nullptr)
            one(Part::bias, {layer.bias, block, 0, 0, layer.output});
    }
    void linear(Place input, const Layer& layer) {
        rule = Rule::product_sum;
        sources.push_back({Part::a, {input.quantity, input.block, 0, cell_.row, cell_.row + 1, 0, columns(input)}});
        weights(layer);
    }

    /// The patch's window in every channel, and the filter.
    void patch_embedding() {
        rule = Rule::product_sum;
        const Config& c = record_.model.config;
        const Shuffle* const shuffle = shuffle_of(record_.what_ifs);
        const int patch = shuffle == nullptr
                              ? cell_.row
                              : shuffled_order(c.patches(), shuffle->seed)[static_cast<std::size_t>(cell_.row)];
        const int top = patch / c.grid_width() * c.patch_size, left = patch % c.grid_width() * c.patch_size;
        for (int channel = 0; channel < c.channels; ++channel) {
            const int y = channel * c.image_height + top;
            sources.push_back({Part::a, {Q::image, 0, 0, y, y + c.patch_size, left, left + c.patch_size}});
        }
        weights({Q::patch_weight, Q::patch_bias, cell_.column});
    }

    const Record& record_;
    Cell cell_;
};

/// The numbers of all sources of a part, in order.
std::vector<float> gather(const Record& record, const std::vector<Source>& sources, Part part) {
    std::vector<float> numbers;
    for (const Source& s : sources) {
        if (s.part != part) continue;
        const Region& r = s.region;
        const CellMatrix m = matrix_of(record, r.quantity, r.block, r.head);
        for (int row = r.first_row; row < r.last_row; ++row)
            for (int column = r.first_column; column < r.last_column; ++column)
                numbers.push_back(m.data[static_cast<std::size_t>(row) * static_cast<std::size_t>(m.columns) +
                                         static_cast<std::size_t>(column)]);
    }
    return numbers;
}

double sum_of(std::span<const float> numbers) {
    double sum = 0.0;
    for (const float x : numbers) sum += static_cast<double>(x);
    return sum;
}

double mean_of(std::span<const float> numbers) { return sum_of(numbers) / static_cast<double>(numbers.size()); }

double variance_of(std::span<const float> numbers) {
    const double mean = mean_of(numbers);
    double sum = 0.0;
    for (const float x : numbers) sum += (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean);
    return sum / static_cast<double>(numbers.size());
}

/// The statistics' input: a row, or the sum of two.
std::vector<float> summed(const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<float> sum = a;
    for (std::size_t i = 0; i < b.size(); ++i) sum[i] += b[i];
    return sum;
}

/// The mean of rows that lie one after another.
std::vector<float> mean_row(std::span<const float> numbers, std::size_t columns) {
    if (numbers.empty()) return {};
    std::vector<double> sum(columns, 0.0);
    for (std::size_t i = 0; i < numbers.size(); ++i) sum[i % columns] += static_cast<double>(numbers[i]);
    std::vector<float> mean;
    for (const double x : sum)
        mean.push_back(static_cast<float>(x * static_cast<double>(columns) / static_cast<double>(numbers.size())));
    return mean;
}

double softmax_of(float own, std::span<const float> all) {
    const auto largest = static_cast<double>(*std::max_element(all.begin(), all.end()));
    double sum = 0.0;
    for (const float s : all) sum += std::exp(static_cast<double>(s) - largest);
    return std::exp(static_cast<double>(own) - largest) / sum;
}

}  // namespace

Cell Region::cell(int i) const {
    return {quantity, block, head, first_row + i / columns(), first_column + i % columns()};
}

int Region::index(const Cell& c) const { return (c.row - first_row) * columns() + c.column - first_column; }

std::optional<Region> Region::intersected(const Region& other) const {
    if (quantity != other.quantity || block != other.block || head != other.head) return std::nullopt;
    Region r = *this;
    r.first_row = std::max(first_row, other.first_row);
    r.last_row = std::min(last_row, other.last_row);
    r.first_column = std::max(first_column, other.first_column);
    r.last_column = std::min(last_column, other.last_column);
    return r.rows() > 0 && r.columns() > 0 ? std::optional(r) : std::nullopt;
}

bool Region::contains(const Cell& c) const {
    return c.quantity == quantity && c.block == block && c.head == head && c.row >= first_row && c.row < last_row &&
           c.column >= first_column && c.column < last_column;
}

CellMatrix matrix_of(const Record& record, Quantity quantity, int block, int head) {
    const Trace& t = record.trace;
    const Weights& w = record.model.weights;
    switch (quantity) {
        case Q::image: {
            const auto& s = t.embedding->image.shape();
            return {t.embedding->image.data(), static_cast<int>(s[0] * s[1]), static_cast<int>(s[2])};
        }
        case Q::patch_embedding: return matrix(t.embedding->patch_embedding);
        case Q::tokens: return matrix(t.embedding->tokens);
        case Q::position: return matrix(w.position);
        case Q::z: return matrix(t.z(block));
        case Q::head_ln: return matrix(t.head->ln);
        case Q::logits: return matrix(t.head->logits);
        case Q::probabilities: return matrix(t.head->probabilities);
        case Q::patch_weight: return matrix(w.patch_embedding.weight);
        case Q::patch_bias: return matrix(w.patch_embedding.bias);
        case Q::class_token: return matrix(w.class_token);
        case Q::norm_gamma: return matrix(w.norm.gamma);
        case Q::norm_beta: return matrix(w.norm.beta);
        case Q::classifier_weight: return matrix(w.classifier.weight);
        case Q::classifier_bias: return matrix(w.classifier.bias);
        default: return matrix_of_block(record, quantity, block, head);
    }
}

std::vector<Source> sources_of(const Record& record, const Cell& cell) {
    Table table(record, cell);
    table.look_up();
    return table.sources;
}

Derivation derive(const Record& record, const Cell& cell) {
    Table table(record, cell);
    table.look_up();
    Derivation d{cell, table.rule, table.sources, {}, {}, table.factor, 0.0, value_of(record, cell)};
    const auto part = [&](Part p) { return gather(record, d.sources, p); };
    const auto first = [&](Part p) {
        const std::vector<float> numbers = part(p);
        return numbers.empty() ? 0.0 : static_cast<double>(numbers.front());
    };
    d.a = part(Part::a);
    d.b = part(Part::b);
    switch (d.rule) {
        case Rule::given: d.result = static_cast<double>(d.value); break;
        case Rule::copy: d.result = static_cast<double>(d.a.front()); break;
        case Rule::sum: d.result = static_cast<double>(d.a.front()) + static_cast<double>(d.b.front()); break;
        case Rule::product_sum: {
            assert(d.a.size() == d.b.size());
            double sum = 0.0;
            for (std::size_t i = 0; i < d.a.size(); ++i)
                sum += static_cast<double>(d.a[i]) * static_cast<double>(d.b[i]);
            d.result = sum * d.factor + first(Part::bias);
            break;
        }
        case Rule::softmax:
            d.a = part(Part::own);
            d.b = part(Part::all);
            d.result = softmax_of(d.a.front(), d.b);
            break;
        case Rule::mean: d.result = mean_of(summed(d.a, d.b)); break;
        case Rule::variance: d.result = variance_of(summed(d.a, d.b)); break;
        case Rule::normalise: {
            // The final norm alone keeps no statistics; it takes the mean of the rows that are read.
            const auto features = static_cast<std::size_t>(record.model.config.embedding_dim);
            const std::vector<float> row = mean_row(part(Part::all), features);
            const double own = row.empty() ? sum_of(part(Part::own)) : mean_of(part(Part::own));
            const double mean = row.empty() ? first(Part::mean) : mean_of(row);
            const double variance = row.empty() ? first(Part::variance) : variance_of(row);
            const double epsilon = static_cast<double>(record.model.config.layer_norm_epsilon);
            d.a = {static_cast<float>(own), static_cast<float>(mean), static_cast<float>(variance)};
            d.b = {static_cast<float>(first(Part::gamma)), static_cast<float>(first(Part::beta))};
            d.result = first(Part::gamma) * (own - mean) / std::sqrt(variance + epsilon) + first(Part::beta);
            break;
        }
        case Rule::activation:
            d.result = static_cast<double>(activate(activation_of(record, cell.block), d.a.front()));
            break;
    }
    return d;
}

float value_of(const Record& record, const Cell& c) {
    const CellMatrix m = matrix_of(record, c.quantity, c.block, c.head);
    return m.data[static_cast<std::size_t>(c.row) * static_cast<std::size_t>(m.columns) +
                  static_cast<std::size_t>(c.column)];
}

bool exists(const Record& record, const Cell& c) {
    const int blocks = record.model.config.blocks;
    const bool own_block = std::string_view(row_of(c.quantity).name).find("ℓ") != std::string_view::npos;
    const int least = c.quantity == Q::z ? 0 : 1;
    if (own_block ? c.block < least || c.block > blocks : c.block != 0) return false;
    if (c.head < 0 || c.head >= record.model.config.heads) return false;
    const CellMatrix m = matrix_of(record, c.quantity, c.block, c.head);
    return m.data != nullptr && c.row >= 0 && c.row < m.rows && c.column >= 0 && c.column < m.columns;
}

std::string name_of(Quantity quantity, int block) {
    std::string name = row_of(quantity).name;
    constexpr std::string_view letter = "ℓ";
    if (const std::size_t at = name.find(letter); at != std::string::npos)
        name.replace(at, letter.size(), std::to_string(block));
    return name;
}

std::optional<NamedQuantity> quantity_named(const std::string& name) {
    const std::size_t digit = name.find_first_of("0123456789", name.find('.') + 1);
    const bool numbered = digit != std::string::npos && digit > 0 && name[digit - 1] == '.';
    int block = 0;
    if (numbered) std::from_chars(name.data() + digit, name.data() + name.size(), block);
    for (const Row& row : rows)
        if (name_of(row.quantity, block) == name)
            return NamedQuantity{row.quantity,
                                 std::string_view(row.name).find("ℓ") == std::string_view::npos ? 0 : block};
    return std::nullopt;
}

std::string_view symbol_of(Quantity quantity) { return row_of(quantity).symbol; }

std::string name_of(const Region& region) { return name_of(region.quantity, region.block); }

std::string_view letters_of(Quantity quantity) { return row_of(quantity).letters; }

bool has_heads(Quantity quantity) { return quantity >= Q::q && quantity <= Q::heads; }

bool is_vector(Quantity quantity) {
    switch (quantity) {
        case Q::ln1_mean:
        case Q::ln1_var:
        case Q::ln2_mean:
        case Q::ln2_var:
        case Q::head_ln:
        case Q::logits:
        case Q::probabilities:
        case Q::patch_bias:
        case Q::class_token:
        case Q::ln1_gamma:
        case Q::ln1_beta:
        case Q::query_bias:
        case Q::key_bias:
        case Q::value_bias:
        case Q::projection_bias:
        case Q::ln2_gamma:
        case Q::ln2_beta:
        case Q::mlp_in_bias:
        case Q::mlp_out_bias:
        case Q::norm_gamma:
        case Q::norm_beta:
        case Q::classifier_bias: return true;
        default: return false;
    }
}

Activation activation_of(const Record& record, int block) {
    Activation activation = record.model.config.activation;
    for (const Intervention& i : record.what_ifs)
        if (const Activate* const a = std::get_if<Activate>(&i.edit); a && i.where.block.value_or(block) == block)
            activation = a->activation;
    return activation;
}

}  // namespace vitrine
