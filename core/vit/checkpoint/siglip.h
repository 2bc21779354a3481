#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "core/tensor/parameter.h"

namespace vitrine {

/// A SigLIP 2 of timm, whose activation is the approximated GELU; the first SigLIP of the same family has the exact
/// one. A configuration names it by a piece of its architecture (timm/models/vision_transformer.py); without one, its
/// sizes identify it; 0 matches any size.
struct SecondSiglip {
    const char* piece;
    int patch_size, embedding_dim;
    std::size_t positions;
};

inline constexpr std::array<SecondSiglip, 5> second_siglips = {{
    {"_patch32_siglip_", 32, 0, 0},
    {"_so400m_patch16_siglip_", 16, 1152, 0},
    {"_giantopt_patch16_siglip_", 16, 1536, 0},
    {"_large_patch16_siglip_512", 16, 1024, 1024},
    {"_large_patch16_siglip_gap_512", 16, 1024, 1024},
}};

inline bool names_second_siglip(const std::string& architecture) {
    return std::ranges::any_of(
        second_siglips, [&](const SecondSiglip& row) { return architecture.find(row.piece) != std::string::npos; });
}

/// The activation of a SigLIP in timm's names, by its sizes.
inline Activation activation_of_siglip(int embedding_dim, int patch_size, std::size_t positions) {
    const bool second = std::ranges::any_of(second_siglips, [&](const SecondSiglip& row) {
        return row.patch_size == patch_size && (row.embedding_dim == 0 || row.embedding_dim == embedding_dim) &&
               (row.positions == 0 || row.positions == positions);
    });
    return second ? Activation::gelu_tanh : Activation::gelu;
}

}  // namespace vitrine
