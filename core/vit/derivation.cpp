#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/tensor/ops.h"
#include "core/transformer/equations.h"
#include "core/vit/model.h"
#include "core/vit/provenance.h"
#include "core/vit/provenance_rules.h"

namespace vitrine {

namespace {

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

/// The number of columns of a part's first source; 0 without one.
std::size_t columns_of(const std::vector<Source>& sources, Part part) {
    for (const Source& s : sources)
        if (s.part == part) return static_cast<std::size_t>(s.region.columns());
    return 0;
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

/// Input of the statistics: a row, or the sum of two.
std::vector<float> summed(const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<float> sum = a;
    for (std::size_t i = 0; i < b.size(); ++i) sum[i] += b[i];
    return sum;
}

/// The mean of concatenated rows.
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
    if (std::isinf(largest)) return 0.0;  // all keys are hidden
    double sum = 0.0;
    for (const float s : all) sum += std::exp(static_cast<double>(s) - largest);
    return std::exp(static_cast<double>(own) - largest) / sum;
}

}  // namespace

std::vector<Source> sources_of(const Record& record, const Cell& cell) { return origin_of(record, cell).sources; }

Derivation derive(const Record& record, const Cell& cell) {
    const Origin origin = origin_of(record, cell);
    Derivation d{cell, origin.rule, origin.sources, {}, {}, origin.factor, 0.0, value_of(record, cell)};
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
        case Rule::turn: {
            const double angle = static_cast<double>(d.b.front());
            d.result = static_cast<double>(d.a[0]) * std::cos(angle) +
                       d.factor * static_cast<double>(d.a[1]) * std::sin(angle);
            break;
        }
        case Rule::product: d.result = static_cast<double>(d.a.front()) * static_cast<double>(d.b.front()); break;
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
            // The final norm has no statistics in the trace; its input is the mean of the rows that the head reads.
            const std::vector<float> row = mean_row(part(Part::all), columns_of(d.sources, Part::all));
            const double own = row.empty() ? sum_of(part(Part::own)) : mean_of(part(Part::own));
            const double mean = row.empty() ? first(Part::mean) : mean_of(row);
            const double variance = row.empty() ? first(Part::variance) : variance_of(row);
            const double epsilon = static_cast<double>(record.model.config.layer_norm_epsilon);
            d.a = {static_cast<float>(own), static_cast<float>(mean), static_cast<float>(variance)};
            d.b = {static_cast<float>(first(Part::gamma)), static_cast<float>(first(Part::beta))};
            d.result = first(Part::gamma) * (own - mean) / std::sqrt(variance + epsilon) + first(Part::beta);
            break;
        }
        case Rule::sigmoid: d.result = 1.0 / (1.0 + std::exp(-static_cast<double>(d.a.front()))); break;
        case Rule::activation:
            d.result = static_cast<double>(activate(equations_of(record, cell).activation, d.a.front()));
            break;
    }
    return d;
}

Equations equations_of(const Record& record, const Cell& cell) {
    const bool statistic = cell.quantity == Quantity::ln1_mean || cell.quantity == Quantity::ln1_var ||
                           cell.quantity == Quantity::ln2_mean || cell.quantity == Quantity::ln2_var;
    const int token = statistic ? cell.column : cell.row;
    if (is_of_pooling(cell.quantity)) return equations_of(record.model.config.pooling(), {}, {});
    return equations_of(record.model.config, record.what_ifs, {cell.block, cell.head, token});
}

}  // namespace vitrine
