#include "app/jobs/writer.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/base/error.h"
#include "core/base/output_file.h"

namespace vitrine {

namespace {

void write_file(const std::filesystem::path& file, const std::string& content) {
    std::error_code ignored;  // opening the file reports the error
    std::filesystem::create_directories(file.parent_path(), ignored);
    replace_file(file, content, OutputFile::Readers::owner);  // in the settings folder
}

}  // namespace

Writer::Writer(std::chrono::milliseconds pause, std::function<void()> failed)
    : pause_(pause), failed_(std::move(failed)), thread_([this] { run(); }) {}

Writer::~Writer() {
    {
        const std::lock_guard lock(mutex_);
        quit_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Writer::write(const std::filesystem::path& file, std::string content) {
    write(file, [file, content = std::move(content)] { write_file(file, content); });
}

void Writer::write(const std::filesystem::path& file, std::function<void()> job) {
    {
        const std::lock_guard lock(mutex_);
        rows_[file].job = std::move(job);
    }
    changed_.notify_all();
}

bool Writer::idle() const {
    return writing_.empty() &&
           std::none_of(rows_.begin(), rows_.end(), [](const auto& row) { return bool(row.second.job); });
}

void Writer::finish() {
    std::unique_lock lock(mutex_);
    ++hurried_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return idle(); });
    --hurried_;
}

void Writer::forget(const std::filesystem::path& file) {
    std::unique_lock lock(mutex_);
    if (const auto row = rows_.find(file); row != rows_.end()) row->second.job = nullptr;
    changed_.notify_all();
    changed_.wait(lock, [&] { return writing_ != file; });
}

std::string Writer::take_failure() {
    const std::lock_guard lock(mutex_);
    return std::exchange(failure_, {});
}

/// The waiting file that may be written next; the end if there is none.
std::map<std::filesystem::path, Writer::Row>::iterator Writer::next() {
    auto first = rows_.end();
    for (auto row = rows_.begin(); row != rows_.end(); ++row)
        if (row->second.job && (first == rows_.end() || row->second.earliest < first->second.earliest)) first = row;
    return first;
}

/// Runs a job; returns its error as a sentence, empty if there is none.
std::string Writer::carry_out(const std::function<void()>& job, const std::filesystem::path& file) const {
    try {
        job();
        return {};
    } catch (const Error& error) {
        return error.what();
    } catch (const std::exception& error) {
        return file.string() + ": cannot be written (" + error.what() + "); choose another place";
    } catch (...) {
        return file.string() + ": cannot be written; choose another place";
    }
}

void Writer::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        const auto row = next();
        const bool hurry = quit_ || hurried_ > 0;
        if (row == rows_.end()) {
            if (quit_) return;
            changed_.wait(lock);
            continue;
        }
        if (!hurry && Clock::now() < row->second.earliest) {
            changed_.wait_until(lock, row->second.earliest);
            continue;
        }
        std::function<void()> job = std::exchange(row->second.job, {});
        writing_ = row->first;
        lock.unlock();
        const std::string failure = carry_out(job, row->first);
        job = nullptr;
        lock.lock();
        const bool is_news = !failure.empty() && !row->second.failed;
        row->second.failed = !failure.empty();
        if (is_news) failure_ = failure;
        if (is_news && failed_) {
            lock.unlock();
            failed_();
            lock.lock();
        }
        row->second.earliest = Clock::now() + pause_;
        writing_.clear();
        changed_.notify_all();
    }
}

}  // namespace vitrine
