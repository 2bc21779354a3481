#include "core/training/runs/run_record.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/base/output_guard.h"
#include "core/training/runs/example_pictures.h"
#include "core/training/trainer.h"

namespace vitrine {

namespace {

constexpr int kept_points = 60, kept_checks = 12;
constexpr double sight_shares[] = {0, 0.03, 0.1, 0.25, 0.5, 0.75, 1};  // of the run: it changes most at the beginning

/// Rounded to four digits, more than a curve shows.
double short_number(double x) { return std::isfinite(x) ? std::round(x * 1e4) / 1e4 : 0; }

std::vector<double> shortened(std::vector<double> numbers) {
    for (double& x : numbers) x = short_number(x);
    return numbers;
}

constexpr double weight_unit = 1e-4;  // unit of weights, probabilities and similarities in the file

/// Multiples of `weight_unit`.
template <class Numbers>
std::vector<int> in_units(const Numbers& numbers) {
    std::vector<int> units;
    for (const float x : numbers) units.push_back(static_cast<int>(std::lround(static_cast<double>(x) / weight_unit)));
    return units;
}

std::vector<float> from_units(const nlohmann::json& json) {
    std::vector<float> numbers;
    for (const double units : json.get<std::vector<double>>())
        numbers.push_back(static_cast<float>(units * weight_unit));
    return numbers;
}

/// Rounded to four significant digits: norms of gradients span many powers of ten.
double significant(double x) {
    if (!std::isfinite(x) || x == 0) return 0;
    const double unit = std::pow(10, std::floor(std::log10(std::abs(x))) - 3);
    return std::round(x / unit) * unit;
}

nlohmann::ordered_json json_of(const RecordedSight& sight) {
    nlohmann::ordered_json blocks = nlohmann::ordered_json::array();
    for (const BlockFlow& flow : sight.blocks)
        blocks.push_back({{"gradients", in_units(flow.gradients)},
                          {"gradient_norm", significant(flow.gradient_norm)},
                          {"weight_norm", significant(flow.weight_norm)}});
    return {{"pictures", sight.seen},
            {"attention", in_units(sight.attention)},
            {"probabilities", in_units(sight.probabilities)},
            {"positions", in_units(sight.position_similarity)},
            {"blocks", std::move(blocks)}};
}

RecordedSight sight_from(const nlohmann::json& json) {
    RecordedSight sight;
    sight.seen = json.at("pictures");
    sight.attention = from_units(json.at("attention"));
    sight.probabilities = from_units(json.at("probabilities"));
    const std::vector<float> similarity = from_units(json.at("positions"));
    const auto patches = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(similarity.size()))));
    if (similarity.size() == patches * patches) {
        sight.position_similarity = tensor2(patches, patches);
        std::ranges::copy(similarity, sight.position_similarity.begin());
    }
    for (const nlohmann::json& block : json.at("blocks")) {
        BlockFlow& flow = sight.blocks.emplace_back();
        const std::vector<float> shares = from_units(block.at("gradients"));
        std::copy_n(shares.begin(), std::min(shares.size(), flow.gradients.size()), flow.gradients.begin());
        flow.gradient_norm = block.at("gradient_norm");
        flow.weight_norm = block.at("weight_norm");
    }
    return sight;
}

bool fits(const RecordedSight& sight, const Config& c) {
    const auto count = [](int n) { return static_cast<std::size_t>(n); };
    const std::size_t patches = count(c.patches()), examples = RecordedSight::examples;
    return sight.attention.size() == examples * count(c.blocks) * count(c.heads) * patches &&
           sight.probabilities.size() == examples * count(c.classes) && sight.blocks.size() == count(c.blocks) &&
           sight.position_similarity.size() == (c.positions == Positions::none ? 0 : patches * patches);
}

RecordedSight sight_of(const Trainer<Pictures>& trainer) {
    RecordedSight sight;
    sight.seen = static_cast<double>(trainer.seen());
    const Model model = trainer.model();
    std::vector<ExamplePicture> examples = example_pictures(trainer.recipe().pictures.scenes);
    examples.resize(RecordedSight::examples);
    look_at_examples(model, examples, sight);
    look_at_weights(model, trainer.parameters(), trainer.gradients(), sight);
    return sight;
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
    const double* next_sight = std::begin(sight_shares);
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
        const bool flows = step.step >= 2;  // the head starts at zero, so at first only its own gradients are not 0
        if (!record.diverged && flows && next_sight != std::end(sight_shares) && share >= *next_sight) {
            record.sights.push_back(sight_of(trainer));
            while (next_sight != std::end(sight_shares) && share >= *next_sight) ++next_sight;
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
    for (const RecordedSight& sight : r.sights) json["inside"].push_back(json_of(sight));
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
    if (json.contains("inside"))
        for (const nlohmann::json& sight : json.at("inside")) r.sights.push_back(sight_from(sight));
    const bool whole_curves = c.loss.size() == c.seen.size() && c.accuracy.size() == c.seen.size() &&
                              c.unseen.size() == c.checked.size() && c.training.size() == c.checked.size();
    const bool inside = std::ranges::all_of(r.sights, [&](const auto& sight) { return fits(sight, r.recipe.model); });
    if (c.seen.empty() || !whole_curves || !inside)
        throw Error(name + ": its curves or its looks inside do not fit; make it with vitrine claims");
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
