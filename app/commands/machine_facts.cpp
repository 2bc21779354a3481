#include "app/commands/machine_facts.h"

#include "core/base/machine.h"
#include "core/files/image_formats.h"
#include "core/tensor/matmul.h"
#include "core/tensor/rows.h"

namespace vitrine {

nlohmann::ordered_json machine_facts() {
    nlohmann::ordered_json read = nlohmann::ordered_json::array(), missing = nlohmann::ordered_json::object();
    for (const ReadableFormat& format : readable_formats())
        if (format.missing)
            missing[format.name] = *format.missing;
        else
            read.push_back(format.name);
    return {{"processor", processor_name()},
            {"processors", processor_count()},
            {"vectors", vector_variant()},
            {"products", product_library()},
            {"pictures", read},
            {"pictures_need", missing}};
}

std::string pictures_line() {
    std::string read = "pictures:", missing;
    for (const ReadableFormat& format : readable_formats())
        if (format.missing)
            missing += "; " + format.name + " needs the package " + *format.missing;
        else
            read += " " + format.name;
    return read + missing;
}

std::string machine_line() {
    const int count = processor_count();
    return processor_name() + ", " + std::to_string(count) + (count > 1 ? " processors" : " processor") +
           "; loops: " + vector_variant() + "; products: " + product_library();
}

}  // namespace vitrine
