#include "core/claims/claims.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/error.h"
#include "core/base/output_guard.h"
#include "core/text/vocabulary.h"

namespace vitrine {

namespace {

constexpr double enough = 0.9;  // share of the trials that must agree

/// Rounds to six significant digits, more than any text quotes; 0 for a value that is not finite.
double logged(double x) { return std::isfinite(x) ? std::stod((std::ostringstream() << x).str()) : 0; }

}  // namespace

const std::vector<Claim>& claims() {
    static const std::vector<Claim> all = [] {
        std::vector<Claim> table = learning_claims();
        for (Claim& claim : text_learning_claims()) table.push_back(std::move(claim));
        for (Claim& claim : what_if_claims()) table.push_back(std::move(claim));
        for (Claim& claim : text_model_claims()) table.push_back(std::move(claim));
        return table;
    }();
    return all;
}

const Claim* claim_named(std::string_view id) {
    const auto found = std::ranges::find(claims(), id, &Claim::id);
    return found == claims().end() ? nullptr : &*found;
}

int Verdict::agreeing(const Claim& claim) const {
    return static_cast<int>(std::ranges::count_if(trials, [&](const Trial& t) { return claim.agrees(t); }));
}

bool Verdict::holds(const Claim& claim) const {
    return !trials.empty() && agreeing(claim) >= enough * static_cast<double>(trials.size());
}

Figure Verdict::mean(std::string_view figure) const {
    Figure mean{std::string(figure)};
    for (const Trial& trial : trials) {
        const auto found = std::ranges::find(trial.figures, figure, &Figure::name);
        if (found == trial.figures.end()) throw Error("the claim " + id + " has no figure " + mean.name);
        mean.kind = found->kind;
        mean.value += found->value / static_cast<double>(trials.size());
    }
    return mean;
}

Figure ClaimLog::figure(std::string_view quoted) const {
    const std::size_t dot = quoted.find('.');
    const auto found = std::ranges::find(verdicts, quoted.substr(0, dot), &Verdict::id);
    if (dot == std::string_view::npos || found == verdicts.end())
        throw Error("no claim gave the figure " + std::string(quoted) + "; ./dev claims --full --log tries them all");
    return found->mean(quoted.substr(dot + 1));
}

void ClaimLog::put(const Verdict& verdict) {
    const auto found = std::ranges::find(verdicts, verdict.id, &Verdict::id);
    if (found == verdicts.end())
        verdicts.push_back(verdict);
    else
        *found = verdict;
}

std::string to_json(const ClaimLog& log) {
    using Json = nlohmann::ordered_json;
    Json rows = Json::array();
    for (const Verdict& verdict : log.verdicts) {
        Json trials = Json::array();
        for (const Trial& trial : verdict.trials) {
            Json figures = Json::object();
            for (const Figure& f : trial.figures)
                figures[f.name] =
                    f.kind == FigureKind::share ? Json(logged(f.value)) : Json{{"number", logged(f.value)}};
            trials.push_back({{"margin", logged(trial.margin)}, {"figures", figures}});
        }
        rows.push_back({{"id", verdict.id}, {"of", verdict.of}, {"machine", verdict.machine}, {"trials", trials}});
    }
    // One line per trial, so that changes show in a diff.
    std::string text =
        "{\"software\": \"Vitrine\", \"day\": " + Json(log.day).dump() + ", \"model\": " + Json(log.model).dump() + ",";
    text += "\n\"claims\": [";
    for (const Json& row : rows) {
        text += (text.ends_with('[') ? "\n" : ",\n") + std::string("{\"id\": ") + row["id"].dump() +
                ", \"of\": " + row["of"].dump() + ", \"machine\": " + row["machine"].dump() + ", \"trials\": [";
        for (const Json& trial : row["trials"]) text += (text.ends_with('[') ? "\n " : ",\n ") + trial.dump();
        text += "]}";
    }
    return sealed(text + "]}\n");
}

ClaimLog claim_log_from_json(const std::string& text, const std::string& name) {
    try {
        const auto json = nlohmann::ordered_json::parse(text);
        ClaimLog log{json.at("day"), json.at("model"), {}};
        for (const auto& row : json.at("claims")) {
            Verdict verdict{row.at("id"), row.at("of"), {}, row.value("machine", "")};
            for (const auto& tried : row.at("trials")) {
                Trial trial{tried.at("margin"), {}};
                for (const auto& [figure, value] : tried.at("figures").items())
                    trial.figures.push_back(value.is_object() ? Figure{figure, value.at("number"), FigureKind::number}
                                                              : Figure{figure, value.get<double>(), FigureKind::share});
                verdict.trials.push_back(std::move(trial));
            }
            log.verdicts.push_back(std::move(verdict));
        }
        return log;
    } catch (const nlohmann::json::exception&) {
        throw Error(name + ": it is not a log of claims; make it with ./dev claims --full --log");
    }
}

}  // namespace vitrine
