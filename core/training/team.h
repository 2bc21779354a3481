#pragma once

#include <barrier>
#include <functional>
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

    /// work(member) for members 0 … size − 1 at once; returns when all are done. `work` must not throw.
    void run(const std::function<void(int member)>& work);

    /// Inside `run`: waits until every member has come here.
    void meet() { together_.arrive_and_wait(); }

private:
    void serve(int member, int niceness);

    std::barrier<> begin_, together_;
    const std::function<void(int)>* work_ = nullptr;
    bool over_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace vitrine
