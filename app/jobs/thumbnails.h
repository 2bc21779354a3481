#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "app/jobs/latest.h"
#include "core/base/file_stamp.h"
#include "core/files/image.h"

namespace vitrine {

/// A picture to scale down.
struct ThumbnailRequest {
    std::string name;             // for a file its path
    FileStamp stamp;              // state of the file at the request; empty for a generated picture
    std::function<Image()> make;  // may throw; null for a file

    /// Pictures of the same name are equal as long as the file has not changed.
    bool operator==(const ThumbnailRequest& other) const { return name == other.name && stamp == other.stamp; }
};

/// The job that makes thumbnails of files, the latest requests first. Used only by the drawing thread. Beyond
/// `most_kept` it drops those unused for longest; they are made again on demand.
class Thumbnails : public Job {
public:
    static constexpr std::size_t most_kept = 600;  // about 100 MB, and more than fit on a screen

    explicit Thumbnails(std::function<void()> wake = {});

    /// The thumbnail of a file; null while it is being made, or if the file is not a picture.
    std::shared_ptr<const Image> of(const std::filesystem::path& file);

    /// The same for a generated picture with a name of its own.
    std::shared_ptr<const Image> of(const std::string& name, std::function<Image()> make);

    /// Checks which files have changed and makes their thumbnails again; for listing a folder again.
    void look_again();

    /// Number of thumbnails, finished or not.
    std::size_t held() const { return rows_.size(); }
    bool busy() const override { return job_.busy(); }
    void wait() const override { job_.wait(); }

private:
    struct Row {
        ThumbnailRequest request;
        int number = 0;            // of the job's client, ascending
        std::uint64_t wanted = 0;  // `wishes_` at the last use
    };

    std::shared_ptr<const Image> find_or_ask(const std::string& name, std::function<Image()> make);
    void ask(Row& row);
    void evict_oldest();

    std::map<std::string, Row> rows_;
    int numbers_ = 0;
    std::uint64_t wishes_ = 0;  // number of uses so far
    Latest<ThumbnailRequest, Image> job_;
};

}  // namespace vitrine
