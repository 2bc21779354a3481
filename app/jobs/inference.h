#pragma once

#include <functional>
#include <map>
#include <memory>

#include "app/jobs/latest.h"
#include "app/workspace/result.h"

namespace vitrine {

/// An experiment, and what is wanted beside its run.
struct InferenceRequest : Experiment {
    Beside beside;

    bool operator==(const InferenceRequest&) const = default;
};

/// The job that carries out experiments, of each workspace the newest one.
///
/// A request shares all that it can with the results that the workspaces have: the model, the image, the baseline, the
/// blocks before the first what-if.
class Inference : public Job {
public:
    /// `on_change` is called from the job's thread whenever `latest` would tell something new.
    explicit Inference(std::function<void()> on_change = {});

    /// Asks for an experiment; the one that the workspace asked for last is not asked for again, unless more of what
    /// lies beside it is wanted now.
    void request(int workspace, const Experiment& experiment, Asking asking = {}, const Beside& beside = {});

    /// A workspace has this result already, as if that had been asked for and were done.
    void give(int workspace, std::shared_ptr<const Result> result);

    /// Stops what runs for a workspace; its last result stays, as if that had been asked for.
    void cancel(int workspace);

    /// Stops it and lets go of its result: the workspace is closed.
    void forget(int workspace) override;

    /// The one place where the threads meet; once per frame.
    Snapshot latest(int workspace) const;

    bool busy() const override { return job_.busy(); }
    void wait() const override { job_.wait(); }

private:
    std::map<int, InferenceRequest> asked_;  // by their workspaces
    Latest<InferenceRequest, Result, Failure> job_;
};

}  // namespace vitrine
