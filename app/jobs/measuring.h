#pragma once

#include <functional>
#include <memory>

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
class Measuring : public Latest<MeasureRequest, Measured> {
public:
    /// `on_change` is called from the job's thread whenever `latest` would tell something new.
    explicit Measuring(std::function<void()> on_change = {});

    /// Requests what an instrument needs; the same request changes nothing. One without a run forgets.
    void request(int workspace, const MeasureRequest& request, Asking asking = {});
    /// Stops, and takes the next request whatever it is. After `cancel` the same request is not begun again until this.
    void again(int workspace) { cancel(workspace, nullptr); }
};

}  // namespace vitrine
