// Order of includes: jpeglib.h needs FILE, and jerror.h needs jpeglib.h.
// clang-format off
#include <cstdio>
#include <jpeglib.h>
#include <jerror.h>
// clang-format on

#include <algorithm>
#include <csetjmp>
#include <cstdlib>
#include <exception>

#include "core/files/exif.h"
#include "core/files/image_formats.h"

namespace vitrine {

namespace {

constexpr int most_scans = 100;  // ten are usual; each takes as long as a whole image, however few bytes it has
constexpr int inks = 4;

/// libjpeg on a file in memory. libjpeg is C: its errors are recorded here and left by longjmp.
class JpegReader {
public:
    JpegReader(const Encoded& file, const Progress& progress) : file_(file), progress_(progress) {
        info.err = jpeg_std_error(&errors_);
        info.client_data = this;
        errors_.error_exit = [](j_common_ptr jpeg) { of(jpeg).give_up(); };
        errors_.emit_message = [](j_common_ptr jpeg, int level) {
            if (level < 0 && is_damage(jpeg->err->msg_code)) of(jpeg).give_up();
        };
        errors_.output_message = [](j_common_ptr) {};
        source_.init_source = [](j_decompress_ptr) {};
        source_.term_source = [](j_decompress_ptr) {};
        source_.resync_to_restart = jpeg_resync_to_restart;
        source_.fill_input_buffer = [](j_decompress_ptr jpeg) -> boolean {
            of(jpeg).ran_dry_ = true;
            of(jpeg).give_up();
        };
        source_.skip_input_data = [](j_decompress_ptr jpeg, long count) {
            if (count <= 0) return;
            jpeg_source_mgr& source = *jpeg->src;
            const std::size_t skipped = std::min(static_cast<std::size_t>(count), source.bytes_in_buffer);
            source.next_input_byte += skipped;
            source.bytes_in_buffer -= skipped;
        };
        source_.next_input_byte = file.bytes.data();
        source_.bytes_in_buffer = file.bytes.size();
        monitor_.progress_monitor = [](j_common_ptr jpeg) { of(jpeg).on_progress(); };
    }
    ~JpegReader() { jpeg_destroy_decompress(&info); }
    JpegReader(const JpegReader&) = delete;
    JpegReader& operator=(const JpegReader&) = delete;

    /// Runs a step; throws Error, or what `progress` threw, if it fails. The step must own no object with a destructor,
    /// since longjmp may leave it.
    template <class Step>
    void run(const Step& step) {
        if (carry_out(step)) return;
        if (thrown_) std::rethrow_exception(thrown_);
        if (ran_dry_) fail_as(file_, "that ends too early; fetch a complete copy");
        if (info.input_scan_number > most_scans)
            fail_as(file_, "of more than " + std::to_string(most_scans) +
                               " scans, the most that Vitrine reads; save it again as JPEG or PNG");
        char words[JMSG_LENGTH_MAX] = {};
        errors_.format_message(reinterpret_cast<j_common_ptr>(&info), words);
        fail_as(file_,
                "that is damaged or of an unusual kind (" + std::string(words) + "); save it again as JPEG or PNG");
    }

    void begin() {
        jpeg_create_decompress(&info);
        info.src = &source_;
        info.progress = &monitor_;
    }

    jpeg_decompress_struct info{};

private:
    template <class Info>
    static JpegReader& of(Info jpeg) {
        return *static_cast<JpegReader*>(jpeg->client_data);
    }

    /// Warnings that mean missing pixels; after all other warnings the pixels are as they were saved.
    static bool is_damage(int code) {
        constexpr int kinds[] = {JWRN_HIT_MARKER, JWRN_HUFF_BAD_CODE, JWRN_MUST_RESYNC};
        return std::find(std::begin(kinds), std::end(kinds), code) != std::end(kinds);
    }

    template <class Step>
    bool carry_out(const Step& step) {
        if (setjmp(back_) != 0) return false;
        step();
        return true;
    }

    [[noreturn]] void give_up() { std::longjmp(back_, 1); }

    void on_progress() {
        const std::size_t read = file_.bytes.size() - source_.bytes_in_buffer;
        try {
            if (read >= next_report_) {
                next_report_ = read + file_.bytes.size() / 256 + 1;
                report(progress_, static_cast<double>(read) / static_cast<double>(file_.bytes.size() + 1));
            }
        } catch (...) {
            thrown_ = std::current_exception();
        }
        if (thrown_ || info.input_scan_number > most_scans) give_up();
    }

    const Encoded& file_;
    const Progress& progress_;
    jpeg_error_mgr errors_{};
    jpeg_source_mgr source_{};
    jpeg_progress_mgr monitor_{};
    std::jmp_buf back_{};
    std::size_t next_report_ = 0;
    bool ran_dry_ = false;
    std::exception_ptr thrown_;
};

/// The largest power of two up to 8 by which the picture can be divided while its longer edge keeps at least `edge`
/// pixels.
unsigned int divisor_for(const jpeg_decompress_struct& info, int edge) {
    unsigned int divisor = 1;
    const unsigned int longer = std::max(info.image_width, info.image_height);
    while (edge > 0 && divisor < 8 && longer / (2 * divisor) >= static_cast<unsigned int>(edge)) divisor *= 2;
    return divisor;
}

/// The ICC profile of a JPEG, joined from its markers.
std::vector<std::uint8_t> jpeg_profile(JpegReader& reader) {
    JOCTET* bytes = nullptr;
    unsigned int size = 0;
    reader.run([&] {
        if (!jpeg_read_icc_profile(&reader.info, &bytes, &size)) size = 0;
    });
    std::vector<std::uint8_t> profile(bytes, bytes + size);
    std::free(bytes);
    return profile;
}

}  // namespace

Decoded decode_jpeg(const Encoded& file, const Progress& progress) {
    JpegReader reader(file, progress);
    jpeg_decompress_struct& info = reader.info;
    reader.run([&] {
        reader.begin();
        jpeg_save_markers(&info, JPEG_APP0 + 2, 0xFFFF);
        jpeg_read_header(&info, TRUE);
    });
    check_size(info.image_width, info.image_height, file);
    const int channels = info.num_components;
    if (channels != 1 && channels != 3 && channels != inks)
        fail_as(file,
                "of " + std::to_string(channels) + " components, which Vitrine does not read; save it as JPEG or PNG");
    Decoded decoded;
    decoded.profile = jpeg_profile(reader);
    decoded.orientation = exif_orientation(file.bytes);
    reader.run([&] {
        info.out_color_space = channels == inks ? JCS_CMYK : JCS_RGB;
        info.scale_denom = divisor_for(info, file.edge);
        jpeg_start_decompress(&info);
    });
    decoded.width = static_cast<int>(info.output_width);
    decoded.height = static_cast<int>(info.output_height);
    const std::size_t row = std::size_t{info.output_width} * (channels == inks ? inks : 3);
    std::vector<std::uint8_t>& pixels = channels == inks ? decoded.inks : decoded.rgb;
    pixels.resize(row * info.output_height);
    reader.run([&] {
        while (info.output_scanline < info.output_height) {
            JSAMPROW line = pixels.data() + row * info.output_scanline;
            jpeg_read_scanlines(&info, &line, 1);
        }
    });
    if (channels == inks) {  // Adobe's programs store inverted inks (255 is no ink), and all others follow them
        for (std::uint8_t& ink : decoded.inks) ink = static_cast<std::uint8_t>(255 - ink);
        decoded.rgb.resize(decoded.inks.size() / inks * 3);
        inks_to_rgb(decoded.inks.data(), decoded.inks.size() / inks, decoded.rgb.data());
    }
    return decoded;
}

}  // namespace vitrine
