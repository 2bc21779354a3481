#include "core/vit/provenance_rules.h"

#include <utility>

#include "core/transformer/attention_places.h"
#include "core/transformer/equations.h"
#include "core/vit/model.h"
#include "core/vit/readout.h"
#include "core/vit/token_places.h"
#include "core/vit/trace.h"

namespace vitrine {

namespace {

using Q = Quantity;

/// Provenance table of the forward pass, for looking up one cell.
class Table {
public:
    Table(const Record& record, const Cell& cell)
        : record_(record), cell_(cell), equations_(equations_of(record, cell)) {}

    Rule rule = Rule::given;
    double factor = 1.0;
    std::vector<Source> sources;

    // In the order of the forward pass: embedding, attention and MLP of a block, head.
    void look_up() { embed() || block() || pool() || classify(); }

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

    // Each of embed, block, attend, mlp, pool and classify sets the rule and the sources if the cell belongs to its
    // part of the pass, and returns whether it does.

    bool embed() {
        const Config& c = record_.model.config;
        const int row = cell_.row, column = cell_.column;
        switch (cell_.quantity) {
            case Q::patch_embedding: return patch_embedding();
            case Q::rotation: return true;  // depends on the position alone
            case Q::tokens:
                rule = Rule::copy;
                return one(Part::a, {source_of(c.kind_of(row)), 0, 0, c.number_in_kind(row), column});
            case Q::placed: return add_position();
            case Q::z:
                if (cell_.block > 0) return false;  // a block's
                return c.embedding_norm ? norm_of_row({Q::placed, 0}, row, Q::embedding_norm_gamma) : add_position();
            default: return false;
        }
    }

    /// The sum of a token and its position embedding; the token alone if it has none.
    bool add_position() {
        const Config& c = record_.model.config;
        const int row = cell_.row, column = cell_.column;
        const std::optional<int> position = c.position_row(equations_.position_of(row));
        if (equations_.positions == 0.0 || !position) return copy({Q::tokens, 0});
        rule = Rule::sum;
        one(Part::a, {Q::tokens, 0, 0, row, column});
        return one(Part::b, {Q::position, 0, 0, *position, column});
    }

    /// A layer norm whose mean and variance are not in the trace, so the whole row is the source. In the enum
    /// `Quantity`, its β follows its γ.
    bool norm_of_row(Place place, int row, Quantity gamma) {
        rule = Rule::normalise;
        const int column = cell_.column;
        const auto beta = static_cast<Quantity>(static_cast<int>(gamma) + 1);
        one(Part::own, {place.quantity, place.block, 0, row, column});
        part(Part::all, {place.quantity, place.block, 0, row, row + 1, 0, columns(place)});
        one(Part::gamma, {gamma, 0, 0, 0, column});
        return one(Part::beta, {beta, 0, 0, 0, column});
    }

    /// Where a token of this kind comes from: a learned vector, or the patch embedding.
    static Quantity source_of(TokenKind kind) {
        switch (kind) {
            case TokenKind::class_token: return Q::class_token;
            case TokenKind::distillation: return Q::distillation_token;
            case TokenKind::register_token: return Q::register_tokens;
            case TokenKind::patch: return Q::patch_embedding;
        }
        return Q::patch_embedding;
    }

    bool block() {
        const int block = cell_.block;
        switch (cell_.quantity) {
            case Q::ln1_mean: return statistics(Rule::mean, ln1_input());
            case Q::ln1_var: return statistics(Rule::variance, ln1_input());
            case Q::ln1: return normalise(ln1_input(), {Q::ln1_mean, Q::ln1_var, Q::ln1_gamma, Q::ln1_beta});
            case Q::residual:
                if (norm() == Norm::after) return copy({Q::ln1, block});
                return skip(attention_branch(), {Q::z, block - 1}, {Q::ln1, block});
            case Q::msa_scaled: return scale({Q::msa, block}, Q::layer_scale_1);
            case Q::ln2_mean: return statistics(Rule::mean, ln2_input());
            case Q::ln2_var: return statistics(Rule::variance, ln2_input());
            case Q::ln2: return normalise(ln2_input(), {Q::ln2_mean, Q::ln2_var, Q::ln2_gamma, Q::ln2_beta});
            case Q::z:
                if (norm() == Norm::after) return copy({Q::ln2, block});
                return skip(mlp_branch(), {Q::residual, block}, {Q::ln2, block});
            case Q::mlp_scaled: return scale({Q::mlp_out, block}, Q::layer_scale_2);
            default: return attend() || mlp();
        }
    }

    bool attend() {
        const Config& c = record_.model.config;
        const int block = cell_.block, head = cell_.head, row = cell_.row, column = cell_.column, d = c.head_dim();
        switch (cell_.quantity) {
            case Q::q: return slice(Q::query_weight, Q::query_bias);
            case Q::k: return equations_.key_is_query ? copy_query() : slice(Q::key_weight, Q::key_bias);
            case Q::v: return equations_.value_is_query ? copy_query() : slice(Q::value_weight, Q::value_bias);
            case Q::scores:
                rule = Rule::product_sum;
                factor = 1.0 / equations_.scores.divisor(d);
                whole_row(Part::a, {queries_of(c), block}, row);
                whole_row(Part::b, {keys_of(c), block}, column);
                if (c.position_bias == 0) return true;
                return one(Part::bias, {Q::position_bias, block, 0, row_of_position_bias(c, row, column), head});
            case Q::q_normed: return normalise_row({Q::q, block}, Q::query_norm_gamma, Q::query_norm_beta);
            case Q::k_normed: return normalise_row({Q::k, block}, Q::key_norm_gamma, Q::key_norm_beta);
            case Q::q_turned: return turn(c.qk_norm ? Q::q_normed : Q::q);
            case Q::k_turned: return turn(c.qk_norm ? Q::k_normed : Q::k);
            case Q::attention:
                rule = Rule::softmax;
                one(Part::own, {Q::scores, block, head, row, column});
                return equations_.over_queries
                           ? part(Part::all, {Q::scores, block, head, 0, c.tokens(), column, column + 1})
                           : whole_row(Part::all, {Q::scores, block}, row);
            case Q::heads:
                rule = Rule::product_sum;
                whole_row(Part::a, {Q::attention, block}, row);
                return part(Part::b, {Q::v, block, head, 0, columns({Q::attention, block}), column, column + 1});
            case Q::msa:
                rule = Rule::product_sum;
                for (int i = 0; i < c.heads; ++i) part(Part::a, {Q::heads, block, i, row, row + 1, 0, d});
                return weights({Q::projection_weight, Q::projection_bias, column});
            default: return false;
        }
    }

    bool mlp() {
        const int block = cell_.block, column = cell_.column;
        switch (cell_.quantity) {
            case Q::mlp_hidden: return linear(mlp_input(), {Q::mlp_in_weight, Q::mlp_in_bias, column});
            case Q::mlp_activation:
                rule = Rule::activation;
                return one(Part::a, {Q::mlp_hidden, block, 0, cell_.row, column});
            case Q::mlp_value: return linear(mlp_input(), {Q::mlp_value_weight, Q::mlp_value_bias, column});
            case Q::mlp_gated:
                rule = Rule::product;
                one(Part::a, {Q::mlp_activation, block, 0, cell_.row, column});
                return one(Part::b, {Q::mlp_value, block, 0, cell_.row, column});
            case Q::mlp_norm: return normalise_row({hidden_layer(), block}, Q::mlp_norm_gamma, Q::mlp_norm_beta);
            case Q::mlp_out: return linear({inside_mlp(), block}, {Q::mlp_out_weight, Q::mlp_out_bias, column});
            default: return false;
        }
    }

    /// A pooling by attention, in the order of its computation.
    bool pool() {
        const int head = cell_.head, column = cell_.column, d = record_.model.config.head_dim();
        switch (cell_.quantity) {
            case Q::pool_q: return linear({Q::probe, 0}, {Q::pool_query_weight, Q::pool_query_bias, head * d + column});
            case Q::pool_k:
                return linear({Q::head_tokens, 0}, {Q::pool_key_weight, Q::pool_key_bias, head * d + column});
            case Q::pool_v:
                return linear({Q::head_tokens, 0}, {Q::pool_value_weight, Q::pool_value_bias, head * d + column});
            case Q::pool_scores:
                rule = Rule::product_sum;
                factor = 1.0 / equations_.scores.divisor(d);
                whole_row(Part::a, {Q::pool_q, 0}, 0);
                return whole_row(Part::b, {Q::pool_k, 0}, column);
            case Q::pool_attention:
                rule = Rule::softmax;
                one(Part::own, {Q::pool_scores, 0, head, 0, column});
                return whole_row(Part::all, {Q::pool_scores, 0}, 0);
            case Q::pool_heads:
                rule = Rule::product_sum;
                whole_row(Part::a, {Q::pool_attention, 0}, 0);
                return part(Part::b, {Q::pool_v, 0, head, 0, columns({Q::pool_attention, 0}), column, column + 1});
            case Q::pool_msa:
                rule = Rule::product_sum;
                for (int i = 0; i < record_.model.config.heads; ++i) part(Part::a, {Q::pool_heads, 0, i, 0, 1, 0, d});
                return weights({Q::pool_projection_weight, Q::pool_projection_bias, column});
            case Q::pool_ln: return norm_of_row({Q::pool_msa, 0}, 0, Q::pool_ln_gamma);
            case Q::pool_hidden: return linear({Q::pool_ln, 0}, {Q::pool_in_weight, Q::pool_in_bias, column});
            case Q::pool_activation: rule = Rule::activation; return one(Part::a, {Q::pool_hidden, 0, 0, 0, column});
            case Q::pool_mlp: return linear({Q::pool_activation, 0}, {Q::pool_out_weight, Q::pool_out_bias, column});
            default: return false;
        }
    }

    bool classify() {
        const int column = cell_.column;
        switch (cell_.quantity) {
            case Q::head_tokens:
                return norm_of_row({Q::z, record_.model.config.blocks},
                                   tokens_read(record_.model.config)[static_cast<std::size_t>(cell_.row)],
                                   Q::norm_gamma);
            case Q::head_ln:
                if (record_.model.config.pools()) return add({Q::pool_msa, 0}, {Q::pool_mlp, 0});
                if (record_.model.config.norms_tokens()) return mean_of_part();
                read_out(column);
                one(Part::gamma, {Q::norm_gamma, 0, 0, 0, column});
                return one(Part::beta, {Q::norm_beta, 0, 0, 0, column});
            case Q::head_each: return classify_vector();
            case Q::features: return linear({Q::head_ln, 0}, {Q::feature_weight, Q::feature_bias, column});
            case Q::logits:
                if (record_.model.config.readout == Readout::class_and_distillation) return mean_of_both();
                return linear({Q::head_ln, 0}, {Q::classifier_weight, Q::classifier_bias, column});
            case Q::probabilities:
                if (record_.model.config.ending == HeadKind::several) {
                    rule = Rule::sigmoid;
                    return one(Part::a, {Q::features, 0, 0, 0, column});
                }
                rule = Rule::softmax;
                one(Part::own, {Q::logits, 0, 0, 0, column});
                return whole_row(Part::all, {Q::logits, 0}, 0);
            default: return false;
        }
    }

    Norm norm() const { return equations_.norm; }
    bool skips() const { return equations_.skip.factor != 0.0; }
    int columns(Place place) const { return matrix_of(record_, place.quantity, place.block, 0).columns; }

    // These add a source: a region, one cell, a row. They return true, since the cell is found.
    bool part(Part which, const Region& region) {
        sources.push_back({which, region});
        return true;
    }
    bool one(Part which, const Cell& c) {
        return part(which, {c.quantity, c.block, c.head, c.row, c.row + 1, c.column, c.column + 1});
    }
    bool whole_row(Part which, Place place, int row) {
        return part(which, {place.quantity, place.block, cell_.head, row, row + 1, 0, columns(place)});
    }

    // The branches as they are added to the residual stream.
    Place attention_branch() const { return {record_.model.config.layer_scale ? Q::msa_scaled : Q::msa, cell_.block}; }
    Place mlp_branch() const { return {record_.model.config.layer_scale ? Q::mlp_scaled : Q::mlp_out, cell_.block}; }

    // The terms whose sum a layer norm reads, and below them the input of attention and of the MLP.
    std::vector<Place> ln1_input() const {
        if (norm() == Norm::after && !skips()) return {attention_branch()};
        if (norm() == Norm::after) return {attention_branch(), {Q::z, cell_.block - 1}};
        return {{Q::z, cell_.block - 1}};
    }
    std::vector<Place> ln2_input() const {
        if (norm() == Norm::after && !skips()) return {mlp_branch()};
        if (norm() == Norm::after) return {mlp_branch(), {Q::residual, cell_.block}};
        return {{Q::residual, cell_.block}};
    }
    Place attention_input() const {
        return norm() == Norm::after ? Place{Q::z, cell_.block - 1} : Place{Q::ln1, cell_.block};
    }
    Place mlp_input() const {
        return norm() == Norm::after ? Place{Q::residual, cell_.block} : Place{Q::ln2, cell_.block};
    }

    bool add(Place a, Place b) {
        rule = Rule::sum;
        one(Part::a, {a.quantity, a.block, 0, cell_.row, cell_.column});
        return one(Part::b, {b.quantity, b.block, 0, cell_.row, cell_.column});
    }
    bool copy(Place a) {
        rule = Rule::copy;
        return one(Part::a, {a.quantity, a.block, 0, cell_.row, cell_.column});
    }

    /// A branch times its gain.
    bool scale(Place branch, Quantity gain) {
        rule = Rule::product;
        one(Part::a, {branch.quantity, branch.block, 0, cell_.row, cell_.column});
        return one(Part::b, {gain, cell_.block, 0, 0, cell_.column});
    }
    /// The sum of a branch and the residual stream z; without skip connections, the branch alone. One of the mistakes
    /// in exercises adds `normed`, LN(z), in place of z.
    bool skip(Place branch, Place z, Place normed) {
        return skips() ? add(branch, equations_.skip.normed ? normed : z) : copy(branch);
    }
    /// Keys or values that are copies of the queries.
    bool copy_query() {
        rule = Rule::copy;
        return one(Part::a, {Q::q, cell_.block, cell_.head, cell_.row, cell_.column});
    }

    /// A feature of a rotated query or key: from the feature, its partner in the pair, and the pair's angle.
    bool turn(Quantity input) {
        rule = Rule::turn;
        const Config& c = record_.model.config;
        const TurnedPair pair = turned_pair(c.rotary, c.head_dim(), cell_.column);
        factor = static_cast<double>(pair.sign);
        one(Part::a, {input, cell_.block, cell_.head, cell_.row, pair.own});
        one(Part::a, {input, cell_.block, cell_.head, cell_.row, pair.other});
        return one(Part::b, {Q::rotation, 0, 0, cell_.row, pair.pair});
    }

    // The MLP's hidden layer before its norm, and the input of its second linear layer.
    Quantity hidden_layer() const { return record_.model.config.gated_mlp ? Q::mlp_gated : Q::mlp_activation; }
    Quantity inside_mlp() const { return record_.model.config.mlp_norm ? Q::mlp_norm : hidden_layer(); }

    /// A norm inside a block, such as that of a head's queries. Its mean and variance are not in the trace, so the
    /// whole row is the source.
    bool normalise_row(Place input, Quantity gamma, Quantity beta) {
        rule = Rule::normalise;
        part(Part::own,
             {input.quantity, input.block, cell_.head, cell_.row, cell_.row + 1, cell_.column, cell_.column + 1});
        whole_row(Part::all, input, cell_.row);
        one(Part::gamma, {gamma, cell_.block, 0, 0, cell_.column});
        return one(Part::beta, {beta, cell_.block, 0, 0, cell_.column});
    }

    /// Mean or variance of a token's row, or of the sum of two rows.
    bool statistics(Rule which, const std::vector<Place>& input) {
        rule = which;
        const int token = cell_.column;  // statistics are (1, N)
        for (std::size_t i = 0; i < input.size(); ++i) {
            const Place& p = input[i];
            part(i == 0 ? Part::a : Part::b, {p.quantity, p.block, 0, token, token + 1, 0, columns(p)});
        }
        return true;
    }

    bool normalise(const std::vector<Place>& input, const NormParts& parts) {
        if (norm() == Norm::none) return copy(input.front());
        rule = Rule::normalise;
        const int block = cell_.block, row = cell_.row, column = cell_.column;
        for (const Place& p : input) one(Part::own, {p.quantity, p.block, 0, row, column});
        one(Part::mean, {parts.mean, block, 0, 0, row});
        one(Part::variance, {parts.variance, block, 0, 0, row});
        one(Part::gamma, {parts.gamma, block, 0, 0, column});
        return one(Part::beta, {parts.beta, block, 0, 0, column});
    }

    /// The input of the final norm: a column of the tokens that the readout reads. The norm's mean and variance are not
    /// in the trace, so whole rows are the source.
    void read_out(int column) {
        rule = Rule::normalise;
        const Config& c = record_.model.config;
        const ReadTokens read = read_tokens(c);
        part(Part::own, {Q::z, c.blocks, 0, read.first, read.last, column, column + 1});
        part(Part::all, {Q::z, c.blocks, 0, read.first, read.last, 0, c.embedding_dim});
    }

    /// A column of the head's input, one vector for each part of the readout: the mean of the part's normed tokens, or
    /// a copy if it is one token.
    bool mean_of_part() {
        const Config& c = record_.model.config;
        const int d = c.embedding_dim;
        int first = 0;
        const std::vector<ReadTokens> parts = read_parts(c);
        const auto which = static_cast<std::size_t>(cell_.column / d);
        for (std::size_t p = 0; p < which; ++p) first += parts[p].count();
        const int column = cell_.column % d, last = first + parts[which].count();
        rule = parts[which].one() ? Rule::copy : Rule::mean;
        return part(Part::a, {Q::head_tokens, 0, 0, first, last, column, column + 1});
    }
    /// A logit of one of the two classifiers: row 0 is the class token's, row 1 the distillation token's. Each reads
    /// its own part of the head's input.
    bool classify_vector() {
        rule = Rule::product_sum;
        const int d = record_.model.config.embedding_dim, row = cell_.row;
        part(Part::a, {Q::head_ln, 0, 0, 0, 1, row * d, (row + 1) * d});
        return weights(row == 0 ? Layer{Q::classifier_weight, Q::classifier_bias, cell_.column}
                                : Layer{Q::distillation_weight, Q::distillation_bias, cell_.column});
    }
    /// A logit as the mean of both classifiers' logits.
    bool mean_of_both() {
        rule = Rule::mean;
        return part(Part::a, {Q::head_each, 0, 0, 0, 2, cell_.column, cell_.column + 1});
    }

    bool weights(const Layer& layer) {
        const int block = cell_.block, inputs = columns({layer.weight, block});
        part(Part::b, {layer.weight, block, 0, layer.output, layer.output + 1, 0, inputs});
        const bool biased = matrix_of(record_, layer.bias, block, 0).data != nullptr;
        return !biased || one(Part::bias, {layer.bias, block, 0, 0, layer.output});
    }
    bool linear(Place input, const Layer& layer) { return linear(input, layer, cell_.row); }
    bool linear(Place input, const Layer& layer, int row) {
        rule = Rule::product_sum;
        part(Part::a, {input.quantity, input.block, 0, row, row + 1, 0, columns(input)});
        return weights(layer);
    }
    /// A cell of q, k or v. Head i has the columns from i·d on of the matrix (N, D); without the transpose (a mistake
    /// of course code) it has the numbers from i·N·d on of that matrix in row-major order.
    bool slice(Quantity weight, Quantity bias) {
        const Config& c = record_.model.config;
        const int d = c.head_dim();
        if (!equations_.resliced) return linear(attention_input(), {weight, bias, cell_.head * d + cell_.column});
        const int number = (cell_.head * c.tokens() + cell_.row) * d + cell_.column;
        return linear(attention_input(), {weight, bias, number % c.embedding_dim}, number / c.embedding_dim);
    }

    /// The patch's pixels in every channel, and the filter.
    bool patch_embedding() {
        rule = Rule::product_sum;
        const Config& c = record_.model.config;
        const std::vector<int> order = equations_.order(c.patches());
        const int patch = order.empty() ? cell_.row : order[static_cast<std::size_t>(cell_.row)];
        const int top = patch / c.grid_width() * c.patch_size, left = patch % c.grid_width() * c.patch_size;
        for (int channel = 0; channel < c.channels; ++channel) {
            const int y = channel * c.image_height + top;
            part(Part::a, {Q::image, 0, 0, y, y + c.patch_size, left, left + c.patch_size});
        }
        return weights({Q::patch_weight, Q::patch_bias, cell_.column});
    }

    const Record& record_;
    Cell cell_;
    Equations equations_;
};

}  // namespace

Quantity queries_of(const Config& c) { return turns_by_place(c) ? Q::q_turned : c.qk_norm ? Q::q_normed : Q::q; }
Quantity keys_of(const Config& c) { return turns_by_place(c) ? Q::k_turned : c.qk_norm ? Q::k_normed : Q::k; }

Origin origin_of(const Record& record, const Cell& cell) {
    Table table(record, cell);
    table.look_up();
    return {table.rule, table.factor, std::move(table.sources)};
}

}  // namespace vitrine
