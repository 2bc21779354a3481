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

    /// One is to start once the files that it reads are there: ends one that runs, and gives a folder for them, which
    /// goes with the export. Throws Error.
    std::shared_ptr<const ScratchFolder> prepare();
    /// Whether the one of that folder is still to start.
    bool prepares(const std::shared_ptr<const ScratchFolder>& folder) const { return !child_ && scratch_ == folder; }
    /// Starts this program with these words; `result` is the file or folder that they make. One that runs is ended.
    void start(const std::vector<std::string>& words, const std::filesystem::path& result);
    bool running() const { return child_ != nullptr; }
    /// Ends it, or what is prepared, and takes away what is half written.
    void cancel();

    struct End {
        std::filesystem::path result;
        bool done = false;
        std::string words;  // why not
    };
    /// Its end, once; does not wait.
    std::optional<End> poll();

    /// A file that goes with the export. Throws Error.
    std::filesystem::path scratch(const std::string& name);

    /// The program that is started; a test is not the program itself.
    void set_program(const std::string& program) { program_ = program; }

private:
    std::string program_ = ChildProcess::this_program;
    std::unique_ptr<ChildProcess> child_;
    std::shared_ptr<const ScratchFolder> scratch_;  // whoever still writes there holds it, too
    std::filesystem::path result_;
};

}  // namespace vitrine
