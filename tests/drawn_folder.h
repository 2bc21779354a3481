#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "core/training/pictures/pictures.h"

namespace vitrine {

/// Writes pictograms of these classes as PPM files of 64 × 64 pixels, `of_each` per class, into the subfolders
/// `folder_of(class, number)`.
template <class FolderOf>
void draw_into(const std::filesystem::path& folder, const std::vector<int>& classes, int of_each, FolderOf folder_of) {
    for (const int label : classes)
        for (int i = 0; i < of_each; ++i) {
            std::vector<std::uint8_t> rgb(std::size_t{3} * 64 * 64);
            draw_pixels({{.seed = 77}, static_cast<std::uint64_t>(i), 64, label}, rgb.data());
            const std::filesystem::path own = folder / folder_of(label, i);
            std::filesystem::create_directories(own);
            std::ofstream file(own / (std::to_string(label) + "-" + std::to_string(i) + ".ppm"), std::ios::binary);
            file << "P6\n64 64\n255\n" << std::string(rgb.begin(), rgb.end());
        }
}

}  // namespace vitrine
