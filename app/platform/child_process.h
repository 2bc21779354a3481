#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vitrine {

/// Another program in a process of its own.
class ChildProcess {
public:
    /// Which output of the child is kept: its stderr, or its stdout, with stderr discarded.
    enum class Kept { errors, output };

    struct Command {
        std::vector<std::string> arguments;
        std::string program;                        // a path
        std::vector<std::string> environment = {};  // "NAME=VALUE" each, in addition to this process's own
        Kept kept = Kept::errors;
    };
    /// Starts the program.
    explicit ChildProcess(const Command& command);
    ~ChildProcess();  // a child that still runs is ended
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    struct End {
        int status = 0;     // exit status; 1 if it could not be started or was killed
        std::string words;  // the kept output, without the last newline
    };
    /// How the child ended; none while it runs. Does not wait.
    std::optional<End> poll();
    /// Waits for the child to end and returns how it ended.
    End wait();

private:
    void read_all();
    End ended(int status);

    int pid_ = -1;
    int pipe_ = -1;
    std::string words_;
};

/// Opens a URL in the desktop's browser, which outlives this process; false if there is none.
bool open_in_browser(const std::string& address);

}  // namespace vitrine
