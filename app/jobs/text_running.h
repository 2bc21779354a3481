#pragma once

#include <functional>
#include <memory>

#include "app/jobs/latest.h"
#include "app/workspace/text_request.h"

namespace vitrine {

/// What a text gives, without a window and without a thread: opens the model, decodes, looks for what heads do.
/// Throws Error.
std::shared_ptr<const TextResult> run_request(const TextRequest& request, const Progress& progress = {});

/// The job that reads texts; of each workspace the newest request.
class TextRunning : public Latest<TextRequest, TextResult> {
public:
    /// `on_change` is called from the job's thread whenever `latest` would tell something new.
    explicit TextRunning(std::function<void()> on_change = {});
};

}  // namespace vitrine
