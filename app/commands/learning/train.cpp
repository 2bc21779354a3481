#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "app/commands/commands.h"
#include "app/commands/learning/opened_run.h"
#include "app/commands/outputs.h"
#include "app/commands/stop_signals.h"
#include "app/exports/output_folder.h"
#include "app/platform/printable.h"
#include "app/platform/terminal.h"
#include "core/base/clock.h"
#include "core/base/input_file.h"
#include "core/base/output_file.h"
#include "core/text/text_checkpoint.h"
#include "core/training/optimiser.h"
#include "core/vit/checkpoint/save.h"

namespace vitrine {

namespace {

using Json = nlohmann::ordered_json;

/// A run's total time in seconds, including that before it was continued.
class TimeSpent {
public:
    explicit TimeSpent(double before) : before_(before) {}
    double seconds() const { return before_ + seconds_since(start_); }

private:
    double before_;
    Clock::time_point start_ = Clock::now();
};

/// Removes the metrics' lines of more than `seen` examples, which a killed run wrote after its last checkpoint and will
/// write again. `examples`: the lines' key for their number of examples.
void cut_metrics(const std::filesystem::path& file, const char* examples, std::uint64_t seen) {
    constexpr std::size_t most_bytes = std::size_t{1} << 30;
    std::error_code unreachable;
    std::istringstream in(std::filesystem::exists(file, unreachable) ? words_of_file(file, most_bytes) : "");
    std::string kept;
    for (std::string line; std::getline(in, line);) {
        const Json row = Json::parse(line, nullptr, false);
        const bool counts = row.is_object() && row.contains(examples) && row[examples].is_number_unsigned();
        if (counts && row[examples].get<std::uint64_t>() <= seen) kept += line + "\n";
    }
    replace_file(file, kept);
}

std::string minutes(double seconds) {
    char words[32];
    std::snprintf(words, sizeof words, "%d:%02d", static_cast<int>(seconds) / 60, static_cast<int>(seconds) % 60);
    return words;
}

unsigned long long printed(std::uint64_t number) { return number; }

void save_trained(const Model& model, const std::filesystem::path& folder, Precision precision) {
    save_model(model, folder, precision);
}
void save_trained(const TextModel& model, const std::filesystem::path& folder, Precision precision) {
    save_text_model(model, folder, precision);
}

/// Trains a run to its end or until it is stopped, with checkpoints and progress on the terminal.
template <class Family>
class Driver {
public:
    Driver(const TrainOptions& o, ResumedRun<Family> run)
        : o_(o),
          state_(std::move(run.progress)),
          trainer_(std::move(run.trainer)),
          clock_(state_.seconds),
          terminal_(!o.quiet && stderr_is_terminal()),
          seconds_before_(state_.seconds),
          seen_before_(trainer_->seen()) {
        if (o.resume)
            cut_metrics(o.out / "metrics.jsonl", examples_, trainer_->seen());
        else
            OutputFile(o.out / "metrics.jsonl").commit();
    }

    int drive() {
        const StopSignals signals;
        double next_checkpoint = clock_.seconds() + o_.every, next_line = 0;
        while (progress() < 1 && !StopSignals::asked()) {
            last_ = trainer_->step(progress());
            if (!std::isfinite(last_.loss) || !std::isfinite(last_.gradient_norm)) throw_divergence();
            double& running = state_.running_loss;
            running = last_.step == 1 ? last_.loss : 0.97 * running + 0.03 * last_.loss;
            const double now = clock_.seconds();
            if (now >= next_checkpoint) {
                checkpoint();
                next_checkpoint = clock_.seconds() + o_.every;
            }
            if (terminal_ && now >= next_line) {
                print_progress();
                next_line = now + 0.25;
            }
        }
        const bool over = progress() >= 1;
        if (last_.step > 0) checkpoint();
        if (terminal_) std::fprintf(stderr, "\n");
        if (!over) {
            std::fprintf(stderr, "stopped after %llu %s; continue with: vitrine train --resume --out %s\n",
                         printed(trainer_->seen()), examples_, printable(o_.out.string()).c_str());
            return StopSignals::status();
        }
        finish();
        return 0;
    }

private:
    double progress() const {
        const std::optional<double> seconds = trainer_->recipe().promised_seconds;
        return seconds ? clock_.seconds() / *seconds : trainer_->progress();
    }

    double speed() const {
        return static_cast<double>(trainer_->seen() - seen_before_) /
               std::max(1e-9, clock_.seconds() - seconds_before_);
    }

    /// Throws Error without writing a checkpoint: the last one is the last useful one.
    [[noreturn]] void throw_divergence() const {
        throw Error(o_.out.string() + ": the run diverged after " + std::to_string(trainer_->seen()) + " " + examples_ +
                    ", its numbers are no longer finite; start again with a lower --learning-rate");
    }

    void checkpoint() {
        const Json tried = tries(unseen_count_);
        accuracy_ = tried.at("accuracy");
        state_.seconds = clock_.seconds();
        Json row = {{examples_, trainer_->seen()},
                    {"seconds", state_.seconds},
                    {"loss", state_.running_loss},
                    {"accuracy", accuracy_},
                    {"learning_rate", last_.learning_rate},
                    {"gradient_norm", last_.gradient_norm},
                    {std::string(examples_) + "_per_second", speed()}};
        row.update(tried);
        std::ofstream(o_.out / "metrics.jsonl", std::ios::app) << row.dump() << "\n";
        save_run(o_.out, *trainer_, state_);
        save_trained(trainer_->model(), o_.out, o_.half ? Precision::f16 : Precision::f32);
        if (o_.json) {
            std::printf("%s\n", row.dump().c_str());
            std::fflush(stdout);
        }
    }

    void print_progress() const {
        const double share = std::min(1.0, progress()), gone = clock_.seconds();
        std::fprintf(stderr, "\r%5.1f %%  %8llu %s  loss %.3f  %s %5.1f %%  %6.0f %s/s  %s left  ", 100 * share,
                     printed(trainer_->seen()), examples_, state_.running_loss, Family::unseen, 100 * accuracy_,
                     speed(), examples_, minutes(share > 0 ? gone / share - gone : 0).c_str());
    }

    void finish() {
        constexpr int thorough = 5000;
        const double seconds = clock_.seconds(), per_second = speed();
        const Json tried = tries(thorough);
        if (o_.json) {
            Json row = {{"done", true},
                        {examples_, trainer_->seen()},
                        {"seconds", seconds},
                        {"accuracy", 0.0},
                        {"count", thorough}};
            row.update(tried);
            std::printf("%s\n", row.dump().c_str());
            return;
        }
        const TrainerTimes& t = trainer_->times();
        const double all = std::max(1e-9, t.drawing + t.passes + t.updates);
        std::printf("%s: %.2f %% of %d %s after %llu %s in %.1f s (%.0f a second; drawing %.0f %%, updates %.0f %%)\n",
                    printable(o_.out.string()).c_str(), 100 * tried.at("accuracy").get<double>(), thorough,
                    Family::unseen, printed(trainer_->seen()), examples_, seconds, per_second, 100 * t.drawing / all,
                    100 * t.updates / all);
        if (!tried.contains("training_accuracy")) return;
        if constexpr (std::same_as<Family, Pictures>)
            std::printf("%.2f %% of the %llu %s it was trained on, again and again\n",
                        100 * tried.at("training_accuracy").get<double>(),
                        printed(*trainer_->recipe().distinct_pictures), examples_);
    }

    /// "accuracy" on `count` unseen examples, and "training_accuracy" if the training set is finite.
    Json tries(int count) {
        Json row = {{"accuracy", trainer_->accuracy(count)}};
        if (const auto own = trainer_->training_accuracy(count)) row["training_accuracy"] = *own;
        return row;
    }

    static constexpr const char* examples_ = Family::examples;
    static constexpr int unseen_count_ = 1000;

    const TrainOptions& o_;
    RunProgress state_;
    std::unique_ptr<Trainer<Family>> trainer_;
    TimeSpent clock_;
    bool terminal_;
    double seconds_before_;
    std::uint64_t seen_before_;
    StepReport last_;
    double accuracy_ = 0;
};

}  // namespace

int train_command(const TrainOptions& o) {
    check_is_name("--out", o.out);
    const OutputFolder folder(o.out, FileLock::Others::refused);
    if (o.resume && !holds_run(o.out))
        throw Error(o.out.string() + ": there is no run to continue (training.safetensors); leave --resume out");
    const bool texts = o.resume ? holds_text_run(o.out) : !o.text.task.empty();
    return texts ? Driver<Texts>(o, open_text_run(o)).drive() : Driver<Pictures>(o, open_picture_run(o)).drive();
}

}  // namespace vitrine
