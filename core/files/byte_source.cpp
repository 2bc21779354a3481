#include "core/files/byte_source.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/input_file.h"

namespace vitrine {

ByteSource ByteSource::of_file(const std::filesystem::path& path) {
    ByteSource source;
    source.name_ = path.string();
    source.file_ = std::make_shared<const InputFile>(path);
    if (!source.file_->is_regular())
        throw Error(source.name_ + ": this is not a file; give a weight file or a folder with model.safetensors");
    source.size_ = source.file_->size();
    return source;
}

ByteSource ByteSource::of_bytes(std::span<const std::uint8_t> bytes, std::string name) {
    ByteSource source;
    source.name_ = std::move(name);
    source.bytes_ = bytes;
    source.size_ = bytes.size();
    return source;
}

void ByteSource::read(std::size_t offset, std::span<std::uint8_t> bytes) const {
    if (!has(offset, bytes.size())) throw Error(name_ + ": this file is cut short; download it again");
    if (file_)
        file_->read(offset, bytes);
    else
        std::copy_n(bytes_.data() + offset, bytes.size(), bytes.data());
}

std::uint64_t little_endian(std::span<const std::uint8_t> bytes) {
    std::uint64_t number = 0;
    for (std::size_t i = bytes.size(); i-- > 0;) number = number << 8 | bytes[i];
    return number;
}

}  // namespace vitrine
