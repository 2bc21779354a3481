#include "core/measures/set_means.h"

#include <memory>
#include <span>
#include <utility>

namespace vitrine {

namespace {

/// Adds rows of (rows, columns), from `first` on.
void add_rows(Spread& spread, const float* numbers, std::size_t rows, std::size_t columns, std::size_t first = 0) {
    for (std::size_t row = first; row < rows; ++row)
        spread.add(std::span<const float>(numbers + row * columns, columns));
}

void add_rows(Spread& spread, const Tensor2& rows, std::size_t first = 0) {
    add_rows(spread, rows.data(), rows.shape()[0], rows.shape()[1], first);
}

}  // namespace

void MeanPatch::add(const Tensor2& tokens) { add_rows(patches_, tokens, first_); }

std::shared_ptr<const std::vector<float>> MeanPatch::numbers() const {
    return std::make_shared<const std::vector<float>>(patches_.mean());
}

SetMeans::SetMeans(const Config& config)
    : blocks_(static_cast<std::size_t>(config.blocks),
              Block{std::vector<Spread>(static_cast<std::size_t>(config.heads)), {}, {}}),
      patches_(config) {}

void SetMeans::add(const Trace& run) {
    ++images_;
    patches_.add(run.embedding->tokens);
    for (std::size_t l = 0; l < blocks_.size(); ++l) {
        const auto block = run.block(static_cast<int>(l) + 1);
        const std::size_t n = block->heads.shape()[1], d = block->heads.shape()[2];
        for (std::size_t head = 0; head < blocks_[l].heads.size(); ++head)
            add_rows(blocks_[l].heads[head], block->heads.data() + head * n * d, n, d);
        add_rows(blocks_[l].attention, block->msa);
        add_rows(blocks_[l].mlp, block->mlp.out);
    }
}

Intervention SetMeans::replaced(Site site, const Where& where, const std::vector<float>& numbers) const {
    return {site, where, Replace{std::make_shared<const std::vector<float>>(numbers)}};
}

Intervention SetMeans::head(int block, int head) const {
    const Block& own = blocks_[static_cast<std::size_t>(block - 1)];
    return replaced(Site::heads, {.block = block, .head = head}, own.heads[static_cast<std::size_t>(head)].mean());
}

Intervention SetMeans::mlp(int block) const {
    return replaced(Site::mlp_out, {.block = block}, blocks_[static_cast<std::size_t>(block - 1)].mlp.mean());
}

Intervention SetMeans::attention(int block) const {
    return replaced(Site::msa, {.block = block}, blocks_[static_cast<std::size_t>(block - 1)].attention.mean());
}

Intervention SetMeans::patch(int token) const { return {Site::tokens, {.token = token}, Replace{patches_.numbers()}}; }

}  // namespace vitrine
