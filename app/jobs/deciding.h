#pragma once

#include <functional>
#include <memory>

#include "app/jobs/latest.h"
#include "app/workspace/result.h"
#include "core/training/confidence.h"

namespace vitrine {

/// Which head decides a run, and of which run that was said.
struct Decided {
    std::shared_ptr<const Result> of;
    DecisiveHead head;
};

/// The job that finds the head that matters most, for what a lesson names by its role; of each workspace the newest
/// run.
class Deciding : public Latest<std::shared_ptr<const Result>, Decided> {
public:
    /// `on_change` is called from the job's thread whenever `latest` would tell something new.
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
