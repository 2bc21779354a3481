#include "app/jobs/thumbnails.h"

#include "core/error.h"

namespace vitrine {

namespace {

constexpr int edge = 256;
constexpr std::uintmax_t largest_file = 64 << 20;  // a thumbnail is not worth the time of more

}  // namespace

Thumbnails::Thumbnails() : thread_([this] { run(); }) {}

Thumbnails::~Thumbnails() {
    {
        const std::lock_guard lock(mutex_);
        quit_ = true;
    }
    asked_.notify_all();
    thread_.join();
}

std::shared_ptr<const Image> Thumbnails::of(const std::filesystem::path& file) {
    return find_or_ask({file.string(), file, {}});
}

std::shared_ptr<const Image> Thumbnails::of(const std::string& name, std::function<Image()> make) {
    return find_or_ask({name, {}, std::move(make)});
}

bool Thumbnails::busy() const {
    const std::lock_guard lock(mutex_);
    return working_ || !jobs_.empty();
}

std::shared_ptr<const Image> Thumbnails::find_or_ask(Job job) {
    const std::lock_guard lock(mutex_);
    const auto [row, is_new] = made_.try_emplace(job.name);
    if (is_new) {
        jobs_.push_back(std::move(job));
        asked_.notify_one();
    }
    return row->second;
}

void Thumbnails::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        asked_.wait(lock, [&] { return quit_ || !jobs_.empty(); });
        if (quit_) return;
        const Job job = jobs_.back();
        jobs_.pop_back();
        working_ = true;
        lock.unlock();
        std::shared_ptr<const Image> small;
        const Progress stop = [this](double) {
            const std::lock_guard check(mutex_);
            if (quit_) throw Cancelled();
        };
        try {
            std::error_code error;
            if (job.make)
                small = std::make_shared<Image>(shrink_to_fit(job.make(), edge));
            else if (std::filesystem::file_size(job.file, error) <= largest_file && !error)
                small = std::make_shared<Image>(shrink_to_fit(load_image(job.file, stop), edge));
        } catch (const Error&) {
            // No picture: the browser shows the name alone.
        } catch (const Cancelled&) {
            // The app is closing.
        } catch (const std::bad_alloc&) {
            // Too large for a thumbnail.
        }
        lock.lock();
        made_[job.name] = small;
        working_ = false;
    }
}

}  // namespace vitrine
