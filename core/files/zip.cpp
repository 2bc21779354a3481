#include "core/files/zip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/error.h"
#include "core/files/tensor_file.h"

namespace vitrine {

namespace {

constexpr const char* damaged_archive = "; download the file again";
constexpr std::size_t most_directory_bytes = 64 << 20;
constexpr std::size_t longest_name = 1024;
constexpr std::size_t most_deflated = 1032;  // most bytes to which one byte of deflate can be unpacked

using Bytes = std::span<const std::uint8_t>;

[[noreturn]] void refuse_archive(const std::string& file, const std::string& what) {
    throw Error(file + ": this ZIP archive " + what + damaged_archive);
}

/// The central directory: its offset, its size and its number of entries.
struct Directory {
    std::uint64_t offset = 0, bytes = 0, count = 0;
    std::size_t end = 0;  // offset of the end records, before which entries and directory must end
};

std::vector<std::uint8_t> bytes_at(const ByteSource& source, std::size_t offset, std::size_t count) {
    std::vector<std::uint8_t> bytes(count);
    source.read(offset, bytes);
    return bytes;
}

std::uint64_t number_at(Bytes bytes, std::size_t offset, std::size_t count) {
    return little_endian(bytes.subspan(offset, count));
}

bool begins(Bytes bytes, std::uint32_t signature) {
    return bytes.size() >= 4 && little_endian(bytes.first(4)) == signature;
}

/// The directory from the ZIP64 end record, found by its locator, in archives beyond 4 GiB or 65,535 entries; none if
/// there is no such record.
std::optional<Directory> wide_directory(const ByteSource& source, std::size_t end_record) {
    constexpr std::size_t locator = 20, record = 56;
    if (end_record < locator) return {};
    const std::vector<std::uint8_t> place = bytes_at(source, end_record - locator, locator);
    if (!begins(place, 0x07064b50)) return {};
    const std::uint64_t at = number_at(place, 8, 8);
    if (at > end_record - locator || end_record - locator - at < record)
        refuse_archive(source.name(), "says that its directory is outside the file");
    const std::vector<std::uint8_t> wide = bytes_at(source, at, record);
    if (!begins(wide, 0x06064b50)) refuse_archive(source.name(), "has no directory where it says");
    return Directory{number_at(wide, 48, 8), number_at(wide, 40, 8), number_at(wide, 32, 8), at};
}

/// Finds the directory from the file's last bytes, which may end in a comment of up to 65,535 bytes.
Directory find_directory(const ByteSource& source) {
    constexpr std::size_t record = 22, longest_comment = 65'535;
    if (source.size() < record) refuse_archive(source.name(), "is cut short");
    const std::size_t tail_size = std::min(source.size(), record + longest_comment);
    const std::size_t begin = source.size() - tail_size;
    const std::vector<std::uint8_t> tail = bytes_at(source, begin, tail_size);
    for (std::size_t i = tail.size() - record + 1; i-- > 0;) {
        const Bytes here = Bytes(tail).subspan(i);
        if (!begins(here, 0x06054b50) || number_at(here, 20, 2) != here.size() - record) continue;
        if (number_at(here, 4, 2) != 0 && number_at(here, 4, 2) != 0xFFFF)
            refuse_archive(source.name(), "is one of several parts, which Vitrine does not join");
        Directory found{number_at(here, 16, 4), number_at(here, 12, 4), number_at(here, 10, 2), begin + i};
        if (const std::optional<Directory> wide = wide_directory(source, begin + i)) found = *wide;
        if (found.offset > found.end || found.bytes > found.end - found.offset)
            refuse_archive(source.name(), "says that its directory is outside the file");
        if (found.count > most_tensors || found.bytes > most_directory_bytes)
            refuse_archive(source.name(), "lists more entries than a model has");
        return found;
    }
    refuse_archive(source.name(), "has no directory at its end, so it is cut short");
}

/// Reads those of an entry's sizes and header offset that need 8 bytes from the ZIP64 extra field.
void read_wide_sizes(Bytes extra, ZipArchive::Entry& entry, std::uint64_t& header, const std::string& file) {
    constexpr std::uint64_t elsewhere = 0xFFFFFFFF;
    while (extra.size() >= 4) {
        const std::size_t id = number_at(extra, 0, 2), size = number_at(extra, 2, 2);
        if (size > extra.size() - 4) return;
        Bytes field = extra.subspan(4, size);
        extra = extra.subspan(4 + size);
        if (id != 1) continue;
        for (std::uint64_t* const number : {&entry.size, &entry.packed, &header}) {
            if (*number != elsewhere) continue;
            if (field.size() < 8) refuse_archive(file, "lacks the size of \"" + entry.name + "\"");
            *number = little_endian(field.first(8));
            field = field.subspan(8);
        }
        return;
    }
}

/// Reads the next entry of the directory and removes it from `rest`; `data` is the offset of the entry's local header.
ZipArchive::Entry read_entry_of_zip(Bytes& rest, const std::string& file) {
    constexpr std::size_t fixed = 46;
    if (rest.size() < fixed || !begins(rest, 0x02014b50)) refuse_archive(file, "has a damaged directory");
    const std::size_t flags = number_at(rest, 8, 2), method = number_at(rest, 10, 2);
    const std::size_t name = number_at(rest, 28, 2), extra = number_at(rest, 30, 2), comment = number_at(rest, 32, 2);
    if (name + extra + comment > rest.size() - fixed) refuse_archive(file, "has a damaged directory");
    if (name > longest_name) refuse_archive(file, "has an entry whose name is longer than any tensor's");
    ZipArchive::Entry entry;
    entry.name.assign(reinterpret_cast<const char*>(rest.data()) + fixed, name);
    entry.packed = number_at(rest, 20, 4);
    entry.size = number_at(rest, 24, 4);
    std::uint64_t header = number_at(rest, 42, 4);
    read_wide_sizes(rest.subspan(fixed + name, extra), entry, header, file);
    rest = rest.subspan(fixed + name + extra + comment);
    if ((flags & 1) != 0)
        throw Error(file + ": \"" + entry.name + "\" is encrypted; unpack the archive and pack it without a password");
    if (method != 0 && method != 8)
        throw Error(file + ": \"" + entry.name + "\" is packed by method " + std::to_string(method) +
                    ", which Vitrine does not unpack; save the weights with deflate or unpacked");
    entry.deflated = method == 8;
    entry.data = header;
    return entry;
}

/// Moves `entry.data` from the entry's local header to its packed bytes. The entry must not extend beyond `end`.
void find_data(const ByteSource& source, ZipArchive::Entry& entry, std::size_t end) {
    constexpr std::size_t fixed = 30;
    const std::size_t header = entry.data;
    if (header > end || end - header < fixed)
        refuse_archive(source.name(), "says that \"" + entry.name + "\" is outside the file, or inside another entry");
    std::array<std::uint8_t, fixed> local = {};
    source.read(header, local);
    const std::size_t skipped = number_at(local, 26, 2) + number_at(local, 28, 2);
    if (!begins(local, 0x04034b50)) refuse_archive(source.name(), "has no \"" + entry.name + "\" where it says");
    if (end - header - fixed < skipped || entry.packed > end - header - fixed - skipped)
        refuse_archive(source.name(),
                       "says that \"" + entry.name + "\" is longer than the file, or inside another entry");
    entry.data = header + fixed + skipped;
    if (!entry.deflated && entry.packed != entry.size)
        refuse_archive(source.name(), "gives two sizes for \"" + entry.name + "\"");
    if (entry.deflated && entry.size / most_deflated > entry.packed)
        refuse_archive(source.name(), "claims more bytes for \"" + entry.name + "\" than its packed bytes can hold");
}

/// Unpacks an entry's deflated bytes in order.
class Inflating {
public:
    Inflating(const ByteSource& source, const ZipArchive::Entry& entry)
        : source_(source), entry_(entry), at_(entry.data), left_(entry.packed) {
        if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK)
            throw Error(source.name() + ": there is no memory to unpack it; close other programs");
    }
    ~Inflating() { inflateEnd(&stream_); }
    Inflating(const Inflating&) = delete;
    Inflating& operator=(const Inflating&) = delete;

    void next(std::span<std::uint8_t> bytes) {
        while (!bytes.empty()) {
            if (stream_.avail_in == 0) refill();
            const auto part = static_cast<uInt>(std::min<std::size_t>(bytes.size(), 1U << 30));
            stream_.next_out = bytes.data();
            stream_.avail_out = part;
            const int status = inflate(&stream_, Z_NO_FLUSH);
            const std::size_t got = part - stream_.avail_out;
            bytes = bytes.subspan(got);
            if (bytes.empty()) return;
            if (status != Z_OK || (got == 0 && stream_.avail_in == 0 && left_ == 0))
                refuse_archive(source_.name(), "has damaged bytes in \"" + entry_.name + "\"");
        }
    }

private:
    void refill() {
        const std::size_t part = std::min(left_, buffer_.size());
        if (part > 0) source_.read(at_, std::span(buffer_).first(part));
        at_ += part;
        left_ -= part;
        stream_.next_in = buffer_.data();
        stream_.avail_in = static_cast<uInt>(part);
    }

    const ByteSource& source_;
    const ZipArchive::Entry& entry_;
    std::size_t at_, left_;
    std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(1 << 16);
    z_stream stream_ = {};
};

}  // namespace

ZipArchive::ZipArchive(ByteSource source) : source_(std::move(source)) {
    const Directory directory = find_directory(source_);
    const std::vector<std::uint8_t> bytes = bytes_at(source_, directory.offset, directory.bytes);
    Bytes rest = bytes;
    for (std::uint64_t i = 0; i < directory.count; ++i) entries_.push_back(read_entry_of_zip(rest, name()));
    std::ranges::sort(entries_, {}, &Entry::data);
    for (std::size_t i = 0; i < entries_.size();
         ++i)  // each ends before the next begins, the last before the directory
        find_data(source_, entries_[i], i + 1 < entries_.size() ? entries_[i + 1].data : directory.offset);
    std::ranges::sort(entries_, {}, &Entry::name);
    const auto twice = std::ranges::adjacent_find(entries_, {}, &Entry::name);
    if (twice != entries_.end()) refuse_archive(name(), "has \"" + twice->name + "\" twice");
}

const ZipArchive::Entry* ZipArchive::find(std::string_view name) const {
    const auto found =
        std::ranges::lower_bound(entries_, name, {}, [](const Entry& e) { return std::string_view(e.name); });
    return found != entries_.end() && found->name == name ? &*found : nullptr;
}

void ZipArchive::read(const Entry& entry, std::size_t offset, std::span<std::uint8_t> bytes) const {
    if (offset > entry.size || bytes.size() > entry.size - offset)
        refuse_archive(name(), "has fewer bytes in \"" + entry.name + "\" than its tensors need");
    if (!entry.deflated) return source_.read(entry.data + offset, bytes);
    Inflating unpacked(source_, entry);
    std::vector<std::uint8_t> passed(std::min<std::size_t>(offset, 1 << 16));
    for (std::size_t left = offset; left > 0;) {
        const std::size_t part = std::min(left, passed.size());
        unpacked.next(std::span(passed).first(part));
        left -= part;
    }
    unpacked.next(bytes);
}

}  // namespace vitrine
