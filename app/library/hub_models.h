#pragma once

#include <span>
#include <string>

namespace vitrine {

/// A model of the hub that Vitrine offers: a row of assets/hub/models.json.
struct HubModel {
    std::string model;    // "owner/name"
    std::string purpose;  // key of its words: "get_model.for.<purpose>"
    std::string licence;
    bool names_classes = true;                  // false: its output is features
    double million_weights = 0, megabytes = 0;  // of the files that are fetched
};

/// All models offered, small ones first.
std::span<const HubModel> hub_models();

}  // namespace vitrine
