#include <vector>

#include "core/base/error.h"
#include "core/files/pytorch/pytorch_file.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/tensors_of.h"

namespace vitrine::fuzz {

/// The bytes come after the first three pickles of PyTorch's stream: the model, the names of storages, their numbers.
void pickles(Bytes bytes) {
    constexpr std::string_view before(
        "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02M\xe9\x03.\x80\x02}.", 25);
    std::vector<std::uint8_t> stream(before.begin(), before.end());
    stream.insert(stream.end(), bytes.begin(), bytes.end());
    try {
        read_tensors(*PytorchFile::from_stream(ByteSource::of_bytes(stream, "file")));
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
