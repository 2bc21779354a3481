#pragma once

// Used by core/files/image alone: what stb_image takes on trust of a JPEG file.

#include <cstdint>
#include <vector>

#include "core/files/image_formats.h"

namespace vitrine {

/// Whether no Huffman table has more codes than there are symbols, 256; stb 2.27 writes them behind its own table.
bool jpeg_tables_fit(Bytes jpeg);

/// How often the picture is gone through; every scan costs the time of a whole picture, however few bytes it has.
int scans_of_jpeg(Bytes jpeg);

/// The file with every table that a scan may name before its own: a Huffman table without codes, which ends the scan,
/// and a quantisation table of ones. For a table that is nowhere stb takes memory as it comes.
std::vector<std::uint8_t> with_jpeg_tables(Bytes jpeg);

}  // namespace vitrine
