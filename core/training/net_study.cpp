#include "core/training/net_study.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/base/output_guard.h"
#include "core/training/trainer.h"

namespace vitrine {

namespace {

/// The best of the rates tried on 12,000 endless pictures: 0.01, 0.02, 0.04 and 0.003, 0.01, 0.03, 0.06.
constexpr double rate_of(Net net) { return net == Net::vit ? 0.04 : 0.06; }

}  // namespace

std::vector<Recipe> study_recipes(const NetStudyPlan& plan) {
    std::vector<Recipe> recipes;
    for (const std::uint64_t distinct : study_counts)
        for (const auto& net : net_names) {
            Recipe r = standard_recipe();
            r.net = net.value;
            r.learning_rate = rate_of(net.value);
            if (distinct > 0) r.distinct_pictures = distinct;
            r.seed = r.pictures.seed = plan.seed;
            r.promised_examples = plan.pictures;
            recipes.push_back(r);
        }
    return recipes;
}

const NetStudyPoint& NetStudy::at(Net net, std::uint64_t distinct) const {
    const auto found = std::find_if(points.begin(), points.end(),
                                    [&](const NetStudyPoint& p) { return p.net == net && p.distinct == distinct; });
    if (found == points.end())
        throw Error("the study lacks a run of " + std::string(name_of(net)) + " on " + std::to_string(distinct) +
                    " pictures; make it again with vitrine compare");
    return *found;
}

NetStudy study_nets(const NetStudyPlan& plan, int threads, const Progress& progress) {
    NetStudy study{plan, threads, {}};
    const std::vector<Recipe> recipes = study_recipes(plan);
    for (const Recipe& recipe : recipes) {
        Trainer<Pictures> trainer(recipe, {threads, 0});
        while (trainer.progress() < 1) {
            trainer.step(trainer.progress());
            const double done = static_cast<double>(study.points.size()) + std::min(1.0, trainer.progress());
            report(progress, done / static_cast<double>(recipes.size()));
        }
        study.points.push_back({.net = recipe.net,
                                .distinct = recipe.distinct_pictures.value_or(0),
                                .accuracy = trainer.accuracy(plan.fresh),
                                .training_accuracy = trainer.training_accuracy(plan.fresh).value_or(0)});
    }
    return study;
}

std::string to_json(const NetStudy& study) {
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    for (const NetStudyPoint& p : study.points) {
        nlohmann::ordered_json run = {{"net", name_of(p.net)}};
        if (p.distinct > 0) run["distinct"] = p.distinct;
        run["accuracy"] = p.accuracy;
        if (p.distinct > 0) run["training_accuracy"] = p.training_accuracy;
        runs.push_back(run);
    }
    const nlohmann::ordered_json json = {{"software", software_name}, {"pictures", study.plan.pictures},
                                         {"seed", study.plan.seed},   {"threads", study.threads},
                                         {"fresh", study.plan.fresh}, {"runs", runs}};
    return sealed(json.dump(1) + "\n");
}

NetStudy net_study_from_json(const std::string& text, const std::string& name) {
    try {
        const auto json = nlohmann::json::parse(text);
        NetStudy study;
        study.plan.pictures = json.at("pictures");
        study.plan.seed = json.at("seed");
        study.threads = whole(json.at("threads").get<double>());
        study.plan.fresh = whole(json.at("fresh").get<double>());
        for (const auto& run : json.at("runs")) {
            const std::optional<Net> net = value_in(net_names, run.at("net").get<std::string>());
            if (!net) throw Error(name + ": " + run.at("net").dump() + " is not a net; make it with vitrine compare");
            NetStudyPoint point{.net = *net, .accuracy = run.at("accuracy")};
            if (run.contains("distinct")) {
                point.distinct = run.at("distinct");
                point.training_accuracy = run.at("training_accuracy");
            }
            study.points.push_back(point);
        }
        return study;
    } catch (const nlohmann::json::exception&) {
        throw Error(name + ": it is not a study of nets; make it with vitrine compare");
    }
}

}  // namespace vitrine
