#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "app/jobs/latest.h"
#include "app/workspace/result.h"

namespace vitrine {

/// An experiment, the extra results requested with it, the memory that it may take, and the colours of image files.
struct InferenceRequest : Experiment {
    ExtraResults beside;
    std::string memory = "automatic";  // for the runs, as in the settings
    Colours colours = {};
    std::string texts = {};  // to compare with the image, one a line as typed; "": none

    bool operator==(const InferenceRequest&) const = default;
};

/// The job that carries out experiments: the newest request of each workspace.
///
/// A request shares as much as possible with the workspaces' results: the model, the image, the baseline, the blocks
/// before the first what-if.
class Inference : public Job {
public:
    /// `on_change` is called from the job's thread whenever `latest` would return something new.
    explicit Inference(std::function<void()> on_change = {});

    /// Requests an experiment; does nothing if it is the workspace's last request, unless more extra results are
    /// wanted.
    void request(int workspace, const Experiment& experiment, Asking asking = {}, const ExtraResults& beside = {});

    /// Sets the memory for runs of all later requests, in the settings' words.
    void keep_within(const std::string& memory) { memory_ = memory; }

    /// Sets the colours in which the models of all later requests are given image files.
    void give_colours(Colours colours) { colours_ = colours; }

    /// Sets the texts, one a line, that later requests with `ExtraResults::words` compare with the workspace's image.
    void compare_with(int workspace, const std::string& texts) { texts_[workspace] = texts; }

    /// Sets a workspace's result, as if it had been requested and computed.
    void give(int workspace, std::shared_ptr<const Result> result);

    /// Stops a workspace's run; keeps its last result, as if that had been requested.
    void cancel(int workspace);

    /// Stops the run and drops the result of a closed workspace.
    void forget(int workspace) override;

    /// The newest result, failure and progress of a workspace; the only exchange between the threads, once per frame.
    Snapshot latest(int workspace) const;

    bool busy() const override { return job_.busy(); }
    void wait() const override { job_.wait(); }

private:
    std::map<int, InferenceRequest> asked_;  // by workspace
    std::string memory_ = "automatic";
    Colours colours_ = {};
    std::map<int, std::string> texts_;  // by workspace
    Latest<InferenceRequest, Result, Failure> job_;
};

}  // namespace vitrine
