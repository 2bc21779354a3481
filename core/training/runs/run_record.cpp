#include "core/training/runs/run_record.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/base/output_guard.h"

namespace vitrine {

namespace {

constexpr int kept_points = 60, kept_checks = 12, check_pictures = 400;

/// Four digits are more than a curve shows.
double short_number(double x) { return std::isfinite(x) ? std::round(x * 1e4) / 1e4 : 0; }

std::vector<double> shortened(std::vector<double> numbers) {
    for (double& x : numbers) x = short_number(x);
    return numbers;
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    char words[16] = {};
    std::strftime(words, sizeof words, "%Y-%m-%d", std::gmtime(&now));
    return words;
}

}  // namespace

void RunningScore::take(const StepReport& step, int batch) {
    const double share = std::min(1.0, std::max(1.0 / static_cast<double>(step.step), batch / 500.0));
    loss += share * (step.loss - loss);
    accuracy += share * (step.accuracy - accuracy);
}

RunRecord record_run(const Recipe& recipe, int threads, const Progress& progress) {
    Trainer trainer(recipe, {threads, 0});
    RunRecord record{.recipe = recipe, .threads = threads, .day = today()};
    RunningScore score;
    double next_point = 0, next_check = 0;
    while (trainer.progress() < 1 && !record.diverged) {
        const StepReport step = trainer.step(trainer.progress());
        score.take(step, recipe.batch);
        record.diverged = !std::isfinite(step.loss) || !std::isfinite(step.gradient_norm);
        const double share = trainer.progress();
        report(progress, std::min(1.0, share));
        if (share >= next_point || share >= 1) {
            record.pictures.push_back(static_cast<double>(step.pictures));
            record.loss.push_back(score.loss);
            record.accuracy.push_back(score.accuracy);
            next_point += 1.0 / kept_points;
        }
        if (recipe.distinct_pictures && (share >= next_check || share >= 1)) {
            record.checked.push_back(static_cast<double>(step.pictures));
            record.fresh.push_back(trainer.accuracy(check_pictures));
            record.training.push_back(trainer.training_accuracy(check_pictures));
            next_check += 1.0 / kept_checks;
        }
    }
    record.last = trainer.accuracy(RunRecord::thorough);
    if (recipe.distinct_pictures) record.last_training = trainer.training_accuracy(RunRecord::thorough);
    return record;
}

std::string to_json(const RunRecord& r) {
    nlohmann::ordered_json json = {{"recipe", nlohmann::ordered_json::parse(to_json(r.recipe))},
                                   {"threads", r.threads},
                                   {"day", r.day},
                                   {"last", short_number(r.last)},
                                   {"pictures", r.pictures},
                                   {"loss", shortened(r.loss)},
                                   {"accuracy", shortened(r.accuracy)}};
    if (r.diverged) json["diverged"] = true;
    if (!r.checked.empty()) {
        json["last_training"] = short_number(r.last_training);
        json["checked"] = r.checked;
        json["fresh"] = shortened(r.fresh);
        json["training"] = shortened(r.training);
    }
    return json.dump() + "\n";
}

namespace {

RunRecord record_from(const nlohmann::json& json, const std::string& name) {
    RunRecord r{.recipe = recipe_from_json(json.at("recipe").dump(), name)};
    r.threads = whole(json.at("threads").get<double>());
    r.day = json.at("day");
    r.last = json.at("last");
    json.at("pictures").get_to(r.pictures);
    json.at("loss").get_to(r.loss);
    json.at("accuracy").get_to(r.accuracy);
    r.diverged = json.value("diverged", false);
    if (json.contains("checked")) {
        r.last_training = json.at("last_training");
        json.at("checked").get_to(r.checked);
        json.at("fresh").get_to(r.fresh);
        json.at("training").get_to(r.training);
    }
    const bool whole_curves = r.loss.size() == r.pictures.size() && r.accuracy.size() == r.pictures.size() &&
                              r.fresh.size() == r.checked.size() && r.training.size() == r.checked.size();
    if (r.pictures.empty() || !whole_curves) throw Error(name + ": its curves do not fit; make it with vitrine claims");
    return r;
}

nlohmann::json parsed_record(const std::string& text) {
    if (nests_too_deeply(text)) return {};
    return nlohmann::json::parse(text);
}

}  // namespace

RunRecord run_record_from_json(const std::string& text, const std::string& name) {
    try {
        return record_from(parsed_record(text), name);
    } catch (const nlohmann::json::exception&) {
        throw Error(name + ": it is no record of a run; make it with vitrine claims");
    }
}

std::string to_json(const RecordedPair& pair) {
    return sealed("{\"software\": \"Vitrine\", \"runs\": [\n" + to_json(pair[0]) + ",\n" + to_json(pair[1]) + "]}\n");
}

RecordedPair recorded_pair_from_json(const std::string& text, const std::string& name) {
    try {
        const auto json = parsed_record(text);
        return {record_from(json.at("runs").at(0), name), record_from(json.at("runs").at(1), name)};
    } catch (const nlohmann::json::exception&) {
        throw Error(name + ": it is no record of two runs; make it with vitrine claims --record");
    }
}

}  // namespace vitrine
