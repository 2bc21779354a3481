#include "app/jobs/thumbnails.h"

#include <utility>

namespace vitrine {

namespace {

constexpr int edge = 256;
constexpr std::uintmax_t largest_file = 64 << 20;  // a thumbnail is not worth the time of more

void make_thumbnail(Latest<ThumbnailRequest, Image>::Run& run) {
    const auto& [file, make] = run.request();
    std::error_code unreachable;
    if (make)
        run.publish(std::make_shared<Image>(shrink_to_fit(make(), edge)));
    else if (std::filesystem::file_size(file, unreachable) <= largest_file && !unreachable)
        run.publish(std::make_shared<Image>(shrink_to_fit(load_image(file, run.progress()), edge)));
}

}  // namespace

Thumbnails::Thumbnails() : job_(make_thumbnail) {}

std::shared_ptr<const Image> Thumbnails::of(const std::filesystem::path& file) {
    return find_or_ask(file.string(), {file, {}});
}

std::shared_ptr<const Image> Thumbnails::of(const std::string& name, std::function<Image()> make) {
    return find_or_ask(name, {{}, std::move(make)});
}

bool Thumbnails::busy() const { return job_.busy(); }

void Thumbnails::wait() const { job_.wait(); }

std::shared_ptr<const Image> Thumbnails::find_or_ask(const std::string& name, const ThumbnailRequest& request) {
    const auto [place, is_new] = numbers_.try_emplace(name, static_cast<int>(numbers_.size()));
    const int number = place->second;
    if (!is_new) return job_.latest(number).result;  // of what is no picture there is none: the browser shows the name
    job_.request(number, request, {.priority = number, .running = Overtaken::finishes});
    return nullptr;
}

}  // namespace vitrine
