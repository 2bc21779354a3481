#include "core/files/npz_writer.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/files/table.h"

namespace vitrine {

namespace {

void put_number(std::string& out, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xFF);
}

/// The fields of an entry that its local header and the directory share (PKWARE's APPNOTE.TXT 6.3, 4.3.7 and 4.3.12):
/// version 2.0, UTF-8 names, stored, the earliest date of a ZIP (first_of_1980), checksum, sizes.
void put_facts(std::string& out, std::size_t size, unsigned long crc, std::size_t name_size) {
    constexpr int version = 20, utf8_names = 0x800, stored = 0, midnight = 0, first_of_1980 = 0x21;
    for (const int field : {version, utf8_names, stored, midnight, first_of_1980})
        put_number(out, static_cast<std::uint64_t>(field), 2);
    put_number(out, crc, 4);
    put_number(out, size, 4);
    put_number(out, size, 4);
    put_number(out, name_size, 2);
    put_number(out, 0, 2);  // no extra field
}

}  // namespace

NpzWriter::NpzWriter(const std::string& about) {
    add_entry("about", npy_header({}, 0, "|S" + std::to_string(about.size())) + about);
}

void NpzWriter::add(const std::string& name, const std::vector<std::size_t>& shape, const std::vector<float>& values) {
    add_entry(name, to_npy({name, {}, shape, values, {}}));
}

void NpzWriter::add(const std::string& name, const std::vector<std::string>& words) {
    std::size_t longest = 1;
    for (const std::string& word : words) longest = std::max(longest, letters_in(word).size());
    std::string bytes = npy_header({words.size()}, 0, "<U" + std::to_string(longest));
    for (const std::string& word : words) {
        std::u32string letters = letters_in(word);
        letters.resize(longest, U'\0');
        for (const char32_t letter : letters) put_number(bytes, letter, 4);
    }
    add_entry(name, bytes);
}

void NpzWriter::add_entry(const std::string& name, const std::string& bytes) {
    Entry entry{name + ".npy", bytes_.size(), bytes.size(), 0};
    entry.crc = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    put_number(bytes_, 0x04034B50, 4);
    put_facts(bytes_, entry.size, entry.crc, entry.name.size());
    bytes_ += entry.name + bytes;
    entries_.push_back(std::move(entry));
}

std::string NpzWriter::take() {
    const std::size_t directory = bytes_.size();
    for (const Entry& entry : entries_) {
        put_number(bytes_, 0x02014B50, 4);
        put_number(bytes_, 20, 2);  // made by version 2.0
        put_facts(bytes_, entry.size, entry.crc, entry.name.size());
        put_number(bytes_, 0, 2 + 2 + 2);  // no comment, the first disk, no text
        put_number(bytes_, 0, 4);          // no attributes
        put_number(bytes_, entry.at, 4);
        bytes_ += entry.name;
    }
    const std::size_t end = bytes_.size();
    constexpr std::size_t most = 0xFFFFFFFF;
    if (end > most) throw Error("the archive is larger than 4 GiB; sweep over fewer images or parts at a time");
    if (entries_.size() > 0xFFFF)
        throw Error("the archive has more than 65 535 arrays; sweep over fewer parts at a time");
    put_number(bytes_, 0x06054B50, 4);
    put_number(bytes_, 0, 2 + 2);
    put_number(bytes_, entries_.size(), 2);
    put_number(bytes_, entries_.size(), 2);
    put_number(bytes_, end - directory, 4);
    put_number(bytes_, directory, 4);
    put_number(bytes_, 0, 2);
    return std::exchange(bytes_, {});
}

}  // namespace vitrine
