#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vitrine {

/// Pictures of one's own to learn from: a folder with a subfolder for each class, named as the class.
struct OwnPictures {
    struct File {
        std::filesystem::path path;
        int label = 0;
    };

    std::vector<std::string> labels;  // the subfolders with pictures, in the order of their names
    std::vector<File> files;          // class by class, by name

    std::vector<int> counts() const;  // of each class
};

/// So many of a class must be there: some to learn from, one to be tried on.
inline constexpr int least_own_pictures = 4;

/// What lies in a folder, by the files' endings; hidden files and deeper folders are passed over. No pictures: empty.
OwnPictures own_pictures_in(const std::filesystem::path& folder);

/// What a folder is called, however its path is written ("cats/", "."); "pictures" where it has no name.
std::string name_of_folder(const std::filesystem::path& folder);

/// Throws Error, with the remedy, where that is too little to learn from.
void check_own_pictures(const OwnPictures& pictures, const std::filesystem::path& folder);

}  // namespace vitrine
