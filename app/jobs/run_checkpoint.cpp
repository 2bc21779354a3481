#include "app/jobs/run_checkpoint.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "app/jobs/picture_observer.h"
#include "app/jobs/text_observer.h"
#include "core/base/error.h"
#include "core/base/names.h"
#include "core/training/runs/run_file.h"

namespace vitrine {

namespace {

using CheckpointJson = nlohmann::ordered_json;

// Stages at which a run can be kept, by name.
constexpr Named<RunStage> kept_stages[] = {
    {RunStage::paused, "paused"}, {RunStage::done, "done"}, {RunStage::diverged, "diverged"}};

/// A number that may be NaN, as in the loss of a run that diverged: null in JSON.
double number_of(const CheckpointJson& json) {
    return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

/// The curve's lists by name.
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

/// The last step's numbers, the smoothed ones and the run's times by name.
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

}  // namespace

template <class Family>
RunCheckpoint checkpoint_of(const LiveRun<Family>& run) {
    const RunStage stage = run.over() ? run.stage : RunStage::paused;
    CheckpointJson json = {{"stage", name_in(kept_stages, stage)},
                           {"promised_examples", or_null(run.recipe.promised_examples)},
                           {"promised_seconds", or_null(run.recipe.promised_seconds)},
                           {"next_check", run.next_check},
                           {"next_point", run.next_point}};
    each_number(run, [&](const char* name, double number) { json[name] = number; });
    each_list(*run.curve, [&](const char* name, const std::vector<double>& list) { json["curve"][name] = list; });
    return std::make_shared<const std::string>(run_bytes(
        run.trainer,
        {.threads = run.threads, .seconds = run.seconds, .running_loss = run.score.loss, .window = json.dump()}));
}

template <class Family>
void restore(LiveRun<Family>& run, const std::string& checkpoint) {
    const RunProgress progress = restore_run(checkpoint, run.trainer);
    try {
        const CheckpointJson json = CheckpointJson::parse(progress.window);
        const auto stage = value_in(kept_stages, json.at("stage").get<std::string>());
        auto curve = std::make_shared<LearningCurve>();
        each_list(*curve, [&](const char* name, std::vector<double>& list) {
            for (const CheckpointJson& number : json.at("curve").at(name)) list.push_back(number_of(number));
        });
        each_number(run, [&](const char* name, double& number) { number = number_of(json.at(name)); });
        if (const auto& examples = json.at("promised_examples"); !examples.is_null())
            run.recipe.promised_examples = examples.template get<std::uint64_t>();
        if (const auto& seconds = json.at("promised_seconds"); !seconds.is_null())
            run.recipe.promised_seconds = seconds.template get<double>();
        run.next_check = json.at("next_check");
        run.next_point = json.at("next_point");
        run.curve = std::move(curve);
        run.stage = stage.value_or(RunStage::paused);
    } catch (const nlohmann::json::exception&) {
        throw Error("the run that was kept: it does not say what the window showed; start a new run");
    }
    run.report.step = progress.steps;
    run.report.seen = run.trainer.seen();
}

template RunCheckpoint checkpoint_of(const LiveRun<Pictures>&);
template RunCheckpoint checkpoint_of(const LiveRun<Texts>&);
template void restore(LiveRun<Pictures>&, const std::string&);
template void restore(LiveRun<Texts>&, const std::string&);

}  // namespace vitrine
