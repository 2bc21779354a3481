#pragma once

#include <functional>
#include <memory>

#include "app/jobs/latest.h"
#include "app/workspace/text_request.h"

namespace vitrine {

/// Computes the result for a text, without window and thread: opens the model, decodes, and finds special heads. Throws
/// Error.
std::shared_ptr<const TextResult> run_request(const TextRequest& request, const Progress& progress = {});

/// The job that runs texts, the newest request of each workspace.
class TextRunning : public Latest<TextRequest, TextResult> {
public:
    /// `on_change` is called from the job's thread whenever `latest` would return something new.
    explicit TextRunning(std::function<void()> on_change = {});

    /// The newest result of a client, as its workspace shows it.
    TextShown shown(int client) const;
};

}  // namespace vitrine
