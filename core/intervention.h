#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model.h"
#include "core/tensor.h"

namespace vitrine {

/// A place of the forward pass where an activation can be edited, in the order of computation.
enum class Site {
    tokens,    // (B·N, D)     before positions
    position,  // (N, D)       E_pos
    q,
    k,
    v,           // (B·h, N, d)
    scores,      // (B·h, N, N)
    attention,   // (B·h, N, N)
    heads,       // (B·h, N, d)
    msa,         // (B·N, D)
    mlp_hidden,  // (B·N, M)
    mlp_activation,
    mlp_out,  // (B·N, D)
};

/// Which part of the site; absent means all of it.
struct Where {
    std::optional<int> block;  // ℓ = 1 … L
    std::optional<int> head;   // 0 … h − 1, for sites that have heads
    std::optional<int> token;  // 0 … N − 1, the row (for `scores` and `attention`: the query)

    bool operator==(const Where&) const = default;
};

/// What becomes of the numbers there: each is multiplied by `scale`; 0 switches the part off.
struct Edit {
    float scale = 0.0F;

    bool operator==(const Edit&) const = default;
};

/// A what-if: data, not code. Remove head 3 of block 5: {Site::heads, {5, 3, {}}, {0}}.
struct Intervention {
    Site site = Site::tokens;
    Where where;
    Edit edit;

    bool operator==(const Intervention&) const = default;
};

// The first what-ifs, as users name them.
Intervention remove_patch(int token);  // token 1 … N_p
Intervention remove_head(int block, int head);
Intervention remove_mlp(int block);
Intervention remove_positions();

/// The command line's words: "head:ℓ.i", "patch:j", "mlp:ℓ", "positions". Throws Error where a word is unknown or an
/// index is outside the model.
Intervention parse_intervention(const std::string& word, const Config& config);
std::string to_word(const Intervention& intervention);

/// The first block that an intervention changes: 0 where it acts before the blocks, L + 1 for none.
int first_block(std::span<const Intervention> interventions, int blocks);

/// Applies the interventions to each activation as the forward pass hands it over. Without interventions a call is one
/// branch.
class Editor {
public:
    Editor() = default;
    Editor(std::span<const Intervention> interventions, Batch batch) : interventions_(interventions), batch_(batch) {}

    /// `block` is ℓ, or 0 before the blocks.
    template <std::size_t n>
    void operator()(Site site, int block, Tensor<n>& tensor) const {
        if (interventions_.empty()) return;
        apply(site, block, tensor.data(), {tensor.shape().begin(), tensor.shape().end()});
    }

private:
    void apply(Site site, int block, float* data, const std::vector<std::size_t>& shape) const;

    std::span<const Intervention> interventions_;
    Batch batch_;
};

}  // namespace vitrine
