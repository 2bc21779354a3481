#pragma once

#include <atomic>
#include <barrier>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace vitrine {

/// Threads that do the same thing together, each on its share, again and again; the caller is one of them. Products
/// inside a member run on that member's thread alone.
class Team {
public:
    /// `niceness` is what Linux adds to the members' own, so that a window stays quick.
    explicit Team(int members, int niceness = 0);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    int size() const { return static_cast<int>(threads_.size()) + 1; }

    /// work(member) for members 0 … size − 1 at once; returns when all are done. Throws what the first member threw
    /// that failed; the others stop where they meet next.
    void run(const std::function<void(int member)>& work);

    /// Inside `run`: waits until every member has come here.
    void meet();

private:
    struct Left {};  // thrown where a member meets a team that one has left
    void serve(int member, int niceness);
    void take_part(int member);

    std::barrier<> begin_, end_;
    std::optional<std::barrier<>> meeting_;  // who fails leaves it, so that nobody waits for them
    const std::function<void(int)>* work_ = nullptr;
    std::mutex mutex_;
    std::exception_ptr failure_;  // of this run
    std::atomic<bool> failed_ = false;
    bool over_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace vitrine
