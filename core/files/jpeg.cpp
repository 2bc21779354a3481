#include "core/files/jpeg.h"

namespace vitrine {

namespace {

constexpr std::uint8_t end_of_image = 0xD9, huffman_tables = 0xC4, quantisation_tables = 0xDB, start_of_scan = 0xDA,
                       start_of_image_size = 2;
constexpr int lengths = 16;  // of codes, in bits

std::uint8_t byte(Bytes bytes, std::size_t at) { return at < bytes.size() ? bytes[at] : 0; }

int word(Bytes bytes, std::size_t at) { return byte(bytes, at) << 8 | byte(bytes, at + 1); }

/// Index of the next marker's second byte, or the end. Ignores bytes of scans, fill bytes and restarts.
std::size_t next_marker(Bytes bytes, std::size_t at) {
    for (; at + 1 < bytes.size(); ++at) {
        const std::uint8_t marker = bytes[at + 1];
        const bool restart = marker >= 0xD0 && marker <= 0xD7;
        if (bytes[at] == 0xFF && marker != 0 && marker != 0xFF && !restart) return at + 1;
    }
    return bytes.size();
}

/// True if the tables fit in a segment. Like stb, this reads beyond a segment that is too short for its tables.
bool tables_fit(Bytes bytes, std::size_t segment) {
    std::size_t at = segment + 2;
    for (int left = word(bytes, segment) - 2; left > 0;) {
        int codes = 0;
        for (int length = 1; length <= lengths; ++length) codes += byte(bytes, at + length);
        if (codes > 256) return false;
        at += 1 + lengths + codes;
        left -= 1 + lengths + codes;
    }
    return true;
}

/// Iterates over the segments, with marker and position, while `goes_on` returns true.
template <class GoesOn>
void each_segment(Bytes jpeg, const GoesOn& goes_on) {
    for (std::size_t at = start_of_image_size;;) {
        at = next_marker(jpeg, at) + 1;
        if (at >= jpeg.size() || jpeg[at - 1] == end_of_image || !goes_on(jpeg[at - 1], at)) return;
        at += word(jpeg, at);
    }
}

}  // namespace

bool jpeg_tables_fit(Bytes jpeg) {
    bool fit = true;
    each_segment(jpeg, [&](std::uint8_t marker, std::size_t at) {
        return fit = marker != huffman_tables || tables_fit(jpeg, at);
    });
    return fit;
}

int scans_of_jpeg(Bytes jpeg) {
    int scans = 0;
    each_segment(jpeg, [&](std::uint8_t marker, std::size_t) {
        scans += marker == start_of_scan ? 1 : 0;
        return true;
    });
    return scans;
}

std::vector<std::uint8_t> with_jpeg_tables(Bytes jpeg) {
    constexpr int kinds = 2, tables = 4, steps = 64;
    constexpr int codes_size = 2 + kinds * tables * (1 + lengths), steps_size = 2 + tables * (1 + steps);
    std::vector<std::uint8_t> file;
    file.reserve(jpeg.size() + codes_size + steps_size + 4);
    file.assign(jpeg.begin(), jpeg.begin() + start_of_image_size);
    file.insert(file.end(), {0xFF, huffman_tables, codes_size >> 8, codes_size & 0xFF});
    for (int kind = 0; kind < kinds; ++kind)
        for (int table = 0; table < tables; ++table) {
            file.push_back(static_cast<std::uint8_t>(kind << 4 | table));
            file.insert(file.end(), lengths, 0);
        }
    file.insert(file.end(), {0xFF, quantisation_tables, steps_size >> 8, steps_size & 0xFF});
    for (int table = 0; table < tables; ++table) {
        file.push_back(static_cast<std::uint8_t>(table));
        file.insert(file.end(), steps, 1);
    }
    file.insert(file.end(), jpeg.begin() + start_of_image_size, jpeg.end());
    return file;
}

}  // namespace vitrine
