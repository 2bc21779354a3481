#include "core/files/moving_picture.h"

#include <stb/stb_image.h>
#include <webp/demux.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/files/image_formats.h"

namespace vitrine {

namespace {

constexpr std::int64_t most_moving_pixels = 128'000'000;  // of all frames of a GIF, which are in memory together

double seconds_of(int milliseconds) { return milliseconds < 20 ? 0.1 : milliseconds / 1000.0; }

Image without_alpha(const std::uint8_t* rgba, int width, int height) {
    const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    Image image{width, height, std::vector<std::uint8_t>(3 * pixels)};
    for (std::size_t i = 0; i < pixels; ++i) std::copy_n(rgba + 4 * i, 3, image.rgb.begin() + std::ptrdiff_t(3 * i));
    return image;
}

/// Frames are decoded one by one, each over the one before.
class MovingWebp : public MovingPicture {
public:
    MovingWebp(std::vector<std::uint8_t> bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {
        const WebPData data{bytes_.data(), bytes_.size()};
        decoder_.reset(WebPAnimDecoderNew(&data, nullptr));
        if (decoder_ == nullptr || WebPAnimDecoderGetInfo(decoder_.get(), &info_) == 0)
            fail(name_, "is a WebP picture that is damaged; save it again");
        const Encoded file{bytes_, format_of(bytes_), name_};
        check_size(info_.canvas_width, info_.canvas_height, file);
    }

    Frame next(const Progress& progress) override {
        report(progress, 0);
        if (WebPAnimDecoderHasMoreFrames(decoder_.get()) == 0) {
            WebPAnimDecoderReset(decoder_.get());
            shown_until_ = 0;
        }
        std::uint8_t* rgba = nullptr;
        int until = 0;
        if (WebPAnimDecoderGetNext(decoder_.get(), &rgba, &until) == 0)
            fail(name_, "is a WebP picture with a damaged frame; save it again");
        const double seconds = seconds_of(until - std::exchange(shown_until_, until));
        return {without_alpha(rgba, static_cast<int>(info_.canvas_width), static_cast<int>(info_.canvas_height)),
                seconds};
    }

private:
    struct End {
        void operator()(WebPAnimDecoder* decoder) const { WebPAnimDecoderDelete(decoder); }
    };

    std::vector<std::uint8_t> bytes_;
    std::string name_;
    std::unique_ptr<WebPAnimDecoder, End> decoder_;
    WebPAnimInfo info_ = {};
    int shown_until_ = 0;  // ms since the first frame
};

/// The number of frames of a GIF, as far as its blocks can be followed.
std::int64_t frames_of_gif(Bytes gif) {
    constexpr std::size_t header = 13, descriptor = 10;
    constexpr std::uint8_t extension = 0x21, image = 0x2C;
    if (gif.size() < header) return 0;
    const auto palette = [](std::uint8_t flags) {
        return (flags & 0x80) != 0 ? std::size_t{3} << ((flags & 7) + 1) : std::size_t{0};
    };
    std::int64_t frames = 0;
    for (std::size_t at = header + palette(gif[10]); at + 1 < gif.size();) {
        if (gif[at] == extension) {
            at += 2;
        } else if (gif[at] == image && at + descriptor < gif.size()) {
            ++frames;
            at += descriptor + palette(gif[at + 9]) + 1;
        } else {
            break;
        }
        while (at < gif.size() && gif[at] != 0) at += std::size_t{1} + gif[at];
        ++at;
    }
    return frames;
}

class MovingGif : public MovingPicture {
public:
    MovingGif(const std::vector<std::uint8_t>& bytes, const std::string& name) {
        const Encoded file{bytes, format_of(bytes), name};
        const int width = bytes.size() < 10 ? 0 : bytes[6] + 256 * bytes[7];
        const int height = bytes.size() < 10 ? 0 : bytes[8] + 256 * bytes[9];
        check_size(width, height, file);
        if (frames_of_gif(bytes) * width * height > most_moving_pixels)
            fail_as(file, "with too many frames to play; make it smaller or shorter first");
        int* delays = nullptr;
        int channels = 0;
        rgba_.reset(stbi_load_gif_from_memory(bytes.data(), static_cast<int>(bytes.size()), &delays, &width_, &height_,
                                              &count_, &channels, 4));
        const std::unique_ptr<int, Free> freed(delays);
        if (rgba_ == nullptr || count_ < 1) fail_as(file, "that is damaged; save it again");
        for (int i = 0; i < count_; ++i) seconds_.push_back(delays == nullptr ? seconds_of(0) : seconds_of(delays[i]));
    }

    Frame next(const Progress& progress) override {
        report(progress, 0);
        const std::size_t i = std::exchange(at_, (at_ + 1) % seconds_.size());
        const std::size_t size = std::size_t{4} * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
        return {without_alpha(rgba_.get() + i * size, width_, height_), seconds_[i]};
    }

private:
    struct Free {
        void operator()(void* memory) const { stbi_image_free(memory); }
    };

    std::unique_ptr<std::uint8_t, Free> rgba_;  // (frames, height, width, 4)
    int width_ = 0, height_ = 0, count_ = 0;
    std::vector<double> seconds_;
    std::size_t at_ = 0;
};

}  // namespace

bool may_move(const std::filesystem::path& file) {
    std::string ending = file.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
    return ending == ".gif" || ending == ".webp";
}

std::unique_ptr<MovingPicture> open_moving_picture(std::vector<std::uint8_t> bytes, const std::string& name) {
    const std::string_view begins = text_of(Bytes(bytes)).substr(0, 12);
    if (begins.starts_with("GIF8")) return std::make_unique<MovingGif>(bytes, name);
    if (begins.starts_with("RIFF") && begins.ends_with("WEBP"))
        return std::make_unique<MovingWebp>(std::move(bytes), name);
    fail(name, "is neither a GIF nor a WebP picture; play one of these, a folder of pictures or a camera");
}

}  // namespace vitrine
