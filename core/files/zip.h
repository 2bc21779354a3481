#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/files/byte_source.h"

namespace vitrine {

/// A ZIP archive, read as hostile input: the directory is checked against the file's length, and entries may neither
/// overlap nor claim more bytes than deflate can unpack. Entries are stored or deflated; ZIP64 is read, encryption
/// refused. (PKWARE's APPNOTE.TXT 6.3, sections 4.3 to 4.5; zlib unpacks.)
class ZipArchive {
public:
    struct Entry {
        std::string name;
        std::size_t data = 0;    // where its packed bytes begin in the source
        std::size_t packed = 0;  // their number
        std::size_t size = 0;    // bytes when unpacked
        bool deflated = false;
    };

    /// Throws Error for anything but a whole archive.
    explicit ZipArchive(ByteSource source);

    const std::string& name() const { return source_.name(); }
    const std::vector<Entry>& entries() const { return entries_; }
    /// None if there is no such entry.
    const Entry* find(std::string_view name) const;

    /// Unpacked bytes of an entry from an offset on. Those of a deflated entry are unpacked from its beginning.
    void read(const Entry& entry, std::size_t offset, std::span<std::uint8_t> bytes) const;

private:
    ByteSource source_;
    std::vector<Entry> entries_;  // by name
};

}  // namespace vitrine
