#pragma once

#include <fstream>
#include <functional>
#include <map>

#include "core/base/error.h"
#include "core/vit/checkpoint/checkpoint.h"
#include "tests/golden_files.h"
#include "tests/test_folder.h"

namespace vitrine {

namespace fs = std::filesystem;

/// A copy of a golden model for a test to damage.
class Checkpoint : public testing::Test {
protected:
    struct Kept {
        std::vector<std::size_t> shape;
        std::vector<float> values;
    };
    using Tensors = std::map<std::string, Kept>;

    /// Copies a golden model with its tensors modified by `spoil`.
    void copy(const std::string& name, const std::function<void(Tensors&)>& spoil) {
        for (const char* const file : {"config.json", "preprocessor_config.json"})
            if (fs::exists(golden_folder / "models" / name / file))
                fs::copy_file(golden_folder / "models" / name / file, folder / file,
                              fs::copy_options::overwrite_existing);
        GoldenFile golden("models/" + name + "/model.safetensors");
        Tensors tensors;
        for (const auto& [key, entry] : golden.file().entries()) {
            const std::span<const float> values = golden[key];
            tensors[key] = {entry.shape, {values.begin(), values.end()}};
        }
        spoil(tensors);
        std::vector<NamedTensor> list;
        for (const auto& [key, t] : tensors) list.push_back({key, t.shape, t.values.data()});
        write_safetensors(folder / "model.safetensors", list);
    }
    void write(const char* file, const std::string& words) { std::ofstream(folder / file) << words; }

    void expect_refused(const std::string& words) { expect_refused(folder, words); }
    static void expect_refused(const fs::path& path, const std::string& words, std::optional<int> heads = {}) {
        try {
            LoadOptions options;
            options.heads = heads;
            load_model(path, options);
            ADD_FAILURE() << "it was taken; expected: " << words;
        } catch (const Error& error) {
            const std::string said = error.what();
            EXPECT_NE(said.find(words), std::string::npos) << said;
            EXPECT_NE(said.find(path.string()), std::string::npos) << said;
            EXPECT_EQ(said.find('\n'), std::string::npos) << said;
        }
    }

    const TestFolder own;
    const fs::path folder = own.path();
};

inline void nothing(auto&) {}

}  // namespace vitrine
