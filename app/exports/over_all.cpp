#include "app/exports/over_all.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/measures/importance.h"

namespace vitrine {

bool MeasuresOverAll::prunes() const {
    return std::ranges::find(what_.measures, pruning_measure) != what_.measures.end();
}

void MeasuresOverAll::add(const MeasuredPass& pass, const Progress& progress) {
    for (const std::string& name : what_.measures) {
        if (name == pruning_measure) {
            const ImportanceOf of{*what_.runs.model, pass.trace, what_.what_ifs};
            const Tensor2 heads = ranking_ == HeadRanking::gradient ? gradient_importance(of, progress)
                                                                    : importance(of, what_.ablation, progress).heads;
            importance_.add({heads.data(), heads.size()});
            continue;
        }
        Table table = table_of(what_, pass, name, progress);
        Measure& measure = measures_[name];
        if (measure.spread.count() == 0) measure.table = table;
        if (table.shape != measure.table.shape)
            throw Error(name + ": the images have arrays of different shapes, which have no mean; leave it out");
        measure.spread.add(table.values);
    }
}

void MeasuresOverAll::prune(const MeasuredPass& pass, std::optional<int> label, const Progress& progress) {
    if (order_.empty()) {
        const Config& c = what_.runs.model->config;
        Tensor2 ranks = tensor2(static_cast<std::size_t>(c.blocks), static_cast<std::size_t>(c.heads));
        std::ranges::copy(importance_.mean(), ranks.begin());
        order_ = least_important_first(ranks);
    }
    pruning_.add(choices_without({*what_.runs.model, pass.trace, what_.what_ifs}, order_, progress), label);
}

std::vector<std::string> MeasuresOverAll::tables() const {
    std::vector<std::string> names;
    for (const std::string& name : what_.measures) {
        if (name == pruning_measure)
            names.push_back(name);
        else
            names.insert(names.end(), {name + "_mean", name + "_sd"});
    }
    return names;
}

Table MeasuresOverAll::table(const std::string& name) const {
    if (name == pruning_measure) return pruning_table(pruning_, order_);
    const std::size_t end = name.rfind('_');
    const Measure& measure = measures_.at(name.substr(0, end));
    Table table = measure.table;
    table.name = name;
    table.values = name.substr(end) == "_mean" ? measure.spread.mean() : measure.spread.deviation();
    return table;
}

Manifest::Json MeasuresOverAll::settings() const {
    Manifest::Json settings = settings_of(what_);
    if (prunes()) {
        settings["ranking"] = name_in(head_ranking_names, ranking_);
        settings["classes_known"] = pruning_.labelled > 0;
    }
    return settings;
}

}  // namespace vitrine
