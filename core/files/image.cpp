#include "core/files/image.h"

#include <stb/stb_image.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <memory>
#include <string_view>
#include <system_error>

#include "core/base/error.h"
#include "core/base/team.h"
#include "core/files/colour_profile.h"
#include "core/files/exif.h"
#include "core/files/image_formats.h"

namespace vitrine {
namespace {

using namespace std::string_view_literals;

/// No picture within `max_image_pixels` needs a larger file.
constexpr std::uintmax_t max_file_bytes = std::uintmax_t{1} << 31;

/// `name` in a form suitable for a sentence on one line.
std::string printable(std::string name) {
    for (char& c : name) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
    }
    return name;
}

// ---- input of the decoder ------------------------------------------------------------------------------------------

/// Passes bytes to stb on request and reports progress.
///
/// stb is C: exceptions of `progress` are stored, and the decoder gets no more input until it gives up.
class Source {
public:
    Source(Bytes bytes, const Progress& progress, bool endless = false)
        : bytes_(bytes), progress_(progress), endless_(endless) {}

    static const stbi_io_callbacks callbacks;

    /// True if the decoder requested bytes beyond the end, i.e. the file is truncated.
    bool ran_dry() const { return ran_dry_; }

    void rethrow_what_progress_threw() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

private:
    int read(char* into, int size) noexcept {
        // stb's first call fills its own small buffer; only calls for that buffer may come back partly filled.
        if (refill_buffer_ == nullptr) refill_buffer_ = into;
        report_position();
        if (thrown_ && !endless_) return 0;
        if (endless_ && position_ == bytes_.size()) ran_dry_ = true;
        if (endless_ && (thrown_ || ran_dry_)) return write_filler(into, size);
        const std::size_t count = std::min<std::size_t>(size, bytes_.size() - position_);
        std::memcpy(into, bytes_.data() + position_, count);
        position_ += count;
        if (count == 0 || (count < static_cast<std::size_t>(size) && into != refill_buffer_)) ran_dry_ = true;
        return static_cast<int>(count);
    }

    void skip(int count) noexcept {
        const auto left = static_cast<std::ptrdiff_t>(bytes_.size() - position_);
        const auto back = -static_cast<std::ptrdiff_t>(position_);
        position_ += std::clamp<std::ptrdiff_t>(count, back, left);
    }

    bool at_end() const noexcept { return thrown_ || position_ == bytes_.size(); }

    void report_position() noexcept {
        if (thrown_ || position_ < next_report_) return;
        next_report_ = position_ + bytes_.size() / 256 + 1;
        try {
            report(progress_, static_cast<double>(position_) / static_cast<double>(bytes_.size()));
        } catch (...) {
            thrown_ = std::current_exception();
        }
    }

    /// Supplies bytes that end any header or run that stb's HDR decoder may be reading.
    static int write_filler(char* into, int size) noexcept {
        constexpr char pattern[] = {'\xFF', '\0', '\n', '\n'};
        for (int i = 0; i < size; ++i) into[i] = pattern[i % 4];
        return size;
    }

    Bytes bytes_;
    const Progress& progress_;
    bool endless_;  // supplies made-up bytes after the end, since the decoder would loop forever without them
    std::size_t position_ = 0;
    std::size_t next_report_ = 0;
    const char* refill_buffer_ = nullptr;
    bool ran_dry_ = false;
    std::exception_ptr thrown_;
};

const stbi_io_callbacks Source::callbacks = {
    [](void* source, char* into, int size) { return static_cast<Source*>(source)->read(into, size); },
    [](void* source, int count) { static_cast<Source*>(source)->skip(count); },
    [](void* source) { return static_cast<int>(static_cast<Source*>(source)->at_end()); },
};

[[noreturn]] void fail_to_decode(const Format* format, const Source& source, const std::string& name) {
    const char* words = stbi_failure_reason();
    const std::string_view reason = words == nullptr ? "no reason given" : words;
    if (format == nullptr) fail(name, "is not a picture that Vitrine reads; choose a JPEG or PNG file");
    const std::string what = "is " + std::string(format->name);
    if (source.ran_dry()) fail(name, what + " that ends too early; fetch a complete copy");
    if (reason == "outofmem" || reason == "too large") fail(name, what + " too large to decode; make it smaller first");
    fail(name,
         what + " that is damaged or of an unusual kind (" + std::string(reason) + "); save it again as JPEG or PNG");
}

struct FreePixels {
    void operator()(void* pixels) const { stbi_image_free(pixels); }
};

/// Decodes a picture by stb; `load` is the stb function that returns `channels` numbers per pixel.
template <class Number>
Decoded decode_by(Number* (*load)(const stbi_io_callbacks*, void*, int*, int*, int*, int), int channels,
                  const Encoded& file, const Progress& progress) {
    const auto& [bytes, format, name, edge] = file;
    Decoded decoded;
    int stored = 0;
    const Progress silent;
    Source header(bytes, silent);
    if (!stbi_info_from_callbacks(&Source::callbacks, &header, &decoded.width, &decoded.height, &stored)) {
        fail_to_decode(format, header, name);
    }
    check_size(decoded.width, decoded.height, file);  // before allocating the pixels
    Source source(bytes, progress, format != nullptr && format->endless);
    const std::unique_ptr<Number, FreePixels> pixels(
        load(&Source::callbacks, &source, &decoded.width, &decoded.height, &stored, channels));
    source.rethrow_what_progress_threw();
    if (pixels == nullptr || source.ran_dry()) fail_to_decode(format, source, name);
    check_size(decoded.width, decoded.height, file);
    const std::size_t count = static_cast<std::size_t>(decoded.width) * static_cast<std::size_t>(decoded.height);
    if (channels == 3) {
        decoded.rgb.assign(pixels.get(), pixels.get() + 3 * count);
        return decoded;
    }
    decoded.rgb.resize(3 * count);
    for (std::size_t i = 0; i < count; ++i)
        std::fill_n(decoded.rgb.data() + 3 * i, 3, static_cast<std::uint8_t>(std::min<int>(pixels.get()[i], 255)));
    return decoded;
}

}  // namespace

void fail(const std::string& name, const std::string& text) { throw Error(printable(name) + " " + text); }

void fail_as(const Encoded& file, const std::string& text) {
    fail(file.name, "is " + std::string(file.format->name) + " " + text);
}

void check_size(std::int64_t width, std::int64_t height, const Encoded& file) {
    const auto& [bytes, format, name, edge] = file;
    if (width <= 0 || height <= 0) fail(name, "is a picture without pixels; choose another");
    if (width > max_image_pixels / height)
        fail(name, "is a picture of " + std::to_string(width) + " × " + std::to_string(height) +
                       " pixels, more than the " + std::to_string(max_image_pixels / 1'000'000) +
                       " million that Vitrine opens; make it smaller first");
    const std::int64_t a_byte = format == nullptr ? pixels_a_byte_of_tga : format->pixels_a_byte;
    if (a_byte == 0 || width * height <= a_byte * std::ssize(bytes)) return;
    if (format == nullptr) fail(name, "is not a picture that Vitrine reads; choose a JPEG or PNG file");
    fail_as(file, "that ends too early; fetch a complete copy");
}

void inks_to_rgb(const std::uint8_t* inks, std::size_t pixels, std::uint8_t* rgb) {
    for (std::size_t i = 0; i < pixels; ++i, inks += 4, rgb += 3) {
        const int light = 255 - inks[3];
        for (int c = 0; c < 3; ++c) {
            const int product = inks[c] * light + 128;  // divided by 255 and rounded
            rgb[c] = static_cast<std::uint8_t>(std::max(0, light - (((product >> 8) + product) >> 8)));
        }
    }
}

Decoded decode_with_stb(const Encoded& file, const Progress& progress) {
    return decode_by(stbi_load_from_callbacks, STBI_rgb, file, progress);
}

Decoded decode_png(const Encoded& file, const Progress& progress) {
    constexpr std::size_t depth = 24, kind = 25;  // in the header
    const bool deep_grey = file.bytes.size() > kind && file.bytes[depth] == 16 && file.bytes[kind] == 0;
    Decoded decoded =
        deep_grey ? decode_by(stbi_load_16_from_callbacks, STBI_grey, file, progress) : decode_with_stb(file, progress);
    decoded.profile = png_profile(file.bytes);
    decoded.orientation = exif_orientation(file.bytes);
    return decoded;
}

Decoded decode_pnm(const Encoded& file, const Progress& progress) {
    const Progress silent;
    Source header(file.bytes, silent);
    if (stbi_is_16_bit_from_callbacks(&Source::callbacks, &header))
        fail(file.name, "is " + std::string(file.format->name) +
                            " of 16 bits a number, which Vitrine does not read; save it as JPEG or PNG");
    return decode_with_stb(file, progress);
}

namespace {

Decoded decode(Bytes bytes, const std::string& name, const Progress& progress, int edge = 0) {
    if (bytes.empty()) fail(name, "is empty; choose another file");
    const Format* const format = format_of(bytes);
    const Encoded file{bytes, format, name, edge};
    if (format == nullptr) return decode_with_stb(file, progress);
    if (format->name == name_of_videos)
        fail(name, "is a video; play it (vitrine --stream), or keep one of its frames as a picture");
    if (format->decode == nullptr)
        fail(name, "is " + std::string(format->name) + ", which Vitrine does not read; save it as JPEG or PNG");
    return format->decode(file, progress);
}

// ---- orientation --------------------------------------------------------------------------------------------------

/// How a stored picture is turned upright: mirrored first, then rows and columns swapped.
struct Turn {
    bool mirror_x, mirror_y, swap;
};

constexpr std::array<Turn, 8> turns = {{
    // by EXIF orientation − 1
    {false, false, false},
    {true, false, false},
    {true, true, false},
    {false, true, false},
    {false, false, true},
    {false, true, true},
    {true, true, true},
    {true, false, true},
}};

/// The size of a regular file in bytes. Throws Error for any other file: reading a pipe or a device may never end.
std::uintmax_t regular_file_size(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    const std::string name = path.string();
    if (status.type() == std::filesystem::file_type::not_found) fail(name, "does not exist; check the name");
    if (error == std::errc::permission_denied) fail(name, "is in a folder that you have no permission to read");
    if (error) fail(name, "cannot be reached (" + error.message() + "); check the name");
    if (status.type() == std::filesystem::file_type::directory) fail(name, "is a folder; choose a file in it");
    if (status.type() != std::filesystem::file_type::regular) fail(name, "is not a regular file; choose another");
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) fail(name, "cannot be read (" + error.message() + "); choose another file");
    if (size > max_file_bytes)
        fail(name, "is larger than 2 GiB, the most that Vitrine reads here; choose a smaller file");
    return size;
}

}  // namespace

Image upright(const Decoded& stored, std::vector<std::uint8_t> rgb) {
    const Turn turn = turns[static_cast<std::size_t>(stored.orientation - 1)];
    Image image{turn.swap ? stored.height : stored.width, turn.swap ? stored.width : stored.height, {}};
    const std::ptrdiff_t width = stored.width;
    const std::ptrdiff_t height = stored.height;
    if (!turn.mirror_x && !turn.mirror_y && !turn.swap) {
        image.rgb = std::move(rgb);
        return image;
    }
    const std::uint8_t* from = rgb.data();
    image.rgb.resize(static_cast<std::size_t>(width) * height * 3);
    const std::ptrdiff_t along_row = turn.mirror_x ? -3 : 3;
    const std::ptrdiff_t along_column = turn.mirror_y ? -3 * width : 3 * width;
    const std::ptrdiff_t step_x = turn.swap ? along_column : along_row;
    const std::ptrdiff_t step_y = turn.swap ? along_row : along_column;
    from += (turn.mirror_x ? (width - 1) * 3 : 0) + (turn.mirror_y ? (height - 1) * width * 3 : 0);

    constexpr int tile = 32;  // square tiles keep the cache useful when rows and columns are swapped
    parallel_for(static_cast<std::size_t>((image.height + tile - 1) / tile), [&](std::size_t band) {
        const int top = static_cast<int>(band) * tile;
        for (int left = 0; left < image.width; left += tile) {
            const int right = std::min(left + tile, image.width);
            for (int y = top; y < std::min(top + tile, image.height); ++y) {
                std::uint8_t* to = image.rgb.data() + (static_cast<std::size_t>(y) * image.width + left) * 3;
                const std::uint8_t* pixel = from + left * step_x + y * step_y;
                for (int x = left; x < right; ++x, to += 3, pixel += step_x) {
                    to[0] = pixel[0];
                    to[1] = pixel[1];
                    to[2] = pixel[2];
                }
            }
        }
    });
    return image;
}

std::vector<std::uint8_t> read_file(const std::filesystem::path& path) {
    const std::string name = path.string();
    std::vector<std::uint8_t> bytes(regular_file_size(path));
    if (bytes.empty()) fail(name, "is empty; choose another file");
    std::ifstream file(path, std::ios::binary);
    if (!file) fail(name, "cannot be opened; check that you have permission to read it");
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (static_cast<std::size_t>(file.gcount()) != bytes.size()) fail(name, "cannot be read to its end; try again");
    return bytes;
}

Image decode_image(std::span<const std::uint8_t> bytes, const std::string& name, const Progress& progress) {
    Decoded decoded = decode(bytes, name, progress);
    Image image = upright(decoded, std::move(decoded.rgb));
    report(progress, 1.0);
    return image;
}

ManagedImage decode_managed(std::span<const std::uint8_t> bytes, const std::string& name, const Progress& progress) {
    Decoded decoded = decode(bytes, name, progress);
    ManagedImage image;
    if (auto rgb = in_srgb(decoded)) image.managed = upright(decoded, std::move(*rgb));
    image.stored = upright(decoded, std::move(decoded.rgb));
    report(progress, 1.0);
    return image;
}

Image load_small(const std::filesystem::path& path, int edge, const Progress& progress) {
    Decoded decoded = decode(read_file(path), path.string(), progress, edge);
    auto rgb = in_srgb(decoded);
    return shrink_to_fit(upright(decoded, std::move(rgb ? *rgb : decoded.rgb)), edge);
}

std::vector<std::string> image_endings() { return endings_of_formats(); }

Image load_image(const std::filesystem::path& path, const Progress& progress) {
    return decode_image(read_file(path), path.string(), progress);
}

}  // namespace vitrine
