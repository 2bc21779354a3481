#include "app/commands/machine.h"

#include "core/base/processor.h"
#include "core/tensor/matmul.h"

namespace vitrine {

nlohmann::ordered_json machine_facts() {
    return {{"processor", processor_name()},
            {"processors", processor_count()},
            {"vectors", vector_instructions()},
            {"products", product_library()}};
}

std::string machine_line() {
    const int count = processor_count();
    return processor_name() + ", " + std::to_string(count) + (count > 1 ? " processors" : " processor") +
           "; loops: " + vector_instructions() + "; products: " + product_library();
}

}  // namespace vitrine
