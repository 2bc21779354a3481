#pragma once

#include <functional>
#include <memory>

#include "app/jobs/latest.h"
#include "app/workspace/text_request.h"

namespace vitrine {

struct TextMeasured;

/// Computes the result for a text, without window and thread: opens the model, decodes, and finds special heads. Throws
/// Error.
std::shared_ptr<const TextResult> run_request(const TextRequest& request, const Progress& progress = {});

/// A copy of a result with its measures; `of` itself if it has measures, or no words.
std::shared_ptr<const TextResult> with_measures(const std::shared_ptr<const TextResult>& of,
                                                const Progress& progress = {});

/// The job that runs texts: the newest request of each workspace.
class TextRunning : public Latest<TextRequest, TextResult> {
public:
    /// `on_change` is called from the job's thread whenever `latest` would return something new.
    explicit TextRunning(std::function<void()> on_change = {});

    /// The newest result of a client, as its workspace shows it.
    TextShown shown(int client) const;
};

/// A run to be measured.
struct TextMeasureRequest {
    std::shared_ptr<const TextResult> of;

    bool operator==(const TextMeasureRequest&) const = default;
};

/// The job that measures texts for the laboratory: the newest run of each workspace.
class TextMeasuring : public Latest<TextMeasureRequest, TextMeasured> {
public:
    explicit TextMeasuring(std::function<void()> on_change = {});
};

}  // namespace vitrine
