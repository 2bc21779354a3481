#include <stb/stb_image.h>

#include <memory>
#include <optional>
#include <utility>

#include "core/files/image_formats.h"
#include "core/files/moving_picture.h"

namespace vitrine {

namespace {

constexpr std::size_t palette_flags = 10, background = 11, gif_header_size = 13;
constexpr std::uint8_t extension = 0x21, graphic_control = 0xF9;
constexpr std::int64_t most_moving_pixels = 128'000'000;  // in all frames of a GIF, which are in memory together

/// Offset of the flags in the first frame's graphic control extension; none if the frame has no such extension.
std::optional<std::size_t> transparency_flags(Bytes gif) {
    if (gif.size() < gif_header_size) return {};
    const int flags = gif[palette_flags];
    std::size_t at = gif_header_size + ((flags & 0x80) != 0 ? std::size_t{3} << ((flags & 7) + 1) : 0);
    while (at + 8 <= gif.size() && gif[at] == extension) {
        if (gif[at + 1] == graphic_control) return at + 3;
        at += 2;
        while (at < gif.size() && gif[at] != 0) at += std::size_t{1} + gif[at];
        ++at;
    }
    return {};
}

/// The number of frames of a GIF, counted until a damaged block.
std::int64_t frames_of_gif(Bytes gif) {
    constexpr std::size_t descriptor = 10;
    constexpr std::uint8_t image = 0x2C;
    if (gif.size() < gif_header_size) return 0;
    const auto palette = [](std::uint8_t flags) {
        return (flags & 0x80) != 0 ? std::size_t{3} << ((flags & 7) + 1) : std::size_t{0};
    };
    std::int64_t frames = 0;
    for (std::size_t at = gif_header_size + palette(gif[10]); at + 1 < gif.size();) {
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
        for (int i = 0; i < count_; ++i)
            seconds_.push_back(delays == nullptr ? frame_seconds(0) : frame_seconds(delays[i]));
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

Decoded decode_gif(const Encoded& file, const Progress& progress) {
    const auto at = transparency_flags(file.bytes);
    if (!at || (file.bytes[*at] & 1) == 0) return decode_with_stb(file, progress);
    std::vector<std::uint8_t> opaque(file.bytes.begin(), file.bytes.end());
    opaque[*at] &= 0xFE;
    opaque[background] = opaque[*at + 3];
    return decode_with_stb({opaque, file.format, file.name}, progress);
}

std::unique_ptr<MovingPicture> play_gif(std::vector<std::uint8_t> bytes, const std::string& name) {
    return std::make_unique<MovingGif>(bytes, name);
}

}  // namespace vitrine
