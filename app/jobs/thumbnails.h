#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "app/jobs/latest.h"
#include "core/files/image.h"

namespace vitrine {

/// A picture to be made small.
struct ThumbnailRequest {
    std::filesystem::path file;   // or, where it is empty:
    std::function<Image()> make;  // which may throw

    /// Each is asked for once.
    bool operator==(const ThumbnailRequest&) const { return true; }
};

/// The job that makes small pictures of files, the ones asked for last first. Asked by one thread, the one that draws.
class Thumbnails {
public:
    Thumbnails();

    /// The thumbnail of a file, or nothing while it is being made or where the file is no picture.
    std::shared_ptr<const Image> of(const std::filesystem::path& file);

    /// The same for a picture that is made, not read, under a name of its own.
    std::shared_ptr<const Image> of(const std::string& name, std::function<Image()> make);

    /// Whether some are still being made.
    bool busy() const;
    /// Waits until none is (tests).
    void wait() const;

private:
    std::shared_ptr<const Image> find_or_ask(const std::string& name, const ThumbnailRequest& request);

    std::map<std::string, int> numbers_;  // of all that were asked for, which are the job's clients
    Latest<ThumbnailRequest, Image> job_;
};

}  // namespace vitrine
