#include "core/transformer/edits.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "core/base/random.h"
#include "core/tensor/ops.h"
#include "core/tensor/rows.h"
#include "core/transformer/block_equations.h"

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

/// Calls f(first number, count) for every contiguous range of edited numbers.
template <class F>
void for_stretches(const EditedNumbers& numbers, F f) {
    const RowGroups& groups = numbers.groups;
    const Where& where = numbers.where;
    for_groups(groups, [&](std::size_t group, std::size_t start, std::size_t rows) {
        if (where.token && static_cast<std::size_t>(*where.token) >= rows) return;
        if (where.head && static_cast<std::size_t>(*where.head) != group % groups.heads) return;
        const std::size_t first = where.token ? static_cast<std::size_t>(*where.token) : 0;
        const std::size_t last = where.token ? first + 1 : rows;
        f(start + first * groups.columns, (last - first) * groups.columns);
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
        return g.where.token ? Earlier::counts : Earlier::overwritten;
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
    return !i.where.token && visit_kind(i, [](auto told, const auto&) { return told.by_row; });
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
    const std::string words = visit_kind(i, [&](auto told, const auto& edit) { return told.words(edit, i.site); });
    return site_row(i.site).name + place + ": " + words;
}

}  // namespace vitrine
