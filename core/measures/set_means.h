#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/base/spread.h"
#include "core/transformer/intervention.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

/// The mean patch token, before positions, of images that are added one by one.
class MeanPatch {
public:
    explicit MeanPatch(const Config& config) : first_(static_cast<std::size_t>(config.token_of(0))) {}

    void add(const Tensor2& tokens);  // (N, D), of one image
    /// The mean over the images added so far, at least one.      (D)
    std::shared_ptr<const std::vector<float>> numbers() const;

private:
    std::size_t first_;  // row of the first patch
    Spread patches_;
};

/// Means of each part's output over all tokens of several runs of one model, added one by one. For mean ablation: the
/// mean over a single run would still carry information about its image.
class SetMeans {
public:
    explicit SetMeans(const Config& config);

    void add(const Trace& run);
    int images() const { return images_; }

    // Interventions that replace a part by its mean; they need at least one image.
    Intervention head(int block, int head) const;
    Intervention mlp(int block) const;
    Intervention attention(int block) const;  // its output, after W_O
    Intervention patch(int token) const;      // before positions, by the mean patch

private:
    Intervention replaced(Site site, const Where& where, const std::vector<float>& numbers) const;

    int images_ = 0;
    struct Block {
        std::vector<Spread> heads;  // (d) each
        Spread attention, mlp;      // (D)
    };
    std::vector<Block> blocks_;
    MeanPatch patches_;
};

}  // namespace vitrine
