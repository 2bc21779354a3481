#include <gtest/gtest.h>

#include <fstream>

#include "app/platform/clipboard.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

using Files = std::vector<std::filesystem::path>;

TEST(Clipboard, TextNamesFilesByTheirPathOrAddress) {
    const TestFolder folder;
    const std::filesystem::path plain = folder / "a.png", odd = folder / "mein Bild 100%.png";
    std::ofstream(plain) << "x";
    std::ofstream(odd) << "x";
    const std::string root = folder.path().string();
    EXPECT_EQ(files_named_in("file://" + root + "/a.png\r\nfile://" + root + "/mein%20Bild%20100%25.png\r\n"),
              (Files{plain, odd}));
    EXPECT_EQ(files_named_in(plain.string() + "\n" + odd.string()), (Files{plain, odd}));
    EXPECT_EQ(files_named_in("copy\nfile://localhost" + root + "/a.png"), Files{plain}) << "as file managers write it";
    EXPECT_EQ(files_named_in("file://" + root + "/100%"), Files{}) << "an escape that is cut off";
    for (const char* const nothing :
         {"", "\n\r\n", "a dog on a sofa", "https://example.org/a.png", "file://", "/no such file", "a.png"})
        EXPECT_EQ(files_named_in(nothing), Files{}) << nothing;
}

}  // namespace
}  // namespace vitrine
