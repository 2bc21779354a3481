#include "app/jobs/exporting.h"

#include <unistd.h>

#include <atomic>

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// What a process that was stopped has left half written.
void remove_parts(const fs::path& wanted) {
    std::error_code error;
    fs::remove(wanted.string() + ".part", error);
    std::vector<fs::path> parts;
    for (const auto& entry : fs::directory_iterator(wanted, error))
        if (entry.path().extension() == ".part") parts.push_back(entry.path());
    for (const fs::path& part : parts) fs::remove(part, error);
}

}  // namespace

fs::path Exporting::scratch(const std::string& name) {
    static std::atomic<int> count = 0;
    std::error_code ignored;
    if (scratch_.empty())
        scratch_ = fs::temp_directory_path(ignored) /
                   ("vitrine-" + std::to_string(getpid()) + "-" + std::to_string(++count));
    fs::create_directories(scratch_, ignored);
    return scratch_ / name;
}

void Exporting::remove_scratch() {
    std::error_code ignored;
    if (!scratch_.empty()) fs::remove_all(scratch_, ignored);
}

void Exporting::start(const std::vector<std::string>& words, const fs::path& result) {
    child_ = std::make_unique<ChildProcess>(words, program_);
    result_ = result;
}

void Exporting::cancel() {
    if (!child_) return;
    child_.reset();
    remove_scratch();
    remove_parts(result_);
}

std::optional<Exporting::End> Exporting::poll() {
    if (!child_) return std::nullopt;
    const auto end = child_->poll();
    if (!end) return std::nullopt;
    child_.reset();
    remove_scratch();
    return End{result_, end->status == 0, end->words};
}

}  // namespace vitrine
