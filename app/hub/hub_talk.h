#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "app/hub/http.h"
#include "app/hub/hub_name.h"
#include "app/hub/hub_progress.h"
#include "app/hub/hub_settings.h"

namespace vitrine {

/// Address of a model's page on the hub.
std::string page_of(const HubName& name, const HubSettings& settings);

/// Makes requests to the hub about one model and repeats failed ones; throws Error with a remedy if they keep failing.
class HubTalk {
public:
    HubTalk(const HubName& name, const HubSettings& settings, const HubProgress& progress)
        : name_(name), settings_(settings), progress_(progress) {}

    HubReport report;

    void tell() {
        if (progress_) progress_(report);
    }

    /// Repeats a request until its answer is complete and successful. `begin` prepares each try; it returns false if
    /// none is needed.
    HttpAnswer insist(HttpRequest request, const std::function<bool(HttpRequest&)>& begin);

    /// Counts received bytes of a file.
    void arrived(std::size_t bytes);

private:
    /// Follows redirects. Token and login are sent to the endpoint's own host alone; a HEAD request does not leave that
    /// host, since the first answer has the headers that it needs.
    HttpAnswer follow(HttpRequest request);
    void wait_as_asked(const HttpAnswer& answer, int waits);
    void pause(std::chrono::milliseconds longest);
    [[noreturn]] void give_up(const HttpAnswer& answer) const;
    [[noreturn]] void refuse(const HttpAnswer& answer) const;

    const HubName& name_;
    const HubSettings& settings_;
    const HubProgress& progress_;
    bool arrived_ = false;
};

}  // namespace vitrine
