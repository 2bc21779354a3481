#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "app/commands/commands.h"
#include "app/commands/learning/driven_run.h"
#include "app/commands/drawing/printable.h"
#include "app/commands/outputs.h"
#include "app/commands/stop_signals.h"
#include "app/platform/terminal.h"
#include "core/base/clock.h"
#include "core/base/input_file.h"
#include "core/base/output_file.h"
#include "core/training/text/text_run_folder.h"

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

/// The lines of metrics up to a number of things: what a killed run wrote after its last checkpoint comes again.
void cut_metrics(const std::filesystem::path& file, const DrivenRun& run) {
    constexpr std::size_t most_bytes = std::size_t{1} << 30;
    std::error_code unreachable;
    std::istringstream in(std::filesystem::exists(file, unreachable) ? words_of_file(file, most_bytes) : "");
    std::string kept;
    for (std::string line; std::getline(in, line);) {
        const Json row = Json::parse(line, nullptr, false);
        const bool counts = row.is_object() && row.contains(run.things()) && row[run.things()].is_number_unsigned();
        if (counts && row[run.things()].get<std::uint64_t>() <= run.seen()) kept += line + "\n";
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

unsigned long long printed(std::uint64_t number) { return number; }

/// A run, new or gone on with.
std::unique_ptr<DrivenRun> open_run(const TrainOptions& o) {
    if (!o.resume) return o.text.task.empty() ? open_picture_run(o) : open_text_run(o);
    if (!has_run_file(o.out))
        throw Error(o.out.string() + ": there is no run to go on with (training.safetensors); leave --resume out");
    return holds_text_run(o.out) ? open_text_run(o) : open_picture_run(o);
}

/// A run as it is driven from the command line.
class Driver {
public:
    explicit Driver(const TrainOptions& o)
        : o_(o),
          folder_(o.out, FileLock::Others::refused),
          run_(open_run(o)),
          state_(run_->begun()),
          clock_(state_.seconds),
          terminal_(errors_reach_a_terminal()),
          seconds_before_(state_.seconds),
          seen_before_(run_->seen()) {
        if (o.resume)
            cut_metrics(o.out / "metrics.jsonl", *run_);
        else
            OutputFile(o.out / "metrics.jsonl").commit();
    }

    int drive() {
        const StopSignals signals;
        double next_checkpoint = clock_.seconds() + o_.every, next_line = 0;
        while (progress() < 1 && !StopSignals::asked()) {
            last_ = run_->step(progress());
            if (!std::isfinite(last_.loss) || !std::isfinite(last_.gradient_norm)) blew_up();
            double& running = state_.running_loss;
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
            std::fprintf(stderr, "stopped after %llu %s; go on with: vitrine train --resume --out %s\n",
                         printed(run_->seen()), run_->things(), printable(o_.out.string()).c_str());
            return StopSignals::status();
        }
        finish();
        return 0;
    }

private:
    double progress() const {
        const std::optional<double> seconds = run_->promised_seconds();
        return seconds ? clock_.seconds() / *seconds : run_->promised_share();
    }

    double speed() const {
        return static_cast<double>(run_->seen() - seen_before_) / std::max(1e-9, clock_.seconds() - seconds_before_);
    }

    /// Nothing is written: the last checkpoint is the last that is worth something.
    [[noreturn]] void blew_up() const {
        throw Error(o_.out.string() + ": the run blew up after " + std::to_string(run_->seen()) + " " + run_->things() +
                    ", its numbers are no longer finite; start anew with a lower --learning-rate");
    }

    void checkpoint() {
        const Json tried = run_->tries(fresh_);
        accuracy_ = tried.at("accuracy");
        state_.seconds = clock_.seconds();
        Json row = {{run_->things(), run_->seen()},
                    {"seconds", state_.seconds},
                    {"loss", state_.running_loss},
                    {"accuracy", accuracy_},
                    {"learning_rate", last_.learning_rate},
                    {"gradient_norm", last_.gradient_norm},
                    {std::string(run_->things()) + "_per_second", speed()}};
        row.update(tried);
        std::ofstream(o_.out / "metrics.jsonl", std::ios::app) << row.dump() << "\n";
        run_->save(o_.out, state_, o_.half ? Precision::f16 : Precision::f32);
        if (o_.json) {
            std::printf("%s\n", row.dump().c_str());
            std::fflush(stdout);
        }
    }

    void tell() const {
        const double share = std::min(1.0, progress()), gone = clock_.seconds();
        std::fprintf(stderr, "\r%5.1f %%  %8llu %s  loss %.3f  %s %5.1f %%  %6.0f %s/s  %s left  ", 100 * share,
                     printed(run_->seen()), run_->things(), state_.running_loss, run_->tried_on(), 100 * accuracy_,
                     speed(), run_->things(), minutes(share > 0 ? gone / share - gone : 0).c_str());
    }

    void finish() {
        constexpr int thorough = 5000;
        const double seconds = clock_.seconds(), per_second = speed();
        const Json tried = run_->tries(thorough);
        if (o_.json) {
            Json row = {{"done", true},
                        {run_->things(), run_->seen()},
                        {"seconds", seconds},
                        {"accuracy", 0.0},
                        {"count", thorough}};
            row.update(tried);
            std::printf("%s\n", row.dump().c_str());
            return;
        }
        const TrainerTimes& t = run_->times();
        const double all = std::max(1e-9, t.drawing + t.passes + t.updates);
        std::printf("%s: %.2f %% of %d %s after %llu %s in %.1f s (%.0f a second; drawing %.0f %%, updates %.0f %%)\n",
                    printable(o_.out.string()).c_str(), 100 * tried.at("accuracy").get<double>(), thorough,
                    run_->tried_on(), printed(run_->seen()), run_->things(), seconds, per_second, 100 * t.drawing / all,
                    100 * t.updates / all);
        if (run_->distinct())
            std::printf("%.2f %% of the %llu %s that it learned from, again and again\n",
                        100 * tried.at("training_accuracy").get<double>(), printed(*run_->distinct()), run_->things());
    }

    static constexpr int fresh_ = 1000;

    const TrainOptions& o_;
    const OutputFolder folder_;
    std::unique_ptr<DrivenRun> run_;
    RunProgress state_;
    TimeSpent clock_;
    bool terminal_;
    double seconds_before_;
    std::uint64_t seen_before_;
    DrivenRun::Step last_;
    double accuracy_ = 0;
};

}  // namespace

int train_command(const TrainOptions& o) {
    check_is_name("--out", o.out);
    return Driver(o).drive();
}

}  // namespace vitrine
