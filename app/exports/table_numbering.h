#pragma once

#include "core/files/table.h"

namespace vitrine {

/// Numbers the blocks, heads, tokens, rows and columns of a table from `first`, 0 or 1, as the screen does, and appends
/// "(from …)" to the names of these axes. The table given counts blocks and patches from 1 and everything else from 0,
/// as tensors do; ℓ does not change.
void number_from(Table& table, int first);

}  // namespace vitrine
