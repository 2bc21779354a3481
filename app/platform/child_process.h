#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vitrine {

/// Another program in a process of its own.
class ChildProcess {
public:
    /// The kept output of the child; its stderr is discarded if its stdout is kept.
    enum class Kept { errors, output };

    struct Command {
        std::vector<std::string> arguments;
        std::string program;                        // a path
        std::vector<std::string> environment = {};  // "NAME=VALUE" each, beside this process's own
        Kept kept = Kept::errors;
    };
    /// Starts it.
    explicit ChildProcess(const Command& command);
    ~ChildProcess();  // a child that still runs is ended
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    struct End {
        int status = 0;     // exit status; 1 if it could not be started or was killed
        std::string words;  // the kept output, without the last newline
    };
    /// Its end, once it is there; does not wait.
    std::optional<End> poll();
    /// Its end; waits for it.
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
