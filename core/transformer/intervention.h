#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/base/names.h"
#include "core/transformer/config.h"
#include "core/transformer/cover.h"

namespace vitrine {

/// A point of the forward pass where edits can act, in the order of computation.
enum class Site {
    embedded,  // (B·N_e, D)   the family's embedded input, one row for each part
    tokens,    // (B·N, D)     before positions
    position,  // (N, D)       E_pos
    norm,      // a block's normalisation: no tensor, only for Normalise
    slices,    // (B·h, N, d)   q, k and v split into heads
    q,
    k,
    v,           // (B·h, N, d)
    scores,      // (B·h, N, N)
    attention,   // (B·h, N, N)
    heads,       // (B·h, N, d)
    msa,         // (B·N, D)
    skip,        // (B·N, D)     the residual connections of a block's two sums
    mlp_hidden,  // (B·N, M)
    mlp_activation,
    mlp_out,  // (B·N, D)
    stream,   // (B·N, D)     zℓ, after the block
};

/// A Transformer's stacks of blocks; a ViT has only an encoder.
enum class Stack { encoder, decoder };
inline constexpr Named<Stack> stacks[] = {{Stack::encoder, "encoder"}, {Stack::decoder, "decoder"}};

/// Source of keys and values: the queries' own sequence, or the encoder's output.
enum class Attention { self, cross };
inline constexpr Named<Attention> attentions[] = {{Attention::self, "self"}, {Attention::cross, "cross"}};

/// The part of a site on which an edit acts; absent values mean all.
struct Where {
    std::optional<int> block = {};  // ℓ = 1 … L
    std::optional<int> head = {};   // 0 … h − 1, for sites that have heads
    std::optional<int> token = {};  // 0 … N − 1, the row (for `scores` and `attention`: the query)
    std::optional<Stack> stack = {};
    std::optional<Attention> attention = {};  // for the sites of attention, and the skip and norm around it
    std::vector<int> tokens = {};             // several rows instead of `token`, in ascending order
    std::optional<int> unit = {};             // 0 … M − 1, a column of the site

    bool names_tokens() const { return token || !tokens.empty(); }
    bool operator==(const Where&) const = default;
};

// Kinds of edits, as plain data. The effect of each, forward and backward, on the equations and in words, is defined in
// one place, `EditDefinition` in edits.cpp.

/// Multiplies each number by a factor; 0 switches the part off.
struct Scale {
    float factor = 0.0F;
    bool operator==(const Scale&) const = default;
};
/// Undoes the scores' division by √d, or the factor √D of word vectors (at `tokens`).
struct Unscale {
    bool operator==(const Unscale&) const = default;
};
/// Reorders the embedded parts, the same for the same seed on every platform.
struct Shuffle {
    std::uint32_t seed = 1;
    bool operator==(const Shuffle&) const = default;
};
/// Replaces k or v by q: the course code's `k = q.view(…)`. No effect with a memory of another length.
struct CopyQuery {
    bool operator==(const CopyQuery&) const = default;
};
/// Replaces the activation function of the MLP.
struct Activate {
    Activation activation = Activation::relu;
    bool operator==(const Activate&) const = default;
};
/// Layer norms before the branches, after the sums, or none.
struct Normalise {
    Norm norm = Norm::none;
    bool operator==(const Normalise&) const = default;
};
/// Zeroes each number with probability `rate` and divides the rest by 1 − rate; the same numbers for the same seed.
struct Drop {
    float rate = 0.1F;
    std::uint64_t seed = 1;
    bool operator==(const Drop&) const = default;
};

/// Replaces the mask at `scores`: each query sees `tokens` tokens after itself; −1 hides its own, too. Also masks an
/// attention that has no mask.
struct LookAhead {
    static constexpr int all = 1 << 20;  // no mask
    int tokens = all;
    bool operator==(const LookAhead&) const = default;
};

/// Replaces the addressed numbers by given ones, row by row, the same for each sequence: those of another run
/// (activation patching), or a mean. Fewer numbers are repeated, so a single row replaces every row.
struct Replace {
    std::shared_ptr<const std::vector<float>> numbers;
    bool operator==(const Replace&) const = default;
};
/// Hides keys from the addressed queries: their scores become −∞ before the softmax, so the other weights of the row
/// still sum to 1. A query without any key left attends to nothing: its weights are all 0.
struct KnockOut {
    std::vector<int> keys;  // rows, in ascending order
    bool operator==(const KnockOut&) const = default;
};
/// Hides from each patch the patches that are more than `radius` rows or columns of the grid away, as KnockOut does.
/// Tokens before the patches see all tokens, and all tokens see them.
struct LocalWindow {
    int radius = 1;
    int first = 0, columns = 1;  // the first patch's row in the sequence; the grid's columns
    bool operator==(const LocalWindow&) const = default;
};
/// Adds normally distributed numbers of this standard deviation; the same for the same seed and row.
struct Noise {
    float deviation = 1;
    std::uint32_t seed = 1;
    bool operator==(const Noise&) const = default;
};
/// Replaces rows by the mean of the rows from `first` on, the image's patches.
struct Average {
    int first = 0;
    bool operator==(const Average&) const = default;
};
/// Exchanges two rows, for example the positions of two tokens.
struct Swap {
    int one = 0, other = 0;
    bool operator==(const Swap&) const = default;
};
/// Interpolates the rows of a grid to a coarser one of `side` columns and back (`PositionRule::antialiased` both ways),
/// which leaves the detail that a table learned on the coarser grid could have. If `side` is the grid's, no number
/// changes.
struct Coarsen {
    int side = 1;
    int first = 0, columns = 1;  // the first patch's row in the sequence; the grid's columns
    bool operator==(const Coarsen&) const = default;
};
/// Adds a row, times a factor, to the addressed rows, to move them in the direction of that token's state.
struct AddRow {
    int row = 0;
    float factor = 1;
    bool operator==(const AddRow&) const = default;
};
/// Multiplies a block's contribution to the stream (at `stream`) by a factor: z + factor · (zℓ − z); 0 skips the block.
struct ScaleChange {
    float factor = 0;
    bool operator==(const ScaleChange&) const = default;
};
/// Replaces rows by the mean patch of a set of images: those in `folder` or, if it is empty, the drawn pictures of the
/// model's own set. The numbers follow from the model and the set, so they are not part of the edit's identity; the
/// caller fills them in before the run.
struct SetMean {
    std::string folder = {};
    std::shared_ptr<const std::vector<float>> numbers = {};  // (D)
    bool operator==(const SetMean& other) const { return folder == other.folder; }
};
/// The mean patches of a model over sets of images, by folder; "": its drawn pictures.      (D) each
using MeanPatches = std::map<std::string, std::shared_ptr<const std::vector<float>>>;

// Mistakes of course code, for the exercises.

/// (N, D) read as (h, N, d) without a transpose: head i gets the numbers i·N·d … of the matrix, row by row.
struct Reslice {
    bool operator==(const Reslice&) const = default;
};
/// The softmax over queries: each column of the attention sums to 1.
struct OverQueries {
    bool operator==(const OverQueries&) const = default;
};
/// With pre-norm, the residual connection carries LN(z) instead of z.
struct CarryNormed {
    bool operator==(const CarryNormed&) const = default;
};

using Edit = std::variant<Scale, Unscale, Shuffle, CopyQuery, Activate, Normalise, Drop, LookAhead, Replace, KnockOut,
                          LocalWindow, Noise, Average, Swap, Coarsen, AddRow, CoverPatches, ScaleChange, SetMean,
                          Reslice, OverQueries, CarryNormed>;

/// A what-if: data, not code. Remove head 3 of block 5: {Site::heads, {5, 3, {}}, Scale{0}}.
struct Intervention {
    Site site = Site::tokens;
    Where where;
    Edit edit;

    bool operator==(const Intervention&) const = default;
};

// What-ifs for users (core/vit/what_ifs.h gives each a word); without a block they act on all blocks.
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

/// An attention of a text Transformer; absent values mean all.
struct AttentionPlace {
    std::optional<Stack> stack = {};
    std::optional<Attention> attention = {};
    Block block = {};

    operator Where() const { return {block, {}, {}, stack, attention}; }
};
Intervention remove_head_of(const AttentionPlace& place, int head);
Intervention remove_attention(const AttentionPlace& place);  // its branch adds nothing
Intervention remove_mlp_of(Stack stack, Block block = {});
std::vector<Intervention> remove_block(Stack stack, int block);  // the outputs of its attentions and its MLP
Intervention look_ahead(int tokens = LookAhead::all, const AttentionPlace& place = {Stack::decoder, Attention::self});
Intervention without_word_scaling(std::optional<Stack> stack = {});  // no √D
Intervention remove_positions_of(Stack stack);
Intervention without_scaling_of(const AttentionPlace& place);
Intervention temperature_of(const AttentionPlace& place, float t);
Intervention key_is_query_of(const AttentionPlace& place);

// Mistakes of course code, which have no word in core/vit/what_ifs.h.
Intervention slice_without_transpose(Block block = {});
Intervention softmax_over_queries(Block block = {});
Intervention softmax_over_queries_of(const AttentionPlace& place);
Intervention carry_normed(Block block = {});

/// Dropout as in training: on the attention weights, after W_O and after both layers of the MLP.
std::vector<Intervention> dropout(float rate, std::uint64_t seed);

/// The first block changed by an intervention: 0 if it acts before the blocks, L + 1 for none.
int first_block(std::span<const Intervention> interventions, int blocks);
/// The same for one stack, ignoring interventions on the other.
int first_block(std::span<const Intervention> interventions, int blocks, Stack stack);

/// True if it switches its part off instead of changing it.
bool is_removal(const Intervention& intervention);

/// The part at each position after a shuffle: a permutation of 0 … count − 1.
std::vector<int> shuffled_order(int count, std::uint32_t seed);

}  // namespace vitrine
