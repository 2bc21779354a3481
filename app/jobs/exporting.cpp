#include "app/jobs/exporting.h"

#include "core/base/output_file.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// What a process that was stopped has left half written.
void remove_parts(const fs::path& wanted) {
    remove_parts_of(wanted);
    remove_parts_in(wanted);  // where it is a folder
}

}  // namespace

fs::path Exporting::scratch(const std::string& name) {
    if (!scratch_) scratch_ = std::make_shared<const ScratchFolder>();
    return *scratch_ / name;
}

std::shared_ptr<const ScratchFolder> Exporting::prepare() {
    cancel();
    return scratch_ = std::make_shared<const ScratchFolder>();
}

void Exporting::start(const std::vector<std::string>& words, const fs::path& result) {
    if (child_) {
        child_.reset();
        remove_parts(result_);
    }
    child_ = std::make_unique<ChildProcess>(ChildProcess::Command{words, program_});
    result_ = result;
}

void Exporting::cancel() {
    const bool ran = child_ != nullptr;
    child_.reset();
    scratch_.reset();
    if (ran) remove_parts(result_);
}

std::optional<Exporting::End> Exporting::poll() {
    if (!child_) return std::nullopt;
    const auto end = child_->poll();
    if (!end) return std::nullopt;
    child_.reset();
    scratch_.reset();
    return End{result_, end->status == 0, end->words};
}

}  // namespace vitrine
