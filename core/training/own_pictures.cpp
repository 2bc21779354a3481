#include "core/training/own_pictures.h"

#include <algorithm>
#include <cctype>

#include "core/base/error.h"
#include "core/base/utf8.h"
#include "core/files/image.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

bool is_hidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

bool is_picture(const fs::path& path) {
    static const std::vector<std::string> endings = image_endings();
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::ranges::find(endings, ending) != endings.end();
}

/// Contents of a folder, by name; nothing if it cannot be read.
template <class Takes>
std::vector<fs::path> inside(const fs::path& folder, Takes takes) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code ignored;
        if (!is_hidden(at->path()) && takes(*at, ignored)) found.push_back(at->path());
    }
    std::ranges::sort(found);
    return found;
}

/// Adds the pictures of a folder's subfolders; false if there are none.
bool add_classes(const fs::path& folder, bool held_out, OwnPictures& pictures) {
    const auto is_folder = [](const fs::directory_entry& e, std::error_code& ignored) {
        return e.is_directory(ignored);
    };
    bool any = false;
    for (const fs::path& of_class : inside(folder, is_folder)) {
        const std::vector<fs::path> files = pictures_in(of_class);
        if (files.empty()) continue;
        any = true;
        const std::string name = as_utf8(of_class.filename().string());
        const auto known = std::ranges::find(pictures.labels, name);
        const auto label = static_cast<int>(known - pictures.labels.begin());
        if (known == pictures.labels.end()) pictures.labels.push_back(name);
        for (const fs::path& file : files) pictures.files.push_back({file, label, held_out});
    }
    return any;
}

}  // namespace

std::vector<int> OwnPictures::counts() const {
    std::vector<int> counts(labels.size(), 0);
    for (const File& file : files) ++counts[static_cast<std::size_t>(file.label)];
    return counts;
}

std::vector<fs::path> pictures_in(const fs::path& folder) {
    return inside(folder, [](const fs::directory_entry& e, std::error_code& ignored) {
        return e.is_regular_file(ignored) && is_picture(e.path());
    });
}

bool OwnPictures::has_own_test() const {
    return std::ranges::any_of(files, [](const File& file) { return file.held_out; });
}

OwnPictures own_pictures_in(const fs::path& folder) {
    OwnPictures pictures;
    add_classes(folder, false, pictures);
    if (!pictures.labels.empty()) return pictures;
    add_classes(folder / "train", false, pictures);
    for (const char* const name : {"val", "valid", "validation", "test"})
        if (!pictures.labels.empty() && add_classes(folder / name, true, pictures)) break;
    return pictures;
}

std::string name_of_folder(const fs::path& folder) {
    const std::string name = (fs::absolute(folder) / "").lexically_normal().parent_path().filename().string();
    return name.empty() ? "pictures" : as_utf8(name);
}

void check_own_pictures(const OwnPictures& pictures, const fs::path& folder) {
    const std::string name = folder.string();
    std::error_code unreachable;
    if (!fs::is_directory(folder, unreachable)) throw Error(name + ": there is no such folder; check the path");
    if (pictures.labels.empty())
        throw Error(name + ": no subfolder contains pictures; make one for each class and put its pictures there");
    if (pictures.labels.size() < 2)
        throw Error(name + ": all pictures are of one class (" + pictures.labels.front() +
                    "); add a subfolder with pictures of another");
    std::vector<int> counts(pictures.labels.size(), 0);  // to train on
    for (const OwnPictures::File& file : pictures.files)
        if (!file.held_out) ++counts[static_cast<std::size_t>(file.label)];
    const auto fewest = std::ranges::min_element(counts);
    if (*fewest < least_own_pictures)
        throw Error(name + ": the class " + pictures.labels[static_cast<std::size_t>(fewest - counts.begin())] +
                    " has " + std::to_string(*fewest) + " pictures; put at least " +
                    std::to_string(least_own_pictures) + " there, better twenty");
}

}  // namespace vitrine
