#include "app/jobs/frame_source.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/platform/camera.h"
#include "core/base/error.h"
#include "core/files/byte_source.h"
#include "core/files/image_formats.h"
#include "core/files/moving_picture.h"
#include "core/files/video.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

class CameraFrames : public FrameSource {
public:
    explicit CameraFrames(const fs::path& device) : device_(device), camera_(device) {}

    std::optional<StreamFrame> next(const Progress&) override {
        std::optional<Image> image = camera_.newest();
        if (!image) return {};
        return StreamFrame{*std::move(image), device_};
    }

private:
    fs::path device_;
    Camera camera_;
};

/// The pictures of a folder. Those that cannot be read are skipped; at the end the folder is listed again.
class FolderFrames : public FrameSource {
public:
    explicit FolderFrames(fs::path folder) : folder_(std::move(folder)) { list(); }

    std::optional<StreamFrame> next(const Progress& progress) override {
        if (at_ == files_.size()) list();
        const fs::path& file = files_[at_++];
        try {
            StreamFrame frame{load_image(file, progress), file, 1 / folder_rate};
            failed_ = 0;
            return frame;
        } catch (const Error&) {
            if (++failed_ >= files_.size()) throw;
            return {};
        }
    }

private:
    void list() {
        files_.clear();
        at_ = 0;
        const std::vector<std::string> endings = image_endings();
        std::error_code error;
        for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
            std::string ending = it->path().extension().string();
            std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
            if (std::ranges::find(endings, ending) != endings.end()) files_.push_back(it->path());
        }
        if (files_.empty())
            throw Error(folder_.string() + ": this folder holds no pictures; choose one with JPEG or PNG files");
        std::ranges::sort(files_);
    }

    fs::path folder_;
    std::vector<fs::path> files_;
    std::size_t at_ = 0, failed_ = 0;  // index of the next file; number of files in a row that could not be read
};

class MovingFrames : public FrameSource {
public:
    explicit MovingFrames(const fs::path& file)
        : file_(file),
          picture_(is_video(file) ? open_video(ByteSource::of_file(file))
                                  : open_moving_picture(read_file(file), file.string())) {}

    std::optional<StreamFrame> next(const Progress& progress) override {
        MovingPicture::Frame frame = picture_->next(progress);
        return StreamFrame{std::move(frame.image), file_, frame.seconds};
    }

private:
    fs::path file_;
    std::unique_ptr<MovingPicture> picture_;
};

}  // namespace

std::unique_ptr<FrameSource> open_frame_source(const fs::path& source) {
    std::error_code unreachable;
    if (is_camera(source)) return std::make_unique<CameraFrames>(source);
    if (fs::is_directory(source, unreachable)) return std::make_unique<FolderFrames>(source);
    if (may_move(source) || is_video(source)) return std::make_unique<MovingFrames>(source);
    throw Error(source.string() + ": is not " + kinds_of_frame_sources() + "; name one of these");
}

std::string kinds_of_frame_sources() {
    return "a video, a folder of pictures, a moving " + moving_formats() + ", or a camera";
}

bool is_private(const fs::path& source) { return is_camera(source); }

}  // namespace vitrine
