#include "core/transformer/intervention.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/base/random.h"
#include "core/tensor/ops.h"
#include "core/tensor/rows.h"

namespace vitrine {

namespace {

/// What an edit has to know of a site.
struct SiteRow {
    Site site;
    bool heads;               // whether its tensor has one part for each head
    bool shared;              // whether it is one for all sequences
    bool before_the_blocks;   // whether it is no block's
    std::uint64_t drop_seed;  // sets its dropout apart from that of other sites, below 64
};
constexpr std::array site_rows = {
    SiteRow{Site::embedded, false, false, true, 0},
    SiteRow{Site::tokens, false, false, true, 1},
    SiteRow{Site::position, false, true, true, 2},
    SiteRow{Site::norm, false, false, false, 3},
    SiteRow{Site::slices, true, false, false, 15},
    SiteRow{Site::q, true, false, false, 4},
    SiteRow{Site::k, true, false, false, 5},
    SiteRow{Site::v, true, false, false, 6},
    SiteRow{Site::scores, true, false, false, 7},
    SiteRow{Site::attention, true, false, false, 8},
    SiteRow{Site::heads, true, false, false, 9},
    SiteRow{Site::msa, false, false, false, 10},
    SiteRow{Site::skip, false, false, false, 11},
    SiteRow{Site::mlp_hidden, false, false, false, 12},
    SiteRow{Site::mlp_activation, false, false, false, 13},
    SiteRow{Site::mlp_out, false, false, false, 14},
};

const SiteRow& row_of(Site site) {
    const auto row = std::find_if(site_rows.begin(), site_rows.end(), [&](const SiteRow& r) { return r.site == site; });
    assert(row != site_rows.end());
    return *row;
}

/// A tensor seen as groups of rows: the groups are sequences, or heads of sequences.
struct Layout {
    std::vector<std::size_t> rows;  // of each group
    std::size_t columns = 0, heads = 1;
};

/// f(group, first number, count of rows) for every group.
template <class F>
void for_groups(const Layout& layout, F f) {
    std::size_t first = 0;
    for (std::size_t group = 0; group < layout.rows.size(); ++group) {
        f(group, first, layout.rows[group]);
        first += layout.rows[group] * layout.columns;
    }
}

/// f(first number, count) for every stretch of the tensor that `where` names.
void for_stretches(const Layout& layout, const Where& where, const std::function<void(std::size_t, std::size_t)>& f) {
    for_groups(layout, [&](std::size_t group, std::size_t start, std::size_t rows) {
        if (where.token && static_cast<std::size_t>(*where.token) >= rows) return;
        if (where.head && static_cast<std::size_t>(*where.head) != group % layout.heads) return;
        const std::size_t first = where.token ? static_cast<std::size_t>(*where.token) : 0;
        const std::size_t last = where.token ? first + 1 : rows;
        f(start + first * layout.columns, (last - first) * layout.columns);
    });
}

void scale(float* data, std::size_t count, float factor) {
    // Assigned, not multiplied: 0 · ∞ is no zero.
    if (factor == 0.0F)
        std::fill_n(data, count, 0.0F);
    else
        std::for_each(data, data + count, [&](float& x) { x *= factor; });
}

enum class Direction { there, back };

void shuffle_rows(float* data, const Layout& layout, std::uint32_t seed, Direction direction) {
    for_groups(layout, [&](std::size_t, std::size_t start, std::size_t count) {
        const std::vector<int> order = shuffled_order(static_cast<int>(count), seed);
        float* const rows = data + start;
        const std::vector<float> before(rows, rows + count * layout.columns);
        for (std::size_t i = 0; i < count; ++i) {
            const auto other = static_cast<std::size_t>(order[i]);
            const auto [from, to] = direction == Direction::there ? std::pair(other, i) : std::pair(i, other);
            std::copy_n(before.data() + from * layout.columns, layout.columns, rows + to * layout.columns);
        }
    });
}

/// Where each number of a sequence's (h, N, d) lies in the other order: (N, D) read as if it were (h, N, d).
void reslice(float* data, const Layout& layout, Direction direction) {
    const std::size_t h = layout.heads, n = layout.rows.front(), d = layout.columns, size = h * n * d;
    for (std::size_t sequence = 0; sequence < layout.rows.size() / h; ++sequence) {
        float* const numbers = data + sequence * size;
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

}  // namespace

Intervention remove_token(int token) { return {Site::tokens, {{}, {}, token}, Scale{0}}; }
Intervention remove_head(int block, int head) { return {Site::heads, {block, head, {}}, Scale{0}}; }
Intervention remove_mlp(int block) { return {Site::mlp_out, {block, {}, {}}, Scale{0}}; }
Intervention remove_positions() { return {Site::position, {}, Scale{0}}; }
Intervention shuffle_tokens(std::uint32_t seed) { return {Site::embedded, {}, Shuffle{seed}}; }
Intervention without_scaling(Block block) { return {Site::scores, {block, {}, {}}, Unscale{}}; }
Intervention temperature(float t, Block block) { return {Site::scores, {block, {}, {}}, Scale{1 / t}}; }
Intervention key_is_query(Block block) { return {Site::k, {block, {}, {}}, CopyQuery{}}; }
Intervention value_is_query(Block block) { return {Site::v, {block, {}, {}}, CopyQuery{}}; }
Intervention without_skips(Block block) { return {Site::skip, {block, {}, {}}, Scale{0}}; }
Intervention normalise(Norm norm, Block block) { return {Site::norm, {block, {}, {}}, Normalise{norm}}; }
Intervention activate_with(Activation activation, Block block) {
    return {Site::mlp_activation, {block, {}, {}}, Activate{activation}};
}

Intervention remove_head_of(const AttentionPlace& place, int head) {
    Where where = place;
    where.head = head;
    return {Site::heads, where, Scale{0}};
}
Intervention remove_attention(const AttentionPlace& place) { return {Site::msa, place, Scale{0}}; }
Intervention remove_mlp_of(Stack stack, Block block) { return {Site::mlp_out, {block, {}, {}, stack}, Scale{0}}; }
std::vector<Intervention> remove_block(Stack stack, int block) {
    return {remove_attention({stack, {}, block}), remove_mlp_of(stack, block)};
}
Intervention look_ahead(int tokens, const AttentionPlace& place) { return {Site::scores, place, LookAhead{tokens}}; }
Intervention without_word_scaling(std::optional<Stack> stack) { return {Site::tokens, {{}, {}, {}, stack}, Unscale{}}; }
Intervention remove_positions_of(Stack stack) { return {Site::position, {{}, {}, {}, stack}, Scale{0}}; }
Intervention without_scaling_of(const AttentionPlace& place) { return {Site::scores, place, Unscale{}}; }
Intervention temperature_of(const AttentionPlace& place, float t) { return {Site::scores, place, Scale{1 / t}}; }
Intervention key_is_query_of(const AttentionPlace& place) { return {Site::k, place, CopyQuery{}}; }

Intervention slice_without_transpose(Block block) { return {Site::slices, {block, {}, {}}, Reslice{}}; }
Intervention soften_over_queries(Block block) { return {Site::attention, {block, {}, {}}, OverQueries{}}; }
Intervention soften_over_queries_of(const AttentionPlace& place) { return {Site::attention, place, OverQueries{}}; }
Intervention carry_normed(Block block) { return {Site::skip, {block, {}, {}}, CarryNormed{}}; }

std::vector<Intervention> dropout(float rate, std::uint64_t seed) {
    std::vector<Intervention> drops;
    for (const Site site : {Site::attention, Site::msa, Site::mlp_activation, Site::mlp_out})
        drops.push_back({site, {}, Drop{rate, seed}});
    return drops;
}

namespace {

/// Whether an intervention there acts on such a block.
bool acts_on(const Where& where, int block, Stack stack, Attention attention = Attention::self) {
    return where.block.value_or(block) == block && where.stack.value_or(stack) == stack &&
           where.attention.value_or(attention) == attention;
}

}  // namespace

int first_block(std::span<const Intervention> interventions, int blocks, Stack stack) {
    int first = blocks + 1;
    for (const Intervention& i : interventions) {
        const bool elsewhere = stack == Stack::encoder && i.where.attention == Attention::cross;
        if (elsewhere || i.where.stack.value_or(stack) != stack) continue;
        first = std::min(first, row_of(i.site).before_the_blocks ? 0 : i.where.block.value_or(1));
    }
    return first;
}

int first_block(std::span<const Intervention> interventions, int blocks) {
    return first_block(interventions, blocks, Stack::encoder);
}

Norm norm_of(const TransformerConfig& config, std::span<const Intervention> interventions, int block) {
    return Editor(interventions, {}).norm(config, block);
}

bool skips_of(const TransformerConfig& config, std::span<const Intervention> interventions, int block) {
    return config.skips && std::none_of(interventions.begin(), interventions.end(), [&](const Intervention& i) {
               return i == without_skips() || i == without_skips(block);
           });
}

Activation activation_of(const TransformerConfig& config, std::span<const Intervention> interventions, int block) {
    return Editor(interventions, {}).activation(config, block);
}

std::vector<int> shuffled_order(int count, std::uint32_t seed) {
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    Random random(seed);
    for (std::size_t i = order.size(); i > 1; --i)  // Fisher–Yates
        std::swap(order[i - 1], order[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
    return order;
}

const Shuffle* shuffle_of(std::span<const Intervention> interventions) {
    for (const Intervention& i : interventions)
        if (const Shuffle* const shuffle = std::get_if<Shuffle>(&i.edit)) return shuffle;
    return nullptr;
}

bool Editor::meets(const Where& where, int block) const { return acts_on(where, block, stack_, attention_); }

bool Editor::acts(Site site, int block) const {
    return std::any_of(interventions_.begin(), interventions_.end(),
                       [&](const Intervention& i) { return i.site == site && meets(i.where, block); });
}

Norm Editor::norm(const TransformerConfig& config, int block) const {
    Norm norm = config.norm;
    for (const Intervention& i : interventions_)
        if (i.site == Site::norm && meets(i.where, block)) norm = std::get<Normalise>(i.edit).norm;
    return norm;
}

Activation Editor::activation(const TransformerConfig& config, int block) const {
    Activation activation = config.activation;
    for (const Intervention& i : interventions_)
        if (const Activate* const other = std::get_if<Activate>(&i.edit))
            if (meets(i.where, block)) activation = other->activation;
    return activation;
}

std::optional<int> Editor::look_ahead(int block) const {
    std::optional<int> tokens;
    for (const Intervention& i : interventions_)
        if (const LookAhead* const look = std::get_if<LookAhead>(&i.edit))
            if (meets(i.where, block)) tokens = look->tokens;
    return tokens;
}

namespace {

std::size_t numbers_in(const std::vector<std::size_t>& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

/// The site's tensor, seen as an edit sees it.
Layout layout_of(Site site, const std::vector<std::size_t>& shape, Batch batch) {
    const bool flat = shape.size() == 2, shared = row_of(site).shared;
    const std::size_t sequences = shared ? 1 : static_cast<std::size_t>(batch.sequences);
    Layout layout;
    layout.columns = shape.back();
    if (flat && !shared && batch.packed()) {
        layout.rows.assign(batch.lengths.begin(), batch.lengths.end());
    } else {
        const std::size_t rows = flat ? shape[0] / sequences : shape[1];
        layout.rows.assign(numbers_in(shape) / (rows * layout.columns), rows);
    }
    layout.heads = row_of(site).heads ? layout.rows.size() / sequences : 1;
    return layout;
}

/// Zeroes each of `count` numbers with the rate's probability: by its own hash, so order and threads do not matter.
void drop(float* data, std::size_t count, const Drop& how, std::uint64_t place) {
    const std::uint64_t key = Random(how.seed ^ (place * 0x9E3779B97F4A7C15ULL)).next();
    const auto low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32);
    const auto limit = static_cast<std::uint32_t>(static_cast<double>(how.rate) * 4294967295.0);
    row_kernels().drop({low, high, limit, 1 / (1 - how.rate)}, data, count);
}

}  // namespace

std::uint64_t Editor::place_of(Site site, int block) const {
    const auto which = static_cast<std::uint64_t>(stack_) * 2 + static_cast<std::uint64_t>(attention_);
    return (which << 32) + static_cast<std::uint64_t>(block) * 64 + row_of(site).drop_seed;
}

bool adds_positions(std::span<const Intervention> interventions) {
    return std::find(interventions.begin(), interventions.end(), remove_positions()) == interventions.end();
}

double ScoreRule::divisor(int head_dim) const {
    return (divided ? std::sqrt(static_cast<double>(head_dim)) : 1.0) * temperature;
}

ScoreRule score_rule_of(std::span<const Intervention> interventions, const Where& place) {
    ScoreRule rule;
    const auto there = [](const std::optional<int>& own, const std::optional<int>& at) { return !own || own == at; };
    for (const Intervention& i : interventions) {
        if (i.site != Site::scores || !there(i.where.block, place.block) || !there(i.where.head, place.head) ||
            !there(i.where.token, place.token))
            continue;
        if (std::holds_alternative<Unscale>(i.edit)) rule.divided = false;
        if (const Scale* const s = std::get_if<Scale>(&i.edit)) rule.temperature /= static_cast<double>(s->factor);
    }
    return rule;
}

bool Editor::is_unscaled_before(const Intervention& one, int block) const {
    for (const Intervention& i : interventions_) {
        if (&i == &one) return false;
        const bool whole = !i.where.head && !i.where.token;
        if (i.site == one.site && whole && std::holds_alternative<Unscale>(i.edit) && meets(i.where, block))
            return std::holds_alternative<Unscale>(one.edit);
    }
    return false;
}

namespace {

/// What makes a site's numbers those without their factor: 1/√d of the scores, √D of the words.
float unscale(Site site, std::size_t columns) {
    const float root = std::sqrt(static_cast<float>(columns));
    return site == Site::tokens ? 1.0F / root : root;
}

}  // namespace

void Editor::apply(Site site, int block, const Target& target, const Source& source) const {
    const Layout layout = layout_of(site, target.shape, batch_);
    const std::size_t size = numbers_in(target.shape);

    for (const Intervention& i : interventions_) {
        if (i.site != site || !meets(i.where, block) || is_unscaled_before(i, block)) continue;
        if (const Shuffle* const shuffle = std::get_if<Shuffle>(&i.edit)) {
            shuffle_rows(target.data, layout, shuffle->seed, Direction::there);
            continue;
        }
        if (const Drop* const how = std::get_if<Drop>(&i.edit)) {
            drop(target.data, size, *how, place_of(site, block));
            continue;
        }
        if (std::holds_alternative<Reslice>(i.edit)) {
            reslice(target.data, layout, Direction::there);
            continue;
        }
        for_stretches(layout, i.where, [&](std::size_t first, std::size_t count) {
            float* const numbers = target.data + first;
            if (const Scale* const s = std::get_if<Scale>(&i.edit)) {
                scale(numbers, count, s->factor);
            } else if (std::holds_alternative<Unscale>(i.edit)) {
                assert(site == Site::tokens || source.data != nullptr);
                scale(numbers, count, unscale(site, site == Site::tokens ? layout.columns : source.columns));
            } else if (std::holds_alternative<CopyQuery>(i.edit)) {
                if (source.size != size) return;  // a memory's keys are not as many as the queries
                std::copy_n(source.data + first, count, numbers);
            } else if (const Activate* const a = std::get_if<Activate>(&i.edit)) {
                assert(source.size == size);
                std::transform(source.data + first, source.data + first + count, numbers,
                               [&](float x) { return activate(a->activation, x); });
            }
        });
    }
}

void Editor::pull_back(Site site, int block, const Target& gradient, const Target& source) const {
    const Layout layout = layout_of(site, gradient.shape, batch_);
    const std::size_t size = numbers_in(gradient.shape);

    for (auto i = interventions_.rbegin(); i != interventions_.rend(); ++i) {
        if (i->site != site || !meets(i->where, block) || is_unscaled_before(*i, block)) continue;
        if (std::holds_alternative<Activate>(i->edit) && !i->where.token) return;  // what came before it is overwritten
        if (const Drop* const how = std::get_if<Drop>(&i->edit)) {
            drop(gradient.data, size, *how, place_of(site, block));
        } else if (const Shuffle* const shuffle = std::get_if<Shuffle>(&i->edit)) {
            shuffle_rows(gradient.data, layout, shuffle->seed, Direction::back);
        } else if (std::holds_alternative<Reslice>(i->edit)) {
            reslice(gradient.data, layout, Direction::back);
        } else if (const Scale* const s = std::get_if<Scale>(&i->edit)) {
            for_stretches(layout, i->where, [&](std::size_t first, std::size_t count) {
                scale(gradient.data + first, count, s->factor);
            });
        } else if (std::holds_alternative<Unscale>(i->edit)) {
            for_stretches(layout, i->where, [&](std::size_t first, std::size_t count) {
                scale(gradient.data + first, count,
                      unscale(site, site == Site::tokens ? layout.columns : source.shape.back()));
            });
        } else if (std::holds_alternative<CopyQuery>(i->edit)) {
            assert(source.data != nullptr);
            if (numbers_in(source.shape) != size) continue;  // nothing was copied
            for_stretches(layout, i->where, [&](std::size_t first, std::size_t count) {
                for (std::size_t k = first; k < first + count; ++k) source.data[k] += gradient.data[k];
                std::fill_n(gradient.data + first, count, 0.0F);
            });
        }
    }
}

}  // namespace vitrine
