#include "core/transformer/token_rows.h"

#include <algorithm>

namespace vitrine {

Tensor2 token_row(const Tensor2& x, Batch batch, int token) {
    const auto n = static_cast<std::size_t>(batch.tokens), sequences = static_cast<std::size_t>(batch.sequences);
    const std::size_t columns = x.shape()[1];
    Tensor2 rows = tensor2(sequences, columns);
    for (std::size_t b = 0; b < sequences; ++b)
        std::copy_n(&x(b * n + static_cast<std::size_t>(token), 0), columns, &rows(b, 0));
    return rows;
}

Tensor3 token_row(const Tensor3& x, int token) {
    const std::size_t columns = x.shape()[2];
    Tensor3 rows = tensor3(x.shape()[0], 1, columns);
    for (std::size_t i = 0; i < x.shape()[0]; ++i)
        std::copy_n(&x(i, static_cast<std::size_t>(token), 0), columns, &rows(i, 0, 0));
    return rows;
}

LayerNormTrace token_row(const LayerNormTrace& t, Batch batch, int token) {
    const auto n = static_cast<std::size_t>(batch.tokens), sequences = static_cast<std::size_t>(batch.sequences);
    LayerNormTrace rows{tensor1(sequences), tensor1(sequences), token_row(t.out, batch, token)};
    for (std::size_t b = 0; b < sequences; ++b) {
        rows.mean(b) = t.mean(b * n + static_cast<std::size_t>(token));
        rows.var(b) = t.var(b * n + static_cast<std::size_t>(token));
    }
    return rows;
}

void add_to_token_row(Tensor2& sum, int token, const Tensor2& rows) {
    const std::size_t sequences = rows.shape()[0], n = sum.shape()[0] / sequences;
    for (std::size_t b = 0; b < sequences; ++b)
        for (std::size_t i = 0; i < rows.shape()[1]; ++i) sum(b * n + static_cast<std::size_t>(token), i) += rows(b, i);
}

}  // namespace vitrine
