#include "core/files/heif.h"

#include <algorithm>
#include <memory>

namespace vitrine {

namespace {

using namespace std::string_view_literals;

// The part of libheif's interface that is used here; unchanged in all versions from 1.12 on (libheif/heif.h).
struct HeifError {
    int code, subcode;
    const char* message;
};
constexpr int heif_rgb = 1, heif_interleaved_rgb = 10, heif_interleaved = 10, heif_unsupported = 4,
              heif_no_codec = 3000;

/// libheif's functions; null if the library does not exist.
struct Heif {
    explicit Heif(const SharedLibrary& library) {
        complete = library.look_up(new_context, "heif_context_alloc", end_context, "heif_context_free", read,
                                   "heif_context_read_from_memory_without_copy", primary,
                                   "heif_context_get_primary_image_handle", end_handle, "heif_image_handle_release",
                                   width_of, "heif_image_handle_get_width", height_of, "heif_image_handle_get_height",
                                   profile_size, "heif_image_handle_get_raw_color_profile_size", profile_of,
                                   "heif_image_handle_get_raw_color_profile", decode, "heif_decode_image", end_image,
                                   "heif_image_release", width, "heif_image_get_width", height, "heif_image_get_height",
                                   plane, "heif_image_get_plane_readonly", has_decoder, "heif_have_decoder_for_format");
        if (auto* const begin = library.function<HeifError(void*)>("heif_init")) begin(nullptr);  // finds its plug-ins
    }

    bool complete = false;
    void* (*new_context)() = nullptr;
    void (*end_context)(void*) = nullptr;
    HeifError (*read)(void* context, const void* bytes, std::size_t size, const void* options) = nullptr;
    HeifError (*primary)(void* context, void** handle) = nullptr;
    void (*end_handle)(const void*) = nullptr;
    int (*width_of)(const void* handle) = nullptr;
    int (*height_of)(const void* handle) = nullptr;
    std::size_t (*profile_size)(const void* handle) = nullptr;
    HeifError (*profile_of)(const void* handle, void* into) = nullptr;
    HeifError (*decode)(const void* handle, void** image, int colours, int chroma, const void* options) = nullptr;
    void (*end_image)(const void*) = nullptr;
    int (*width)(const void* image, int channel) = nullptr;
    int (*height)(const void* image, int channel) = nullptr;
    const std::uint8_t* (*plane)(const void* image, int channel, int* stride) = nullptr;
    int (*has_decoder)(int coding) = nullptr;
};

/// The coding named by a file's brands; none if the brands allow either.
std::optional<HeifCoding> coding_of(Bytes bytes) {
    const std::string_view brands = text_of(bytes.first(std::min<std::size_t>(bytes.size(), 64)));
    for (const auto brand : {"avif"sv, "avis"sv})
        if (brands.find(brand) != std::string_view::npos) return HeifCoding::av1;
    for (const auto brand : {"heic"sv, "heix"sv, "hevc"sv, "heim"sv, "heis"sv})
        if (brands.find(brand) != std::string_view::npos) return HeifCoding::hevc;
    return {};
}

void check_heif(HeifError error, const Encoded& file) {
    if (error.code == 0) return;
    const std::string words = error.message == nullptr ? "no reason given" : error.message;
    if (words.find("End of file") != std::string::npos || words.find("end of file") != std::string::npos)
        fail_as(file, "that ends too early; fetch a complete copy");
    if (error.code == heif_unsupported && error.subcode == heif_no_codec)
        fail_as(file,
                "whose coding libheif cannot decode here; install libheif-plugin-libde265 and libheif-plugin-dav1d, or "
                "save it as JPEG or PNG");
    fail_as(file, "that is damaged or of an unusual kind (" + words + "); save it again as JPEG or PNG");
}

}  // namespace

const SharedLibrary& system_libheif() {
    static const SharedLibrary library("libheif.so.1");
    return library;
}

std::optional<std::string> missing_for(HeifCoding coding, const SharedLibrary& libheif) {
    const Heif heif(libheif);
    if (!heif.complete) return "libheif1";
    if (heif.has_decoder(static_cast<int>(coding)) != 0) return {};
    return coding == HeifCoding::hevc ? "libheif-plugin-libde265" : "libheif-plugin-dav1d";
}

std::optional<std::string> missing_for_avif() { return missing_for(HeifCoding::av1, system_libheif()); }
std::optional<std::string> missing_for_heic() { return missing_for(HeifCoding::hevc, system_libheif()); }

Decoded decode_heif_with(const SharedLibrary& libheif, const Encoded& file, const Progress& progress) {
    const auto coding = coding_of(file.bytes);
    if (const auto missing = missing_for(coding.value_or(HeifCoding::hevc), libheif);
        missing && (coding || *missing == "libheif1"))
        fail_as(file, "which is read by a library that is not installed; install " + *missing +
                          ", or save it as JPEG or PNG");
    const Heif heif(libheif);
    report(progress, 0.0);
    const std::unique_ptr<void, void (*)(void*)> context(heif.new_context(), heif.end_context);
    check_heif(heif.read(context.get(), file.bytes.data(), file.bytes.size(), nullptr), file);
    void* found = nullptr;
    check_heif(heif.primary(context.get(), &found), file);
    const std::unique_ptr<const void, void (*)(const void*)> handle(found, heif.end_handle);
    check_size(heif.width_of(handle.get()), heif.height_of(handle.get()), file);
    Decoded decoded;
    if (const std::size_t size = heif.profile_size(handle.get()); size > 0) {
        decoded.profile.resize(size);
        check_heif(heif.profile_of(handle.get(), decoded.profile.data()), file);
    }
    report(progress, 0.1);
    void* pixels = nullptr;
    check_heif(heif.decode(handle.get(), &pixels, heif_rgb, heif_interleaved_rgb, nullptr), file);  // turned upright
    const std::unique_ptr<const void, void (*)(const void*)> image(pixels, heif.end_image);
    decoded.width = heif.width(image.get(), heif_interleaved);
    decoded.height = heif.height(image.get(), heif_interleaved);
    check_size(decoded.width, decoded.height, file);
    int stride = 0;
    const std::uint8_t* const rows = heif.plane(image.get(), heif_interleaved, &stride);
    const std::size_t row = std::size_t{3} * static_cast<std::size_t>(decoded.width);
    if (rows == nullptr || static_cast<std::size_t>(stride) < row)
        fail_as(file, "that libheif decodes to no pixels; save it as JPEG or PNG");
    decoded.rgb.resize(row * static_cast<std::size_t>(decoded.height));
    for (int y = 0; y < decoded.height; ++y)
        std::copy_n(rows + static_cast<std::ptrdiff_t>(y) * stride, row,
                    decoded.rgb.data() + static_cast<std::size_t>(y) * row);
    return decoded;
}

Decoded decode_heif(const Encoded& file, const Progress& progress) {
    return decode_heif_with(system_libheif(), file, progress);
}

}  // namespace vitrine
