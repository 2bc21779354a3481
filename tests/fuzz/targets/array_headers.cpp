#include "core/base/error.h"
#include "core/files/npz_file.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

void array_headers(Bytes bytes) {
    try {
        const ArrayHeader header = read_array_header(text_of(bytes), "file: the array");
        demand(header.shape.size() <= 8, "an array has few axes");
        demand(bytes_of(header.type) <= 8, "a number has few bytes");
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
