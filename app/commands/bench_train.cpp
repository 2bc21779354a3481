#include "app/commands/bench_train.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "app/commands/median.h"
#include "app/platform/child_process.h"
#include "core/base/clock.h"
#include "core/base/team.h"
#include "core/tensor/matmul.h"
#include "core/training/loss.h"
#include "core/training/trainer.h"
#include "core/vit/backward.h"
#include "core/vit/embedding.h"
#include "core/vit/forward.h"

namespace vitrine {

namespace {

constexpr double round_seconds = 2;

/// A trainer that is asked for rounds, its drawing not counted.
class Lap {
public:
    Lap(const Recipe& recipe, int threads) : trainer_(recipe, {threads, 0}), threads_(threads) { trainer_.step(0); }

    /// Steps for some seconds; pictures a second of all but drawing: what a thread waits for another counts.
    double round() {
        const TrainerTimes before = trainer_.times();
        const std::uint64_t first = trainer_.pictures();
        const auto start = Clock::now();
        while (seconds_since(start) < round_seconds) trainer_.step(0.5);
        const double wall = seconds_since(start);
        const TrainerTimes& after = trainer_.times();
        const double drawing = (after.drawing - before.drawing) / threads_;
        drawing_ = drawing / wall;
        return static_cast<double>(trainer_.pictures() - first) / (wall - drawing);
    }
    double drawing_share() const { return drawing_; }

private:
    Trainer trainer_;
    int threads_;
    double drawing_ = 0;
};

/// The products of a pass over a share of the batch, forward and backward, in order, on the numbers of a finished pass.
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

    /// Where only the class tokens have a gradient: keys and values in full, the rest a row an image.
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

/// Milliseconds of a batch's products, every thread its share.
class Bound {
public:
    Bound(const Recipe& recipe, int threads)
        : model_(untrained_model(recipe)), team_(threads), products_(static_cast<std::size_t>(threads)) {
        team_.run([&](int member) {
            products_[static_cast<std::size_t>(member)] = std::make_unique<Products>(model_, recipe.batch / threads);
            products_[static_cast<std::size_t>(member)]->run();  // warm-up
        });
    }

    double round() {
        int runs = 0;
        const auto start = Clock::now();
        for (; seconds_since(start) < round_seconds / 2; ++runs)
            team_.run([&](int member) { products_[static_cast<std::size_t>(member)]->run(); });
        return seconds_since(start) * 1e3 / runs;
    }

private:
    Model model_;
    Team team_;
    std::vector<std::unique_ptr<Products>> products_;
};

/// Pictures a second of the script's steps; none where it cannot run.
std::optional<double> torch_round(const std::string& script, int threads, int batch) {
    ChildProcess python({{script, std::to_string(threads), std::to_string(batch), std::to_string(round_seconds)},
                         "/usr/bin/python3",
                         {"OMP_NUM_THREADS=" + std::to_string(threads)},
                         ChildProcess::Kept::output});
    const ChildProcess::End end = python.wait();
    std::istringstream words(end.words);
    double speed = 0;
    return end.status == 0 && words >> speed ? std::optional(speed) : std::nullopt;
}

}  // namespace

TrainTiming time_training(int threads, int rounds, const std::string& script) {
    Recipe recipe = standard_recipe(), plain = recipe;
    plain.optimiser = Optimiser::adamw;
    Lap muon(recipe, threads), adamw(plain, threads);
    Bound bound(recipe, threads);
    std::error_code unreachable;
    const bool has_script = std::filesystem::exists(script, unreachable);
    std::vector<double> speeds, plain_speeds, torch_speeds, bounds, ratios, quotients;
    for (int r = 0; r < rounds; ++r) {
        bounds.push_back(bound.round());
        speeds.push_back(muon.round());
        ratios.push_back(1e3 * recipe.batch / speeds.back() / bounds.back());
        plain_speeds.push_back(adamw.round());
        const auto torch = has_script ? torch_round(script, threads, recipe.batch) : std::nullopt;
        if (!torch) continue;
        torch_speeds.push_back(*torch);
        quotients.push_back(plain_speeds.back() / *torch);
    }
    TrainTiming t;
    t.threads = threads;
    t.batch = recipe.batch;
    t.rounds = rounds;
    t.pictures_per_second = median(speeds);
    t.adamw_pictures_per_second = median(plain_speeds);
    t.step_ms = 1e3 * recipe.batch / t.pictures_per_second;
    t.bound_ms = median(bounds);
    t.ratio = median(ratios);
    t.drawing_share = muon.drawing_share();
    if (!torch_speeds.empty()) {
        t.torch_pictures_per_second = median(torch_speeds);
        t.against_torch = median(quotients);
    } else {
        t.torch_words = has_script ? "python3-torch is not installed"
                                   : script + " is not here; run it from the sources, as ./dev bench does";
    }
    return t;
}

}  // namespace vitrine
