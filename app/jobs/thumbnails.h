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

/// A picture to be made small.
struct ThumbnailRequest {
    std::string name;             // of a file its path
    FileStamp stamp;              // as the file was when it was asked for; of none of a picture that is made
    std::function<Image()> make;  // which may throw; null of a file

    /// Pictures of one name are the same as long as the file has not changed.
    bool operator==(const ThumbnailRequest& other) const { return name == other.name && stamp == other.stamp; }
};

/// The job that makes small pictures of files, the ones asked for last first. Asked by one thread, the one that draws.
/// Of more than `most_kept` it lets go of those that nobody has wanted for longest; wanted again they are made anew.
class Thumbnails {
public:
    static constexpr std::size_t most_kept = 600;  // some 100 MB, and more than a screen shows at once

    Thumbnails();

    /// The thumbnail of a file, or nothing while it is being made or where the file is no picture.
    std::shared_ptr<const Image> of(const std::filesystem::path& file);

    /// The same for a picture that is made, not read, under a name of its own.
    std::shared_ptr<const Image> of(const std::string& name, std::function<Image()> make);

    /// Looks which files have changed since; those are made anew. For whoever lists a folder again.
    void look_again();

    /// How many are held, made or not.
    std::size_t held() const { return rows_.size(); }
    /// Whether some are still being made.
    bool busy() const;
    /// Waits until none is (tests).
    void wait() const;

private:
    struct Row {
        ThumbnailRequest request;
        int number = 0;            // of the job's client, later ones higher
        std::uint64_t wanted = 0;  // when it was wanted last
    };

    std::shared_ptr<const Image> find_or_ask(const std::string& name, std::function<Image()> make);
    void ask(Row& row);
    void let_go_of_the_oldest();

    std::map<std::string, Row> rows_;
    int numbers_ = 0;
    std::uint64_t wishes_ = 0;
    Latest<ThumbnailRequest, Image> job_;
};

}  // namespace vitrine
