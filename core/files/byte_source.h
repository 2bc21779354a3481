#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace vitrine {

class InputFile;

/// Random access to bytes: an open file, or memory that must outlive this object.
class ByteSource {
public:
    /// Throws Error if the file is missing, not regular or not readable.
    static ByteSource of_file(const std::filesystem::path& path);
    static ByteSource of_bytes(std::span<const std::uint8_t> bytes, std::string name);

    const std::string& name() const { return name_; }
    std::size_t size() const { return size_; }
    /// Fills `bytes` from `offset` on. Throws Error if the source has fewer bytes.
    void read(std::size_t offset, std::span<std::uint8_t> bytes) const;
    /// True if the source has `count` bytes from `offset` on.
    bool has(std::size_t offset, std::size_t count) const { return offset <= size_ && count <= size_ - offset; }

private:
    std::string name_;
    std::size_t size_ = 0;
    std::shared_ptr<const InputFile> file_;  // none: the bytes are in `bytes_`
    std::span<const std::uint8_t> bytes_;
};

/// The unsigned integer of 1 to 8 little-endian bytes.
std::uint64_t little_endian(std::span<const std::uint8_t> bytes);

}  // namespace vitrine
