#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>

#include "app/hub/hub_settings.h"
#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;
struct HubListing;

/// The dialog "Get a model": models of the hub, from a list or by name. A click asks the hub, another one fetches.
class GetModel {
public:
    void draw(const Frame& frame, const AppContext& context);

private:
    /// Opens a model that is in the cache, or asks the hub about it.
    void choose(const Frame& frame, const AppContext& context, const std::string& words);
    void field(const Frame& frame, const AppContext& context);
    void list(const Frame& frame, const AppContext& context);
    /// The last question to the hub and its answer; before the first, a hint for machines without a network.
    void answer(const Frame& frame, const AppContext& context);
    void offer(const Frame& frame, const AppContext& context, const HubListing& listing);
    void without_network(const Frame& frame, const std::string& model, const std::string& files) const;

    HubSettings settings_;
    std::map<std::string, std::filesystem::path> here_;  // models of the list that are in the cache
    std::array<char, 200> typed_ = {};
    std::string asked_;  // name of the model that was asked for last
    int drawn_at_ = -2;  // ImGui's frame of the last drawing; after a gap the dialog has opened, and reads the cache
    int turns_ = 0;      // number of requests, so that no two are equal
    float pitch_ = 0;    // height of a row of the list in the last frame
};

/// Reports a fetch that ended while the dialog was closed, once; does not open the model.
void take_fetched(AppContext& context);

}  // namespace vitrine
