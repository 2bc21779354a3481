#pragma once

// Used by core/files/image alone: checks of JPEG files that stb_image omits.

#include <cstdint>
#include <vector>

#include "core/files/image_formats.h"

namespace vitrine {

/// Whether no Huffman table has more than 256 codes, the number of symbols; stb 2.27 would write beyond its own table.
bool jpeg_tables_fit(Bytes jpeg);

/// The number of scans. Each takes as long as a whole image to decode, however few bytes it has.
int scans_of_jpeg(Bytes jpeg);

/// The file with a default for every table that a scan may name before its definition: a Huffman table without codes,
/// which ends the scan, and a quantisation table of ones. Without them stb would use uninitialised memory.
std::vector<std::uint8_t> with_jpeg_tables(Bytes jpeg);

}  // namespace vitrine
