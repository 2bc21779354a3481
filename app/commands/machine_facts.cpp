#include "app/commands/machine_facts.h"

#include <utility>
#include <vector>

#include "core/base/machine.h"
#include "core/files/heif.h"
#include "core/tensor/matmul.h"
#include "core/tensor/rows.h"

namespace vitrine {

namespace {

/// What of AVIF and HEIC is read here, and the packages that the others need.
struct HeifHere {
    std::vector<std::string> read;
    std::vector<std::pair<std::string, std::string>> missing;  // format, package
};

HeifHere heif_here() {
    HeifHere here;
    for (const auto& [name, coding] : {std::pair{"HEIC", HeifCoding::hevc}, {"AVIF", HeifCoding::av1}}) {
        const auto missing = missing_for(coding, system_libheif());
        if (missing)
            here.missing.emplace_back(name, *missing);
        else
            here.read.emplace_back(name);
    }
    return here;
}

const std::vector<std::string> always_read = {"JPEG", "PNG", "WebP", "TIFF", "GIF", "BMP", "PNM", "TGA", "PSD", "HDR"};

}  // namespace

nlohmann::ordered_json machine_facts() {
    const HeifHere heif = heif_here();
    std::vector<std::string> read = always_read;
    read.insert(read.end(), heif.read.begin(), heif.read.end());
    nlohmann::ordered_json missing = nlohmann::ordered_json::object();
    for (const auto& [format, package] : heif.missing) missing[format] = package;
    return {{"processor", processor_name()},
            {"processors", processor_count()},
            {"vectors", vector_variant()},
            {"products", product_library()},
            {"pictures", read},
            {"pictures_need", missing}};
}

std::string pictures_line() {
    const HeifHere heif = heif_here();
    std::string words = "pictures:";
    for (const std::string& format : always_read) words += " " + format;
    for (const std::string& format : heif.read) words += " " + format;
    for (const auto& [format, package] : heif.missing) words += "; " + format + " needs the package " + package;
    return words;
}

std::string machine_line() {
    const int count = processor_count();
    return processor_name() + ", " + std::to_string(count) + (count > 1 ? " processors" : " processor") +
           "; loops: " + vector_variant() + "; products: " + product_library();
}

}  // namespace vitrine
