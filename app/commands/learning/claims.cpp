#include "core/claims/claims.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "app/commands/commands.h"
#include "app/commands/machine_facts.h"
#include "app/commands/outputs.h"
#include "app/commands/stop_signals.h"
#include "app/exports/output_folder.h"
#include "app/library/library.h"
#include "app/library/text_library.h"
#include "app/platform/embedded.h"
#include "app/platform/printable.h"
#include "app/platform/terminal.h"
#include "core/base/output_file.h"
#include "core/base/sha256.h"
#include "core/training/presets.h"
#include "core/training/text/text_recipe.h"
#include "embedded/assets.h"

namespace vitrine {

namespace {

using Json = nlohmann::ordered_json;

constexpr int usual_seeds = 3, full_seeds = 10;

/// Cache of finished runs by recipe: in memory, and optionally in a folder.
class KeptRuns {
public:
    KeptRuns(std::filesystem::path folder, int threads) : folder_(std::move(folder)), threads_(threads) {
        std::error_code error;
        if (!folder_.empty()) std::filesystem::create_directories(folder_, error);
        if (error)
            throw Error(folder_.string() + ": the folder cannot be created (" + error.message() +
                        "); choose another place for --runs");
    }

    RunRecord run(const Recipe& recipe, const Progress& progress) {
        const std::string words = to_json(recipe);
        if (const auto known = known_.find(words); known != known_.end()) return known->second;
        const std::filesystem::path file = folder_ / (sha256(words).substr(0, 16) + ".json");
        RunRecord record;
        if (std::filesystem::exists(file) && !folder_.empty()) record = read(file);
        if (record.sights.empty() && !record.diverged)  // not cached, or by an old version without `sights`
            record = record_run(recipe, threads_, progress);
        if (!folder_.empty()) replace_file(file, to_json(record));
        return known_.emplace(words, std::move(record)).first->second;
    }

private:
    static RunRecord read(const std::filesystem::path& file) {
        std::ostringstream words;
        words << std::ifstream(file).rdbuf();
        return run_record_from_json(words.str(), file.string());
    }

    std::filesystem::path folder_;
    int threads_;
    std::map<std::string, RunRecord> known_;
};

std::string digest_of_bundled_model() {
    const std::string file = std::string(bundled_models().front().name) + "/model.safetensors";
    return sha256(embedded(assets(), file).bytes);
}

std::string day_of_today() {
    const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
    const std::chrono::year_month_day day(today);
    char words[16];
    std::snprintf(words, sizeof words, "%04d-%02u-%02u", static_cast<int>(day.year()),
                  static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
    return words;
}

std::string figure_words(const Figure& f) {
    char words[32];
    std::snprintf(words, sizeof words, f.kind == FigureKind::share ? "%.1f %%" : "%.3g",
                  f.kind == FigureKind::share ? 100 * f.value : f.value);
    return f.name + " " + words;
}

std::string verdict_words(const Claim& claim, const Verdict& verdict) {
    std::string words = (verdict.holds(claim) ? "holds  " : "FAILS  ") + verdict.id + ": " + claim.words + " (" +
                        std::to_string(verdict.agreeing(claim)) + " of " + std::to_string(verdict.trials.size()) + ")";
    for (const Figure& f : verdict.trials.front().figures) words += "  " + figure_words(verdict.mean(f.name));
    return words;
}

Json verdict_json(const Claim& claim, const Verdict& verdict) {
    Json figures = Json::object();
    for (const Figure& f : verdict.trials.front().figures) figures[f.name] = verdict.mean(f.name).value;
    return {{"id", verdict.id},
            {"holds", verdict.holds(claim)},
            {"agree", verdict.agreeing(claim)},
            {"seeds", verdict.trials.size()},
            {"figures", figures}};
}

std::vector<const Claim*> chosen_claims(const ClaimsOptions& o) {
    std::vector<const Claim*> chosen;
    for (const std::string& id : o.only) {
        if (claim_named(id) == nullptr)
            throw UsageError("--only " + printable(id) + ": there is no such claim; vitrine claims --list shows them");
        chosen.push_back(claim_named(id));
    }
    if (o.only.empty())
        for (const Claim& claim : claims())
            if (!o.quick || !claim.learns) chosen.push_back(&claim);
    return chosen;
}

int list_claims(const std::vector<const Claim*>& chosen) {
    for (const Claim* const claim : chosen) {
        std::printf("%s: %s\n", claim->id, claim->words);
        for (const char* const key : claim->keys) std::printf("    %s\n", key);
    }
    return 0;
}

/// Checks claims one after another, and writes each to the log as soon as it is checked.
class Trials {
public:
    explicit Trials(const ClaimsOptions& o)
        : o_(o),
          threads_(o.threads > 0 ? o.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))),
          runs_(o.runs, threads_),
          model_(open_model({})),
          terminal_(!o.quiet && stderr_is_terminal()) {
        if (o.log.empty()) return;
        guard_of(o.force, {}).check(o.log);
        log_ = {day_of_today(), digest_of_bundled_model(), {}};
        if (!std::filesystem::exists(o.log)) return;
        std::ostringstream words;
        words << std::ifstream(o.log).rdbuf();
        const ClaimLog before = claim_log_from_json(words.str(), o.log.string());
        for (const Verdict& verdict : before.verdicts)
            if (const Claim* const claim = claim_named(verdict.id))
                if (!claim->of.empty() || before.model == log_.model) log_.put(verdict);
    }

    Verdict attempt(const Claim& claim, int seeds) {
        Verdict verdict{claim.id, claim.of, {}, machine_line() + "; threads: " + std::to_string(threads_)};
        for (int seed = 1; seed <= seeds; ++seed) {
            const std::string what =
                std::string(claim.id) + ", seed " + std::to_string(seed) + " of " + std::to_string(seeds);
            verdict.trials.push_back(claim.check(ground(what), static_cast<std::uint64_t>(seed)));
        }
        clear_line();
        if (o_.log.empty()) return verdict;
        log_.put(verdict);
        replace_file(o_.log, to_json(log_));
        return verdict;
    }

    /// Writes the first seed's two runs of each preset to a file in `record`'s folder.
    void record() {
        std::error_code error;
        std::filesystem::create_directories(o_.record, error);
        for (const Preset<Pictures>& preset : presets<Pictures>()) {
            const auto recipes = recipes_of(preset, 1);
            const ClaimGround on = ground(std::string(preset.id) + ", recorded");
            const std::filesystem::path file = o_.record / (std::string(preset.id) + ".json");
            guard_of(o_.force, {}).check(file);
            replace_file(file, to_json(RecordedPair{on.run(recipes[0]), on.run(recipes[1])}));
        }
        clear_line();
    }

private:
    ClaimGround ground(const std::string& what) {
        const Progress tell = [this, what](double share) {
            if (StopSignals::asked()) throw Cancelled();
            if (terminal_) std::fprintf(stderr, "\r\033[K%s  %5.1f %%", what.c_str(), 100 * share);
        };
        report(tell, 0);
        return {
            .model = *model_,
            .run = [this, tell](const Recipe& recipe) { return runs_.run(recipe, tell); },
            .run_text = [this, tell](const TextRecipe& recipe) { return run_text(recipe, tell); },
            .text_model = [this](TextTask task, TextLanguage to) -> const TextModel& { return text_model(task, to); },
            .threads = threads_,
            .progress = tell};
    }

    /// Text runs take only seconds, so they are cached in memory but not in the folder.
    TextRecord run_text(const TextRecipe& recipe, const Progress& tell) {
        const std::string words = to_json(recipe);
        if (const auto known = texts_.find(words); known != texts_.end()) return known->second;
        return texts_.emplace(words, record_run(recipe, threads_, tell)).first->second;
    }

    /// Each bundled text model is opened once.
    const TextModel& text_model(TextTask task, TextLanguage to) {
        const BundledTextModel& row = bundled_text_model(task, to);
        std::shared_ptr<const TextModel>& kept = text_models_[row.name];
        if (kept == nullptr) kept = open_text_model(row);
        return *kept;
    }

    void clear_line() const {
        if (terminal_) std::fprintf(stderr, "\r\033[K");
    }

    const ClaimsOptions& o_;
    int threads_;
    KeptRuns runs_;
    std::map<std::string, TextRecord> texts_;  // by recipe
    std::map<std::string, std::shared_ptr<const TextModel>> text_models_;
    std::shared_ptr<const Model> model_;
    bool terminal_;
    ClaimLog log_;
};

}  // namespace

int claims_command(const ClaimsOptions& o) {
    const std::vector<const Claim*> chosen = chosen_claims(o);
    if (o.list) return list_claims(chosen);
    if (!o.log.empty()) check_is_name("--log", o.log);
    const int seeds = o.seeds > 0 ? o.seeds : o.full ? full_seeds : usual_seeds;
    const StopSignals signals;
    Trials trials(o);
    bool all = true;
    Json rows = Json::array();
    try {
        for (const Claim* const claim : chosen) {
            const Verdict verdict = trials.attempt(*claim, seeds);
            all = all && verdict.holds(*claim);
            rows.push_back(verdict_json(*claim, verdict));
            if (o.json) continue;
            std::printf("%s\n", verdict_words(*claim, verdict).c_str());
            std::fflush(stdout);
        }
        if (!o.record.empty()) trials.record();
    } catch (const Cancelled&) {
        std::fprintf(stderr, "\nstopped; finished runs are kept where --runs names a folder\n");
        return StopSignals::status();
    }
    if (o.json) std::printf("%s\n", Json({{"holds", all}, {"claims", rows}}).dump(1).c_str());
    return all ? 0 : 1;
}

}  // namespace vitrine
