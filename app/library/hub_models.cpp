#include "app/library/hub_models.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "app/platform/embedded.h"
#include "embedded/assets.h"

namespace vitrine {

std::span<const HubModel> hub_models() {
    static const std::vector<HubModel> all = [] {
        std::vector<HubModel> models;
        const auto json = nlohmann::json::parse(embedded(assets(), "hub/models.json").text());
        for (const auto& row : json.at("models")) {
            const std::string purpose = row.at("for");
            const bool names_classes = purpose != "features" && purpose != "texts";
            models.push_back({row.at("model"), purpose, row.at("licence"), names_classes, row.at("million_weights"),
                              row.at("megabytes")});
        }
        return models;
    }();
    return all;
}

}  // namespace vitrine
