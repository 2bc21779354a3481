#include "app/platform/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

extern char** environ;

namespace vitrine {

namespace {

/// Null-terminated pointers to the words as the system expects them; valid as long as the words.
std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// This process's environment with some variables set.
std::vector<std::string> environment_with(const std::vector<std::string>& set) {
    const auto name = [](const std::string& variable) { return variable.substr(0, variable.find('=') + 1); };
    std::vector<std::string> all = set;
    for (char** own = environ; *own != nullptr; ++own)
        if (std::none_of(set.begin(), set.end(), [&](const std::string& s) { return name(s) == name(*own); }))
            all.emplace_back(*own);
    return all;
}

}  // namespace

ChildProcess::ChildProcess(const Command& command) {
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    std::vector<std::string> words = {command.program};
    words.insert(words.end(), command.arguments.begin(), command.arguments.end());
    std::vector<std::string> environment = environment_with(command.environment);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    const bool output = command.kept == Kept::output;
    posix_spawn_file_actions_adddup2(&actions, ends[1], output ? STDOUT_FILENO : STDERR_FILENO);
    if (output) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&pid_, command.program.c_str(), &actions, nullptr, pointers_to(words).data(),
                    pointers_to(environment).data()) != 0)
        pid_ = -1;
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

void ChildProcess::read_all() {
    char buffer[512];
    for (ssize_t n = 0; (n = read(pipe_, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR);)
        if (n > 0) words_.append(buffer, static_cast<std::size_t>(n));
}

/// Reads the rest of the output and returns how the child ended; `status` is waitpid's.
ChildProcess::End ChildProcess::ended(int status) {
    pid_ = -1;
    read_all();
    while (!words_.empty() && words_.back() == '\n') words_.pop_back();
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1, words_};
}

std::optional<ChildProcess::End> ChildProcess::poll() {
    if (pid_ <= 0) return End{1, words_};
    read_all();
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
    return ended(status);
}

ChildProcess::End ChildProcess::wait() {
    if (pid_ <= 0) return {1, words_};
    fcntl(pipe_, F_SETFL, 0);
    read_all();  // until the child closes its end
    fcntl(pipe_, F_SETFL, O_NONBLOCK);
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) continue;
    return ended(status);
}

bool open_in_browser(const std::string& address) {
    static pid_t before = -1;
    if (before > 0) waitpid(before, nullptr, WNOHANG);
    std::vector<std::string> words = {"xdg-open", address};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int end : {STDOUT_FILENO, STDERR_FILENO})
        posix_spawn_file_actions_addopen(&actions, end, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    const bool started =
        posix_spawnp(&before, "xdg-open", &actions, &attributes, pointers_to(words).data(), environ) == 0;
    if (!started) before = -1;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return started;
}

}  // namespace vitrine
