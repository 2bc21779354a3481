#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vitrine {

/// A user's own training pictures: a folder with one subfolder for each class, named after the class; or with `train`
/// and one of `val`, `valid`, `validation` and `test`, which have these subfolders.
struct OwnPictures {
    struct File {
        std::filesystem::path path;
        int label = 0;
        bool held_out = false;  // is in a folder for testing
    };

    std::vector<std::string> labels;  // the subfolders with pictures, in the order of their names
    std::vector<File> files;          // class by class, by name

    std::vector<int> counts() const;  // by class
    /// Whether the folder itself says which pictures are held out.
    bool has_own_test() const;
};

/// Fewest pictures of a class: some to train on, one to test on.
inline constexpr int least_own_pictures = 4;

/// The pictures of such a folder, recognised by their extensions; hidden files and deeper folders are skipped. Empty if
/// there are none.
OwnPictures own_pictures_in(const std::filesystem::path& folder);

/// The pictures in a folder itself, not in its subfolders, by name, recognised by their extensions; hidden files are
/// skipped.
std::vector<std::filesystem::path> pictures_in(const std::filesystem::path& folder);

/// A folder's name, however its path is written ("cats/", "."); "pictures" if it has none.
std::string name_of_folder(const std::filesystem::path& folder);

/// Throws Error, with the remedy, if there are too few pictures to train on.
void check_own_pictures(const OwnPictures& pictures, const std::filesystem::path& folder);

}  // namespace vitrine
