#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/commands/commands.h"
#include "app/commands/outputs.h"
#include "app/commands/printable.h"
#include "app/commands/stop_signals.h"
#include "app/platform/terminal.h"
#include "core/base/clock.h"
#include "core/base/output_file.h"
#include "core/training/fine_tuning.h"
#include "core/training/run_folder.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "core/vit/checkpoint/save.h"

namespace vitrine {

namespace {

using Json = nlohmann::ordered_json;

/// The seconds that a run has had, those before it was continued included.
class TimeSpent {
public:
    explicit TimeSpent(double before) : before_(before) {}
    double seconds() const { return before_ + seconds_since(start_); }

private:
    double before_;
    Clock::time_point start_ = Clock::now();
};

Activation activation_named(const std::string& word) {
    return word == "relu" ? Activation::relu : word == "elu" ? Activation::elu : Activation::gelu;
}

Norm norm_named(const std::string& word) {
    return word == "after" ? Norm::after : word == "none" ? Norm::none : Norm::before;
}

void take_shape(Config& c, const TrainOptions& o) {
    if (o.size > 0) c.image_height = c.image_width = o.size;
    c.patch_size = o.patch;
    c.embedding_dim = o.dim;
    c.blocks = o.blocks;
    c.heads = o.heads;
    c.mlp_dim = o.mlp > 0 ? o.mlp : 2 * o.dim;
    c.activation = activation_named(o.activation);
    c.norm = norm_named(o.norm);
    c.skips = !o.no_skips;
    c.positions = !o.no_positions;
}

/// `from`: the model that the run begins with; null: from nothing.
Recipe recipe_of(const TrainOptions& o, const Model* from) {
    Recipe r = standard_recipe();
    Config& c = r.model;
    if (from != nullptr) {
        c = from->config;
        if (o.size > 0) c.image_height = c.image_width = o.size;
        r.from = from->provenance.name;
    } else {
        take_shape(c, o);
    }
    choose_pictures(r, {.seed = o.seed, .pairs = o.pairs, .scenes = *value_in(scenes_names, o.scenes)});
    set_difficulty(r.pictures, o.difficulty);
    if (o.distinct > 0) r.distinct_pictures = o.distinct;
    r.optimiser = *value_in(optimiser_names, o.optimiser);
    r.learning_rate = o.learning_rate;
    r.weight_decay = o.weight_decay;
    r.momentum = o.momentum;
    r.vector_rate = o.vector_rate;
    r.label_smoothing = o.label_smoothing;
    r.dropout = o.dropout;
    r.batch = o.batch;
    r.seed = o.seed;
    if (o.seconds > 0)
        r.promised_seconds = o.seconds;
    else
        r.promised_pictures = o.pictures;
    try {
        check(r);
    } catch (const Error& error) {
        throw UsageError(error.what());
    }
    return r;
}

constexpr const char* run_files[] = {"training.safetensors", "metrics.jsonl", "model.safetensors", "config.json",
                                     "preprocessor_config.json"};

/// A run, new or gone on with.
ResumedRun open_run(const TrainOptions& o) {
    if (o.resume) {
        if (!holds_run(o.out))
            throw Error(o.out.string() + ": there is no run to go on with (training.safetensors); leave --resume out");
        for (const char* const name : run_files) remove_parts_of(o.out / name);
        return resume_run(o.out);
    }
    if (holds_run(o.out))
        throw Error(o.out.string() +
                    ": a run is there already; add --resume to go on with it or choose another folder");
    const OutputGuard guard = guard_of(o.force, {o.from, {}});
    for (const char* const name : run_files) guard.check(o.out / name);
    std::error_code error;
    std::filesystem::create_directories(o.out, error);
    if (error)
        throw Error(o.out.string() + ": the folder cannot be made (" + error.message() + "); choose another place");
    ResumedRun run;
    std::optional<Model> from;
    if (!o.from.empty()) from = load_model(o.from);
    run.state.recipe = recipe_of(o, from ? &*from : nullptr);
    run.state.threads = o.threads > 0 ? o.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    run.state.threads = std::min(run.state.threads, run.state.recipe.batch);
    run.trainer = std::make_unique<Trainer>(run.state.recipe, Trainer::Crew{run.state.threads, 0});
    if (from) run.trainer->restore(begun_from(*from, run.state.recipe), OptimiserState(run.state.recipe.model));
    OutputFile(o.out / "metrics.jsonl").commit();
    return run;
}

/// The lines of metrics up to a number of pictures: what a killed run wrote after its last checkpoint comes again.
void cut_metrics(const std::filesystem::path& file, std::uint64_t pictures) {
    std::ifstream in(file);
    std::string kept;
    for (std::string line; std::getline(in, line);) {
        const Json row = Json::parse(line, nullptr, false);
        const bool counts = row.is_object() && row.contains("pictures") && row["pictures"].is_number_unsigned();
        if (counts && row["pictures"].get<std::uint64_t>() <= pictures) kept += line + "\n";
    }
    OutputFile out(file);
    out.write(kept);
    out.commit();
}

std::string minutes(double seconds) {
    char words[32];
    std::snprintf(words, sizeof words, "%d:%02d", static_cast<int>(seconds) / 60, static_cast<int>(seconds) % 60);
    return words;
}

/// A run as it is driven from the command line.
class Driver {
public:
    explicit Driver(const TrainOptions& o)
        : o_(o),
          run_(open_run(o)),
          trainer_(*run_.trainer),
          clock_(run_.state.seconds),
          terminal_(errors_reach_a_terminal()) {
        if (o.resume) cut_metrics(o.out / "metrics.jsonl", trainer_.pictures());
        pictures_before_ = trainer_.pictures();
        seconds_before_ = run_.state.seconds;
    }

    int drive() {
        const StopSignals signals;
        double next_checkpoint = clock_.seconds() + o_.every, next_line = 0;
        while (progress() < 1 && !StopSignals::asked()) {
            last_ = trainer_.step(progress());
            if (!std::isfinite(last_.loss) || !std::isfinite(last_.gradient_norm)) blew_up();
            double& running = run_.state.running_loss;
            running = last_.step == 1 ? last_.loss : 0.97 * running + 0.03 * last_.loss;
            const double now = clock_.seconds();
            if (now >= next_checkpoint) {
                checkpoint();
                next_checkpoint = clock_.seconds() + o_.every;
            }
            if (terminal_ && now >= next_line) {
                tell();
                next_line = now + 0.25;
            }
        }
        const bool over = progress() >= 1;
        if (last_.step > 0) checkpoint();
        if (terminal_) std::fprintf(stderr, "\n");
        if (!over) {
            std::fprintf(stderr, "stopped after %llu pictures; go on with: vitrine train --resume --out %s\n",
                         static_cast<unsigned long long>(trainer_.pictures()), printable(o_.out.string()).c_str());
            return 0;
        }
        finish();
        return 0;
    }

private:
    double progress() const {
        return run_.state.recipe.promised_seconds ? clock_.seconds() / *run_.state.recipe.promised_seconds
                                                  : trainer_.progress();
    }

    double speed() const {
        return static_cast<double>(trainer_.pictures() - pictures_before_) /
               std::max(1e-9, clock_.seconds() - seconds_before_);
    }

    /// Nothing is written: the last checkpoint is the last that is worth something.
    [[noreturn]] void blew_up() const {
        throw Error(o_.out.string() + ": the run blew up after " + std::to_string(last_.pictures) +
                    " pictures, its numbers are no longer finite; start anew with a lower --learning-rate");
    }

    void checkpoint() {
        accuracy_ = trainer_.accuracy(fresh_);
        run_.state.seconds = clock_.seconds();
        Json row = {{"pictures", trainer_.pictures()},      {"seconds", run_.state.seconds},
                    {"loss", run_.state.running_loss},      {"accuracy", accuracy_},
                    {"learning_rate", last_.learning_rate}, {"gradient_norm", last_.gradient_norm},
                    {"pictures_per_second", speed()}};
        if (runs_out()) row["training_accuracy"] = trainer_.training_accuracy(fresh_);
        std::ofstream(o_.out / "metrics.jsonl", std::ios::app) << row.dump() << "\n";
        save_run(o_.out, trainer_, run_.state);
        save_model(trainer_.model(), o_.out, o_.half ? Precision::f16 : Precision::f32);
        if (o_.json) {
            std::printf("%s\n", row.dump().c_str());
            std::fflush(stdout);
        }
    }

    void tell() const {
        const double share = std::min(1.0, progress()), gone = clock_.seconds();
        std::fprintf(stderr,
                     "\r%5.1f %%  %8llu pictures  loss %.3f  fresh pictures %5.1f %%  %6.0f pictures/s  %s left  ",
                     100 * share, static_cast<unsigned long long>(trainer_.pictures()), run_.state.running_loss,
                     100 * accuracy_, speed(), minutes(share > 0 ? gone / share - gone : 0).c_str());
    }

    void finish() {
        constexpr int thorough = 5000;
        const double accuracy = trainer_.accuracy(thorough);
        const TrainerTimes& t = trainer_.times();
        const double all = std::max(1e-9, t.drawing + t.passes + t.updates);
        if (o_.json)
            tell_result({{"done", true},
                         {"pictures", trainer_.pictures()},
                         {"seconds", clock_.seconds()},
                         {"accuracy", accuracy},
                         {"count", thorough}});
        else
            std::printf(
                "%s: %.2f %% of %d fresh pictures after %llu pictures in %.1f s (%.0f a second; drawing %.0f %%, "
                "updates %.0f %%)\n",
                printable(o_.out.string()).c_str(), 100 * accuracy, thorough,
                static_cast<unsigned long long>(trainer_.pictures()), clock_.seconds(), speed(), 100 * t.drawing / all,
                100 * t.updates / all);
        if (!o_.json && runs_out())
            std::printf("%.2f %% of the %llu pictures that it learned from, again and again\n",
                        100 * trainer_.training_accuracy(thorough),
                        static_cast<unsigned long long>(*run_.state.recipe.distinct_pictures));
    }

    void tell_result(Json row) {
        if (runs_out()) row["training_accuracy"] = trainer_.training_accuracy(row["count"]);
        std::printf("%s\n", row.dump().c_str());
    }

    bool runs_out() const { return run_.state.recipe.distinct_pictures.has_value(); }

    static constexpr int fresh_ = 1000;

    const TrainOptions& o_;
    ResumedRun run_;
    Trainer& trainer_;
    TimeSpent clock_;
    bool terminal_;
    StepReport last_;
    double accuracy_ = 0, seconds_before_ = 0;
    std::uint64_t pictures_before_ = 0;
};

}  // namespace

int train_command(const TrainOptions& o) {
    check_is_name("--out", o.out);
    return Driver(o).drive();
}

}  // namespace vitrine
