#include "app/platform/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

extern char** environ;

namespace vitrine {

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, const std::string& program) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return;
    std::vector<std::string> words = {"vitrine"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    if (posix_spawn(&pid_, program.c_str(), &actions, nullptr, pointers.data(), environ) != 0) pid_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    pipe_ = ends[0];
}

ChildProcess::~ChildProcess() {
    if (pid_ > 0) {
        kill(pid_, SIGTERM);
        waitpid(pid_, nullptr, 0);
    }
    if (pipe_ >= 0) close(pipe_);
}

std::optional<ChildProcess::End> ChildProcess::poll() {
    if (pid_ <= 0) return End{1, words_};
    const auto read_all = [&] {
        char buffer[512];
        for (ssize_t n = 0; (n = read(pipe_, buffer, sizeof buffer)) > 0;)
            words_.append(buffer, static_cast<std::size_t>(n));
    };
    read_all();
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
    pid_ = -1;
    read_all();
    while (!words_.empty() && words_.back() == '\n') words_.pop_back();
    return End{WIFEXITED(status) ? WEXITSTATUS(status) : 1, words_};
}

}  // namespace vitrine
