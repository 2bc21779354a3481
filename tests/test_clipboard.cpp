#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>

#include "app/platform/clipboard.h"
#include "tests/files.h"
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

/// A Wayland session without X11, whose wl-paste is a script of ours.
class Wayland : public testing::Test {
protected:
    Wayland() {
        for (const char* const name : {"PATH", "DISPLAY", "WAYLAND_DISPLAY"}) {
            const char* const value = std::getenv(name);
            before_[name] = value == nullptr ? std::nullopt : std::optional<std::string>(value);
        }
        unsetenv("DISPLAY");
        setenv("WAYLAND_DISPLAY", "wayland-7", 1);
        std::filesystem::create_directories(own_ / "programs");
        for (const char* const tool : {"timeout", "cat", "sleep"})
            std::filesystem::create_symlink(std::filesystem::path("/usr/bin") / tool, own_ / "programs" / tool);
        setenv("PATH", (own_ / "programs").c_str(), 1);
    }
    ~Wayland() override {
        for (const auto& [name, value] : before_)
            value ? setenv(name.c_str(), value->c_str(), 1) : unsetenv(name.c_str());
    }

    /// Each type's content is in the file of that name, with "-" for "/".
    void offer(const std::string& types, const std::string& script = "") {
        const std::filesystem::path program = own_ / "programs/wl-paste";
        write(program, "#!/bin/sh\nset -e\n" + script + "\n[ \"$1\" = --list-types ] && { printf '" + types +
                           "'; exit; }\n[ \"$1 $2\" = '--no-newline --type' ]\nexec cat \"" + own_.path().string() +
                           "/$(printf %s \"$3\" | tr / -)\"\n");
        std::filesystem::create_symlink("/usr/bin/tr", own_ / "programs/tr");
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    }

    const TestFolder own_;

private:
    std::map<std::string, std::optional<std::string>> before_;
};

TEST_F(Wayland, APictureIsReadByteForByteByWlPaste) {
    const std::string picture = std::string("\x89PNG\0\r\n.\n\n\n", 12);  // whatever it ends with
    write(own_ / "image-png", picture);
    offer("text/html\\nimage/png\\nimage/bmp\\n");
    const Pasted pasted = read_clipboard();
    EXPECT_EQ(pasted.picture, picture);
    EXPECT_EQ(pasted.ending, ".png");
    EXPECT_FALSE(pasted.lacks_wl_paste);
}

TEST_F(Wayland, FilesOfAFileManagerComeFirst) {
    write(own_ / "a.png", "x");
    write(own_ / "text-uri-list", "file://" + (own_ / "a.png").string() + "\r\n");
    write(own_ / "image-png", "picture");
    offer("text/uri-list\\nimage/png\\n");
    const Pasted pasted = read_clipboard();
    EXPECT_EQ(pasted.files, Files{own_ / "a.png"});
    EXPECT_EQ(pasted.picture, "");
}

TEST_F(Wayland, SaysThatItLacksTheProgramAndNothingWhereNothingIsCopied) {
    EXPECT_TRUE(read_clipboard().lacks_wl_paste);
    offer("", "echo 'No selection' >&2; exit 1");
    const Pasted nothing = read_clipboard();
    EXPECT_FALSE(nothing.lacks_wl_paste);
    EXPECT_TRUE(nothing.picture.empty() && nothing.files.empty());
    unsetenv("WAYLAND_DISPLAY");
    std::filesystem::remove(own_ / "programs/wl-paste");
    EXPECT_FALSE(read_clipboard().lacks_wl_paste) << "without Wayland it is not needed";
}

}  // namespace
}  // namespace vitrine
