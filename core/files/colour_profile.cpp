#include "core/files/colour_profile.h"

#include <lcms2.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "core/base/team.h"
#include "core/files/exif.h"

namespace vitrine {

namespace {

struct EndProfile {
    void operator()(void* profile) const { cmsCloseProfile(profile); }
};
struct EndTransform {
    void operator()(void* transform) const { cmsDeleteTransform(transform); }
};
using Profile = std::unique_ptr<void, EndProfile>;
using Transform = std::unique_ptr<void, EndTransform>;

/// The four letters of a profile's colour space (ICC.1, 7.2.6). Read here because lcms returns an enumerator, even for
/// letters that it does not list. Any profile that lcms opens has a header of 128 bytes.
std::string_view space_of(Bytes profile) { return {reinterpret_cast<const char*>(profile.data()) + 16, 4}; }

/// True if a transform from RGB to RGB changes no colour of a lattice, except by rounding.
bool changes_nothing(void* transform) {
    std::vector<std::uint8_t> colours;
    for (int r = 0; r < 256; r += 51)
        for (int g = 0; g < 256; g += 51)
            for (int b = 0; b < 256; b += 51)
                for (const int value : {r, g, b}) colours.push_back(static_cast<std::uint8_t>(value));
    std::vector<std::uint8_t> after(colours.size());
    cmsDoTransform(transform, colours.data(), after.data(), static_cast<cmsUInt32Number>(colours.size() / 3));
    return std::ranges::equal(colours, after, [](int x, int y) { return std::abs(x - y) <= 1; });
}

}  // namespace

std::optional<std::vector<std::uint8_t>> in_srgb(const Decoded& picture) {
    if (picture.profile.empty()) return {};
    const std::unique_ptr<_cmsContext_struct, void (*)(cmsContext)> context(cmsCreateContext(nullptr, nullptr),
                                                                            cmsDeleteContext);
    const Profile own(cmsOpenProfileFromMemTHR(context.get(), picture.profile.data(),
                                               static_cast<cmsUInt32Number>(picture.profile.size())));
    if (own == nullptr) return {};
    const std::string_view space = space_of(picture.profile);
    const bool inks = space == "CMYK" && !picture.inks.empty(), grey = space == "GRAY";
    if (!inks && !grey && (space != "RGB " || !picture.inks.empty())) return {};
    const Profile srgb(cmsCreate_sRGBProfileTHR(context.get()));
    // A grey picture stores its value three times per pixel; the second and third are skipped.
    const cmsUInt32Number from = inks   ? TYPE_CMYK_8
                                 : grey ? COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | EXTRA_SH(2) | BYTES_SH(1)
                                        : TYPE_RGB_8;
    const Transform transform(cmsCreateTransformTHR(context.get(), own.get(), from, srgb.get(), TYPE_RGB_8,
                                                    INTENT_PERCEPTUAL, cmsFLAGS_NOCACHE));
    if (transform == nullptr || (!inks && !grey && changes_nothing(transform.get()))) return {};
    std::vector<std::uint8_t> rgb(picture.rgb.size());
    const std::vector<std::uint8_t>& stored = inks ? picture.inks : picture.rgb;
    const auto width = static_cast<std::size_t>(picture.width);
    parallel_for(static_cast<std::size_t>(picture.height), [&](std::size_t y) {
        cmsDoTransform(transform.get(), stored.data() + y * width * (inks ? 4 : 3), rgb.data() + y * width * 3,
                       static_cast<cmsUInt32Number>(width));
    });
    return rgb;
}

std::vector<std::uint8_t> png_profile(Bytes png) {
    constexpr std::size_t largest = 8 << 20;  // bytes; CMYK profiles have some 500 kB
    const Bytes chunk = png_chunk(png, "iCCP");
    const auto name_end = std::ranges::find(chunk, std::uint8_t{0});
    if (chunk.end() - name_end < 2) return {};
    const Bytes packed = chunk.subspan(static_cast<std::size_t>(name_end - chunk.begin()) +
                                       2);  // the zero, and a byte for the compression
    std::vector<std::uint8_t> profile(largest);
    uLongf size = largest;
    if (uncompress(profile.data(), &size, packed.data(), packed.size()) != Z_OK) size = 0;
    profile.resize(size);
    return profile;
}

}  // namespace vitrine
