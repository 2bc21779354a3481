#include "core/files/image_formats.h"

#include <algorithm>

#include "core/base/names.h"

namespace vitrine {

namespace {

using namespace std::string_view_literals;

std::optional<std::string> always() { return {}; }

// Softimage PIC is refused although stb can read it: its reader dereferences a null pointer for truncated files. Bounds
// on pixels per byte: a JPEG has at least a bit for a block of 8 × 8, a PNG deflates 1032 bytes of 8 pixels into one,
// an HDR picture has 8 bytes for a run of 127, a PSD picture 2 bytes for a run of 128; a GIF's code of 12 bits expands
// to at most 4096 pixels. Decoded formats are in the order in which a copied picture is requested from the clipboard:
// lossless ones first.
constexpr Format formats[] = {
    {0, "\x89PNG"sv, "a PNG picture", ".png", "image/png", decode_png, "PNG", always, nullptr, 8 * 1032},
    {0, "II*\0"sv, "a TIFF picture", ".tif .tiff", "image/tiff", decode_tiff, "TIFF", missing_for_tiff},
    {0, "MM\0*"sv, "a TIFF picture", ".tif .tiff", "image/tiff", decode_tiff, "TIFF", missing_for_tiff},
    {0, "II+\0"sv, "a TIFF picture", ".tif .tiff", "image/tiff", decode_tiff, "TIFF", missing_for_tiff},
    {0, "MM\0+"sv, "a TIFF picture", ".tif .tiff", "image/tiff", decode_tiff, "TIFF", missing_for_tiff},
    {8, "WEBP"sv, "a WebP picture", ".webp", "image/webp", decode_webp, "WebP", always, play_webp},
    {0, "\xFF\xD8"sv, "a JPEG picture", ".jpg .jpeg .jpe .jfif", "image/jpeg", decode_jpeg, "JPEG", always, nullptr,
     8 * 64},
    {4, "ftypavif"sv, "an AVIF picture", ".avif", "image/avif", decode_heif, "AVIF", missing_for_avif},
    {4, "ftypavis"sv, "an AVIF picture", ".avif", "image/avif", decode_heif, "AVIF", missing_for_avif},
    {4, "ftyphei"sv, "a HEIC picture", ".heic .heif .hif", "image/heic", decode_heif, "HEIC", missing_for_heic},
    {4, "ftyphev"sv, "a HEIC picture", ".heic .heif .hif", "image/heic", decode_heif, "HEIC", missing_for_heic},
    {4, "ftypmif1"sv, "a HEIC or AVIF picture", ".heif", "image/heif", decode_heif},
    {4, "ftypmsf1"sv, "a HEIC or AVIF picture", ".heif", "image/heif", decode_heif},
    {0, "BM"sv, "a BMP picture", ".bmp", "image/bmp", decode_with_stb, "BMP", always, nullptr, 8},
    {0, "GIF8"sv, "a GIF picture", ".gif", "image/gif", decode_gif, "GIF", always, play_gif, 4096 * 8 / 12},
    {0, "P5"sv, "a PGM picture", ".pgm .pnm", "image/x-portable-graymap", decode_pnm, "PNM", always, nullptr, 1},
    {0, "P6"sv, "a PPM picture", ".ppm", "image/x-portable-pixmap", decode_pnm, "PNM", always, nullptr, 1},
    {0, "8BPS"sv, "a PSD picture", ".psd", "image/vnd.adobe.photoshop", decode_with_stb, "PSD", always, nullptr, 64},
    {0, "#?RADIANCE\n"sv, "an HDR picture", ".hdr", "image/vnd.radiance", decode_with_stb, "HDR", always, nullptr, 16,
     true},
    {0, "#?RGBE\n"sv, "an HDR picture", ".hdr", "image/vnd.radiance", decode_with_stb, "HDR", always, nullptr, 16,
     true},
    {0, {}, "a TGA picture", ".tga", "image/x-tga", nullptr, "TGA", always},
    {0, "\xFF\xFF"sv, "a JPEG picture with bytes before its beginning"},
    {0, "P1"sv, "a PNM picture in text or one bit a pixel"},
    {0, "P2"sv, "a PNM picture in text or one bit a pixel"},
    {0, "P3"sv, "a PNM picture in text or one bit a pixel"},
    {0, "P4"sv, "a PNM picture in text or one bit a pixel"},
    {0, "P7"sv, "a PAM picture"},
    {4, "ftyp"sv, name_of_videos, {}, {}, nullptr, "video", missing_for_videos},
    {0, "\x1A\x45\xDF\xA3"sv, name_of_videos, {}, {}, nullptr, "video", missing_for_videos},
    {8, "AVI "sv, name_of_videos, {}, {}, nullptr, "video", missing_for_videos},
    {0, "%PDF"sv, "a PDF document"},
    {0, "%!PS"sv, "a PostScript document"},
    {0, "\xFF\x0A"sv, "a JPEG XL picture"},
    {0, "\0\0\0\x0CJXL "sv, "a JPEG XL picture"},
    {0, "\0\0\0\x0CjP  "sv, "a JPEG 2000 picture"},
    {0, "\xFF\x4F\xFF\x51"sv, "a JPEG 2000 picture"},
    {0, "\0\0\1\0"sv, "an icon"},
    {0, "\x53\x80\xF6\x34"sv, "a Softimage PIC picture"},
    {0, "\x76\x2F\x31\x01"sv, "an OpenEXR picture"},
    {0, "gimp xcf"sv, "a GIMP picture"},
    {0, "PK\3\4"sv, "a ZIP archive"},
};

/// The format of a markup file, which may begin with white space and prologues; null for other files.
const Format* markup_format(Bytes bytes) {
    static constexpr Format svg{0, "<svg"sv, "an SVG drawing"};
    static constexpr Format html{0, "<html"sv, "a web page"};
    const std::string_view text = text_of(bytes.first(std::min<std::size_t>(bytes.size(), 1024)));
    const std::size_t start = text.find_first_not_of("\xEF\xBB\xBF \t\r\n"sv);
    if (start == std::string_view::npos || text[start] != '<') return nullptr;
    if (text.find(svg.magic) != std::string_view::npos) return &svg;
    return text.find(html.magic) != std::string_view::npos ? &html : nullptr;
}

/// Adds the words of a space-separated list that are not yet in `words`.
void add_words(std::string_view list, std::vector<std::string>& words) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(' '), list.size());
        const std::string word(list.substr(0, end));
        if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
        list.remove_prefix(std::min(end + 1, list.size()));
    }
}

}  // namespace

const Format* format_of(Bytes bytes) {
    for (const Format& format : formats) {
        if (format.magic.empty() || bytes.size() < format.offset + format.magic.size()) continue;
        if (text_of(bytes).substr(format.offset, format.magic.size()) == format.magic) return &format;
    }
    return markup_format(bytes);
}

std::vector<std::string> endings_of_formats() {
    std::vector<std::string> endings;
    for (const Format& format : formats) add_words(format.endings, endings);
    return endings;
}

std::vector<ReadableFormat> readable_formats() {
    std::vector<ReadableFormat> all;
    for (const bool at_run_time : {false, true})
        for (const Format& format : formats)
            if (!format.short_name.empty() && (format.missing != always) == at_run_time &&
                std::ranges::find(all, format.short_name, &ReadableFormat::name) == all.end())
                all.push_back({std::string(format.short_name), format.missing()});
    return all;
}

std::vector<std::string> moving_endings() {
    std::vector<std::string> endings;
    for (const Format& format : formats)
        if (format.play != nullptr) add_words(format.endings, endings);
    return endings;
}

std::string moving_formats() {
    std::vector<std::string> names;
    for (const Format& format : formats)
        if (format.play != nullptr) add_words(format.short_name, names);
    std::ranges::sort(names);
    return listed(names);
}

std::vector<PictureType> picture_types() {
    std::vector<PictureType> types;
    for (const Format& format : formats) {
        if (format.type.empty() || std::ranges::find(types, format.type, &PictureType::name) != types.end()) continue;
        types.push_back({std::string(format.type), std::string(format.endings.substr(0, format.endings.find(' ')))});
    }
    return types;
}

}  // namespace vitrine
