#pragma once

#include <functional>
#include <memory>

#include "app/jobs/latest.h"
#include "app/workspace/looked_at.h"

namespace vitrine {

/// The job that recomputes the blocks that a frame reads, if a memory budget does not keep them; it serves the newest
/// request of each workspace.
class Looking : public Latest<LookedAt, Looked> {
public:
    /// `on_change` is called from the job's thread whenever `latest` would return something new.
    explicit Looking(std::function<void()> on_change = {})
        : Latest(
              [](Run& run) {
                  const LookedAt& at = run.request();
                  run.publish(std::make_shared<const Looked>());  // releases the blocks of the last request
                  keep_weights(at.of->trace, at.weights, run.progress());
                  HeldBlocks blocks;
                  for (const int block : at.blocks)
                      for (const Trace* const trace : {&at.of->trace, &at.of->baseline}) {
                          report(run.progress(), 0);
                          blocks.push_back(trace->block(block));
                      }
                  run.publish(std::make_shared<const Looked>(Looked{at, std::move(blocks)}));
              },
              std::move(on_change)) {}
};

}  // namespace vitrine
