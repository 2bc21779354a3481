#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/base/names.h"
#include "core/tensor/tensor.h"
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
    std::optional<int> block;  // ℓ = 1 … L
    std::optional<int> head;   // 0 … h − 1, for sites that have heads
    std::optional<int> token;  // 0 … N − 1, the row (for `scores` and `attention`: the query)
    std::optional<Stack> stack = {};
    std::optional<Attention> attention = {};  // for the sites of attention, and the skip and norm around it

    bool operator==(const Where&) const = default;
};

// What becomes of the numbers there.

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

/// Where block ℓ normalises in a run with these interventions.
Norm norm_of(const TransformerConfig& config, std::span<const Intervention> interventions, int block);

/// Whether block ℓ's residual connections bring anything in such a run.
bool skips_of(const TransformerConfig& config, std::span<const Intervention> interventions, int block);

/// Whether such a run adds E_pos to its tokens.
bool adds_positions(std::span<const Intervention> interventions);

/// Which function stands in block ℓ's MLP in such a run.
Activation activation_of(const TransformerConfig& config, std::span<const Intervention> interventions, int block);

/// How a query's scores come from q·k in such a run:  s = q·k / √d / temperature,  or without ÷ √d.
struct ScoreRule {
    bool divided = true;  // by √d
    double temperature = 1.0;

    double divisor(int head_dim) const;
    bool operator==(const ScoreRule&) const = default;
};
/// `place` names block, head and query.
ScoreRule score_rule_of(std::span<const Intervention> interventions, const Where& place);

/// Which part stands at each place after a shuffle: a permutation of 0 … count − 1.
std::vector<int> shuffled_order(int count, std::uint32_t seed);
/// The shuffle among the interventions, if any.
const Shuffle* shuffle_of(std::span<const Intervention> interventions);

/// Applies the interventions to each activation as the forward pass hands it over. Without interventions a call is one
/// branch.
class Editor {
public:
    Editor() = default;
    /// Of the blocks of a stack, its self-attention where it has several.
    Editor(std::span<const Intervention> interventions, Batch batch, Stack stack = Stack::encoder)
        : interventions_(interventions), batch_(batch), stack_(stack) {}

    /// The same run's editor for another attention of its blocks.
    Editor of(Attention attention) const {
        Editor other = *this;
        other.attention_ = attention;
        return other;
    }

    /// `block` is ℓ, or 0 before the blocks. `source` is what some edits look at: q for k and v, the pre-activations
    /// for the activations, Q (B·h, N, d) for the scores.
    template <std::size_t n, std::size_t m = n>
    void operator()(Site site, int block, Tensor<n>& tensor, const Tensor<m>* source = nullptr) const {
        if (interventions_.empty()) return;
        apply(site, block, {tensor.data(), {tensor.shape().begin(), tensor.shape().end()}},
              source == nullptr ? Source{} : Source{source->data(), source->size(), source->shape()[m - 1]});
    }

    /// Takes the gradient of what came out of a site back to what went in. `source` is the gradient of what the edits
    /// look at: it grows by what they copied from there. Another activation function is `activation`'s matter.
    template <std::size_t n, std::size_t m = n>
    void adjoint(Site site, int block, Tensor<n>& gradient, Tensor<m>* source = nullptr) const {
        if (interventions_.empty()) return;
        pull_back(
            site, block, {gradient.data(), {gradient.shape().begin(), gradient.shape().end()}},
            source == nullptr ? Target{} : Target{source->data(), {source->shape().begin(), source->shape().end()}});
    }

    /// Whether anything acts on a site of a block.
    bool acts(Site site, int block) const;

    /// Whether an edit of this kind acts on a block, wherever.
    template <class Kind>
    bool has(int block) const {
        for (const Intervention& i : interventions_)
            if (std::holds_alternative<Kind>(i.edit) && meets(i.where, block)) return true;
        return false;
    }

    Norm norm(const TransformerConfig& config, int block) const;
    Activation activation(const TransformerConfig& config, int block) const;
    /// How many tokens beyond itself a query of a block sees; none where its mask is as the model has it.
    std::optional<int> look_ahead(int block) const;

private:
    struct Target {
        float* data = nullptr;
        std::vector<std::size_t> shape;
    };
    struct Source {
        const float* data = nullptr;
        std::size_t size = 0, columns = 0;
    };
    bool meets(const Where& where, int block) const;
    /// Whether an edit takes a factor away where an earlier one of the list has done so: there is nothing left to take.
    bool is_unscaled_before(const Intervention& one, int block) const;
    std::uint64_t place_of(Site site, int block) const;
    void apply(Site site, int block, const Target& target, const Source& source) const;
    void pull_back(Site site, int block, const Target& gradient, const Target& source) const;

    std::span<const Intervention> interventions_;
    Batch batch_;
    Stack stack_ = Stack::encoder;
    Attention attention_ = Attention::self;
};

}  // namespace vitrine
