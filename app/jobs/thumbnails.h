#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/image.h"

namespace vitrine {

/// Small pictures of files, made on a thread of their own, the ones asked for last first.
class Thumbnails {
public:
    Thumbnails();
    ~Thumbnails();
    Thumbnails(const Thumbnails&) = delete;
    Thumbnails& operator=(const Thumbnails&) = delete;

    /// The thumbnail of a file, or nothing while it is being made or where the file is no picture.
    std::shared_ptr<const Image> of(const std::filesystem::path& file);

    /// The same for a picture that is made, not read, under a name of its own.
    std::shared_ptr<const Image> of(const std::string& name, std::function<Image()> make);

    /// Whether some are still being made.
    bool busy() const;

private:
    struct Job {
        std::string name;
        std::filesystem::path file;  // or
        std::function<Image()> make;
    };
    std::shared_ptr<const Image> find_or_ask(Job job);
    void run();

    mutable std::mutex mutex_;
    std::condition_variable asked_;
    std::vector<Job> jobs_;
    std::map<std::string, std::shared_ptr<const Image>> made_;  // asked for: null until made
    bool quit_ = false, working_ = false;
    std::thread thread_;
};

}  // namespace vitrine
