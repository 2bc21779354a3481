#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/platform/child_process.h"
#include "app/platform/scratch_folder.h"

namespace vitrine {

/// One export at a time in a process of its own, which draws and computes without keeping the window waiting.
class Exporting {
public:
    Exporting() = default;
    ~Exporting() { cancel(); }
    Exporting(const Exporting&) = delete;
    Exporting& operator=(const Exporting&) = delete;

    /// Starts this program with these words; `result` is the file or folder that they make. One that runs is ended.
    void start(const std::vector<std::string>& words, const std::filesystem::path& result);
    bool running() const { return child_ != nullptr; }
    /// Ends it and takes away what is half written.
    void cancel();

    struct End {
        std::filesystem::path result;
        bool done = false;
        std::string words;  // why not
    };
    /// Its end, once; does not wait.
    std::optional<End> poll();

    /// A file or folder for what the other process reads; gone when the export has ended. Throws Error.
    std::filesystem::path scratch(const std::string& name);

    /// The program that is started; a test is not the program itself.
    void set_program(const std::string& program) { program_ = program; }

private:
    std::string program_ = ChildProcess::this_program;
    std::unique_ptr<ChildProcess> child_;
    std::unique_ptr<ScratchFolder> scratch_;
    std::filesystem::path result_;
};

}  // namespace vitrine
