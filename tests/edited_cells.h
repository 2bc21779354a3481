#pragma once

#include <span>
#include <variant>

#include "core/transformer/intervention.h"
#include "core/vit/provenance.h"

namespace vitrine {

/// Whether a what-if acts on this very number, which its sources then do not give.
inline bool acts_on(std::span<const Intervention> what_ifs, const Cell& cell) {
    for (const Intervention& i : what_ifs) {
        if (i.where.block.value_or(cell.block) != cell.block) continue;
        switch (i.site) {
            case Site::tokens:
                if (cell.quantity == Quantity::tokens) return true;
                break;
            case Site::position:  // of a swap the sources know
                if (std::holds_alternative<Coarsen>(i.edit) && cell.block == 0 &&
                    (cell.quantity == Quantity::z || cell.quantity == Quantity::placed))
                    return true;
                break;
            case Site::heads:
                if (cell.quantity == Quantity::heads) return true;
                break;
            case Site::msa:
                if (cell.quantity == Quantity::msa) return true;
                break;
            case Site::mlp_out:
                if (cell.quantity == Quantity::mlp_out) return true;
                break;
            case Site::stream:
                if (cell.quantity == Quantity::z && cell.block > 0) return true;
                break;
            default: break;
        }
    }
    return false;
}

}  // namespace vitrine
