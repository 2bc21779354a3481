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
        std::size_t data = 0;    // offset of its packed bytes in the source
        std::size_t packed = 0;  // number of packed bytes
        std::size_t size = 0;    // bytes when unpacked
        bool deflated = false;
    };

    /// Throws Error for anything but a whole archive.
    explicit ZipArchive(ByteSource source);

    const std::string& name() const { return source_.name(); }
    const std::vector<Entry>& entries() const { return entries_; }
    /// The entry with a name; null if there is none.
    const Entry* find(std::string_view name) const;

    /// Fills `bytes` with unpacked bytes of an entry from `offset` on. A deflated entry is unpacked from its beginning,
    /// so a late offset takes time. Throws Error for damaged bytes, and beyond the entry's end.
    void read(const Entry& entry, std::size_t offset, std::span<std::uint8_t> bytes) const;

private:
    ByteSource source_;
    std::vector<Entry> entries_;  // by name
};

}  // namespace vitrine
