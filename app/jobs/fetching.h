#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "app/hub/hub_fetch.h"
#include "app/jobs/latest.h"

namespace vitrine {

/// A model of the hub to ask about, or to fetch.
struct FetchRequest {
    HubName name;
    std::optional<HubListing> listing;  // files to fetch; none: asks the hub which there are
    int turn = 0;                       // a new value repeats the request after a failure

    bool operator==(const FetchRequest&) const = default;
};

/// The hub's answer, or the progress of a fetch.
struct Fetched {
    HubListing listing;
    HubReport report;
    std::filesystem::path folder;  // of the model, once it is in the cache; empty before
};

/// The job that asks the hub and fetches models; it has a single client, `only`. No command uses it, so playing a
/// recording makes no request.
class Fetching : public Latest<FetchRequest, Fetched> {
public:
    static constexpr int only = 0;

    /// `on_change` is called from the job's thread whenever `latest` would return something new.
    explicit Fetching(std::function<void()> on_change = {});
};

}  // namespace vitrine
