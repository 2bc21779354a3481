#pragma once

#include <functional>
#include <memory>

#include "app/jobs/latest.h"
#include "app/workspace/measured.h"

namespace vitrine {

/// A request to measure: a run, and the state of the laboratory.
struct MeasureRequest {
    std::shared_ptr<const Result> of;
    Laboratory lab;
    std::shared_ptr<const Result> beside =
        {};  // the other of two runs side by side, if patching puts its numbers into this one

    bool operator==(const MeasureRequest&) const = default;
};

/// The job that measures for the laboratory: the newest request of each workspace; keeps measurements of the same run.
class Measuring : public Latest<MeasureRequest, Measured> {
public:
    /// `on_change` is called from the job's thread whenever `latest` would return something new.
    explicit Measuring(std::function<void()> on_change = {});

    /// Requests the measurements of an instrument; does nothing if unchanged. A request without a run drops everything.
    void request(int workspace, const MeasureRequest& request, Asking asking = {});
    /// Stops, so that any next request is started, even the same one; after `cancel` alone, the same one is not.
    void again(int workspace) { cancel(workspace, nullptr); }
};

}  // namespace vitrine
