#include "tests/monkey/zoo.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include "core/files/safetensors.h"
#include "core/vit/checkpoint/save.h"
#include "core/vit/model.h"

namespace vitrine::monkey {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());  // the same everywhere, as a seed promises
    return files;
}

void copy_all(const fs::path& from, const fs::path& to, std::vector<fs::path>& list) {
    fs::create_directories(to);
    for (const fs::path& file : files_in(from)) {
        fs::copy(file, to / file.filename(), fs::copy_options::recursive);
        list.push_back(to / file.filename());
    }
}

/// A model of random weights.
Config shape(int image, int patch, int dim, int heads, int blocks) {
    Config c;
    c.image_height = c.image_width = image;
    c.patch_size = patch;
    c.embedding_dim = dim;
    c.heads = heads;
    c.blocks = blocks;
    c.mlp_dim = 2 * dim;
    c.classes = 3;
    return c;
}

}  // namespace

Zoo::Zoo() {
    fs::create_directories(home());
    const std::string path = home().string();
    for (const char* const name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "TMPDIR"})
        setenv(name, path.c_str(), 1);
    setenv("HF_HUB_OFFLINE", "1", 1);  // what it presses asks nothing of the hub
    fs::current_path(home());
    const fs::path source = VITRINE_SOURCE, keep = home_ / "files";
    copy_all(source / "tests/fuzz/seeds/images", keep / "images", images_);
    copy_all(source / "tests/golden/images", keep / "images", images_);
    files_ = images_;
    copy_all(source / "tests/golden/models", keep / "models", models_);
    add_models();
    files_.insert(files_.end(), models_.begin(), models_.end());
    copy_all(source / "tests/fuzz/seeds/safetensors", keep / "weights", files_);
    for (const char* const kind : {"sessions", "lessons"}) {
        const std::string ending = kind == std::string("sessions") ? ".vitrine" : ".txt";
        fs::create_directories(keep / kind);
        for (const fs::path& seed : files_in(source / "tests/fuzz/seeds" / kind)) {
            files_.push_back(keep / kind / (seed.stem().string() + ending));
            fs::copy_file(seed, files_.back());
        }
    }
    add_spoilt_files();
}

void Zoo::add_models() {
    Config wide = shape(48, 16, 24, 2, 2);
    wide.image_width = 80;
    Config deep = shape(32, 8, 16, 1, 9);
    deep.norm = Norm::after;
    Config grey = shape(32, 4, 36, 6, 1);
    grey.channels = 1;
    grey.activation = Activation::quick_gelu;
    Config headless = shape(16, 16, 8, 4, 2);  // one patch
    headless.classes = 0;
    headless.query_bias = headless.key_bias = headless.value_bias = false;
    Config registers = shape(32, 8, 24, 3, 2);
    registers.leading = {{TokenKind::class_token}, {TokenKind::distillation}, {TokenKind::register_token, 2, false}};
    Config averaged = shape(32, 8, 24, 3, 2);
    averaged.leading.clear();
    averaged.readout = Readout::mean;
    const std::pair<const char*, Config> all[] = {{"wide", wide},    {"deep", deep},           {"grey", grey},
                                                  {"one", headless}, {"registers", registers}, {"averaged", averaged}};
    for (const auto& [name, config] : all) {
        Model model = random_model(config, 7);
        const auto channels = static_cast<std::size_t>(config.channels);
        model.preprocessing.resize_height = config.image_height;
        model.preprocessing.resize_width = config.image_width;
        model.preprocessing.mean.assign(channels, 0.5);
        model.preprocessing.std.assign(channels, 0.5);
        models_.push_back(home_ / "files" / "models" / name);
        save_model(model, models_.back(), Precision::f32);
    }
}

void Zoo::add_spoilt_files() {
    const fs::path keep = home_ / "files";
    const auto write = [&](const char* name, const std::string& words) {
        std::ofstream(keep / name, std::ios::binary) << words;
        files_.push_back(keep / name);
    };
    write("empty.png", "");
    write("empty.vitrine", "");
    write("words.jpg", "no picture");
    write("cut.png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16));
    write("odd.txt", "lesson: Odd\nstep: nowhere\n");
    write("config.json", "{\"architectures\": []}");
    write("weights.bin", "\x80\x02");
    const fs::path folder = keep / "folder without a model";
    fs::create_directories(folder);
    files_.push_back(folder);
    files_.push_back(keep / "nothing.png");
    files_.push_back("/dev/null");
    files_.push_back("");
    fs::create_symlink("loop", keep / "loop");
    files_.push_back(keep / "loop");
    const fs::path cut = keep / "cut";
    fs::copy(models_.front(), cut);
    fs::resize_file(cut / "model.safetensors", fs::file_size(cut / "model.safetensors") / 2);
    files_.push_back(cut);
}

void Zoo::sweep() const {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(home(), ignored)) fs::remove_all(entry.path(), ignored);
}

}  // namespace vitrine::monkey
