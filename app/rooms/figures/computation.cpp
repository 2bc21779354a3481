#include "app/rooms/figures/computation.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "app/rooms/figures/scene.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "core/measures/analysis.h"
#include "core/transformer/equations.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t terms_shown = 3;

/// The rich-text role that colours a symbol.
std::string_view role_of(std::string_view symbol) {
    static const std::map<std::string_view, std::string_view> roles = {
        {"q", "query"},       {"k", "key"},        {"v", "value"},   {"ln", "norm"},       {"mu", "norm"},
        {"sigma", "norm"},    {"gamma", "norm"},   {"beta", "norm"}, {"hidden", "mlp"},    {"activation", "mlp"},
        {"mlp", "mlp"},       {"gain", "norm"},    {"value", "mlp"}, {"scores", "accent"}, {"attention", "accent"},
        {"zmid", "residual"}, {"zout", "residual"}};
    const auto found = roles.find(symbol);
    return found == roles.end() ? "" : found->second;
}

constexpr int fewest_digits = 3;

/// A number inside a formula: negative ones in brackets.
std::string inside(double x, int digits = fewest_digits) {
    return x < 0 ? "(" + digits_text(x, digits) + ")" : digits_text(x, digits);
}

/// "a · b = c".
std::string product_words(double a, double b, double c) {
    const int digits = digits_for(c, std::multiplies<>(), a, b);
    return inside(a, digits) + " · " + digits_text(b, digits) + " = " + number_text(c);
}

/// The quantity's letters in the equation's colour: "{query|q}"; letters with their own markup stay plain.
std::string coloured(Quantity quantity) {
    const std::string letters(letters_of(quantity));
    const std::string_view role = role_of(symbol_of(quantity));
    if (role.empty() || letters.find('{') != std::string::npos) return letters;
    return "{" + std::string(role) + "|" + letters + "}";
}

/// The terms with the largest magnitudes, the largest first.
std::string largest_terms(const Derivation& d) {
    std::vector<std::size_t> order(d.a.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const std::size_t shown = std::min(terms_shown, order.size());
    std::partial_sort(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
        [&](std::size_t i, std::size_t j) { return std::abs(d.a[i] * d.b[i]) > std::abs(d.a[j] * d.b[j]); });
    std::string words;
    for (std::size_t i = 0; i < shown; ++i)
        words += (i > 0 ? " + " : "") + inside(static_cast<double>(d.a[order[i]])) + "·" +
                 inside(static_cast<double>(d.b[order[i]]));
    return words + (order.size() > shown ? " + …" : "");
}

const Source* source_of(const Derivation& d, Part part) {
    const auto found =
        std::find_if(d.sources.begin(), d.sources.end(), [&](const Source& s) { return s.part == part; });
    return found == d.sources.end() ? nullptr : &*found;
}

Lines product_sum(const Ui& ui, const Record& record, const Derivation& d) {
    const Region &a = source_of(d, Part::a)->region, &b = source_of(d, Part::b)->region;
    const std::string count = count_text(static_cast<std::int64_t>(d.a.size()));
    Lines lines = {"Σ " + coloured(a.quantity) + " · " + coloured(b.quantity) + " = " + largest_terms(d),
                   ui.text("computation.terms", {{"count", count}})};
    double sum = 0.0;
    for (std::size_t i = 0; i < d.a.size(); ++i) sum += static_cast<double>(d.a[i]) * static_cast<double>(d.b[i]);
    const Source* const bias = source_of(d, Part::bias);
    const auto bias_value = [&] {
        const Region& r = bias->region;
        return static_cast<double>(value_of(record, {r.quantity, r.block, r.head, r.first_row, r.first_column}));
    };
    const ScoreRule rule =
        d.cell.quantity == Quantity::scores ? equations_of(record, d.cell).scores : ScoreRule{.divided = false};
    if (const std::string letters = divisor_words(rule, "d"); !letters.empty()) {
        const std::string numbers = divisor_words(rule, std::to_string(record.model.config.head_dim()));
        const double divided = sum * d.factor;
        const int digits = digits_for(
            divided, [&](double s) { return s * d.factor; }, sum);
        lines.push_back("÷ " + letters + ": " + inside(sum, digits) + " / " + numbers + " = " + number_text(divided));
        if (bias != nullptr) {
            const int both = digits_for(d.result, std::plus<>(), divided, bias_value());
            lines.push_back("+ " + coloured(bias->region.quantity) + ": " + inside(divided, both) + " + " +
                            inside(bias_value(), both) + " = " + number_text(d.result));
        }
    } else if (bias != nullptr) {
        const double value = bias_value();
        const int digits = digits_for(d.result, std::plus<>(), sum, value);
        lines.push_back("Σ + b = " + inside(sum, digits) + " + " + inside(value, digits) + " = " +
                        number_text(d.result));
    } else {
        lines.push_back("Σ = " + number_text(d.result));
    }
    return lines;
}

/// a · b in letters, then in numbers.
Lines product_of_two(const Derivation& d) {
    const Region &a = source_of(d, Part::a)->region, &b = source_of(d, Part::b)->region;
    return {coloured(a.quantity) + " · " + coloured(b.quantity),
            "= " + product_words(static_cast<double>(d.a.front()), static_cast<double>(d.b.front()), d.result)};
}

/// Rotary positions: a feature and its partner, turned by φ.
Lines turn(const Derivation& d) {
    const std::string letters = coloured(source_of(d, Part::a)->region.quantity), sign = d.factor < 0 ? " − " : " + ";
    const auto own = static_cast<double>(d.a[0]), partner = static_cast<double>(d.a[1]),
               angle = static_cast<double>(d.b.front());
    const double c = std::cos(angle), s = std::sin(angle);
    const int digits = digits_for(
        d.result, [&](double x, double y, double u, double v) { return x * u + d.factor * y * v; }, own, partner, c, s);
    return {letters + " cos φ" + sign + letters + "′ sin φ,  φ = " + number_text(angle),
            "= " + inside(own, digits) + " · " + inside(c, digits) + sign + inside(partner, digits) + " · " +
                inside(s, digits) + " = " + number_text(d.result)};
}

/// e^s over the sum of e^s; shifted by the largest score if e^s would be too large or small to display.
Lines softmax(const Ui& ui, const Derivation& d) {
    const auto own = static_cast<double>(d.a.front());
    const auto largest = static_cast<double>(*std::max_element(d.b.begin(), d.b.end()));
    constexpr double readable = 12;
    const double shift = std::abs(largest) > readable ? largest : 0.0;
    double sum = 0.0;
    for (const float s : d.b) sum += std::exp(static_cast<double>(s) - shift);
    Lines lines;
    if (shift != 0.0) lines.push_back(ui.text("computation.shifted", {{"largest", number_text(largest)}}));
    const std::string exponent = shift == 0.0 ? number_text(own) : inside(own) + " − " + inside(shift);
    const double above = std::exp(own - shift);
    const int digits = digits_for(d.result, std::divides<>(), above, sum);
    lines.push_back("e{sup|" + exponent + "} / Σ e{sup|s} = " + digits_text(above, digits) + " / " +
                    digits_text(sum, digits) + " = " + number_text(d.result));
    return lines;
}

Lines normalise(const Record& record, const Derivation& d) {
    const auto value = [](float x) { return static_cast<double>(x); };
    const double own = value(d.a[0]), mean = value(d.a[1]), variance = value(d.a[2]);
    const double epsilon = value(record.model.config.layer_norm_epsilon), root = std::sqrt(variance + epsilon);
    const double standard = (own - mean) / root, gamma = value(d.b[0]), beta = value(d.b[1]);
    const int above = digits_for(own - mean, std::minus<>(), own, mean),
              ratio = digits_for(standard, std::divides<>(), own - mean, root),
              last = digits_for(
                  d.result, [](double s, double g, double b) { return s * g + b; }, standard, gamma, beta);
    const Quantity of = d.cell.quantity;
    const std::string input = of == Quantity::ln2        ? "z′"
                              : of == Quantity::mlp_norm ? "u"
                              : of == Quantity::q_normed ? "q"
                              : of == Quantity::k_normed ? "k"
                                                         : "z";  // as in the equation
    return {"({norm|" + input + " − μ}) / √({norm|σ²} + ε)",
            "= (" + digits_text(own, above) + " − " + inside(mean, above) + ") / √(" + number_text(variance) + " + " +
                number_text(epsilon) + ")",
            "= " + digits_text(own - mean, ratio) + " / " + digits_text(root, ratio) + " = " + number_text(standard),
            "· γ + β = " + inside(standard, last) + "·" + inside(gamma, last) + " + " + inside(beta, last) + " = " +
                number_text(d.result)};
}

/// The activation by its definition, with its value.
Lines activation(const Record& record, const Derivation& d) {
    const auto x = static_cast<double>(d.a.front());
    const std::string written = number_text(x), result = number_text(d.result);
    switch (equations_of(record, d.cell).activation) {
        case Activation::gelu: return {"GELU(x) = x · Φ(x)", "= " + product_words(x, normal_cdf(x), d.result)};
        case Activation::gelu_tanh:
            return {"GELU(x) ≈ x/2 · [1 + tanh(√(2/π)(x + 0.0447 x³))]", "x = " + written + ":  " + result};
        case Activation::quick_gelu: return {"x · σ(1.702 x)", "x = " + written + ":  " + result};
        case Activation::silu: return {"SiLU(x) = x · σ(x)", "= " + product_words(x, 1 / (1 + std::exp(-x)), d.result)};
        case Activation::relu: return {"ReLU(x) = max(0, x) = max(0, " + written + ") = " + result};
        case Activation::elu:
            return {x > 0 ? "ELU(x) = x = " + result
                          : "ELU(x) = e{sup|x} − 1 = e{sup|" + written + "} − 1 = " + result};
    }
    return {};
}

Lines rule_lines(const Ui& ui, const Record& record, const Derivation& d) {
    const auto sum_of_two = [&] {
        const double a = static_cast<double>(d.a.front()), b = static_cast<double>(d.b.front());
        const int digits = digits_for(d.result, std::plus<>(), a, b);
        return inside(a, digits) + " + " + inside(b, digits);
    };
    const std::string length = count_text(static_cast<std::int64_t>(d.a.size()));
    switch (d.rule) {
        case Rule::given:
            return {ui.text(d.cell.quantity == Quantity::image      ? "computation.pixel"
                            : d.cell.quantity == Quantity::rotation ? "computation.rotation"
                                                                    : "computation.learned")};
        case Rule::copy:
            return {ui.text("computation.copy", {{"name", name_of(d.sources.front().region)}}),
                    "= " + number_text(d.result)};
        case Rule::sum: return {sum_of_two() + " = " + number_text(d.result)};
        case Rule::product: return product_of_two(d);
        case Rule::turn: return turn(d);
        case Rule::product_sum: return product_sum(ui, record, d);
        case Rule::softmax: return softmax(ui, d);
        case Rule::mean:
            if (d.cell.quantity >= Quantity::head_tokens)  // a mean of rows, not of a token's features
                return {ui.text("computation.mean_of", {{"count", length}}), "= " + number_text(d.result)};
            return {ui.text("computation.mean", {{"count", length}}), "μ = " + number_text(d.result)};
        case Rule::sigmoid:
            return {"1 / (1 + e^(−" + inside(static_cast<double>(d.a.front())) + ")) = " + number_text(d.result)};
        case Rule::variance:
            return {ui.text("computation.variance", {{"count", length}}),
                    "σ² = " + number_text(d.result) + ",  σ = " + number_text(std::sqrt(d.result))};
        case Rule::normalise: return normalise(record, d);
        case Rule::activation: return activation(record, d);
    }
    return {};
}

bool about_equal(double a, double b) {
    constexpr double tolerance = 1e-3;
    return std::abs(a - b) <= tolerance * std::max(1e-3, std::max(std::abs(a), std::abs(b)));
}

/// A token's number by letters and place: "xₚE · patch 118 · feature 22"; any other number by its tensor's name.
std::string cell_words(const Ui& ui, const Result& now, const Cell& cell) {
    using Q = Quantity;
    const auto token = [&](int index) { return " · " + short_token_name(ui, now, index); };
    const auto feature = [&] { return " · " + ui.text("embedding.feature", {{"feature", ui.ordinal(cell.column)}}); };
    std::string words = coloured(cell.quantity);
    if (cell.quantity == Q::z)
        words += " · ℓ = " + std::to_string(cell.block);
    else if (cell.block > 0)
        words += " · " + ui.text("caption.block", {{"block", ui.ordinal(cell.block - 1)}});
    if (has_heads(cell.quantity)) words += " · " + ui.text("caption.head", {{"head", ui.ordinal(cell.head)}});
    switch (cell.quantity) {
        case Q::patch_embedding: return words + token(now.model->config.token_of(cell.row)) + feature();
        case Q::tokens:
        case Q::placed:
        case Q::z:
        case Q::ln1:
        case Q::q:
        case Q::k:
        case Q::v:
        case Q::q_normed:
        case Q::k_normed:
        case Q::q_turned:
        case Q::k_turned:
        case Q::heads:
        case Q::msa:
        case Q::msa_scaled:
        case Q::residual:
        case Q::ln2:
        case Q::mlp_out:
        case Q::mlp_scaled: return words + token(cell.row) + feature();
        case Q::mlp_hidden:
        case Q::mlp_activation:
        case Q::mlp_value:
        case Q::mlp_gated:
        case Q::mlp_norm:
            return words + token(cell.row) + " · " + ui.text("mlp.unit", {{"unit", ui.ordinal(cell.column)}});
        case Q::scores:
        case Q::attention:
            return words + " · " +
                   ui.text("matrix.pair", {{"query", short_token_name(ui, now, cell.row)},
                                           {"key", short_token_name(ui, now, cell.column)}});
        case Q::ln1_mean:
        case Q::ln1_var:
        case Q::ln2_mean:
        case Q::ln2_var: return words + token(cell.column);
        default: return "{muted|" + cell_name(ui, now, cell) + "}";
    }
}

}  // namespace

std::string divisor_words(const ScoreRule& rule, const std::string& length) {
    const std::string root = "√" + length;
    if (rule.temperature == 1.0) return rule.divided ? root : "";
    const std::string temperature = number_text(rule.temperature);
    return rule.divided ? "(" + root + " · " + temperature + ")" : temperature;
}

std::string score_words(const ScoreRule& rule) {
    const std::string divisor = divisor_words(rule, "d");
    return divisor.empty() ? "q · k" : "q · k / " + divisor;
}

std::string activation_words(Activation activation) {
    switch (activation) {
        case Activation::gelu: return "GELU";
        case Activation::gelu_tanh: return "GELU (tanh)";
        case Activation::quick_gelu: return "Quick GELU";
        case Activation::relu: return "ReLU";
        case Activation::elu: return "ELU";
        case Activation::silu: return "SiLU";
    }
    return {};
}

std::string activation_words(const Result& now, int block) {
    return activation_words(equations_of(now.model->config, now.experiment.what_ifs, {block}).activation);
}

Record record_of(const Result& now) { return {*now.model, now.trace, now.experiment.what_ifs}; }

std::vector<std::string> computation(const Ui& ui, const Result& now, const Cell& cell) {
    const Record record = record_of(now);
    if (!exists(record, cell)) return {};
    const Derivation d = derive(record, cell);
    std::string name = cell_words(ui, now, cell);
    if (cell.quantity == Quantity::logits || cell.quantity == Quantity::probabilities)
        name += " · " + class_name(ui, *now.model, cell.column);
    Lines lines = {name};
    const Lines written = rule_lines(ui, record, d);
    lines.insert(lines.end(), written.begin(), written.end());
    const auto value = static_cast<double>(d.value);
    if (d.rule == Rule::given) lines.push_back("= " + number_text(value));
    if (!about_equal(d.result, value) && !(std::isnan(d.result) && std::isnan(value)))
        lines.push_back("{negative|" + ui.text("computation.edited", {{"value", number_text(value)}}) + "}");
    return lines;
}

std::string cell_name(const Ui&, const Result&, const Cell& cell) {
    std::string name = name_of(cell.quantity, cell.block) + "[";
    if (has_heads(cell.quantity)) name += std::to_string(cell.head) + ", ";
    return name + (is_vector(cell.quantity) ? "" : std::to_string(cell.row) + ", ") + std::to_string(cell.column) + "]";
}

}  // namespace vitrine
