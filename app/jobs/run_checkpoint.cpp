#include "app/jobs/run_checkpoint.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "app/jobs/picture_observer.h"
#include "app/jobs/text_observer.h"
#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/base/names.h"
#include "core/training/runs/run_file.h"

namespace vitrine {

namespace {

using CheckpointJson = nlohmann::ordered_json;

// Names of the stages that a checkpoint may have.
constexpr Named<RunStage> kept_stages[] = {
    {RunStage::paused, "paused"}, {RunStage::done, "done"}, {RunStage::diverged, "diverged"}};

/// A number that may be NaN, as in the loss of a run that diverged: null in JSON.
double number_of(const CheckpointJson& json) {
    return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

/// Calls `act` with the name and each list of a curve.
template <class Curve, class Act>
void each_list(Curve& curve, const Act& act) {
    act("seen", curve.seen);
    act("loss", curve.loss);
    act("accuracy", curve.accuracy);
    act("checked", curve.checked);
    act("unseen", curve.unseen);
    act("training", curve.training);
    act("attention", curve.attention);
}

/// Calls `act` with the name and each number of the last step, the smoothed ones and the run's seconds.
template <class Run, class Act>
void each_number(Run& run, const Act& act) {
    act("loss", run.report.loss);
    act("accuracy", run.report.accuracy);
    act("it_loss", run.report.it_loss);
    act("learning_rate", run.report.learning_rate);
    act("gradient_norm", run.report.gradient_norm);
    act("score_loss", run.score.loss);
    act("score_accuracy", run.score.accuracy);
    act("seconds", run.seconds);
}

template <class Number>
CheckpointJson or_null(const std::optional<Number>& number) {
    return number ? CheckpointJson(*number) : CheckpointJson();
}

// `Observer::Inside` of each family as JSON.

CheckpointJson json_of(const std::vector<BlockFlow>& blocks) {
    CheckpointJson json = CheckpointJson::array();
    for (const BlockFlow& flow : blocks)
        json.push_back(
            {{"gradients", flow.gradients}, {"gradient_norm", flow.gradient_norm}, {"weight_norm", flow.weight_norm}});
    return json;
}

CheckpointJson json_of(const TalliedHead& head) {
    return {
        {"block", head.block}, {"head", head.head}, {"share", head.share}, {"mass", head.mass}, {"count", head.count}};
}

[[noreturn]] void refuse() {
    throw Error("the run that was kept: it does not say what the window showed; start a new run");
}

void demand_of_kept(bool holds) {
    if (!holds) refuse();
}

void take_inside(const CheckpointJson& json, LiveRun<Pictures>& run) {
    demand_of_kept(json.is_array() && json.size() == static_cast<std::size_t>(run.recipe.model.blocks));
    for (const CheckpointJson& block : json) {
        BlockFlow& flow = run.inside.emplace_back();
        const CheckpointJson& shares = block.at("gradients");
        demand_of_kept(shares.is_array() && shares.size() == flow.gradients.size());
        for (std::size_t i = 0; i < shares.size(); ++i) flow.gradients[i] = static_cast<float>(number_of(shares[i]));
        flow.gradient_norm = number_of(block.at("gradient_norm"));
        flow.weight_norm = number_of(block.at("weight_norm"));
    }
}

void take_inside(const CheckpointJson& json, LiveRun<Texts>& run) {
    const auto count = [&](const char* name) { return whole(json.at(name).get<double>()); };
    const TextConfig& model = run.recipe.model;
    TalliedHead& head = run.inside;
    head = {count("block"), count("head"), number_of(json.at("share")), number_of(json.at("mass")), count("count")};
    demand_of_kept(head.block >= 1 && head.block <= std::max(model.blocks, model.decoder_blocks) && head.head >= 0 &&
                   head.head < model.heads);
}

/// A count in JSON, without sign and fraction; refuses anything else.
std::uint64_t count_from(const CheckpointJson& json) {
    demand_of_kept(json.is_number_unsigned());
    return json.get<std::uint64_t>();
}

/// True if the lists have the lengths that a family's curves have.
template <class Family>
bool is_whole(const LearningCurve& c) {
    const std::size_t points = c.seen.size(), checks = c.checked.size();
    const bool texts = std::same_as<Family, Texts>;
    return c.loss.size() == points && c.accuracy.size() == points && c.unseen.size() == checks &&
           c.training.size() == (texts ? 0 : checks) && c.attention.size() == (texts ? checks : 0);
}

/// Takes the length of a run as the window announced it: the recipe's, or a multiple of it.
template <class Recipe>
void take_promise(const CheckpointJson& json, Recipe& recipe) {
    const CheckpointJson &examples = json.at("promised_examples"), &seconds = json.at("promised_seconds");
    demand_of_kept(examples.is_null() != recipe.promised_examples.has_value() &&
                   seconds.is_null() != recipe.promised_seconds.has_value());
    if (recipe.promised_examples) recipe.promised_examples = count_from(examples);
    if (recipe.promised_seconds) recipe.promised_seconds = seconds.template get<double>();
    demand_of_kept(recipe.promised_examples.value_or(1) > 0 && recipe.promised_seconds.value_or(1) > 0);
}

CheckpointJson window_of(const RunProgress& progress) {
    if (nests_too_deeply(progress.window)) refuse();
    return CheckpointJson::parse(progress.window);
}

RunStage stage_in(const CheckpointJson& window) {
    const auto stage = value_in(kept_stages, window.at("stage").get<std::string>());
    demand_of_kept(stage.has_value());
    return *stage;
}

/// Takes the state of a run as the window showed it.
template <class Family>
void take_window(const CheckpointJson& json, LiveRun<Family>& run) {
    run.stage = stage_in(json);
    each_list(*run.curve, [&](const char* name, std::vector<double>& list) {
        for (const CheckpointJson& number : json.at("curve").at(name)) list.push_back(number_of(number));
    });
    each_number(run, [&](const char* name, double& number) { number = number_of(json.at(name)); });
    demand_of_kept(is_whole<Family>(*run.curve) && run.seconds >= 0);
    take_promise(json, run.recipe);
    run.next_check = count_from(json.at("next_check"));
    run.next_point = count_from(json.at("next_point"));
    take_inside(json.at("inside"), run);
}

}  // namespace

template <class Family>
RunCheckpoint checkpoint_of(const LiveRun<Family>& run) {
    const RunStage stage = run.over() ? run.stage : RunStage::paused;
    CheckpointJson json = {{"stage", name_in(kept_stages, stage)},
                           {"promised_examples", or_null(run.recipe.promised_examples)},
                           {"promised_seconds", or_null(run.recipe.promised_seconds)},
                           {"next_check", run.next_check},
                           {"next_point", run.next_point},
                           {"inside", json_of(Observer<Family>::inside_of(run))}};
    each_number(run, [&](const char* name, double number) { json[name] = number; });
    each_list(*run.curve, [&](const char* name, const std::vector<double>& list) { json["curve"][name] = list; });
    return std::make_shared<const std::string>(run_bytes(
        run.trainer,
        {.threads = run.threads, .seconds = run.seconds, .running_loss = run.score.loss, .window = json.dump()}));
}

template <class Family>
std::unique_ptr<LiveRun<Family>> continued_run(const typename Family::Recipe& recipe, const RunCheckpoint& checkpoint) {
    const RunProgress progress = progress_in(*checkpoint);
    auto run = std::make_unique<LiveRun<Family>>(recipe, progress.threads);
    restore_run(*checkpoint, run->trainer);
    try {
        take_window(window_of(progress), *run);
    } catch (const nlohmann::json::exception&) {
        refuse();
    }
    run->report.step = progress.steps;
    run->report.seen = run->trainer.seen();
    run->checkpoint = checkpoint;
    run->restored = run->step_of_checkpoint = progress.steps;
    return run;
}

RunStage kept_stage(const RunProgress& progress) {
    try {
        return stage_in(window_of(progress));
    } catch (const nlohmann::json::exception&) {
        refuse();
    }
}

template RunCheckpoint checkpoint_of(const LiveRun<Pictures>&);
template RunCheckpoint checkpoint_of(const LiveRun<Texts>&);
template std::unique_ptr<LiveRun<Pictures>> continued_run<Pictures>(const Recipe&, const RunCheckpoint&);
template std::unique_ptr<LiveRun<Texts>> continued_run<Texts>(const TextRecipe&, const RunCheckpoint&);

}  // namespace vitrine
