#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/program.h"
#include "tests/small_model.h"

namespace vitrine {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class Scripts : public testing::Test {
protected:
    Outcome vitrine(const std::string& words) const { return run(words + with_small_model); }
    /// Every file below a folder, by its path there.
    static std::map<std::string, std::string> files_of(const fs::path& folder) {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.is_regular_file()) files[fs::relative(entry.path(), folder).string()] = read(entry.path());
        return files;
    }
    static std::vector<Json> lines_of(const std::string& text) {
        std::vector<Json> lines;
        std::istringstream all(text);
        for (std::string line; std::getline(all, line);) lines.push_back(Json::parse(line));
        return lines;
    }
    fs::path list_of(const std::string& names) const {
        std::ofstream(own / "list.txt") << names;
        return own / "list.txt";
    }

    const TestFolder own;
};

/// Numbers and shape of an NPY file.
struct Npy {
    std::string shape;
    std::vector<float> values;
};
inline Npy npy_of(const std::string& bytes) {
    const std::size_t header = 10 + static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
    const std::size_t at = bytes.find("'shape': ");
    Npy npy{bytes.substr(at + 9, bytes.find(')', at) - at - 8), {}};
    npy.values.resize((bytes.size() - header) / sizeof(float));
    std::memcpy(npy.values.data(), bytes.data() + header, npy.values.size() * sizeof(float));
    return npy;
}

}  // namespace vitrine
