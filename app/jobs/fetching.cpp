#include "app/jobs/fetching.h"

#include <utility>

#include "core/base/clock.h"

namespace vitrine {

namespace {

void carry_out_fetch(Fetching::Run& run) {
    const FetchRequest& request = run.request();
    const Progress progress = run.progress();
    Fetched state{request.listing.value_or(HubListing{request.name, "", {}, 0, 0}), {}, {}};
    constexpr double rarely = 0.1;  // seconds between two reports of progress
    Clock::time_point told = Clock::now();
    const HubProgress report = [&](const HubReport& now) {
        const auto total = static_cast<double>(now.total);
        progress(total > 0 ? static_cast<double>(now.done) / total : 0);  // may throw Cancelled
        if (!request.listing || seconds_since(told) < rarely) return;
        told = Clock::now();
        state.report = now;
        run.publish(std::make_shared<const Fetched>(state));
    };
    if (request.listing)
        state.folder = fetch_from_hub(*request.listing, report);
    else
        state.listing = ask_hub(request.name, report);
    run.publish(std::make_shared<const Fetched>(std::move(state)));
}

}  // namespace

Fetching::Fetching(std::function<void()> on_change)
    : Latest(carry_out_fetch, std::move(on_change), ThreadPriority::low) {}

}  // namespace vitrine
