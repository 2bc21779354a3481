#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {

/// The laboratory with a folder of the test for its exports.
class TakingAway : public testing::Test {
protected:
    void SetUp() override {
        std::filesystem::create_directories(temporary);
        setenv("TMPDIR", temporary.c_str(), 1);
        Opening state = Harness::with_image("cat");
        state.state.room = "laboratory";
        state.state.settings.export_folder = folder.string();
        h = std::make_unique<Harness>(std::move(state));
    }
    void TearDown() override {
        h.reset();
        unsetenv("TMPDIR");
    }

    bool busy() const { return h->app->state().exporting.has_value(); }

    /// Frames until it is written.
    void wait() {
        h->wait_until([&] { return !busy(); });
        h->frame(2);
        EXPECT_EQ(h->app->error(), "");
    }

    /// A file below the exports, by its name.
    std::string saved(const std::string& name) const {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
            if (entry.path().filename() == name) return read(entry.path());
        return "";
    }

    static std::string read(const std::filesystem::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static std::string clipboard() {
        const char* const text = ImGui::GetClipboardText();
        return text == nullptr ? "" : text;
    }

    const TestFolder own;
    const std::filesystem::path folder = own / "taken", temporary = own / "temporary";
    std::unique_ptr<Harness> h;
};

}  // namespace vitrine
