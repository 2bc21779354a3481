#pragma once

#include <functional>
#include <string>

#include "app/jobs/latest.h"
#include "app/workspace/measured.h"

namespace vitrine {

/// What is to be measured: a run, and what of it is looked at.
struct MeasureRequest {
    std::shared_ptr<const Result> of;
    Laboratory lab;

    bool operator==(const MeasureRequest&) const = default;
};

/// The job that measures what the laboratory shows, of each workspace the newest request; what was measured of the
/// same run is kept.
class Measuring {
public:
    /// `on_change` is called from the job's thread whenever `latest` would tell something new.
    explicit Measuring(std::function<void()> on_change = {});

    /// Asks for what an instrument needs; asking again for the same changes nothing. A request without a run forgets.
    void request(int workspace, const MeasureRequest& request, Asking asking = {});
    /// Stops what runs; what is done so far stays, and the same is not begun anew until `again`.
    void cancel(int workspace);
    /// Stops, and takes the next request whatever it is.
    void again(int workspace);
    /// Stops and lets go of the run and of all that was measured of it.
    void forget(int workspace);
    /// Why the last request could not be measured, once; empty where it could.
    std::string take_failure(int workspace);

    struct State {
        std::shared_ptr<const Measured> measured;  // none before the first request
        bool running = false;                      // or asked for and not yet taken up
        double fraction = 0, seconds = 0;
    };
    /// The one place where the threads meet; once per frame.
    State latest(int workspace) const;

    /// Waits until nothing is asked for or running (commands and tests).
    void wait() const;

private:
    Latest<MeasureRequest, Measured> job_;
};

}  // namespace vitrine
