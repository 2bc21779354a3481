#include <gtest/gtest.h>

#include <fstream>

#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

const fs::path containers = fs::path(VITRINE_SOURCE) / "tests/golden/containers";

TEST(WeightFiles, AreListedByTheBrowserAndOpenByAClickOrADrop) {
    const TestFolder own;
    const fs::path folder = own.path();
    fs::create_directory(folder / "hub");
    for (const char* const name : {"config.json", "pytorch_model.bin", "preprocessor_config.json"})
        fs::copy(containers / "hf" / name, folder / "hub" / name);
    fs::copy(containers / "small/timm.npz", folder / "a.NPZ");
    fs::copy(containers / "small/legacy.pth", folder / "old.pth");
    fs::copy(containers / "small/config.json", folder / "config.json");
    std::ofstream(folder / "graph.onnx") << "a graph";
    Opening state = Harness::with_image("cat");
    state.state.settings.model_folder = folder.string();
    Harness h(std::move(state));
    h.press(Key::m);
    EXPECT_EQ(h.item("browser.item.0").text, "a.NPZ");
    EXPECT_EQ(h.item("browser.item.1").text, "hub");
    EXPECT_EQ(h.item("browser.item.2").text, "old.pth");
    EXPECT_FALSE(h.shows("browser.item.3")) << "a graph does not open";
    h.tap("browser.item.1");
    EXPECT_EQ(h.item("top.model").text, "hub");
    h.press(Key::m);
    h.tap("browser.item.0");
    EXPECT_EQ(h.item("top.model").text, "a.NPZ");
    h.app->open({folder / "old.pth"});
    h.settle();
    EXPECT_EQ(h.item("top.model").text, "old.pth");
    EXPECT_TRUE(h.app->error().empty()) << h.app->error();
    h.app->open({folder / "graph.onnx"});
    h.settle();
    EXPECT_NE(h.app->error().find("ONNX graph"), std::string::npos);
    EXPECT_EQ(h.item("top.model").text, "old.pth");
}

}  // namespace
}  // namespace vitrine
