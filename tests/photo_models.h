#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "app/hub/hub_cache.h"
#include "core/files/tensor_file.h"
#include "core/vit/checkpoint/hub_folder.h"
#include "core/vit/checkpoint/save.h"
#include "core/vit/model.h"
#include "tests/files.h"
#include "tests/test_folder.h"

namespace vitrine {

/// Writes a small random model of that many classes into a folder.
inline void save_photo_model(const std::filesystem::path& folder, int classes, int width = 8) {
    Config config;
    config.image_height = config.image_width = 32;
    config.patch_size = 8;
    config.embedding_dim = width;
    config.heads = 2;
    config.blocks = 1;
    config.mlp_dim = 16;
    config.classes = classes;
    for (int i = 0; i < classes; ++i) config.labels.push_back("thing " + std::to_string(i));
    Model model = random_model(config, 1);
    model.preprocessing.resize_height = model.preprocessing.resize_width = 32;
    model.preprocessing.mean = model.preprocessing.std = {0.5, 0.5, 0.5};
    save_model(model, folder, Precision::f32);
}

/// A hub's cache of our own, which the window and the command line read while this lives.
class OwnCache {
public:
    OwnCache() { setenv("HF_HUB_CACHE", own_.path().c_str(), 1); }
    ~OwnCache() { unsetenv("HF_HUB_CACHE"); }
    OwnCache(const OwnCache&) = delete;
    OwnCache& operator=(const OwnCache&) = delete;

    /// A small random model of that many classes, as fetched under a name; returns its snapshot.
    std::filesystem::path add(const std::string& name, int classes) const {
        const std::filesystem::path root = own_ / folder_name_of(name), snapshot = root / "snapshots/abc";
        save_photo_model(snapshot, classes);
        std::filesystem::create_directories(root / "refs");
        write(root / "refs/main", "abc");
        return snapshot;
    }

private:
    TestFolder own_;
};

}  // namespace vitrine
