#include "core/transformer/intervention.h"

#include <algorithm>
#include <numeric>

#include "core/base/random.h"

namespace vitrine {

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
Intervention softmax_over_queries(Block block) { return {Site::attention, {block, {}, {}}, OverQueries{}}; }
Intervention softmax_over_queries_of(const AttentionPlace& place) { return {Site::attention, place, OverQueries{}}; }
Intervention carry_normed(Block block) { return {Site::skip, {block, {}, {}}, CarryNormed{}}; }

std::vector<Intervention> dropout(float rate, std::uint64_t seed) {
    std::vector<Intervention> drops;
    for (const Site site : {Site::attention, Site::msa, Site::mlp_activation, Site::mlp_out})
        drops.push_back({site, {}, Drop{rate, seed}});
    return drops;
}

namespace {

bool before_the_blocks(Site site) { return site <= Site::position; }

}  // namespace

int first_block(std::span<const Intervention> interventions, int blocks, Stack stack) {
    int first = blocks + 1;
    for (const Intervention& i : interventions) {
        const bool elsewhere = stack == Stack::encoder && i.where.attention == Attention::cross;
        if (elsewhere || i.where.stack.value_or(stack) != stack) continue;
        first = std::min(first, before_the_blocks(i.site) ? 0 : i.where.block.value_or(1));
    }
    return first;
}

int first_block(std::span<const Intervention> interventions, int blocks) {
    return first_block(interventions, blocks, Stack::encoder);
}

bool is_removal(const Intervention& intervention) {
    return intervention.edit == Edit{Scale{0}} || intervention.edit == Edit{ScaleChange{0}};
}

std::vector<int> shuffled_order(int count, std::uint32_t seed) {
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    Random random(seed);
    for (std::size_t i = order.size(); i > 1; --i)  // Fisher–Yates
        std::swap(order[i - 1], order[static_cast<std::size_t>(random.below(static_cast<int>(i)))]);
    return order;
}

}  // namespace vitrine
