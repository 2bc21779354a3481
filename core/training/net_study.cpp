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

/// The best rates of those tried on 12,000 endless pictures: 0.01, 0.02, 0.04 (ViT); 0.003, 0.01, 0.03, 0.06 (CNN).
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

NetStudySpread NetStudy::at(Net net, std::uint64_t distinct) const {
    NetStudySpread spread{.least = 1};
    double count = 0;
    for (const NetStudyPoint& p : points) {
        if (p.net != net || p.distinct != distinct) continue;
        ++count;
        spread.mean += (p.accuracy - spread.mean) / count;
        spread.training_mean += (p.training_accuracy - spread.training_mean) / count;
        spread.least = std::min(spread.least, p.accuracy);
        spread.most = std::max(spread.most, p.accuracy);
    }
    if (count == 0)
        throw Error("the study lacks a run of " + std::string(name_of(net)) + " on " + std::to_string(distinct) +
                    " pictures; make it again with vitrine compare");
    return spread;
}

NetStudy study_nets(const NetStudyPlan& plan, int threads, const Progress& progress) {
    NetStudy study{plan, threads, {}};
    std::vector<Recipe> recipes;
    for (int i = 0; i < plan.seeds; ++i) {
        NetStudyPlan again = plan;
        again.seed += static_cast<std::uint64_t>(i);
        const std::vector<Recipe> own = study_recipes(again);
        recipes.insert(recipes.end(), own.begin(), own.end());
    }
    for (const Recipe& recipe : recipes) {
        Trainer<Pictures> trainer(recipe, {threads, 0});
        while (trainer.progress() < 1) {
            trainer.step(trainer.progress());
            const double done = static_cast<double>(study.points.size()) + std::min(1.0, trainer.progress());
            report(progress, done / static_cast<double>(recipes.size()));
        }
        study.points.push_back({.net = recipe.net,
                                .distinct = recipe.distinct_pictures.value_or(0),
                                .seed = recipe.seed,
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
        run["seed"] = p.seed;
        run["accuracy"] = p.accuracy;
        if (p.distinct > 0) run["training_accuracy"] = p.training_accuracy;
        runs.push_back(run);
    }
    const nlohmann::ordered_json json = {{"software", software_name},
                                         {"pictures", study.plan.pictures},
                                         {"seed", study.plan.seed},
                                         {"seeds", study.plan.seeds},
                                         {"threads", study.threads},
                                         {"fresh", study.plan.fresh},
                                         {"runs", runs}};
    return sealed(json.dump(1) + "\n");
}

NetStudy net_study_from_json(const std::string& text, const std::string& name) {
    try {
        const auto json = nlohmann::json::parse(text);
        NetStudy study;
        study.plan.pictures = json.at("pictures");
        study.plan.seed = json.at("seed");
        study.plan.seeds = json.value("seeds", 1);
        study.threads = whole(json.at("threads").get<double>());
        study.plan.fresh = whole(json.at("fresh").get<double>());
        for (const auto& run : json.at("runs")) {
            const std::optional<Net> net = value_in(net_names, run.at("net").get<std::string>());
            if (!net) throw Error(name + ": " + run.at("net").dump() + " is not a net; make it with vitrine compare");
            NetStudyPoint point{
                .net = *net, .seed = run.value("seed", study.plan.seed), .accuracy = run.at("accuracy")};
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
