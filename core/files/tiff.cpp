#include "core/files/tiff.h"

#include <tiffio.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/base/shared_library.h"
#include "core/files/image_formats.h"

namespace vitrine {

namespace {

constexpr std::int64_t largest_block = std::int64_t{1} << 30;  // maximum bytes of one allocation by libtiff

/// libtiff's functions; null if the library does not exist.
struct LibTiff {
    explicit LibTiff(const SharedLibrary& library) {
        complete = library.look_up(
            new_options, "TIFFOpenOptionsAlloc", end_options, "TIFFOpenOptionsFree", limit_memory,
            "TIFFOpenOptionsSetMaxSingleMemAlloc", on_error, "TIFFOpenOptionsSetErrorHandlerExtR", on_warning,
            "TIFFOpenOptionsSetWarningHandlerExtR", open, "TIFFClientOpenExt", close, "TIFFClose", field,
            "TIFFGetField", field_or_default, "TIFFGetFieldDefaulted", set_field, "TIFFSetField", is_tiled,
            "TIFFIsTiled", row_size, "TIFFScanlineSize64", read_row, "TIFFReadScanline", tile_size, "TIFFTileSize64",
            row_of_tile, "TIFFTileRowSize64", read_tile, "TIFFReadTile", read_rgba, "TIFFReadRGBAImageOriented");
    }

    bool complete = false;
    decltype(TIFFOpenOptionsAlloc)* new_options = nullptr;
    decltype(TIFFOpenOptionsFree)* end_options = nullptr;
    decltype(TIFFOpenOptionsSetMaxSingleMemAlloc)* limit_memory = nullptr;
    decltype(TIFFOpenOptionsSetErrorHandlerExtR)* on_error = nullptr;
    decltype(TIFFOpenOptionsSetWarningHandlerExtR)* on_warning = nullptr;
    decltype(TIFFClientOpenExt)* open = nullptr;
    decltype(TIFFClose)* close = nullptr;
    decltype(TIFFGetField)* field = nullptr;
    decltype(TIFFGetFieldDefaulted)* field_or_default = nullptr;
    decltype(TIFFSetField)* set_field = nullptr;
    decltype(TIFFIsTiled)* is_tiled = nullptr;
    decltype(TIFFScanlineSize64)* row_size = nullptr;
    decltype(TIFFReadScanline)* read_row = nullptr;
    decltype(TIFFTileSize64)* tile_size = nullptr;
    decltype(TIFFTileRowSize64)* row_of_tile = nullptr;
    decltype(TIFFReadTile)* read_tile = nullptr;
    decltype(TIFFReadRGBAImageOriented)* read_rgba = nullptr;
};

/// A TIFF file in memory, and the first error that libtiff reported.
class TiffReader {
public:
    TiffReader(const LibTiff& library, const Encoded& file) : lib(library), file_(file) {
        const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(lib.new_options(), lib.end_options);
        lib.limit_memory(options.get(), largest_block);
        lib.on_error(options.get(), note, this);
        lib.on_warning(options.get(), ignore, nullptr);
        tiff_.reset(lib.open("picture", "rm", this, read, write, seek, close, size, map, unmap, options.get()));
        if (tiff_ == nullptr) refuse();
    }

    const LibTiff& lib;
    TIFF* get() const { return tiff_.get(); }

    /// A tag's value, or its default.
    template <class T>
    T tag(std::uint32_t name, T without) const {
        T value{};
        return lib.field_or_default(tiff_.get(), name, &value) != 0 ? value : without;
    }

    [[noreturn]] void refuse() const {
        if (ran_dry_) fail_as(file_, "that ends too early; fetch a complete copy");
        fail_as(file_, "that is damaged or of an unusual kind (" +
                           (first_error_.empty() ? "no reason given" : first_error_) +
                           "); save it again as JPEG or PNG");
    }

private:
    static int note(TIFF*, void* reader, const char*, const char* format, va_list words) {
        char sentence[256] = {};
        std::vsnprintf(sentence, sizeof sentence, format, words);
        std::string& first_error = static_cast<TiffReader*>(reader)->first_error_;
        if (first_error.empty()) first_error = sentence;
        return 1;
    }
    static int ignore(TIFF*, void*, const char*, const char*, va_list) { return 1; }

    static tmsize_t read(thandle_t reader, void* into, tmsize_t wanted) {
        TiffReader& self = *static_cast<TiffReader*>(reader);
        const std::size_t count = std::min(static_cast<std::size_t>(wanted), self.file_.bytes.size() - self.position_);
        if (count > 0) std::memcpy(into, self.file_.bytes.data() + self.position_, count);
        self.position_ += count;
        if (count < static_cast<std::size_t>(wanted)) self.ran_dry_ = true;
        return static_cast<tmsize_t>(count);
    }
    static tmsize_t write(thandle_t, void*, tmsize_t) { return 0; }
    static toff_t seek(thandle_t reader, toff_t offset, int from) {
        TiffReader& self = *static_cast<TiffReader*>(reader);
        const toff_t base = from == SEEK_SET ? 0 : from == SEEK_CUR ? self.position_ : self.file_.bytes.size();
        self.position_ = std::min<std::size_t>(base + offset, self.file_.bytes.size());
        if (base + offset > self.file_.bytes.size()) self.ran_dry_ = true;
        return self.position_;
    }
    static int close(thandle_t) { return 0; }
    static toff_t size(thandle_t reader) { return static_cast<TiffReader*>(reader)->file_.bytes.size(); }
    static int map(thandle_t, void**, toff_t*) { return 0; }
    static void unmap(thandle_t, void*, toff_t) {}

    const Encoded& file_;
    std::size_t position_ = 0;
    bool ran_dry_ = false;
    std::string first_error_;
    std::unique_ptr<TIFF, void (*)(TIFF*)> tiff_{nullptr, lib.close};
};

/// How the numbers of a pixel are stored, and what they mean.
struct Samples {
    int count;        // per pixel
    int bits;         // of each: 1, 2, 4, 8 or 16
    int meaning;      // PHOTOMETRIC_…
    bool associated;  // the fourth is alpha, and the colours are premultiplied by it
    bool by_planes;   // stored as separate planes, not interleaved
    const std::uint16_t* palette[3];

    int colours() const { return meaning == PHOTOMETRIC_RGB ? 3 : meaning == PHOTOMETRIC_SEPARATED ? 4 : 1; }
};

/// Converts the numbers of a row to 8 bits: the upper half of 16 (grey is clamped to 255); fewer than 8 are scaled to
/// 0 … 255, except indices of a palette.
void eight_bits(const Samples& samples, const std::uint8_t* row, std::size_t count, std::uint8_t* to) {
    const int bits = samples.bits;
    if (bits == 8) {
        std::copy_n(row, count, to);
    } else if (bits == 16) {
        const bool cut_off = samples.count == 1 && samples.meaning != PHOTOMETRIC_PALETTE;  // grey, as in Pillow
        for (std::size_t i = 0; i < count; ++i) {
            std::uint16_t value = 0;
            std::memcpy(&value, row + 2 * i, 2);
            to[i] = static_cast<std::uint8_t>(cut_off ? std::min<int>(value, 255) : value >> 8);
        }
    } else {
        const int most = (1 << bits) - 1, step = samples.meaning == PHOTOMETRIC_PALETTE ? 1 : 255 / most;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t at = i * static_cast<std::size_t>(bits);
            to[i] = static_cast<std::uint8_t>((row[at / 8] >> (8 - bits - static_cast<int>(at % 8)) & most) * step);
        }
    }
}

/// Writes the rows and tiles of one picture into its pixels.
class Canvas8 {
public:
    Canvas8(const Samples& samples, Decoded& into) : samples_(samples), into_(into) {
        const std::size_t pixels = static_cast<std::size_t>(into.width) * static_cast<std::size_t>(into.height);
        into.rgb.resize(pixels * 3);
        if (samples.meaning == PHOTOMETRIC_SEPARATED) into.inks.resize(pixels * 4);
    }

    /// Stores a row of `width` pixels at (x, y), clipped to the picture. `plane` is for numbers stored plane by plane.
    void put(const std::uint8_t* row, int x, int y, int width, int plane) {
        const int stored = samples_.by_planes ? 1 : samples_.count;
        values_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(stored));
        eight_bits(samples_, row, values_.size(), values_.data());
        width = std::min(width, into_.width - x);
        if (y >= into_.height || width <= 0) return;
        const std::size_t first =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(into_.width) + static_cast<std::size_t>(x);
        const std::uint8_t* from = values_.data();
        for (std::size_t i = first; i < first + static_cast<std::size_t>(width); ++i, from += stored) {
            std::uint8_t* const rgb = into_.rgb.data() + 3 * i;
            switch (samples_.meaning) {
                case PHOTOMETRIC_RGB:
                    if (samples_.by_planes) {
                        if (plane < 3) rgb[plane] = from[0];
                    } else {
                        colours(from, rgb);
                    }
                    break;
                case PHOTOMETRIC_SEPARATED:
                    if (samples_.by_planes) {
                        if (plane < 4) into_.inks[4 * i + static_cast<std::size_t>(plane)] = from[0];
                    } else {
                        std::copy_n(from, 4, into_.inks.data() + 4 * i);
                    }
                    break;
                case PHOTOMETRIC_PALETTE:
                    if (plane > 0) break;
                    for (int c = 0; c < 3; ++c) rgb[c] = static_cast<std::uint8_t>(samples_.palette[c][from[0]] >> 8);
                    break;
                default:
                    if (plane > 0) break;
                    std::fill_n(rgb, 3, grey(from[0]));
            }
        }
    }

    void finish() {
        if (samples_.meaning == PHOTOMETRIC_SEPARATED)
            inks_to_rgb(into_.inks.data(), into_.inks.size() / 4, into_.rgb.data());
    }

private:
    std::uint8_t grey(std::uint8_t value) const {
        return samples_.meaning == PHOTOMETRIC_MINISWHITE && samples_.bits < 16 ? static_cast<std::uint8_t>(255 - value)
                                                                                : value;
    }

    void colours(const std::uint8_t* from, std::uint8_t* rgb) const {
        if (!samples_.associated || from[3] == 255) {
            std::copy_n(from, 3, rgb);
            return;
        }
        for (int c = 0; c < 3; ++c)
            rgb[c] = from[3] == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(std::min(from[c] * 255 / from[3], 255));
    }

    const Samples& samples_;
    Decoded& into_;
    std::vector<std::uint8_t> values_;
};

void read_rows(const TiffReader& tiff, const Samples& samples, Canvas8& canvas, const Decoded& size,
               const Progress& progress) {
    std::vector<std::uint8_t> row(static_cast<std::size_t>(tiff.lib.row_size(tiff.get())));
    const int planes = samples.by_planes ? samples.count : 1;
    for (int plane = 0; plane < planes; ++plane)
        for (int y = 0; y < size.height; ++y) {
            if (y % 16 == 0) report(progress, (plane + 1.0 * y / size.height) / planes);
            if (tiff.lib.read_row(tiff.get(), row.data(), static_cast<std::uint32_t>(y),
                                  static_cast<std::uint16_t>(plane)) != 1)
                tiff.refuse();
            canvas.put(row.data(), 0, y, size.width, plane);
        }
}

void read_tiles(const TiffReader& tiff, const Samples& samples, Canvas8& canvas, const Decoded& size,
                const Progress& progress) {
    const auto width = static_cast<int>(tiff.tag<std::uint32_t>(TIFFTAG_TILEWIDTH, 0));
    const auto height = static_cast<int>(tiff.tag<std::uint32_t>(TIFFTAG_TILELENGTH, 0));
    if (width <= 0 || height <= 0 || tiff.lib.tile_size(tiff.get()) > largest_block) tiff.refuse();
    std::vector<std::uint8_t> tile(static_cast<std::size_t>(tiff.lib.tile_size(tiff.get())));
    const auto row = static_cast<std::size_t>(tiff.lib.row_of_tile(tiff.get()));
    const int planes = samples.by_planes ? samples.count : 1;
    for (int plane = 0; plane < planes; ++plane)
        for (int top = 0; top < size.height; top += height) {
            report(progress, (plane + 1.0 * top / size.height) / planes);
            for (int left = 0; left < size.width; left += width) {
                if (tiff.lib.read_tile(tiff.get(), tile.data(), static_cast<std::uint32_t>(left),
                                       static_cast<std::uint32_t>(top), 0, static_cast<std::uint16_t>(plane)) < 0)
                    tiff.refuse();
                for (int y = 0; y < std::min(height, size.height - top); ++y)
                    canvas.put(tile.data() + static_cast<std::size_t>(y) * row, left, top + y, width, plane);
            }
        }
}

/// Decodes YCbCr that is not compressed as JPEG, by libtiff's own conversion to RGBA.
void read_as_rgba(const TiffReader& tiff, Decoded& into) {
    std::vector<std::uint32_t> raster(static_cast<std::size_t>(into.width) * static_cast<std::size_t>(into.height));
    if (tiff.lib.read_rgba(tiff.get(), static_cast<std::uint32_t>(into.width), static_cast<std::uint32_t>(into.height),
                           raster.data(), into.orientation, 1) != 1)
        tiff.refuse();
    into.rgb.reserve(raster.size() * 3);
    for (const std::uint32_t pixel : raster)
        for (const std::uint32_t value : {TIFFGetR(pixel), TIFFGetG(pixel), TIFFGetB(pixel)})
            into.rgb.push_back(static_cast<std::uint8_t>(value));
}

}  // namespace

const SharedLibrary& system_libtiff() {
    static const SharedLibrary library("libtiff.so.6");
    return library;
}

std::optional<std::string> missing_for_tiff(const SharedLibrary& libtiff) {
    if (LibTiff(libtiff).complete) return {};
    return "libtiff6";
}

Decoded decode_tiff_with(const SharedLibrary& libtiff, const Encoded& file, const Progress& progress) {
    if (const auto missing = missing_for_tiff(libtiff))
        fail_as(file, "which is read by a library that is not installed; install " + *missing +
                          ", or save it as JPEG or PNG");
    const LibTiff library(libtiff);
    const TiffReader tiff(library, file);
    Decoded decoded;
    const auto width = tiff.tag<std::uint32_t>(TIFFTAG_IMAGEWIDTH, 0),
               height = tiff.tag<std::uint32_t>(TIFFTAG_IMAGELENGTH, 0);
    check_size(width, height, file);
    decoded.width = static_cast<int>(width);
    decoded.height = static_cast<int>(height);
    const int turned = tiff.tag<std::uint16_t>(TIFFTAG_ORIENTATION, 1);
    decoded.orientation = turned >= 1 && turned <= 8 ? turned : 1;
    std::uint32_t size = 0;
    const std::uint8_t* profile = nullptr;
    if (tiff.lib.field(tiff.get(), TIFFTAG_ICCPROFILE, &size, &profile) != 0)
        decoded.profile.assign(profile, profile + size);

    Samples samples{.count = tiff.tag<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL, 1),
                    .bits = tiff.tag<std::uint16_t>(TIFFTAG_BITSPERSAMPLE, 1),
                    .meaning = tiff.tag<std::uint16_t>(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE),
                    .associated = false,
                    .by_planes = false,
                    .palette = {}};
    if (samples.meaning == PHOTOMETRIC_YCBCR) {
        if (tiff.tag<std::uint16_t>(TIFFTAG_COMPRESSION, COMPRESSION_NONE) != COMPRESSION_JPEG) {
            read_as_rgba(tiff, decoded);
            return decoded;
        }
        tiff.lib.set_field(tiff.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        samples.meaning = PHOTOMETRIC_RGB;
    }
    constexpr int meanings[] = {PHOTOMETRIC_MINISWHITE, PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_RGB, PHOTOMETRIC_PALETTE,
                                PHOTOMETRIC_SEPARATED};
    constexpr int depths[] = {1, 2, 4, 8, 16};
    const auto is_in = [](const auto& list, int value) {
        return std::find(std::begin(list), std::end(list), value) != std::end(list);
    };
    const int format = tiff.tag<std::uint16_t>(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
    const bool palette = samples.meaning == PHOTOMETRIC_PALETTE;
    if (!is_in(meanings, samples.meaning) || !is_in(depths, samples.bits) || format != SAMPLEFORMAT_UINT ||
        samples.count < samples.colours() || (palette && samples.bits > 8))
        fail_as(file, "of a kind that Vitrine does not read (" + std::to_string(samples.count) + " numbers of " +
                          std::to_string(samples.bits) + " bits a pixel); save it as JPEG or PNG");
    if (palette && tiff.lib.field(tiff.get(), TIFFTAG_COLORMAP, &samples.palette[0], &samples.palette[1],
                                  &samples.palette[2]) != 1)
        tiff.refuse();
    samples.by_planes = samples.count > 1 &&
                        tiff.tag<std::uint16_t>(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
    std::uint16_t extra = 0;
    const std::uint16_t* kinds = nullptr;
    samples.associated = samples.meaning == PHOTOMETRIC_RGB && samples.count > 3 && !samples.by_planes &&
                         tiff.lib.field(tiff.get(), TIFFTAG_EXTRASAMPLES, &extra, &kinds) == 1 && extra > 0 &&
                         kinds[0] == EXTRASAMPLE_ASSOCALPHA;
    Canvas8 canvas(samples, decoded);
    (tiff.lib.is_tiled(tiff.get()) != 0 ? read_tiles : read_rows)(tiff, samples, canvas, decoded, progress);
    canvas.finish();
    return decoded;
}

std::optional<std::string> missing_for_tiff() { return missing_for_tiff(system_libtiff()); }

Decoded decode_tiff(const Encoded& file, const Progress& progress) {
    return decode_tiff_with(system_libtiff(), file, progress);
}

}  // namespace vitrine
