#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/jobs/latest.h"

namespace vitrine {

/// Saves files on a thread of its own, so that the window never waits for a disk; in the order of the requests, without
/// skipping any. Pending writes are completed when the job is destroyed.
class Saving : public Job {
public:
    /// Called on the job's thread; writes and returns the file; may throw.
    using Write = std::function<std::filesystem::path()>;
    /// Called after success, on the requesting thread.
    using Then = std::function<void(const std::filesystem::path& file)>;
    /// Called after failure.
    using Otherwise = std::function<void()>;

    /// `on_change` is called from the job's thread after each write, successful or not.
    explicit Saving(std::function<void()> on_change = {});
    ~Saving() override { wait(); }
    Saving(const Saving&) = delete;
    Saving& operator=(const Saving&) = delete;

    void save(Write write, Then then, Otherwise otherwise = {});
    /// Calls `then` or `otherwise` of finished writes, in order; returns a sentence for each failed write, and for each
    /// of these functions that throws.
    std::vector<std::string> take_ends();
    /// True if a write is pending, or waits for `take_ends`.
    bool pending() const { return !asked_.empty(); }
    bool busy() const override { return job_.busy(); }
    /// Returns when no write is pending.
    void wait() const override { job_.wait(); }

private:
    struct Request {
        int number = 0;
        Write write;

        bool operator==(const Request& other) const { return number == other.number; }
    };

    struct Asked {
        Then then;
        Otherwise otherwise;
    };

    std::map<int, Asked> asked_;  // by number, which is the client in the job
    int number_ = 0;
    Latest<Request, std::filesystem::path> job_;
};

}  // namespace vitrine
