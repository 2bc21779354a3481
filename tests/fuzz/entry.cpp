// libFuzzer's way into one target, which the build names.

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    vitrine::fuzz::FUZZ_TARGET({data, size});
    return 0;
}
