#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/vit/checkpoint/layouts.h"
#include "core/vit/checkpoint/tensor_reader.h"

namespace vitrine {

/// The names of a layout's tensors in a file; the file's reader must outlive this.
struct TensorPlaces {
    const TensorReader* reader = nullptr;
    const Layout* layout = nullptr;
    std::vector<LeadingTokens> groups;               // tokens before the patches
    std::vector<std::string> leading;                // a name for each of `groups`
    std::string position, patch_weight, patch_bias;  // patch_bias "" if there is none
    std::string block_prefix;                        // "vit.encoder.layer.": a number follows
    int blocks = 0;
    std::string norm, classifier;                   // without ".weight"; classifier "" if there is none
    bool norm_is_pooled = false;                    // whether `norm` follows the mean of the patches
    std::string embedding_norm, second_classifier;  // without ".weight"; "" if there is none
    std::string features;                           // the whole name; "" if there is none
    std::optional<std::string> pooling_prefix;      // before the names of a pooling by attention; none if there is none

    std::optional<GatedNames> gated_mlp;
    std::string shared_position_bias;  // the whole name of the table for all blocks; "" if there is none

    /// The first of the layout's names for a part, or a part's weight, that block 0 has; "" if it has none of them.
    std::string in_block(const std::vector<const char*>& names) const;
    /// The whole name of a block's table of relative positions; "" if there is none.
    std::string table_of(int index) const;
    std::string block(int index, const std::string& name) const {
        return block_prefix + std::to_string(index) + "." + name;
    }
};

/// Recognises the layout by the tensors that exist. `leading` are the tokens before the patches; if the configuration
/// lists none, those that the file has. Throws Error for an unknown layout, two models in one file, an incomplete
/// model, or an unsupported part.
TensorPlaces find_places(const TensorReader& reader, const std::optional<std::vector<LeadingTokens>>& leading);

}  // namespace vitrine
