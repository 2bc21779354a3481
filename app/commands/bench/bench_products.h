#pragma once

namespace vitrine {

/// Times each shape of the product table by every way of this build on one thread, and prints the table's rows for this
/// library and vector unit: lines of core/tensor/product_table.inc.
void print_product_table();

}  // namespace vitrine
