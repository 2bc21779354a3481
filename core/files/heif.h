#pragma once

// Used by core/files and by the list of readable formats.

#include <optional>
#include <string>

#include "core/base/shared_library.h"
#include "core/files/image_formats.h"

namespace vitrine {

/// libheif of this system, loaded when it is first asked for.
const SharedLibrary& system_libheif();

/// The codings that libheif decodes.
enum class HeifCoding { hevc = 1, av1 = 4 };

/// The packages (Debian's names) that a picture of this coding lacks; nothing where it can be read.
std::optional<std::string> missing_for(HeifCoding coding, const SharedLibrary& libheif);

/// `decode_heif` with a library.
Decoded decode_heif_with(const SharedLibrary& libheif, const Encoded& file, const Progress& progress);

}  // namespace vitrine
