#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/jobs/latest.h"

namespace vitrine {

/// Writes what a user saves, on a thread of its own, so that the window never waits for a disk; in the order in which
/// it is asked, nothing left out. What waits is written when the job goes.
class Saving : public Job {
public:
    /// Writes on the job's thread and says into which file; may throw.
    using Write = std::function<std::filesystem::path()>;
    /// What follows where it could be written, on the thread that asks.
    using Then = std::function<void(const std::filesystem::path& file)>;
    /// The same where it could not be.
    using Otherwise = std::function<void()>;

    /// `on_change` is called from the job's thread when something was written, or could not be.
    explicit Saving(std::function<void()> on_change = {});
    ~Saving() override { wait(); }
    Saving(const Saving&) = delete;
    Saving& operator=(const Saving&) = delete;

    void save(Write write, Then then, Otherwise otherwise = {});
    /// Carries out what follows on what was written since; a sentence for each that could not be, and for what throws.
    std::vector<std::string> take_ends();
    /// Whether something waits to be written, or for `take_ends`.
    bool pending() const { return !asked_.empty(); }
    bool busy() const override { return job_.busy(); }
    /// Returns when nothing waits to be written any more.
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

    std::map<int, Asked> asked_;  // by their numbers, which are the job's clients
    int number_ = 0;
    Latest<Request, std::filesystem::path> job_;
};

}  // namespace vitrine
