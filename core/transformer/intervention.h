#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "core/base/names.h"
#include "core/transformer/config.h"

namespace vitrine {

/// A place of the forward pass where something can be edited, in the order of computation.
enum class Site {
    embedded,  // (B·N_e, D)   what a family makes of its input, one row for each part of it
    tokens,    // (B·N, D)     before positions
    position,  // (N, D)       E_pos
    norm,      // where a block normalises: no tensor, takes Normalise
    slices,    // (B·h, N, d)   q, k and v as they are cut into heads
    q,
    k,
    v,           // (B·h, N, d)
    scores,      // (B·h, N, N)
    attention,   // (B·h, N, N)
    heads,       // (B·h, N, d)
    msa,         // (B·N, D)
    skip,        // (B·N, D)     what the residual connections bring to a block's two sums
    mlp_hidden,  // (B·N, M)
    mlp_activation,
    mlp_out,  // (B·N, D)
};

/// Which of a Transformer's stacks of blocks; a ViT has an encoder alone.
enum class Stack { encoder, decoder };
inline constexpr Named<Stack> stacks[] = {{Stack::encoder, "encoder"}, {Stack::decoder, "decoder"}};

/// Whose keys and values queries meet: their own sequence's, or the encoder's output's.
enum class Attention { self, cross };
inline constexpr Named<Attention> attentions[] = {{Attention::self, "self"}, {Attention::cross, "cross"}};

/// Which part of the site; absent means all of it.
struct Where {
    std::optional<int> block = {};  // ℓ = 1 … L
    std::optional<int> head = {};   // 0 … h − 1, for sites that have heads
    std::optional<int> token = {};  // 0 … N − 1, the row (for `scores` and `attention`: the query)
    std::optional<Stack> stack = {};
    std::optional<Attention> attention = {};  // for the sites of attention, and the skip and norm around it

    bool operator==(const Where&) const = default;
};

// What becomes of the numbers there. Each kind is data alone; what it does, forth and back, what it makes of the
// equations and how it is said stands in one place, `Told` of edits.cpp.

/// Each is multiplied by a factor; 0 switches the part off.
struct Scale {
    float factor = 0.0F;
    bool operator==(const Scale&) const = default;
};
/// The scores as they are without their division by √d, or words' vectors without their factor √D (at `tokens`).
struct Unscale {
    bool operator==(const Unscale&) const = default;
};
/// The embedded parts in another order, the same for the same seed on every platform.
struct Shuffle {
    std::uint32_t seed = 1;
    bool operator==(const Shuffle&) const = default;
};
/// k or v become q: the course code's `k = q.view(…)`. Of a memory of another length they stay as they are.
struct CopyQuery {
    bool operator==(const CopyQuery&) const = default;
};
/// Another function between the MLP's layers.
struct Activate {
    Activation activation = Activation::relu;
    bool operator==(const Activate&) const = default;
};
/// Layer norms before the branches, after the sums, or left out.
struct Normalise {
    Norm norm = Norm::none;
    bool operator==(const Normalise&) const = default;
};
/// Each is zeroed with probability `rate` and the rest divided by 1 − rate; the same numbers for the same seed.
struct Drop {
    float rate = 0.1F;
    std::uint64_t seed = 1;
    bool operator==(const Drop&) const = default;
};

/// Another mask at `scores`: every query sees so many tokens beyond itself; −1 hides itself, too. Of an attention that
/// is not masked it makes one that is.
struct LookAhead {
    static constexpr int all = 1 << 20;  // no mask
    int tokens = all;
    bool operator==(const LookAhead&) const = default;
};

// What course code does by mistake; the exercises repair it.

/// (N, D) read as (h, N, d) without a transpose: head i gets the numbers i·N·d … of the matrix, row by row.
struct Reslice {
    bool operator==(const Reslice&) const = default;
};
/// The softmax over the queries: each column of the attention sums to 1.
struct OverQueries {
    bool operator==(const OverQueries&) const = default;
};
/// With pre-norm a residual connection brings LN(z) instead of z.
struct CarryNormed {
    bool operator==(const CarryNormed&) const = default;
};

using Edit = std::variant<Scale, Unscale, Shuffle, CopyQuery, Activate, Normalise, Drop, LookAhead, Reslice,
                          OverQueries, CarryNormed>;

/// A what-if: data, not code. Remove head 3 of block 5: {Site::heads, {5, 3, {}}, Scale{0}}.
struct Intervention {
    Site site = Site::tokens;
    Where where;
    Edit edit;

    bool operator==(const Intervention&) const = default;
};

// What users switch (core/vit/what_ifs.h gives each its word); those with a block act on all blocks where it is absent.
using Block = std::optional<int>;
Intervention remove_token(int token);
Intervention remove_head(int block, int head);
Intervention remove_mlp(int block);
Intervention remove_positions();
Intervention shuffle_tokens(std::uint32_t seed = 1);
Intervention without_scaling(Block block = {});
Intervention temperature(float t, Block block = {});
Intervention key_is_query(Block block = {});
Intervention value_is_query(Block block = {});
Intervention without_skips(Block block = {});
Intervention normalise(Norm norm, Block block = {});
Intervention activate_with(Activation activation, Block block = {});

/// Which attention of a text Transformer; absent means all of them.
struct AttentionPlace {
    std::optional<Stack> stack = {};
    std::optional<Attention> attention = {};
    Block block = {};

    operator Where() const { return {block, {}, {}, stack, attention}; }
};
Intervention remove_head_of(const AttentionPlace& place, int head);
Intervention remove_attention(const AttentionPlace& place);  // its branch adds nothing
Intervention remove_mlp_of(Stack stack, Block block = {});
std::vector<Intervention> remove_block(Stack stack, int block);  // what its attentions and its MLP add
Intervention look_ahead(int tokens = LookAhead::all, const AttentionPlace& place = {Stack::decoder, Attention::self});
Intervention without_word_scaling(std::optional<Stack> stack = {});  // no √D
Intervention remove_positions_of(Stack stack);
Intervention without_scaling_of(const AttentionPlace& place);
Intervention temperature_of(const AttentionPlace& place, float t);
Intervention key_is_query_of(const AttentionPlace& place);

// Mistakes of course code; they have no words.
Intervention slice_without_transpose(Block block = {});
Intervention soften_over_queries(Block block = {});
Intervention soften_over_queries_of(const AttentionPlace& place);
Intervention carry_normed(Block block = {});

/// Dropout as in training: on the attention weights, after W_O and after both layers of the MLP.
std::vector<Intervention> dropout(float rate, std::uint64_t seed);

/// The first block that an intervention changes: 0 where it acts before the blocks, L + 1 for none.
int first_block(std::span<const Intervention> interventions, int blocks);
/// The same of one stack: those that name the other do nothing to it.
int first_block(std::span<const Intervention> interventions, int blocks, Stack stack);

/// Whether its part is switched off, rather than changed.
bool is_removal(const Intervention& intervention);

/// Which part stands at each place after a shuffle: a permutation of 0 … count − 1.
std::vector<int> shuffled_order(int count, std::uint32_t seed);

}  // namespace vitrine
