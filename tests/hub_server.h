#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/hub/hub_settings.h"
#include "tests/eventually.h"
#include "tests/files.h"
#include "tests/test_folder.h"

namespace vitrine {

/// A hub of our own on the loopback, tests/hub_server.py, with an empty cache beside it. The owner's name says what
/// goes wrong with a model: "plain/m", "cut/m".
class HubServer {
public:
    HubServer() {
        std::filesystem::create_directories(own_ / "files");
        const std::string words = "/usr/bin/python3 " VITRINE_SOURCE "/tests/hub_server.py " + own_.path().string();
        server_ = popen(words.c_str(), "w");
        EXPECT_TRUE(eventually([&] { return std::filesystem::exists(own_ / "ports"); }));
        std::ifstream(own_ / "ports") >> hub_ >> store_;
        settings.endpoint = "http://127.0.0.1:" + std::to_string(hub_);
        settings.cache = own_ / "cache/hub";
        settings.pause = std::chrono::milliseconds(1);
        settings.tries = 3;
        settings.slow_for = 1;
    }
    ~HubServer() { pclose(server_); }  // its input ends, and so does it
    HubServer(const HubServer&) = delete;
    HubServer& operator=(const HubServer&) = delete;

    HubSettings settings;

    /// Bytes that are no weights, but large enough for the hub's store.
    static std::string weights(std::size_t count = 50'000) {
        std::string bytes(count, '\0');
        for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<char>(i * i >> 7);
        return bytes;
    }
    /// Puts a model on the hub; without files: one with weights, a configuration and what Vitrine does not need.
    void add(const std::string& model, std::map<std::string, std::string> files = {}) const {
        if (files.empty())
            files = {{"model.safetensors", weights()},
                     {"config.json", "{\"of\": \"" + model + "\"}"},
                     {"pytorch_model.bin", weights()},
                     {"tf_model.h5", weights()},
                     {"README.md", "words"}};
        const std::filesystem::path folder = own_ / "files" / model;
        std::filesystem::create_directories(folder);
        for (const auto& [name, bytes] : files) write(folder / name, bytes);
    }
    /// What was asked so far: "at" (hub or store), "method", "path", "token", "range".
    std::vector<nlohmann::json> requests() const {
        std::vector<nlohmann::json> rows;
        std::ifstream log(own_ / "log");
        for (std::string line; std::getline(log, line);) rows.push_back(nlohmann::json::parse(line));
        return rows;
    }
    void forget_requests() const { std::filesystem::remove(own_ / "log"); }

    /// Precedes the program in a shell's line.
    std::string environment() const {
        return "HF_ENDPOINT=" + settings.endpoint + " HF_HUB_CACHE=" + settings.cache.string() +
               " HF_TOKEN=" + settings.token + " ";
    }
    const std::filesystem::path& folder() const { return own_.path(); }

private:
    TestFolder own_;
    std::FILE* server_ = nullptr;
    int hub_ = 0, store_ = 0;
};

}  // namespace vitrine
