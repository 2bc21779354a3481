#include "app/jobs/thumbnails.h"

#include <algorithm>
#include <utility>

namespace vitrine {

namespace {

constexpr int edge = 256;
constexpr std::uintmax_t largest_file = 64 << 20;  // larger ones would take too long

void make_thumbnail(Latest<ThumbnailRequest, Image>::Run& run) {
    const auto& [file, stamp, make] = run.request();
    std::error_code unreachable;
    if (make)
        run.publish(std::make_shared<Image>(shrink_to_fit(make(), edge)));
    else if (std::filesystem::file_size(file, unreachable) <= largest_file && !unreachable)
        run.publish(std::make_shared<Image>(load_small(file, edge, run.progress())));
}

}  // namespace

Thumbnails::Thumbnails(std::function<void()> wake) : job_(make_thumbnail, std::move(wake)) {}

std::shared_ptr<const Image> Thumbnails::of(const std::filesystem::path& file) {
    return find_or_ask(file.string(), {});
}

std::shared_ptr<const Image> Thumbnails::of(const std::string& name, std::function<Image()> make) {
    return find_or_ask(name, std::move(make));
}

void Thumbnails::look_again() {
    for (auto& [name, row] : rows_) {
        if (row.request.make) continue;
        const FileStamp now = stamp_of(name);
        if (now == row.request.stamp) continue;
        row.request.stamp = now;
        job_.forget(row.number);
        ask(row);
    }
}

std::shared_ptr<const Image> Thumbnails::find_or_ask(const std::string& name, std::function<Image()> make) {
    const auto [place, is_new] = rows_.try_emplace(name);
    Row& row = place->second;
    row.wanted = ++wishes_;
    if (!is_new) return job_.latest(row.number).result;  // null if the file is not a picture
    row.number = ++numbers_;
    row.request = {name, make ? FileStamp() : stamp_of(name), std::move(make)};
    ask(row);
    if (rows_.size() > most_kept) evict_oldest();
    return nullptr;
}

void Thumbnails::ask(Row& row) {
    job_.request(row.number, row.request, {.priority = row.number, .running = Overtaken::finishes});
}

void Thumbnails::evict_oldest() {
    const auto oldest = std::ranges::min_element(rows_, {}, [](const auto& row) { return row.second.wanted; });
    job_.forget(oldest->second.number);
    rows_.erase(oldest);
}

}  // namespace vitrine
