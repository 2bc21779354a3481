#include "core/transformer/edits.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "core/base/random.h"
#include "core/tensor/ops.h"
#include "core/tensor/rows.h"
#include "core/transformer/block_equations.h"
#include "core/transformer/position_grid.h"

namespace vitrine {

namespace {

constexpr std::array site_table = {
    SiteRow{Site::embedded, "embedded parts", false, false, 0},
    SiteRow{Site::tokens, "tokens", false, false, 1},
    SiteRow{Site::position, "positions", false, true, 2},
    SiteRow{Site::norm, "norms", false, false, 3},
    SiteRow{Site::slices, "slices", true, false, 15},
    SiteRow{Site::q, "q", true, false, 4},
    SiteRow{Site::k, "k", true, false, 5},
    SiteRow{Site::v, "v", true, false, 6},
    SiteRow{Site::scores, "scores", true, false, 7},
    SiteRow{Site::attention, "attention", true, false, 8},
    SiteRow{Site::heads, "heads", true, false, 9},
    SiteRow{Site::msa, "MSA", false, false, 10},
    SiteRow{Site::skip, "skip connections", false, false, 11},
    SiteRow{Site::mlp_hidden, "MLP before its activation", false, false, 12},
    SiteRow{Site::mlp_activation, "activation", false, false, 13},
    SiteRow{Site::mlp_out, "MLP", false, false, 14},
    SiteRow{Site::stream, "stream", false, false, 16},
};

/// Calls f(group, first number, count of rows) for every group.
template <class F>
void for_groups(const RowGroups& groups, F f) {
    std::size_t first = 0;
    for (std::size_t group = 0; group < groups.rows.size(); ++group) {
        f(group, first, groups.rows[group]);
        first += groups.rows[group] * groups.columns;
    }
}

/// Calls f(first number of a group, first row, row after the last) for every contiguous range of edited rows.
template <class F>
void for_row_ranges(const EditedNumbers& numbers, F f) {
    const RowGroups& groups = numbers.groups;
    const Where& where = numbers.where;
    for_groups(groups, [&](std::size_t group, std::size_t start, std::size_t rows) {
        if (where.head && static_cast<std::size_t>(*where.head) != group % groups.heads) return;
        const auto one_row = [&](int token) {
            const auto row = static_cast<std::size_t>(token);
            if (row < rows) f(start, row, row + 1);
        };
        if (where.token)
            one_row(*where.token);
        else if (!where.tokens.empty())
            std::for_each(where.tokens.begin(), where.tokens.end(), one_row);
        else
            f(start, std::size_t{0}, rows);
    });
}

/// Calls f(first number, count) for every contiguous range of edited numbers.
template <class F>
void for_stretches(const EditedNumbers& numbers, F f) {
    const std::size_t columns = numbers.groups.columns;
    for_row_ranges(numbers, [&](std::size_t start, std::size_t first, std::size_t last) {
        if (!numbers.where.unit) return f(start + first * columns, (last - first) * columns);
        const auto unit = static_cast<std::size_t>(*numbers.where.unit);
        for (std::size_t row = first; row < last && unit < columns; ++row) f(start + row * columns + unit, 1);
    });
}

/// Calls f(number, row, column) for every edited number.
template <class F>
void for_numbers(const EditedNumbers& numbers, F f) {
    const std::size_t columns = numbers.groups.columns;
    for_row_ranges(numbers, [&](std::size_t start, std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row)
            for (std::size_t column = 0; column < columns; ++column)
                f(numbers.data[start + row * columns + column], static_cast<int>(row), static_cast<int>(column));
    });
}

void scale(const EditedNumbers& numbers, float factor) {
    for_stretches(numbers, [&](std::size_t first, std::size_t count) {
        float* const data = numbers.data + first;
        // Assigned instead of multiplied, since 0 · ∞ is NaN.
        if (factor == 0.0F)
            std::fill_n(data, count, 0.0F);
        else
            std::for_each(data, data + count, [&](float& x) { x *= factor; });
    });
}

enum class Direction { there, back };

void shuffle_rows(const EditedNumbers& numbers, std::uint32_t seed, Direction direction) {
    const RowGroups& groups = numbers.groups;
    for_groups(groups, [&](std::size_t, std::size_t start, std::size_t count) {
        const std::vector<int> order = shuffled_order(static_cast<int>(count), seed);
        float* const rows = numbers.data + start;
        const std::vector<float> before(rows, rows + count * groups.columns);
        for (std::size_t i = 0; i < count; ++i) {
            const auto other = static_cast<std::size_t>(order[i]);
            const auto [from, to] = direction == Direction::there ? std::pair(other, i) : std::pair(i, other);
            std::copy_n(before.data() + from * groups.columns, groups.columns, rows + to * groups.columns);
        }
    });
}

/// Permutes a sequence's numbers (h, N, d) between the two orders: (N, D) read as (h, N, d).
void reslice(const EditedNumbers& edited, Direction direction) {
    const RowGroups& groups = edited.groups;
    const std::size_t h = groups.heads, n = groups.rows.front(), d = groups.columns, size = h * n * d;
    for (std::size_t sequence = 0; sequence < groups.rows.size() / h; ++sequence) {
        float* const numbers = edited.data + sequence * size;
        const std::vector<float> before(numbers, numbers + size);
        for (std::size_t at = 0; at < size; ++at) {
            const std::size_t token = at / (h * d), feature = at % (h * d);
            const std::size_t cut = (feature / d * n + token) * d + feature % d;
            if (direction == Direction::there)
                numbers[at] = before[cut];
            else
                numbers[cut] = before[at];
        }
    }
}

/// Zeroes each number with the rate's probability, by a hash of its index, so that order and threads do not matter.
void drop(const EditedNumbers& numbers, const Drop& how) {
    const std::uint64_t key = Random(how.seed ^ (numbers.random_stream * 0x9E3779B97F4A7C15ULL)).next();
    const auto low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32);
    const auto limit = static_cast<std::uint32_t>(static_cast<double>(how.rate) * 4294967295.0);
    row_kernels().drop({low, high, limit, 1 / (1 - how.rate)}, numbers.data, numbers.size);
}

/// Writes `value` into the edited scores of hidden keys: −∞, or 0 into their gradient.
template <class Hidden>
void hide_keys(const EditedNumbers& scores, float value, Hidden hidden) {
    for_numbers(scores, [&](float& score, int query, int key) {
        if (hidden(query, key)) score = value;
    });
}
constexpr float never = -std::numeric_limits<float>::infinity();

bool hides(const KnockOut& k, int key) { return std::binary_search(k.keys.begin(), k.keys.end(), key); }
bool hides(const LocalWindow& w, int query, int key) {
    if (query < w.first || key < w.first) return false;
    const auto [query_row, query_column] = std::div(query - w.first, w.columns);
    const auto [key_row, key_column] = std::div(key - w.first, w.columns);
    return std::abs(query_row - key_row) > w.radius || std::abs(query_column - key_column) > w.radius;
}

/// Mean of the rows from `first_row` on, of the group that begins at `start`.
std::vector<float> mean_of_rows(const EditedNumbers& n, std::size_t start, std::size_t first_row, std::size_t rows) {
    const std::size_t columns = n.groups.columns;
    std::vector<double> sum(columns, 0.0);
    for (std::size_t row = first_row; row < rows; ++row)
        for (std::size_t k = 0; k < columns; ++k) sum[k] += static_cast<double>(n.data[start + row * columns + k]);
    std::vector<float> mean;
    for (const double x : sum) mean.push_back(static_cast<float>(x / static_cast<double>(rows - first_row)));
    return mean;
}

/// The edited rows of a group, each once.
std::vector<std::size_t> edited_rows(const Where& where, std::size_t rows) {
    std::vector<std::size_t> edited;
    for (std::size_t row = 0; row < rows; ++row) {
        const auto token = static_cast<int>(row);
        if (!where.names_tokens() || where.token == token || std::ranges::binary_search(where.tokens, token))
            edited.push_back(row);
    }
    return edited;
}

void average(const EditedNumbers& n, std::size_t first_row, Direction direction) {
    const std::size_t columns = n.groups.columns;
    for_groups(n.groups, [&](std::size_t, std::size_t start, std::size_t rows) {
        if (first_row >= rows) return;
        const std::vector<std::size_t> edited = edited_rows(n.where, rows);
        if (direction == Direction::there) {
            const std::vector<float> mean = mean_of_rows(n, start, first_row, rows);
            for (const std::size_t row : edited) std::ranges::copy(mean, n.data + start + row * columns);
            return;
        }
        // Each averaged row hands an equal share of its gradient to all rows of the mean.
        const float share = 1.0F / static_cast<float>(rows - first_row);
        std::vector<float> shares(columns, 0.0F);
        for (const std::size_t row : edited) {
            float* const gradient = n.data + start + row * columns;
            for (std::size_t k = 0; k < columns; ++k) shares[k] += share * gradient[k];
            std::fill_n(gradient, columns, 0.0F);
        }
        for (std::size_t row = first_row; row < rows; ++row)
            for (std::size_t k = 0; k < columns; ++k) n.data[start + row * columns + k] += shares[k];
    });
}

/// Adds a row's noise, which depends on seed and row alone.
void add_noise(const EditedNumbers& numbers, const Noise& noise) {
    const std::size_t columns = numbers.groups.columns;
    for_row_ranges(numbers, [&](std::size_t start, std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row) {
            Random random(Random(noise.seed ^ (numbers.random_stream << 32)).next() + row);
            for (std::size_t k = 0; k < columns; ++k)
                numbers.data[start + row * columns + k] += noise.deviation * random.normal();
        }
    });
}

void swap_rows(const EditedNumbers& n, const Swap& swap) {
    const std::size_t columns = n.groups.columns, one = static_cast<std::size_t>(swap.one),
                      other = static_cast<std::size_t>(swap.other);
    for_groups(n.groups, [&](std::size_t, std::size_t start, std::size_t rows) {
        if (one >= rows || other >= rows) return;
        float* const a = n.data + start + one * columns;
        std::swap_ranges(a, a + columns, n.data + start + other * columns);
    });
}

/// A table with a row for each place of a grid, resampled to the coarser grid of an edit and back.
Tensor2 coarsened(const Coarsen& c, const float* table, std::size_t width, PositionGrid own) {
    const int rows = static_cast<int>(std::lround(static_cast<double>(own.rows) * c.side / own.columns));
    const PositionGrid coarse{std::max(1, rows), c.side};
    const Tensor2 small = interpolate_positions(PositionRule::antialiased, table, width, own, coarse);
    return interpolate_positions(PositionRule::antialiased, small.data(), width, coarse, own);
}

/// The share of each row in each coarsened row: the coarsened unit matrix.      ->  (rows, rows)
Tensor2 shares_of_rows(const Coarsen& c, PositionGrid own) {
    const auto n = static_cast<std::size_t>(own.patches());
    Tensor2 unit = tensor2(n, n);
    std::fill(unit.begin(), unit.end(), 0.0F);
    for (std::size_t i = 0; i < n; ++i) unit(i, i) = 1;
    return coarsened(c, unit.data(), n, own);
}

void coarsen_rows(const EditedNumbers& n, const Coarsen& c, Direction direction) {
    if (c.side == c.columns) return;
    const std::size_t width = n.groups.columns, first = static_cast<std::size_t>(c.first);
    for_groups(n.groups, [&](std::size_t, std::size_t start, std::size_t rows) {
        const PositionGrid own{(static_cast<int>(rows) - c.first) / c.columns, c.columns};
        if (own.rows < 1) return;
        float* const table = n.data + start + first * width;
        if (direction == Direction::there) {
            std::ranges::copy(coarsened(c, table, width, own), table);
            return;
        }
        // Each row's gradient goes back to the rows that it was made of.
        const Tensor2 shares = shares_of_rows(c, own);
        const std::size_t count = shares.shape()[0];
        const std::vector<float> after(table, table + count * width);
        std::fill_n(table, count * width, 0.0F);
        for (std::size_t to = 0; to < count; ++to)
            for (std::size_t from = 0; from < count; ++from)
                for (std::size_t k = 0; k < width; ++k)
                    table[from * width + k] += shares(to, from) * after[to * width + k];
    });
}

void add_row(const EditedNumbers& n, const AddRow& a) {
    const std::size_t columns = n.groups.columns, from = static_cast<std::size_t>(a.row);
    for_groups(n.groups, [&](std::size_t, std::size_t start, std::size_t rows) {
        if (from >= rows) return;
        const float* const row = n.data + start + from * columns;
        const std::vector<float> added(row, row + columns);  // as it was, should it be added to itself
        for (const std::size_t edited : edited_rows(n.where, rows))
            for (std::size_t k = 0; k < columns; ++k) n.data[start + edited * columns + k] += a.factor * added[k];
    });
}

/// The row's gradient is the sum of those of the rows that it was added to, times the factor, and its own.
void add_row_back(const EditedNumbers& g, const AddRow& a) {
    const std::size_t columns = g.groups.columns, from = static_cast<std::size_t>(a.row);
    for_groups(g.groups, [&](std::size_t, std::size_t start, std::size_t rows) {
        if (from >= rows) return;
        std::vector<float> sum(columns, 0.0F);
        for (const std::size_t edited : edited_rows(g.where, rows))
            for (std::size_t k = 0; k < columns; ++k) sum[k] += a.factor * g.data[start + edited * columns + k];
        for (std::size_t k = 0; k < columns; ++k) g.data[start + from * columns + k] += sum[k];
    });
}

/// "3, 5": a list for descriptions.
std::string listed(const std::vector<int>& numbers) {
    std::string words;
    for (const int number : numbers) words += (words.empty() ? "" : ", ") + std::to_string(number);
    return words;
}

/// Undoes a site's factor: 1/√d of the scores, √D of the words.
template <class Number>
float without_factor(const EditedNumbers& numbers, const LookedAt<Number>& queries) {
    if (numbers.site == Site::tokens) return 1.0F / std::sqrt(static_cast<float>(numbers.groups.columns));
    assert(queries.data != nullptr);
    return std::sqrt(static_cast<float>(queries.columns));
}

/// "0.5"
std::string short_number(float value) {
    std::string digits = std::to_string(value);
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    return digits;
}

using Numbers = EditedNumbers;
using Queries = LookedAt<const float>;  // or the pre-activations
using QueryGradient = LookedAt<float>;

/// The definition of a kind of edit: its effect on numbers, on their gradient and on the equations, whether it acts on
/// each row independently, and its description. Leaving one out is a compile error.
template <class Kind>
struct Told;

template <>
struct Told<Scale> {
    static constexpr bool by_row = true;
    static void apply(const Scale& s, const Numbers& n, const Queries&) { scale(n, s.factor); }
    static Earlier pull_back(const Scale& s, const Numbers& g, const QueryGradient&) {
        scale(g, s.factor);
        return Earlier::counts;
    }
    static void change(const Scale& s, Site site, Equations& e) {
        const auto factor = static_cast<double>(s.factor);
        if (site == Site::position) e.positions *= factor;
        if (site == Site::scores) e.scores.temperature /= factor;
        if (site == Site::skip) e.skip.factor *= factor;
        if (site == Site::msa) e.msa *= factor;
    }
    static std::string words(const Scale& s, Site) {
        return s.factor == 0.0F ? "switched off" : "times " + short_number(s.factor);
    }
};

template <>
struct Told<Unscale> {
    static constexpr bool by_row = true;
    static void apply(const Unscale&, const Numbers& n, const Queries& q) {
        if (!n.repeated) scale(n, without_factor(n, q));  // else the factor is already removed
    }
    static Earlier pull_back(const Unscale&, const Numbers& g, const QueryGradient& q) {
        if (!g.repeated) scale(g, without_factor(g, q));
        return Earlier::counts;
    }
    static void change(const Unscale&, Site site, Equations& e) {
        if (site == Site::scores) e.scores.divided = false;
    }
    static std::string words(const Unscale&, Site site) {
        return site == Site::tokens ? "not multiplied by √D" : "not divided by √d";
    }
};

template <>
struct Told<Shuffle> {
    static constexpr bool by_row = false;
    static void apply(const Shuffle& s, const Numbers& n, const Queries&) { shuffle_rows(n, s.seed, Direction::there); }
    static Earlier pull_back(const Shuffle& s, const Numbers& g, const QueryGradient&) {
        shuffle_rows(g, s.seed, Direction::back);
        return Earlier::counts;
    }
    static void change(const Shuffle& s, Site site, Equations& e) {
        if (site == Site::embedded) e.shuffles.push_back(s.seed);
    }
    static std::string words(const Shuffle& s, Site) { return "shuffled with seed " + std::to_string(s.seed); }
};

template <>
struct Told<CopyQuery> {
    static constexpr bool by_row = false;  // with a memory it depends on the number of rows
    static void apply(const CopyQuery&, const Numbers& n, const Queries& q) {
        if (q.size != n.size) return;  // a memory's keys differ in number from the queries
        for_stretches(
            n, [&](std::size_t first, std::size_t count) { std::copy_n(q.data + first, count, n.data + first); });
    }
    static Earlier pull_back(const CopyQuery&, const Numbers& g, const QueryGradient& q) {
        assert(q.data != nullptr);
        if (q.size != g.size) return Earlier::counts;  // nothing was copied
        for_stretches(g, [&](std::size_t first, std::size_t count) {
            for (std::size_t k = first; k < first + count; ++k) q.data[k] += g.data[k];
            std::fill_n(g.data + first, count, 0.0F);
        });
        return Earlier::counts;
    }
    static void change(const CopyQuery&, Site site, Equations& e) {
        if (site == Site::k) e.key_is_query = true;
        if (site == Site::v) e.value_is_query = true;
    }
    static std::string words(const CopyQuery&, Site) { return "equal to q"; }
};

template <>
struct Told<Activate> {
    static constexpr bool by_row = true;
    static void apply(const Activate& a, const Numbers& n, const Queries& hidden) {
        assert(hidden.size == n.size);
        for_stretches(n, [&](std::size_t first, std::size_t count) {
            std::transform(hidden.data + first, hidden.data + first + count, n.data + first,
                           [&](float x) { return activate(a.activation, x); });
        });
    }
    /// Its derivative is taken with the activation in the equations.
    static Earlier pull_back(const Activate&, const Numbers& g, const QueryGradient&) {
        return g.where.names_tokens() || g.where.unit ? Earlier::counts : Earlier::overwritten;
    }
    static void change(const Activate& a, Site, Equations& e) { e.activation = a.activation; }
    static std::string words(const Activate& a, Site) { return name_of(a.activation); }
};

/// Kinds that change only the equations, which the layers read; no number is edited.
struct EquationsAlone {
    template <class Kind>
    static void apply(const Kind&, const Numbers&, const Queries&) {}
    template <class Kind>
    static Earlier pull_back(const Kind&, const Numbers&, const QueryGradient&) {
        return Earlier::counts;
    }
};

template <>
struct Told<Normalise> : EquationsAlone {
    static constexpr bool by_row = true;
    static void change(const Normalise& n, Site, Equations& e) { e.norm = n.norm; }
    static std::string words(const Normalise& n, Site) {
        return n.norm == Norm::none ? "left out" : n.norm == Norm::before ? "before the sublayers" : "after the sums";
    }
};

template <>
struct Told<Drop> {
    static constexpr bool by_row = false;  // random draws depend on the index among all numbers
    static void apply(const Drop& d, const Numbers& n, const Queries&) { drop(n, d); }
    static Earlier pull_back(const Drop& d, const Numbers& g, const QueryGradient&) {
        drop(g, d);
        return Earlier::counts;
    }
    static void change(const Drop&, Site, Equations&) {}  // none: each number has its own factor
    static std::string words(const Drop& d, Site) {
        return "dropped at rate " + short_number(d.rate) + " with seed " + std::to_string(d.seed);
    }
};

template <>
struct Told<LookAhead> : EquationsAlone {
    static constexpr bool by_row = false;
    static void change(const LookAhead& l, Site, Equations& e) { e.look_ahead = l.tokens; }
    static std::string words(const LookAhead& l, Site) {
        return l.tokens == LookAhead::all ? "without a mask" : "seen " + std::to_string(l.tokens) + " tokens ahead";
    }
};

template <>
struct Told<Replace> {
    static constexpr bool by_row = false;
    static void apply(const Replace& r, const Numbers& n, const Queries&) {
        const std::vector<float>& numbers = *r.numbers;
        std::size_t next = 0;
        for_stretches(n, [&](std::size_t first, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i, ++next) n.data[first + i] = numbers[next % numbers.size()];
        });
    }
    static Earlier pull_back(const Replace&, const Numbers& g, const QueryGradient&) {
        scale(g, 0);  // what they were before does not matter
        return Earlier::counts;
    }
    static void change(const Replace&, Site, Equations&) {}
    static std::string words(const Replace&, Site) { return "replaced by given numbers"; }
};

template <>
struct Told<KnockOut> {
    static constexpr bool by_row = false;  // it names keys by their place
    static void apply(const KnockOut& k, const Numbers& n, const Queries&) {
        hide_keys(n, never, [&](int, int key) { return hides(k, key); });
    }
    static Earlier pull_back(const KnockOut& k, const Numbers& g, const QueryGradient&) {
        hide_keys(g, 0, [&](int, int key) { return hides(k, key); });
        return Earlier::counts;
    }
    static void change(const KnockOut&, Site, Equations&) {}
    static std::string words(const KnockOut& k, Site) { return "without the keys " + listed(k.keys); }
};

template <>
struct Told<LocalWindow> {
    static constexpr bool by_row = false;
    static void apply(const LocalWindow& w, const Numbers& n, const Queries&) {
        hide_keys(n, never, [&](int query, int key) { return hides(w, query, key); });
    }
    static Earlier pull_back(const LocalWindow& w, const Numbers& g, const QueryGradient&) {
        hide_keys(g, 0, [&](int query, int key) { return hides(w, query, key); });
        return Earlier::counts;
    }
    static void change(const LocalWindow&, Site, Equations&) {}
    static std::string words(const LocalWindow& w, Site) {
        return "within " + std::to_string(w.radius) + " patches of the query";
    }
};

template <>
struct Told<Noise> {
    static constexpr bool by_row = false;  // each row has its own
    static void apply(const Noise& noise, const Numbers& n, const Queries&) { add_noise(n, noise); }
    static Earlier pull_back(const Noise&, const Numbers&, const QueryGradient&) { return Earlier::counts; }
    static void change(const Noise&, Site, Equations&) {}
    static std::string words(const Noise& n, Site) {
        return "plus noise of deviation " + short_number(n.deviation) + " with seed " + std::to_string(n.seed);
    }
};

template <>
struct Told<Average> {
    static constexpr bool by_row = false;
    static void apply(const Average& a, const Numbers& n, const Queries&) {
        average(n, static_cast<std::size_t>(a.first), Direction::there);
    }
    static Earlier pull_back(const Average& a, const Numbers& g, const QueryGradient&) {
        average(g, static_cast<std::size_t>(a.first), Direction::back);
        return Earlier::counts;
    }
    static void change(const Average&, Site, Equations&) {}
    static std::string words(const Average&, Site) { return "replaced by the mean of the patches"; }
};

template <>
struct Told<Swap> {
    static constexpr bool by_row = false;
    static void apply(const Swap& s, const Numbers& n, const Queries&) { swap_rows(n, s); }
    static Earlier pull_back(const Swap& s, const Numbers& g, const QueryGradient&) {
        swap_rows(g, s);
        return Earlier::counts;
    }
    static void change(const Swap& s, Site site, Equations& e) {
        if (site == Site::position) e.swaps.emplace_back(s.one, s.other);
    }
    static std::string words(const Swap& s, Site) {
        return "of " + std::to_string(s.one) + " and " + std::to_string(s.other) + " exchanged";
    }
};

template <>
struct Told<Coarsen> {
    static constexpr bool by_row = false;
    static void apply(const Coarsen& c, const Numbers& n, const Queries&) { coarsen_rows(n, c, Direction::there); }
    static Earlier pull_back(const Coarsen& c, const Numbers& g, const QueryGradient&) {
        coarsen_rows(g, c, Direction::back);
        return Earlier::counts;
    }
    static void change(const Coarsen&, Site, Equations&) {}
    static std::string words(const Coarsen& c, Site) {
        return "interpolated from a grid of " + std::to_string(c.side) + " columns";
    }
};

template <>
struct Told<AddRow> {
    static constexpr bool by_row = false;
    static void apply(const AddRow& a, const Numbers& n, const Queries&) { add_row(n, a); }
    static Earlier pull_back(const AddRow& a, const Numbers& g, const QueryGradient&) {
        add_row_back(g, a);
        return Earlier::counts;
    }
    static void change(const AddRow&, Site, Equations&) {}
    static std::string words(const AddRow& a, Site) {
        return "plus " + short_number(a.factor) + " times row " + std::to_string(a.row);
    }
};

/// The embedding covers the picture. Its pixels belong to no site, so they get no gradient.
template <>
struct Told<CoverPatches> : EquationsAlone {
    static constexpr bool by_row = false;
    static void change(const CoverPatches& c, Site, Equations& e) { e.covers.push_back(c); }
    static std::string words(const CoverPatches& c, Site) {
        return "of tokens " + listed(c.tokens) + " covered with " +
               (c.cover == Cover::blur   ? "a blur"
                : c.cover == Cover::mean ? "the mean colour"
                                         : "grey");
    }
};

template <>
struct Told<ScaleChange> {
    static constexpr bool by_row = true;
    static void apply(const ScaleChange& s, const Numbers& n, const Queries& input) {
        assert(input.size == n.size);
        if (s.factor == 1.0F) return;  // z + (zℓ − z) would round
        for_stretches(n, [&](std::size_t first, std::size_t count) {
            for (std::size_t k = first; k < first + count; ++k) {
                const float z = input.data[k];
                n.data[k] = s.factor == 0.0F ? z : z + s.factor * (n.data[k] - z);
            }
        });
    }
    static Earlier pull_back(const ScaleChange& s, const Numbers& g, const QueryGradient& input) {
        assert(input.data != nullptr);
        for_stretches(g, [&](std::size_t first, std::size_t count) {
            for (std::size_t k = first; k < first + count; ++k) {
                input.data[k] += (1.0F - s.factor) * g.data[k];
                g.data[k] *= s.factor;
            }
        });
        return Earlier::counts;
    }
    static void change(const ScaleChange&, Site, Equations&) {}
    static std::string words(const ScaleChange& s, Site) {
        return s.factor == 0.0F ? "passed by" : "with " + short_number(s.factor) + " of the change";
    }
};

template <>
struct Told<SetMean> {
    static constexpr bool by_row = true;
    static void apply(const SetMean& s, const Numbers& n, const Queries& queries) {
        assert(s.numbers != nullptr && n.groups.columns % s.numbers->size() == 0);
        Told<Replace>::apply({s.numbers}, n, queries);
    }
    static Earlier pull_back(const SetMean& s, const Numbers& g, const QueryGradient& queries) {
        return Told<Replace>::pull_back({s.numbers}, g, queries);
    }
    static void change(const SetMean&, Site, Equations&) {}
    static std::string words(const SetMean& s, Site) {
        return "replaced by the mean patch of " +
               (s.folder.empty() ? "the drawn pictures" : "the images of " + s.folder);
    }
};

template <>
struct Told<Reslice> {
    static constexpr bool by_row = false;
    static void apply(const Reslice&, const Numbers& n, const Queries&) { reslice(n, Direction::there); }
    static Earlier pull_back(const Reslice&, const Numbers& g, const QueryGradient&) {
        reslice(g, Direction::back);
        return Earlier::counts;
    }
    static void change(const Reslice&, Site, Equations& e) { e.resliced = true; }
    static std::string words(const Reslice&, Site) { return "cut without a transpose"; }
};

template <>
struct Told<OverQueries> : EquationsAlone {
    static constexpr bool by_row = false;
    static void change(const OverQueries&, Site, Equations& e) { e.over_queries = true; }
    static std::string words(const OverQueries&, Site) { return "softmax over the queries"; }
};

template <>
struct Told<CarryNormed> : EquationsAlone {
    static constexpr bool by_row = true;
    static void change(const CarryNormed&, Site, Equations& e) { e.skip.normed = true; }
    static std::string words(const CarryNormed&, Site) { return "of LN(z)"; }
};

/// Calls f(definition of the kind, the edit as this kind).
template <class F>
auto visit_kind(const Intervention& intervention, F f) {
    return std::visit([&]<class Kind>(const Kind& edit) { return f(Told<Kind>(), edit); }, intervention.edit);
}

}  // namespace

const SiteRow& site_row(Site site) {
    const auto row =
        std::find_if(site_table.begin(), site_table.end(), [&](const SiteRow& r) { return r.site == site; });
    assert(row != site_table.end());
    return *row;
}

void apply(const Intervention& i, const EditedNumbers& numbers, const LookedAt<const float>& source) {
    visit_kind(i, [&](auto told, const auto& edit) { told.apply(edit, numbers, source); });
}

Earlier pull_back(const Intervention& i, const EditedNumbers& gradient, const LookedAt<float>& source) {
    return visit_kind(i, [&](auto told, const auto& edit) { return told.pull_back(edit, gradient, source); });
}

void change(Equations& equations, const Intervention& i) {
    visit_kind(i, [&](auto told, const auto& edit) { told.change(edit, i.site, equations); });
}

bool acts_by_row(const Intervention& i) {
    return !i.where.names_tokens() && visit_kind(i, [](auto told, const auto&) { return told.by_row; });
}

std::string describe(const Intervention& i) {
    std::string place;
    const auto add = [&](const std::string& part) { place += (place.empty() ? " of " : ", ") + part; };
    const auto add_number = [&](const char* what, const std::optional<int>& number) {
        if (number) add(what + (" " + std::to_string(*number)));
    };
    if (i.where.stack) add(name_in(stacks, *i.where.stack));
    if (i.where.attention) add(std::string(name_in(attentions, *i.where.attention)) + "-attention");
    add_number("block", i.where.block);
    add_number("head", i.where.head);
    add_number("token", i.where.token);
    if (!i.where.tokens.empty()) add("tokens " + listed(i.where.tokens));
    add_number("unit", i.where.unit);
    const std::string words = visit_kind(i, [&](auto told, const auto& edit) { return told.words(edit, i.site); });
    return site_row(i.site).name + place + ": " + words;
}

}  // namespace vitrine
