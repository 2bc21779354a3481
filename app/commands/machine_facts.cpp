#include "app/commands/machine_facts.h"

#include <utility>
#include <vector>

#include "core/base/machine.h"
#include "core/files/heif.h"
#include "core/files/tiff.h"
#include "core/files/video.h"
#include "core/tensor/matmul.h"
#include "core/tensor/rows.h"

namespace vitrine {

namespace {

/// Formats whose library is loaded at run time: those that this machine can read, and the packages that the others
/// need.
struct LoadedFormats {
    std::vector<std::string> read;
    std::vector<std::pair<std::string, std::string>> missing;  // format, package
};

LoadedFormats loaded_formats() {
    LoadedFormats here;
    if (reads_tiff(system_libtiff()))
        here.read.emplace_back("TIFF");
    else
        here.missing.emplace_back("TIFF", "libtiff6");
    for (const auto& [name, coding] : {std::pair{"HEIC", HeifCoding::hevc}, {"AVIF", HeifCoding::av1}}) {
        const auto missing = missing_for(coding, system_libheif());
        if (missing)
            here.missing.emplace_back(name, *missing);
        else
            here.read.emplace_back(name);
    }
    if (const auto missing = missing_for_videos(system_ffmpeg()))
        here.missing.emplace_back("video", *missing);
    else
        here.read.emplace_back("video");
    return here;
}

const std::vector<std::string> always_read = {"JPEG", "PNG", "WebP", "GIF", "BMP", "PNM", "TGA", "PSD", "HDR"};

}  // namespace

nlohmann::ordered_json machine_facts() {
    const LoadedFormats loaded = loaded_formats();
    std::vector<std::string> read = always_read;
    read.insert(read.end(), loaded.read.begin(), loaded.read.end());
    nlohmann::ordered_json missing = nlohmann::ordered_json::object();
    for (const auto& [format, package] : loaded.missing) missing[format] = package;
    return {{"processor", processor_name()},
            {"processors", processor_count()},
            {"vectors", vector_variant()},
            {"products", product_library()},
            {"pictures", read},
            {"pictures_need", missing}};
}

std::string pictures_line() {
    const LoadedFormats loaded = loaded_formats();
    std::string words = "pictures:";
    for (const std::string& format : always_read) words += " " + format;
    for (const std::string& format : loaded.read) words += " " + format;
    for (const auto& [format, package] : loaded.missing) words += "; " + format + " needs the package " + package;
    return words;
}

std::string machine_line() {
    const int count = processor_count();
    return processor_name() + ", " + std::to_string(count) + (count > 1 ? " processors" : " processor") +
           "; loops: " + vector_variant() + "; products: " + product_library();
}

}  // namespace vitrine
