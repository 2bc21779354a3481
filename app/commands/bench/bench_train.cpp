#include "app/commands/bench/bench_train.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "app/commands/bench/bench_rounds.h"
#include "core/tensor/matmul.h"
#include "core/training/loss.h"
#include "core/training/pixels.h"
#include "core/training/recipe.h"
#include "core/training/trainer.h"
#include "core/vit/backward.h"
#include "core/vit/embedding.h"
#include "core/vit/forward.h"

namespace vitrine {

namespace {

/// The products of a forward and backward pass over a share of the batch, in order, on the numbers of a finished pass.
class Products {
public:
    Products(const Model& model, int images) : model_(model), c_(model.config), b_{images, c_.tokens()} {
        Tensor3 pixels = tensor3(static_cast<std::size_t>(images * c_.channels),
                                 static_cast<std::size_t>(c_.image_height), static_cast<std::size_t>(c_.image_width));
        for (std::size_t i = 0; i < pixels.size(); ++i) pixels.data()[i] = 0.01F * static_cast<float>(i % 199) - 1;
        trace_ = forward(model, std::move(pixels));
        patches_ = patches_as_rows(trace_.embedding->image, c_.channels, c_.patch_size);
        merged_ = merge_heads(trace_.block(1)->heads, b_);
        weights_ = tensor2(static_cast<std::size_t>(c_.mlp_dim),
                           static_cast<std::size_t>(std::max(c_.mlp_dim, c_.patch_dim())));
        class_rows_ = tensor2(static_cast<std::size_t>(images), merged_.shape()[1]);
        std::fill(class_rows_.begin(), class_rows_.end(), 0.5F);
    }

    void run() {
        const Weights& w = model_.weights;
        linear(w.patch_embedding, patches_);
        const int last = trace_.blocks();
        const auto weights_of = [&](int block) -> const BlockWeights& {
            return w.blocks[static_cast<std::size_t>(block - 1)];
        };
        for (int block = 1; block <= last; ++block) forward_block(weights_of(block), *trace_.block(block));
        for (int block = last - 1; block >= 1; --block) backward_block(weights_of(block), *trace_.block(block));
        backward_last(weights_of(last), *trace_.block(last));
        to_weights(trace_.embedding->patch_embedding, patches_);
    }

private:
    static MatrixView view(const Tensor2& x) { return {x.data(), x.shape()[0], x.shape()[1], x.shape()[1]}; }
    static MatrixView view(const Tensor3& x) { return {x.data(), x.shape()[1], x.shape()[2], x.shape()[2]}; }
    static MatrixView view(const Parameter& w) { return {w.data(), w.shape()[0], w.shape()[1], w.shape()[1]}; }

    void to_weights(const Tensor2& dy, const Tensor2& x) {
        multiply({.a = view(dy), .b = view(x), .transpose_a = Transpose::yes}, weights_.data());
    }
    static void to_input(const Tensor2& dy, const LinearWeights& w) {
        Tensor2 dx = tensor2(dy.shape()[0], w.weight.shape()[1]);
        multiply({.a = view(dy), .b = view(w.weight)}, dx.data());
    }
    void back(const Tensor2& dy, const LinearWeights& w, const Tensor2& x) {
        to_weights(dy, x);
        to_input(dy, w);
    }

    static void forward_block(const BlockWeights& w, const BlockTrace& t) {
        for (const LinearWeights* const l : {&w.query, &w.key, &w.value}) linear(*l, t.ln1.out);
        attention_scores(t.q, t.k);
        weighted_values(t.attention, t.v);
        linear(w.projection, t.ln1.out);
        linear(w.mlp_in, t.ln2.out);
        linear(w.mlp_out, t.mlp.activation);
    }

    void backward_block(const BlockWeights& w, const BlockTrace& t) {
        back(*t.z, w.mlp_out, t.mlp.activation);
        back(t.mlp.hidden, w.mlp_in, t.ln2.out);
        back(t.msa, w.projection, merged_);
        const std::size_t heads = t.q.shape()[0], n = t.q.shape()[1], d = t.q.shape()[2];
        Tensor3 rows = tensor3(heads, n, d), square = tensor3(heads, n, n);
        multiply({.a = view(t.attention), .b = view(t.heads), .transpose_a = Transpose::yes, .count = heads},
                 rows.data());
        multiply({.a = view(t.heads), .b = view(t.v), .transpose_b = Transpose::yes, .count = heads}, square.data());
        multiply({.a = view(t.scores), .b = view(t.k), .count = heads}, rows.data());
        multiply({.a = view(t.scores), .b = view(t.q), .transpose_a = Transpose::yes, .count = heads}, rows.data());
        for (const LinearWeights* const l : {&w.query, &w.key, &w.value}) back(t.msa, *l, t.ln1.out);
    }

    /// The last block, in which only class tokens have gradients: one row per image, but keys and values in full.
    void backward_last(const BlockWeights& w, const BlockTrace& t) {
        back(class_rows_, w.projection, class_rows_);
        back(class_rows_, w.query, class_rows_);
        for (const LinearWeights* const l : {&w.key, &w.value}) back(t.msa, *l, t.ln1.out);
    }

    const Model& model_;
    const Config& c_;
    Batch b_;
    Trace trace_;
    Tensor2 patches_, merged_, weights_, class_rows_;
};

}  // namespace

TrainTiming time_training(int threads, int rounds, const std::string& script) {
    Recipe recipe = standard_recipe(), plain = recipe;
    plain.optimiser = Optimiser::adamw;
    Trainer<Pictures> muon_trainer(recipe, {threads, 0}), adamw_trainer(plain, {threads, 0});
    Lap muon(muon_trainer, threads), adamw(adamw_trainer, threads);
    const Model model = untrained_model(recipe);
    ProductRounds products(threads, [&](int) {
        return [share = std::make_shared<Products>(model, recipe.batch / threads)] { share->run(); };
    });
    TrainTiming t = time_rounds({.bound_ms = [&] { return products.round(); },
                                 .muon = [&] { return muon.round(); },
                                 .adamw = [&] { return adamw.round(); },
                                 .script = script,
                                 .threads = threads,
                                 .batch = recipe.batch},
                                rounds);
    t.drawing_share = muon.drawing_share();
    return t;
}

}  // namespace vitrine
