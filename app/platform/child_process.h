#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vitrine {

/// This very program as a command in another process, so that a long job with its own screen leaves the window alone.
class ChildProcess {
public:
    static constexpr const char* this_program = "/proc/self/exe";

    /// Starts `program` with these arguments; the last word on its stderr is kept.
    explicit ChildProcess(const std::vector<std::string>& arguments, const std::string& program = this_program);
    ~ChildProcess();  // a child that still runs is ended
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    struct End {
        int status = 0;     // exit status; 1 where it could not be started or was killed
        std::string words;  // what it wrote to stderr
    };
    /// Its end, once it is there; does not wait.
    std::optional<End> poll();

private:
    int pid_ = -1;
    int pipe_ = -1;
    std::string words_;
};

}  // namespace vitrine
