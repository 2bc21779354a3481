#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "app/chapters/step.h"
#include "app/rooms/figures/computation.h"
#include "app/ui/widgets/number.h"
#include "core/measures/analysis.h"
#include "core/training/text/text_score.h"
#include "core/transformer/equations.h"
#include "tests/ui/harness.h"

// The numbers beside every picture are the run's, whatever is switched: each is worked out here once more, from single
// cells of the trace.

namespace vitrine {
namespace {

constexpr int block = 2, head = 1, token = 5, key = 7, unit = 3, feature = 4;

struct Case {
    std::string name;
    WhatIfs what_ifs;
    double divisor = 4;  // of q·k in the block: √d and the temperature
    std::string score = "q · k / √d";
};

std::vector<Case> cases() {
    const std::string alone = "q · k";
    std::vector<Case> all = {
        {"nothing", {}},
        {"no scale", {without_scaling()}, 1, alone},
        {"no scale, here", {without_scaling(block)}, 1, alone},
        {"no scale, elsewhere", {without_scaling(block + 1)}},
        {"no scale, twice over", {without_scaling(), without_scaling(block)}, 1, alone},
        {"warm", {temperature(2)}, 8, "q · k / (√d · 2.00)"},
        {"cold, here", {temperature(0.5F, block)}, 2, "q · k / (√d · 0.500)"},
        {"no scale and warm", {without_scaling(), temperature(2)}, 2, "q · k / 2.00"},
        {"k = q", {key_is_query()}},
        {"v = q, here", {value_is_query(block)}},
        {"patch", {remove_token(token)}},
        {"head", {remove_head(block, head)}},
        {"mlp", {remove_mlp(block)}},
        {"positions", {remove_positions()}},
        {"shuffle", {shuffle_tokens()}},
        {"no skip", {without_skips()}},
        {"no skip, here", {without_skips(block)}},
        {"no norm", {normalise(Norm::none)}},
        {"post-norm, here", {normalise(Norm::after, block)}},
        {"post-norm without skips, here", {normalise(Norm::after, block), without_skips(block)}},
        {"relu", {activate_with(Activation::relu)}},
        {"elu, here", {activate_with(Activation::elu, block)}},
    };
    return all;
}

using Numbers = std::vector<double>;

/// Reads a run cell by cell.
class Cells {
public:
    explicit Cells(const Result& now) : now_(now), record_(record_of(now)) {}

    double at(Quantity q, int l, int row, int column, int i = 0) const {
        return static_cast<double>(value_of(record_, {q, l, i, row, column}));
    }
    Numbers row(Quantity q, int l, int r, int i = 0) const {
        Numbers numbers;
        const int columns = matrix_of(record_, q, l, i).columns;
        for (int c = 0; c < columns; ++c) numbers.push_back(at(q, l, r, c, i));
        return numbers;
    }
    const Record& record() const { return record_; }
    const Result& now() const { return now_; }

private:
    const Result& now_;
    Record record_;
};

double dot(const Numbers& a, const Numbers& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }
double norm(const Numbers& a) { return std::sqrt(dot(a, a)); }
double cosine(const Numbers& a, const Numbers& b) {
    const double lengths = norm(a) * norm(b);
    return lengths > 0 ? dot(a, b) / lengths : 0;
}
double mean(const Numbers& a) { return std::accumulate(a.begin(), a.end(), 0.0) / static_cast<double>(a.size()); }
double variance(const Numbers& a) {
    double sum = 0;
    for (const double x : a) sum += (x - mean(a)) * (x - mean(a));
    return sum / static_cast<double>(a.size());
}
double entropy(const Numbers& a) {
    double sum = 0;
    for (const double p : a) sum -= p > 0 ? p * std::log(p) : 0;
    return sum;
}

/// What the facts of a step must say, by their labels, as far as they are numbers of the run.
using Expected = std::map<std::string, double>;

Expected of_attention(const Cells& run, const Case& c) {
    const double product = dot(run.row(Quantity::q, block, token, head), run.row(Quantity::k, block, token, head));
    const Numbers weights = run.row(Quantity::attention, block, token, head);
    Expected e = {{"q · k", product},
                  {"weight a", weights[token]},
                  {"entropy of the row, nats", entropy(weights)},
                  {"effective tokens, e^H", std::exp(entropy(weights))}};
    e[c.score] = product / c.divisor;
    return e;
}
Expected of_scores(const Cells& run, const Case& c) {
    Numbers scores;
    for (int j = 0; j < run.now().model->config.tokens(); ++j)
        scores.push_back(dot(run.row(Quantity::q, block, token, head), run.row(Quantity::k, block, j, head)) /
                         c.divisor);
    const bool divided = c.score.find("√") != std::string::npos;
    return {{"variance of the row's scores", variance(scores)},
            {"without ÷ √d", variance(scores) * (divided ? 16 : 1)}};
}
Expected of_matrix(const Cells& run, const Case&) {
    const Numbers weights = run.row(Quantity::attention, block, token, head);
    return {{"sum of the row", std::accumulate(weights.begin(), weights.end(), 0.0)},
            {"entropy of the row, nats", entropy(weights)},
            {"effective tokens, e^H", std::exp(entropy(weights))}};
}
Expected of_positions(const Cells& run, const Case&) {
    const Numbers before = run.row(Quantity::tokens, 0, token), sum = run.row(Quantity::z, 0, token);
    Numbers added = sum;
    for (std::size_t i = 0; i < sum.size(); ++i) added[i] -= before[i];
    return {{"length of Eₚₒₛ", norm(added)}, {"length before the sum", norm(before)}, {"length of the sum", norm(sum)}};
}
Expected of_class_token(const Cells& run, const Case&) {
    const Numbers learned = run.row(Quantity::class_token, 0, 0), z = run.row(Quantity::z, block, 0);
    return {{"length of the learned token", norm(learned)},
            {"length at ℓ = 2", norm(z)},
            {"cosine with the learned token", cosine(z, learned)}};
}
Expected of_residual(const Cells& run, const Case&) {
    const Numbers z = run.row(Quantity::z, block - 1, token), branch = run.row(Quantity::msa, block, token);
    return {{"length of z", norm(z)},
            {"length of what is added", norm(branch)},
            {"length of the sum", norm(run.row(Quantity::residual, block, token))},
            {"added ÷ z", norm(branch) / norm(z)},
            {"cos(z, added)", cosine(z, branch)}};
}
/// What the first norm of the block takes; with post-norm the sum is what is normalised.
Numbers into_norm(const Cells& run) {
    Numbers input = run.row(Quantity::z, block - 1, token);
    const Equations equations = equations_of(run.now().model->config, run.now().experiment.what_ifs, {block});
    if (equations.norm != Norm::after) return input;
    const Numbers branch = run.row(Quantity::msa, block, token);
    for (std::size_t i = 0; i < input.size(); ++i) input[i] = equations.skip.factor * input[i] + branch[i];
    return input;
}
Expected of_norm(const Cells& run, const Case&) {
    const Numbers input = into_norm(run);
    return {{"μ", mean(input)}, {"σ²", variance(input)}, {"σ", std::sqrt(variance(input))}};
}
Expected of_heads(const Cells& run, const Case&) {
    return {{"length of MSA(z)", norm(run.row(Quantity::msa, block, token))}};
}
Expected of_mlp(const Cells& run, const Case&) {
    return {{"before the activation", run.at(Quantity::mlp_hidden, block, token, unit)},
            {"after it", run.at(Quantity::mlp_activation, block, token, unit)}};
}
Expected of_activation(const Cells& run, const Case&) {
    const double x = run.at(Quantity::mlp_hidden, block, token, unit);
    return {{"x", x}, {"ReLU(x)", std::max(0.0, x)}, {"ELU(x)", x > 0 ? x : std::exp(x) - 1}};
}
Expected of_patch(const Cells& run, const Case&) {
    return {{"xₚ E + b", run.at(Quantity::patch_embedding, 0, token - 1, feature)}};
}
Expected of_depth(const Cells& run, const Case&) {
    const Numbers start = run.row(Quantity::z, 0, token), z = run.row(Quantity::z, block, token);
    return {{"length at ℓ = 0", norm(start)}, {"length at ℓ = 2", norm(z)}, {"similarity to ℓ = 0", cosine(start, z)}};
}
Expected of_prediction(const Cells& run, const Case&) {
    const Numbers logits = run.row(Quantity::logits, 0, 0), shares = run.row(Quantity::probabilities, 0, 0);
    const auto best = static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
    Numbers others = logits;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(best));
    return {{"its logit", logits[best]},
            {"its probability", shares[best]},
            {"margin of " + run.now().model->config.labels[best],
             logits[best] - *std::max_element(others.begin(), others.end())},
            {"length of the class token", norm(run.row(Quantity::z, run.now().model->config.blocks, 0))}};
}
Expected of_loss(const Cells& run, const Case&) {
    const double q = run.at(Quantity::probabilities, 0, 0, true_class_of(run.now(), {}));
    const Numbers logits = run.row(Quantity::logits, 0, 0);
    const double most = *std::max_element(logits.begin(), logits.end());
    double sum = 0;
    for (const double z : logits) sum += std::exp(z - most);
    const double truth = logits[static_cast<std::size_t>(true_class_of(run.now(), {}))];
    return {{"Q", q}, {"loss, nats", std::log(sum) + most - truth}, {"Q − P", q - 1}};
}

using ExpectedOf = Expected (*)(const Cells&, const Case&);
const std::map<std::string_view, ExpectedOf>& expected() {
    static const std::map<std::string_view, ExpectedOf> all = {{"attention", of_attention},
                                                               {"scores", of_scores},
                                                               {"attention_matrix", of_matrix},
                                                               {"position_embedding", of_positions},
                                                               {"class_token", of_class_token},
                                                               {"residual", of_residual},
                                                               {"layer_norm", of_norm},
                                                               {"heads", of_heads},
                                                               {"mlp", of_mlp},
                                                               {"activation", of_activation},
                                                               {"patch_embedding", of_patch},
                                                               {"depth", of_depth},
                                                               {"prediction", of_prediction},
                                                               {"loss", of_loss}};
    return all;
}

/// Whether words are how a number is written, its last digit aside.
bool writes(const std::string& words, double value) {
    const double wide = 3e-4 * std::abs(value) + 2e-6;
    for (const double near : {value, value - wide, value + wide})
        if (words == number_text(near)) return true;
    return false;
}

/// The facts on the screen by their labels.
std::map<std::string, std::string> facts_of(Harness& h) {
    std::map<std::string, std::string> facts;
    for (int i = 0; h.shows("fact." + std::to_string(i)); ++i) {
        const std::string& words = h.item("fact." + std::to_string(i)).text;
        const std::size_t sign = words.rfind(" = ");
        facts.emplace(words.substr(0, sign), words.substr(sign + 3));
    }
    return facts;
}

/// Whether a what-if acts on a tensor itself, so that it is not what its sources give.
bool acts_on(const WhatIfs& what_ifs, const Cell& cell) {
    const std::map<Quantity, Site> sites = {
        {Quantity::tokens, Site::tokens}, {Quantity::heads, Site::heads}, {Quantity::mlp_out, Site::mlp_out}};
    const auto site = sites.find(cell.quantity);
    return site != sites.end() &&
           std::any_of(what_ifs.begin(), what_ifs.end(), [&](const Intervention& i) { return i.site == site->second; });
}

void expect_the_computation(Harness& h, const Step& step, const std::string& where) {
    if (step.own.cell == nullptr) return;
    const std::optional<Cell> cell = step.own.cell(h.result(), h.app->workspace().selection);
    if (!cell) return;
    const Derivation d = derive(record_of(h.result()), *cell);
    EXPECT_EQ(h.item("computation").value, static_cast<double>(d.value)) << where;
    EXPECT_NE(h.item("computation").text.find(number_text(static_cast<double>(d.value))), std::string::npos)
        << where << ": " << h.item("computation").text;
    if (!acts_on(h.what_ifs(), *cell)) {
        EXPECT_NEAR(d.result, d.value, 2e-4 * std::max(1.0, std::abs(d.result))) << where;
        EXPECT_EQ(h.item("computation").text.find("A what-if acts here"), std::string::npos) << where;
    }
}

void expect_the_figures(Harness& h, const Step& step, const Case& c, const std::string& where) {
    const Cells run(h.result());
    const auto near = [&](const char* id, double value) {
        EXPECT_NEAR(h.item(id).value, value, 3e-4 * std::max(1.0, std::abs(value))) << where << ": " << id;
    };
    if (step.id == "scores") {
        const double product = dot(run.row(Quantity::q, block, token, head), run.row(Quantity::k, block, key, head));
        near("scores.sum", product);
        near("scores.score", product / c.divisor);
        near("scores.weight", run.at(Quantity::attention, block, token, key, head));
        near("scores.row.entropy", entropy(run.row(Quantity::attention, block, token, head)));
    }
    if (step.id == "attention_matrix") {
        near("matrix.sum", 1);
        double asymmetry = 0;
        const int n = h.result().model->config.tokens();
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < i; ++j)
                asymmetry = std::max(asymmetry, std::abs(run.at(Quantity::scores, block, i, j, head) -
                                                         run.at(Quantity::scores, block, j, i, head)));
        near("matrix.asymmetry", asymmetry);
    }
    if (step.id == "layer_norm") near("norm.before.deviation", std::sqrt(variance(into_norm(run))));
    if (step.id == "depth") near("depth.length", norm(run.row(Quantity::z, block, token)));
}

TEST(WhatIfNumbers, BesideEveryPictureAreTheRunsUnderEveryWhatIf) {
    Harness h;
    h.change()->motion = {1, false};
    for (const Case& c : cases()) {
        h.change()->what_ifs = c.what_ifs;
        {
            StateDoor::Change change(*h.app);
            Focus& f = change.focus();
            f.block = block, f.head = head, f.token = token, f.key = key, f.unit = unit, f.feature = feature;
        }
        h.settle();
        for (const Step& step : curriculum()) {
            h.change().focus().step = step_index(step.id);
            h.settle();
            h.change()->motion = {1, false};
            h.frame(2);
            const std::string where = std::string(step.id) + " with " + c.name;
            expect_the_computation(h, step, where);
            expect_the_figures(h, step, c, where);
            const auto found = expected().find(step.id);
            if (found == expected().end()) continue;
            const auto facts = facts_of(h);
            for (const auto& [label, value] : found->second(Cells(h.result()), c)) {
                ASSERT_TRUE(facts.contains(label)) << where << ": there is no fact \"" << label << "\"";
                EXPECT_TRUE(writes(facts.at(label), value))
                    << where << ": " << label << " = " << facts.at(label) << " but the run has " << value;
            }
            for (const auto& [label, words] : facts)
                EXPECT_FALSE(label.starts_with("q · k") && label != "q · k" && label != c.score)
                    << where << ": " << label << " is not what the run computes";
        }
    }
}

}  // namespace
}  // namespace vitrine
