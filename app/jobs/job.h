#pragma once

namespace vitrine {

/// Work beside the window, on a thread of its own: what the registry of jobs asks of each.
class Job {
public:
    virtual ~Job() = default;

    /// A workspace is closed: nothing more is done for it, nothing of it is kept. Of a job that serves no workspaces
    /// nothing.
    virtual void forget(int /*workspace*/) {}
    /// Whether anything is requested and not done.
    virtual bool busy() const = 0;
    /// Waits until nothing is (commands and tests).
    virtual void wait() const = 0;
};

}  // namespace vitrine
