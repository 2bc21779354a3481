#include <algorithm>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/bench/bench_rounds.h"
#include "app/commands/bench/bench_train.h"
#include "app/platform/scratch_folder.h"
#include "core/base/denormals.h"
#include "core/base/team.h"
#include "core/text/text_batch.h"
#include "core/text/text_checkpoint.h"
#include "core/training/text/text_score.h"
#include "core/training/trainer.h"
#include "core/transformer/backward_layers.h"
#include "core/transformer/packed_heads.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

constexpr int timed_batches = 16;  // batches that PyTorch repeats

TextBatch batch_of(const TextModel& model, const TextSet& set, std::uint64_t first, int count) {
    return text_batch(model, draw_examples({set, TextStream::learning, 0}, first, count));
}

/// The products of a forward and backward pass over some sentences, on arbitrary numbers.
class TextProducts {
public:
    TextProducts(const TextModel& model, TextBatch batch)
        : c_(model.config), w_(model.weights), batch_(std::move(batch)), gradients_(model.config) {}

    void run() {
        const TextWeights& into = gradients_.weights();
        const Batch source = batch_.source.batch(), target = batch_.target.batch();
        for (int i = 0; i < c_.blocks; ++i) {
            const auto& [w, g] = std::pair(&w_.encoder[at(i)], &into.encoder[at(i)]);
            attention(*w, *g, source, source);
            mlp(*w, *g, source);
        }
        for (int i = 0; i < c_.decoder_blocks; ++i) {
            const auto& [w, g] = std::pair(&w_.decoder[at(i)], &into.decoder[at(i)]);
            attention(w->self, g->self, target, target);
            if (c_.has_cross()) attention(w->cross, g->cross, target, source);
            mlp(*w, *g, target);
        }
        linear_and_gradients(w_.generator, into.generator, batch_.gold.size());
        if (!batch_.it.empty() && c_.names_it) linear_and_gradients(w_.aux, into.aux, batch_.it.size());
    }

private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    static std::size_t rows(Batch batch) {
        std::size_t rows = 0;
        for (const int length : batch.lengths) rows += static_cast<std::size_t>(length);
        return rows;
    }
    static Tensor2 numbers(std::size_t rows, std::size_t columns) {
        Tensor2 x = tensor2(rows, columns);
        std::fill_n(x.data(), x.size(), 0.5F);
        return x;
    }

    /// y = x Wᵀ, ∂W = ∂yᵀ x, ∂x = ∂y W.
    void linear_and_gradients(const LinearWeights& w, const LinearWeights& into, std::size_t rows) {
        const Tensor2 x = numbers(rows, w.weight.shape()[1]);
        const Tensor2 y = linear(w, x);
        multiply({.a = view(y), .b = view(x), .transpose_a = Transpose::yes, .varied = true},
                 gradients_.at(into.weight));
        Tensor2 dx = tensor2(rows, w.weight.shape()[1]);
        input_gradient(w, y, dx);
    }

    template <class Mlp>
    void mlp(const Mlp& w, const Mlp& into, Batch batch) {
        linear_and_gradients(w.mlp_in, into.mlp_in, rows(batch));
        linear_and_gradients(w.mlp_out, into.mlp_out, rows(batch));
    }

    template <class Weights>
    void attention(const Weights& w, const Weights& into, Batch queries, Batch keys) {
        linear_and_gradients(w.query, into.query, rows(queries));
        linear_and_gradients(w.key, into.key, rows(keys));
        linear_and_gradients(w.value, into.value, rows(keys));
        linear_and_gradients(w.projection, into.projection, rows(queries));
        const auto heads = static_cast<std::size_t>(queries.sequences * c_.heads), d = at(c_.head_dim());
        Tensor3 q = tensor3(heads, at(queries.tokens), d), k = tensor3(heads, at(keys.tokens), d);
        std::fill_n(q.data(), q.size(), 0.5F);
        std::fill_n(k.data(), k.size(), 0.5F);
        const HeadsProduct scores{
            .a = q, .b = k, .transpose_b = Transpose::yes, .rows = queries, .columns = keys, .inner = d};
        const Tensor3 s = multiply_heads(scores, queries.sequences);
        multiply_heads(scores, queries.sequences);  // ∂A = ∂O Vᵀ
        for (int i = 0; i < 2; ++i)                 // A V, ∂Q = ∂S K
            multiply_heads({.a = s, .b = k, .rows = queries, .columns = d, .inner = keys}, queries.sequences);
        for (int i = 0; i < 2; ++i)  // ∂V = Aᵀ ∂O, ∂K = ∂Sᵀ Q
            multiply_heads(
                {.a = s, .b = q, .transpose_a = Transpose::yes, .rows = keys, .columns = d, .inner = queries},
                queries.sequences);
    }

    const TextConfig& c_;
    const TextWeights& w_;
    TextBatch batch_;
    FlatTextWeights gradients_;
};

/// The sentences as lists of ids.
nlohmann::json sentences_of(const PackedSentences& packed) {
    nlohmann::json list = nlohmann::json::array();
    auto next = packed.ids.begin();
    for (const int length : packed.lengths) {
        list.push_back(std::vector<int>(next, next + length));
        next += length;
    }
    return list;
}

/// Inputs for PyTorch: the configuration and batches of ids.
void write_task(const TextRecipe& recipe, const TextModel& model, const std::filesystem::path& file) {
    nlohmann::json task = {{"config", nlohmann::json::parse(to_json(model.config))},
                           {"source_words", model.config.source_words},
                           {"outputs", model.config.outputs()},
                           {"learning_rate", recipe.learning_rate}};
    for (int i = 0; i < timed_batches; ++i) {
        const TextBatch batch =
            batch_of(model, recipe.sentences, static_cast<std::uint64_t>(i) * static_cast<std::uint64_t>(recipe.batch),
                     recipe.batch);
        nlohmann::json its = nlohmann::json::array();
        for (const ItGold& it : batch.it) its.push_back({it.row, it.noun});
        task["batches"].push_back({{"source", sentences_of(batch.source)},
                                   {"target", sentences_of(batch.target)},
                                   {"gold", batch.gold},
                                   {"it", its}});
    }
    std::ofstream(file) << task;
}

}  // namespace

TrainTiming time_text_training(const TextRecipe& recipe, int threads, int rounds, const std::string& script) {
    TextRecipe plain = recipe;
    plain.optimiser = Optimiser::adamw;
    Trainer<Texts> muon_trainer(recipe, {threads, 0}), adamw_trainer(plain, {threads, 0});
    Lap muon(muon_trainer, threads), adamw(adamw_trainer, threads);
    const TextModel model = untrained_text_model(recipe);
    ProductRounds products(threads, [&](int member) {
        const auto [first, last] = share_of(static_cast<std::size_t>(recipe.batch), member, threads);
        TextBatch batch = batch_of(model, recipe.sentences, first, static_cast<int>(last - first));
        return [share = std::make_shared<TextProducts>(model, std::move(batch))] {
            const FlushDenormals flush;
            share->run();
        };
    });
    const ScratchFolder scratch;
    write_task(recipe, model, scratch / "task.json");
    TrainTiming t = time_rounds({.bound_ms = [&] { return products.round(); },
                                 .muon = [&] { return muon.round(); },
                                 .adamw = [&] { return adamw.round(); },
                                 .script = script,
                                 .arguments = {(scratch / "task.json").string()},
                                 .threads = threads,
                                 .batch = recipe.batch},
                                rounds);
    t.drawing_share = muon.drawing_share();
    return t;
}

}  // namespace vitrine
