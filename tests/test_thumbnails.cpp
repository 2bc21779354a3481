#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "app/jobs/thumbnails.h"
#include "app/library/library.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

TEST(Thumbnails, AreMadeOnceAndSmall) {
    Thumbnails thumbnails;
    int made = 0;
    const auto make = [&] {
        ++made;
        return open_image({"cat", {}})->full;
    };
    EXPECT_FALSE(thumbnails.of("cat", make));
    thumbnails.wait();
    const auto picture = thumbnails.of("cat", make);
    ASSERT_TRUE(picture);
    EXPECT_EQ(picture->width, 256);
    EXPECT_EQ(thumbnails.of("cat", make), picture);
    thumbnails.wait();
    EXPECT_EQ(made, 1);
    EXPECT_FALSE(thumbnails.busy());
}

TEST(Thumbnails, TheOnesAskedForLastAreMadeFirst) {
    Thumbnails thumbnails;
    std::atomic<bool> go_on = false, begun = false;
    std::string order;
    const auto letter = [&](char c) {
        return [&, c] {
            begun = true;
            while (!go_on) std::this_thread::yield();
            order += c;
            return open_image({"cat", {}})->full;
        };
    };
    thumbnails.of("a", letter('a'));
    while (!begun) std::this_thread::yield();
    for (const char c : {'b', 'c', 'd'}) thumbnails.of(std::string(1, c), letter(c));
    go_on = true;
    thumbnails.wait();
    EXPECT_EQ(order, "adcb") << "what has begun is finished";
}

TEST(Thumbnails, WhatCannotBeMadeLeavesTheOthers) {
    const fs::path folder = fs::temp_directory_path() / ("vitrine_thumbnails_test." + std::to_string(getpid()));
    fs::create_directories(folder);
    fs::create_symlink(folder / "loop.png", folder / "loop.png");
    std::ofstream(folder / "broken.png") << "no picture";
    std::string long_name(400, 'x');
    long_name += ".png";
    Thumbnails thumbnails;
    const std::vector<fs::path> files = {folder / "loop.png", folder / "broken.png", folder / "gone.png",
                                         folder / long_name};
    for (const fs::path& file : files) thumbnails.of(file);
    const std::vector<std::function<Image()>> makers = {
        []() -> Image { throw std::runtime_error("no luck"); },
        []() -> Image { throw fs::filesystem_error("no luck", std::make_error_code(std::errc::io_error)); },
        []() -> Image { throw std::bad_alloc(); },
        []() -> Image { throw 42; },
    };
    for (std::size_t i = 0; i < makers.size(); ++i) thumbnails.of(std::to_string(i), makers[i]);
    thumbnails.of("cat", [] { return open_image({"cat", {}})->full; });
    thumbnails.wait();
    for (const fs::path& file : files) EXPECT_FALSE(thumbnails.of(file));
    for (std::size_t i = 0; i < makers.size(); ++i) EXPECT_FALSE(thumbnails.of(std::to_string(i), makers[i]));
    EXPECT_TRUE(thumbnails.of("cat", [] { return open_image({"cat", {}})->full; }));
    fs::remove_all(folder);
}

/// Two pixels of a colour, "a" to "z".
void write_picture(const fs::path& file, char colour) {
    std::ofstream(file, std::ios::binary) << "P6 2 1 255\n" << std::string(6, colour);
}

TEST(Thumbnails, AFileThatHasChangedIsShownAsItIsNow) {
    const TestFolder folder;
    const fs::path file = folder / "mine.ppm", other = folder / "other.ppm";
    write_picture(file, 'a');
    write_picture(other, 'b');
    Thumbnails thumbnails;
    for (const fs::path& each : {file, other}) thumbnails.of(each);
    thumbnails.wait();
    const auto before = thumbnails.of(file), same = thumbnails.of(other);
    ASSERT_TRUE(before);
    EXPECT_EQ(before->rgb.front(), 'a');
    write_picture(folder / "new.ppm", 'z');
    fs::rename(folder / "new.ppm", file);  // another file in its place, whatever the clock says
    thumbnails.look_again();
    thumbnails.wait();
    EXPECT_EQ(thumbnails.of(file)->rgb.front(), 'z');
    EXPECT_EQ(thumbnails.of(other), same) << "is not made again";
}

TEST(Thumbnails, ThoseThatNobodyWantsAnyMoreAreLetGo) {
    Thumbnails thumbnails;
    int made = 0;
    const auto small = [&made] {
        ++made;
        return Image{1, 1, {1, 2, 3}};
    };
    const int count = static_cast<int>(Thumbnails::most_kept) + 50;
    std::weak_ptr<const Image> first;
    for (int i = 0; i < count; ++i) {
        thumbnails.of(std::to_string(i), small);
        thumbnails.wait();
        if (i == 0) first = thumbnails.of("0", small);
        thumbnails.of("1", small);  // is on the screen all the time
    }
    EXPECT_EQ(made, count);
    EXPECT_EQ(thumbnails.held(), Thumbnails::most_kept);
    EXPECT_TRUE(first.expired());
    EXPECT_TRUE(thumbnails.of("1", small));
    EXPECT_FALSE(thumbnails.of("0", small)) << "wanted again it is made anew";
    thumbnails.wait();
    EXPECT_TRUE(thumbnails.of("0", small));
    EXPECT_EQ(made, count + 1);
}

}  // namespace
}  // namespace vitrine
