#pragma once

#include <string>
#include <vector>

#include "core/vit/checkpoint/layouts.h"
#include "core/vit/checkpoint/tensor_reader.h"

namespace vitrine {

/// Where a layout's tensors stand in this file.
struct TensorPlaces {
    const Layout* layout = nullptr;
    std::vector<std::string> leading;  // of each group of tokens before the patches
    std::string position, patch_weight, patch_bias;
    std::string block_prefix;  // "vit.encoder.layer.": a number follows
    int blocks = 0;
    std::string norm, classifier;  // without ".weight"; classifier "" where there is none

    std::string block(int index, const std::string& name) const {
        return block_prefix + std::to_string(index) + "." + name;
    }
};

/// Tells the layout by the tensors that are there; `leading` are the tokens before the patches, a class token where the
/// configuration says nothing. Throws Error for a file of no layout, of two models, of half a
/// model, or with a part that Vitrine does not read.
TensorPlaces find_places(const TensorReader& reader, const std::optional<std::vector<LeadingTokens>>& leading);

}  // namespace vitrine
