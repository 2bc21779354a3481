#include "core/measures/pair_measures.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/error.h"
#include "core/measures/patching.h"
#include "core/tensor/matmul.h"

namespace vitrine {

namespace {

/// The Gram matrix of the centred rows, as a vector normalised to length 1.      (N, D) -> (N·N)
std::vector<double> unit_gram(const Tensor2& x) {
    const std::size_t n = x.shape()[0], d = x.shape()[1];
    Tensor2 centred = x;
    for (std::size_t k = 0; k < d; ++k) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += static_cast<double>(x(i, k));
        for (std::size_t i = 0; i < n; ++i) centred(i, k) -= static_cast<float>(sum / static_cast<double>(n));
    }
    Tensor2 products = tensor2(n, n);
    multiply({.a = {centred.data(), n, d, d}, .b = {centred.data(), n, d, d}, .transpose_b = Transpose::yes},
             products.data());
    std::vector<double> gram(products.begin(), products.end());
    double squares = 0;
    for (const double g : gram) squares += g * g;
    const double length = std::sqrt(squares);
    for (double& g : gram) g = length > 0 ? g / length : 0;
    return gram;
}

void check_same_tokens(const Trace& run, const Trace& other) {
    const std::size_t own = run.embedding->z.shape()[0], others = other.embedding->z.shape()[0];
    if (own != others)
        throw Error("the runs have " + std::to_string(own) + " and " + std::to_string(others) +
                    " tokens, so they cannot be compared token by token; choose --image-size so that both have the "
                    "same grid");
}

Table measured_patching(const PairOf& of, const Progress& progress) {
    const PatchingMap map = patching({of.of.model, of.other, of.of.trace, of.of.what_ifs, of.patch_site}, {}, progress);
    return table_of_patching(map, of.patch_site, of.of.model.config);
}

Table cka_table(const PairOf& of) {
    const Tensor2 cka = linear_cka(of.of.trace, of.other);
    return {"cka", {"level", "other_level"}, {cka.shape()[0], cka.shape()[1]}, {cka.begin(), cka.end()}, {}};
}

/// The measure in a difference's name: "rollout" for "rollout_difference"; empty for other names.
std::string measure_of_difference(const std::string& name) {
    const std::string_view ending = difference_ending;
    return name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : "";
}

Table difference_table(const PairOf& of, const std::string& name, const Progress& progress) {
    Table own = measure(of.of, name, [&](double f) { report(progress, f / 2); });
    MeasureOf of_other{of.other_model, of.other};
    of_other.rollout = of.of.rollout;
    of_other.target = of.of.target;
    of_other.against = of.of.against;
    of_other.cover_size = of.of.cover_size;
    of_other.cover = of.of.cover;
    of_other.ablation = of.of.ablation;
    of_other.seed = of.of.seed;
    const Table other = measure(of_other, name, [&](double f) { report(progress, 0.5 + f / 2); });
    if (own.shape != other.shape)
        throw Error(name +
                    ": both runs have arrays of different shapes, so there is no difference; leave it out, or "
                    "compare models of one depth and grid");
    std::transform(own.values.begin(), own.values.end(), other.values.begin(), own.values.begin(), std::minus<>());
    own.name += difference_ending;
    return own;
}

}  // namespace

const std::vector<PairEntry>& pair_catalogue() {
    static const std::vector<PairEntry> entries = {
        {"patching", "(L, N) or (L, h)", "how much of the --patch-from image's answer comes back, by --site"},
        {"cka", "(L + 1, L' + 1)", "likeness of the tokens after every block to those of the other run"}};
    return entries;
}

Table table_of_patching(const PatchingMap& map, PatchSite site, const Config& c) {
    const Tensor2& returned = map.returned;
    std::vector<std::string> blocks;
    for (int block = 1; block <= c.blocks; ++block) blocks.push_back(std::to_string(block));
    const bool heads = is_by_head(site);
    return {"patching",
            {"block", heads ? "head" : "token"},
            {returned.shape()[0], returned.shape()[1]},
            {returned.begin(), returned.end()},
            {blocks, heads ? std::vector<std::string>() : token_labels(c)}};
}

Tensor2 linear_cka(const Trace& run, const Trace& other) {
    check_same_tokens(run, other);
    std::vector<std::vector<double>> own, others;
    for (int level = 0; level <= run.blocks(); ++level) own.push_back(unit_gram(run.z(level)));
    for (int level = 0; level <= other.blocks(); ++level) others.push_back(unit_gram(other.z(level)));
    Tensor2 cka = tensor2(own.size(), others.size());
    for (std::size_t i = 0; i < own.size(); ++i)
        for (std::size_t j = 0; j < others.size(); ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < own[i].size(); ++k) sum += own[i][k] * others[j][k];
            cka(i, j) = static_cast<float>(sum);
        }
    return cka;
}

bool is_pair_measure(const std::string& name, const Trace& trace) {
    const std::string measure = measure_of_difference(name);
    return std::ranges::any_of(pair_catalogue(), [&](const PairEntry& e) { return name == e.name; }) ||
           (!measure.empty() && is_measure(measure, trace));
}

Table pair_measure(const PairOf& of, const std::string& name, const Progress& progress) {
    if (name == "patching") return measured_patching(of, progress);
    if (name == "cka") return cka_table(of);
    return difference_table(of, measure_of_difference(name), progress);
}

}  // namespace vitrine
