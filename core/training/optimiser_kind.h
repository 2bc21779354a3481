#pragma once

#include "core/base/names.h"

namespace vitrine {

enum class Optimiser {
    muon,   ///< Muon (Jordan et al. 2024) for the blocks' matrices, AdamW for the rest
    adamw,  ///< AdamW (Loshchilov & Hutter 2019) for all
};
inline constexpr Named<Optimiser> optimiser_names[] = {{Optimiser::muon, "muon"}, {Optimiser::adamw, "adamw"}};
constexpr const char* name_of(Optimiser optimiser) { return name_in(optimiser_names, optimiser); }

}  // namespace vitrine
