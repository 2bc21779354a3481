#include "core/files/safetensors.h"

#include "core/base/error.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

void safetensors(Bytes bytes) {
    try {
        const Safetensors file = Safetensors::from_bytes(bytes, "file");
        for (const auto& [name, entry] : file.entries()) {
            demand(entry.offset + entry.bytes <= bytes.size(), "a tensor lies in its file");
            try {
                const std::shared_ptr<const float> numbers = file.floats(name);
                std::size_t count = 1;
                for (const std::size_t n : entry.shape) count *= n;
                for (std::size_t i = 0; i < count; ++i)
                    demand(numbers.get()[i] - numbers.get()[i] == 0, "every number of a tensor is finite");
            } catch (const Error& error) {
                demand_sentence(error.what());
            }
        }
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
