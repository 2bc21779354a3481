#pragma once

#include <functional>
#include <memory>

#include "app/jobs/latest.h"
#include "app/workspace/result.h"
#include "core/training/confidence.h"

namespace vitrine {

/// The most decisive head of a run.
struct Decided {
    std::shared_ptr<const Result> of;
    DecisiveHead head;
};

/// The job that finds the most decisive head, for roles in lessons; handles the newest run of each workspace.
class Deciding : public Latest<std::shared_ptr<const Result>, Decided> {
public:
    /// `on_change` is called from the job's thread whenever `latest` would return something new.
    explicit Deciding(std::function<void()> on_change = {})
        : Latest(
              [](Run& run) {
                  const std::shared_ptr<const Result>& of = run.request();
                  run.publish(std::make_shared<const Decided>(
                      Decided{of, decisive_head(*of->model, of->baseline, run.progress())}));
              },
              std::move(on_change)) {}
};

}  // namespace vitrine
