#pragma once

#include <string>
#include <vector>

#include "core/vit/experiment.h"

namespace vitrine {

/// The images that words of the command line name.
struct ImageList {
    std::vector<ImageSource> images;
    bool many = false;  // by a folder, a list or the standard input: each image then has a folder of its own
};

/// Reads a file or a drawn sample by its name, a folder (its own pictures, by name), @FILE (a list: one of these a
/// line, or between NUL bytes) and - (such a list on the standard input). A file whose name begins with @ is read as
/// itself. Throws Error for a folder without pictures and for an empty list.
ImageList image_list(const std::vector<std::string>& words);

}  // namespace vitrine
