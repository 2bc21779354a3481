#pragma once

// Used by core/files and by what says which formats can be read.

#include "core/base/shared_library.h"
#include "core/files/image_formats.h"

namespace vitrine {

/// libtiff of this system, loaded when it is first asked for: it brings JBIG-KIT, under the GPL, which our packages do
/// not carry.
const SharedLibrary& system_libtiff();

/// Whether a library has what `decode_tiff_with` calls.
bool reads_tiff(const SharedLibrary& libtiff);

/// `decode_tiff` with a library.
Decoded decode_tiff_with(const SharedLibrary& libtiff, const Encoded& file, const Progress& progress);

}  // namespace vitrine
