#include "app/commands/machine_facts.h"

#include "core/base/machine.h"
#include "core/tensor/matmul.h"
#include "core/tensor/rows.h"

namespace vitrine {

nlohmann::ordered_json machine_facts() {
    return {{"processor", processor_name()},
            {"processors", processor_count()},
            {"vectors", vector_variant()},
            {"products", product_library()}};
}

std::string machine_line() {
    const int count = processor_count();
    return processor_name() + ", " + std::to_string(count) + (count > 1 ? " processors" : " processor") +
           "; loops: " + vector_variant() + "; products: " + product_library();
}

}  // namespace vitrine
