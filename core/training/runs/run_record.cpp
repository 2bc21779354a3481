#include "core/training/runs/run_record.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/base/output_guard.h"
#include "core/training/trainer.h"

namespace vitrine {

namespace {

constexpr int kept_points = 60, kept_checks = 12;

/// Rounded to four digits, more than a curve shows.
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

void RunningScore::take(const StepReport& step, double share) {
    share = std::min(1.0, std::max(1.0 / static_cast<double>(step.step), share));
    loss += share * (step.loss - loss);
    accuracy += share * (step.accuracy - accuracy);
}

RunRecord record_run(const Recipe& recipe, int threads, const Progress& progress) {
    Trainer<Pictures> trainer(recipe, {threads, 0});
    RunRecord record{.recipe = recipe, .threads = threads, .day = today()};
    LearningCurve& curve = record.curve;
    RunningScore score;
    double next_point = 0, next_check = 0;
    while (trainer.progress() < 1 && !record.diverged) {
        const StepReport step = trainer.step(trainer.progress());
        score.take(step, picture_share(recipe.batch));
        record.diverged = !std::isfinite(step.loss) || !std::isfinite(step.gradient_norm);
        const double share = trainer.progress();
        report(progress, std::min(1.0, share));
        if (share >= next_point || share >= 1) {
            curve.seen.push_back(static_cast<double>(step.seen));
            curve.loss.push_back(score.loss);
            curve.accuracy.push_back(score.accuracy);
            next_point += 1.0 / kept_points;
        }
        if (recipe.distinct_pictures && (share >= next_check || share >= 1)) {
            curve.checked.push_back(static_cast<double>(step.seen));
            curve.unseen.push_back(trainer.accuracy(RunRecord::at_a_check));
            curve.training.push_back(*trainer.training_accuracy(RunRecord::at_a_check));
            next_check += 1.0 / kept_checks;
        }
    }
    record.last = trainer.accuracy(RunRecord::thorough);
    record.last_training = trainer.training_accuracy(RunRecord::thorough).value_or(0);
    return record;
}

std::string to_json(const RunRecord& r) {
    const LearningCurve& c = r.curve;
    nlohmann::ordered_json json = {{"recipe", nlohmann::ordered_json::parse(to_json(r.recipe))},
                                   {"threads", r.threads},
                                   {"day", r.day},
                                   {"last", short_number(r.last)},
                                   {"pictures", c.seen},
                                   {"loss", shortened(c.loss)},
                                   {"accuracy", shortened(c.accuracy)}};
    if (r.diverged) json["diverged"] = true;
    if (c.parts()) {
        json["last_training"] = short_number(r.last_training);
        json["checked"] = c.checked;
        json["fresh"] = shortened(c.unseen);
        json["training"] = shortened(c.training);
    }
    return json.dump() + "\n";
}

namespace {

RunRecord record_from(const nlohmann::json& json, const std::string& name) {
    RunRecord r{.recipe = recipe_from_json(json.at("recipe").dump(), name)};
    r.threads = whole(json.at("threads").get<double>());
    r.day = json.at("day");
    r.last = json.at("last");
    r.diverged = json.value("diverged", false);
    LearningCurve& c = r.curve;
    json.at("pictures").get_to(c.seen);
    json.at("loss").get_to(c.loss);
    json.at("accuracy").get_to(c.accuracy);
    if (json.contains("checked")) {
        r.last_training = json.at("last_training");
        json.at("checked").get_to(c.checked);
        json.at("fresh").get_to(c.unseen);
        json.at("training").get_to(c.training);
    }
    const bool whole_curves = c.loss.size() == c.seen.size() && c.accuracy.size() == c.seen.size() &&
                              c.unseen.size() == c.checked.size() && c.training.size() == c.checked.size();
    if (c.seen.empty() || !whole_curves) throw Error(name + ": its curves do not fit; make it with vitrine claims");
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
        throw Error(name + ": it is not a record of a run; make it with vitrine claims");
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
        throw Error(name + ": it is not a record of two runs; make it with vitrine claims --record");
    }
}

}  // namespace vitrine
