#include "app/commands/learning/opened_run.h"

#include <algorithm>
#include <thread>

#include "core/base/output_file.h"

namespace vitrine {

namespace {

Activation activation_named(const std::string& word) {
    return word == "relu" ? Activation::relu : word == "elu" ? Activation::elu : Activation::gelu;
}

Norm norm_named(const std::string& word) {
    return word == "after" ? Norm::after : word == "none" ? Norm::none : Norm::before;
}

}  // namespace

void check_run_folder(const TrainOptions& o, const OutputGuard& guard, std::span<const char* const> files) {
    if (holds_run(o.out))
        throw Error(o.out.string() +
                    ": this folder already holds a run; add --resume to continue it, or choose another folder");
    for (const char* const name : files) guard.check(o.out / name);
}

void enter_run_folder(const TrainOptions& o, std::span<const char* const> files) {
    for (const char* const name : files) remove_parts_of(o.out / name);
}

void take_widths(TransformerConfig& c, const TrainOptions& o) {
    const int dim = o.dim.value_or(c.embedding_dim);
    if (o.dim || o.mlp) c.mlp_dim = o.mlp.value_or(2 * dim);
    c.embedding_dim = dim;
    c.heads = o.heads.value_or(c.heads);
    if (o.activation) c.activation = activation_named(*o.activation);
    if (o.norm) c.norm = norm_named(*o.norm);
    c.skips = !o.no_skips;
}

int threads_of_run(const TrainOptions& o, int batch) {
    const int threads = o.threads > 0 ? o.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return std::min(threads, batch);
}

}  // namespace vitrine
