#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/jobs/latest.h"
#include "app/workspace/text_request.h"

namespace vitrine {

/// What a text gives, without a window and without a thread: opens the model, decodes, looks for what heads do.
/// Throws Error.
std::shared_ptr<const TextResult> run_request(const TextRequest& request, const Progress& progress = {});

/// The job that reads texts; of each workspace the newest request.
class TextRunning {
public:
    /// `on_change` is called from the job's thread whenever `latest` would tell something new.
    explicit TextRunning(std::function<void()> on_change = {});

    /// Asks; asking again for the same changes nothing.
    void request(int workspace, const TextRequest& request) { job_.request(workspace, request); }
    void forget(int workspace) { job_.forget(workspace); }
    /// Why the last request came to nothing, once; empty where it did not.
    std::string take_failure(int workspace);
    /// The one place where the threads meet; once per frame.
    TextShown latest(int workspace) const;
    void wait() const { job_.wait(); }

private:
    Latest<TextRequest, TextResult> job_;
};

}  // namespace vitrine
