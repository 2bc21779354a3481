#pragma once

// TIFF; used by core/files and by the list of readable formats.

#include <optional>
#include <string>

#include "core/base/shared_library.h"
#include "core/files/image_formats.h"

namespace vitrine {

/// This system's libtiff, loaded at the first call. It is not linked, because it depends on JBIG-KIT, whose GPL our
/// packages avoid.
const SharedLibrary& system_libtiff();

/// The package (Debian's name) missing to read TIFF; none if it can be read.
std::optional<std::string> missing_for_tiff(const SharedLibrary& libtiff);

/// `decode_tiff` with a given library.
Decoded decode_tiff_with(const SharedLibrary& libtiff, const Encoded& file, const Progress& progress);

}  // namespace vitrine
