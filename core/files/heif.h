#pragma once

// AVIF and HEIC; used by core/files and by the list of readable formats.

#include <optional>
#include <string>

#include "core/base/shared_library.h"
#include "core/files/image_formats.h"

namespace vitrine {

/// This system's libheif, loaded at the first call.
const SharedLibrary& system_libheif();

/// The codings that libheif decodes.
enum class HeifCoding { hevc = 1, av1 = 4 };

/// The packages (Debian's names) missing to read a picture of this coding; none if it can be read.
std::optional<std::string> missing_for(HeifCoding coding, const SharedLibrary& libheif);

/// `decode_heif` with a given library.
Decoded decode_heif_with(const SharedLibrary& libheif, const Encoded& file, const Progress& progress);

}  // namespace vitrine
