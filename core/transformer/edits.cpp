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

#include "core/tensor/ops.h"
#include "core/transformer/block_equations.h"
#include "core/transformer/edited_rows.h"

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

/// Writes `value` into the edited scores of hidden keys: −∞, or 0 into their gradient.
template <class Hidden>
void hide_keys(const EditedNumbers& scores, float value, Hidden hidden) {
    for_numbers(scores, [&](float& score, int query, int key) {
        if (hidden(query, key)) score = value;
    });
}
constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

bool hides(const KnockOut& k, int key) { return std::binary_search(k.keys.begin(), k.keys.end(), key); }
bool hides(const LocalWindow& w, int query, int key) {
    if (query < w.first || key < w.first) return false;
    const auto [query_row, query_column] = std::div(query - w.first, w.columns);
    const auto [key_row, key_column] = std::div(key - w.first, w.columns);
    return std::abs(query_row - key_row) > w.radius || std::abs(query_column - key_column) > w.radius;
}

/// "3, 5": a list for descriptions.
std::string listed(const std::vector<int>& numbers) {
    std::string words;
    for (const int number : numbers) words += (words.empty() ? "" : ", ") + std::to_string(number);
    return words;
}

/// The factor that undoes a site's own: 1/√d of the scores, √D of the word vectors.
template <class Number>
float without_factor(const EditedNumbers& numbers, const SecondTensor<Number>& queries) {
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
using Queries = SecondTensor<const float>;  // or another tensor that edits read, such as the pre-activations
using QueryGradient = SecondTensor<float>;

/// The definition of a kind of edit: whether it acts on each row independently (`by_row`), whether several at one site
/// act together (`adds_up`), whether it names tokens or depends on their grid (`names_tokens`), its effect on numbers,
/// on their gradient and on the equations, and its description. A kind without a definition is a compile error.
template <class Kind>
struct EditDefinition;

template <>
struct EditDefinition<Scale> {
    static constexpr bool by_row = true, adds_up = false, names_tokens = false;
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
struct EditDefinition<Unscale> {
    static constexpr bool by_row = true, adds_up = false, names_tokens = false;
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
struct EditDefinition<Shuffle> {
    static constexpr bool by_row = false, adds_up = false, names_tokens = false;
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
struct EditDefinition<CopyQuery> {
    // with a memory it depends on the number of rows
    static constexpr bool by_row = false, adds_up = false, names_tokens = false;
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
struct EditDefinition<Activate> {
    static constexpr bool by_row = true, adds_up = false, names_tokens = false;
    static void apply(const Activate& a, const Numbers& n, const Queries& hidden) {
        assert(hidden.size == n.size);
        for_stretches(n, [&](std::size_t first, std::size_t count) {
            std::transform(hidden.data + first, hidden.data + first + count, n.data + first,
                           [&](float x) { return activate(a.activation, x); });
        });
    }
    /// The MLP's backward pass takes the derivative, with the activation in the equations.
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
struct EditDefinition<Normalise> : EquationsAlone {
    static constexpr bool by_row = true, adds_up = false, names_tokens = false;
    static void change(const Normalise& n, Site, Equations& e) { e.norm = n.norm; }
    static std::string words(const Normalise& n, Site) {
        return n.norm == Norm::none ? "left out" : n.norm == Norm::before ? "before the sublayers" : "after the sums";
    }
};

template <>
struct EditDefinition<Drop> {
    // random draws depend on the index among all numbers
    static constexpr bool by_row = false, adds_up = false, names_tokens = false;
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
struct EditDefinition<LookAhead> : EquationsAlone {
    static constexpr bool by_row = false, adds_up = false, names_tokens = false;
    static void change(const LookAhead& l, Site, Equations& e) { e.look_ahead = l.tokens; }
    static std::string words(const LookAhead& l, Site) {
        return l.tokens == LookAhead::all ? "without a mask" : "seen " + std::to_string(l.tokens) + " tokens ahead";
    }
};

template <>
struct EditDefinition<Replace> {
    static constexpr bool by_row = false, adds_up = false, names_tokens = false;
    static void apply(const Replace& r, const Numbers& n, const Queries&) {
        const std::vector<float>& numbers = *r.numbers;
        std::size_t next = 0;
        for_stretches(n, [&](std::size_t first, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i, ++next) n.data[first + i] = numbers[next % numbers.size()];
        });
    }
    static Earlier pull_back(const Replace&, const Numbers& g, const QueryGradient&) {
        scale(g, 0);  // the replaced numbers have no effect
        return Earlier::counts;
    }
    static void change(const Replace&, Site, Equations&) {}
    static std::string words(const Replace&, Site) { return "replaced by given numbers"; }
};

template <>
struct EditDefinition<KnockOut> {
    // keys are named by their position
    static constexpr bool by_row = false, adds_up = true, names_tokens = false;
    static void apply(const KnockOut& k, const Numbers& n, const Queries&) {
        hide_keys(n, minus_infinity, [&](int, int key) { return hides(k, key); });
    }
    static Earlier pull_back(const KnockOut& k, const Numbers& g, const QueryGradient&) {
        hide_keys(g, 0, [&](int, int key) { return hides(k, key); });
        return Earlier::counts;
    }
    static void change(const KnockOut&, Site, Equations&) {}
    static std::string words(const KnockOut& k, Site) { return "without the keys " + listed(k.keys); }
};

template <>
struct EditDefinition<LocalWindow> {
    static constexpr bool by_row = false, adds_up = false, names_tokens = true;
    static void apply(const LocalWindow& w, const Numbers& n, const Queries&) {
        hide_keys(n, minus_infinity, [&](int query, int key) { return hides(w, query, key); });
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
struct EditDefinition<Noise> {
    // each row has its own noise
    static constexpr bool by_row = false, adds_up = false, names_tokens = false;
    static void apply(const Noise& noise, const Numbers& n, const Queries&) { add_noise(n, noise); }
    static Earlier pull_back(const Noise&, const Numbers&, const QueryGradient&) { return Earlier::counts; }
    static void change(const Noise&, Site, Equations&) {}
    static std::string words(const Noise& n, Site) {
        return "plus noise of deviation " + short_number(n.deviation) + " with seed " + std::to_string(n.seed);
    }
};

template <>
struct EditDefinition<Average> {
    static constexpr bool by_row = false, adds_up = false, names_tokens = false;
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
struct EditDefinition<Swap> {
    static constexpr bool by_row = false, adds_up = true, names_tokens = true;
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
struct EditDefinition<Coarsen> {
    static constexpr bool by_row = false, adds_up = false, names_tokens = true;
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
struct EditDefinition<AddRow> {
    static constexpr bool by_row = false, adds_up = true, names_tokens = false;
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
struct EditDefinition<CoverPatches> : EquationsAlone {
    static constexpr bool by_row = false, adds_up = true, names_tokens = true;
    static void change(const CoverPatches& c, Site, Equations& e) { e.covers.push_back(c); }
    static std::string words(const CoverPatches& c, Site) {
        return "of tokens " + listed(c.tokens) + " covered with " +
               (c.cover == Cover::blur   ? "a blur"
                : c.cover == Cover::mean ? "the mean colour"
                                         : "grey");
    }
};

template <>
struct EditDefinition<ScaleChange> {
    static constexpr bool by_row = true, adds_up = false, names_tokens = false;
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
struct EditDefinition<SetMean> {
    static constexpr bool by_row = true, adds_up = false, names_tokens = false;
    static void apply(const SetMean& s, const Numbers& n, const Queries& queries) {
        assert(s.numbers != nullptr && n.groups.columns % s.numbers->size() == 0);
        EditDefinition<Replace>::apply({s.numbers}, n, queries);
    }
    static Earlier pull_back(const SetMean& s, const Numbers& g, const QueryGradient& queries) {
        return EditDefinition<Replace>::pull_back({s.numbers}, g, queries);
    }
    static void change(const SetMean&, Site, Equations&) {}
    static std::string words(const SetMean& s, Site) {
        return "replaced by the mean patch of " +
               (s.folder.empty() ? "the drawn pictures" : "the images of " + s.folder);
    }
};

template <>
struct EditDefinition<Reslice> {
    static constexpr bool by_row = false, adds_up = false, names_tokens = false;
    static void apply(const Reslice&, const Numbers& n, const Queries&) { reslice(n, Direction::there); }
    static Earlier pull_back(const Reslice&, const Numbers& g, const QueryGradient&) {
        reslice(g, Direction::back);
        return Earlier::counts;
    }
    static void change(const Reslice&, Site, Equations& e) { e.resliced = true; }
    static std::string words(const Reslice&, Site) { return "cut without a transpose"; }
};

template <>
struct EditDefinition<OverQueries> : EquationsAlone {
    static constexpr bool by_row = false, adds_up = false, names_tokens = false;
    static void change(const OverQueries&, Site, Equations& e) { e.over_queries = true; }
    static std::string words(const OverQueries&, Site) { return "softmax over the queries"; }
};

template <>
struct EditDefinition<CarryNormed> : EquationsAlone {
    static constexpr bool by_row = true, adds_up = false, names_tokens = false;
    static void change(const CarryNormed&, Site, Equations& e) { e.skip.normed = true; }
    static std::string words(const CarryNormed&, Site) { return "of LN(z)"; }
};

/// Calls f(the definition of the edit's kind, the edit as a value of this kind).
template <class F>
auto visit_kind(const Edit& edit, F f) {
    return std::visit([&]<class Kind>(const Kind& as_kind) { return f(EditDefinition<Kind>(), as_kind); }, edit);
}

}  // namespace

const SiteRow& site_row(Site site) {
    const auto row =
        std::find_if(site_table.begin(), site_table.end(), [&](const SiteRow& r) { return r.site == site; });
    assert(row != site_table.end());
    return *row;
}

void apply(const Intervention& i, const EditedNumbers& numbers, const SecondTensor<const float>& source) {
    visit_kind(i.edit, [&](auto kind, const auto& edit) { kind.apply(edit, numbers, source); });
}

Earlier pull_back(const Intervention& i, const EditedNumbers& gradient, const SecondTensor<float>& source) {
    return visit_kind(i.edit, [&](auto kind, const auto& edit) { return kind.pull_back(edit, gradient, source); });
}

void change(Equations& equations, const Intervention& i) {
    visit_kind(i.edit, [&](auto kind, const auto& edit) { kind.change(edit, i.site, equations); });
}

bool acts_by_row(const Intervention& i) {
    return !i.where.names_tokens() && visit_kind(i.edit, [](auto kind, const auto&) { return kind.by_row; });
}

bool adds_up(const Edit& edit) {
    return visit_kind(edit, [](auto kind, const auto&) { return kind.adds_up; });
}

bool names_tokens(const Intervention& i) {
    return i.where.names_tokens() || visit_kind(i.edit, [](auto kind, const auto&) { return kind.names_tokens; });
}

std::optional<NeededMean> needed_mean(Edit& edit) {
    SetMean* const set = std::get_if<SetMean>(&edit);
    if (set == nullptr) return {};
    return NeededMean{set->folder, set->numbers};
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
    const std::string words = visit_kind(i.edit, [&](auto kind, const auto& edit) { return kind.words(edit, i.site); });
    return site_row(i.site).name + place + ": " + words;
}

}  // namespace vitrine
