#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <vector>

#include "app/jobs/saving.h"
#include "core/base/error.h"
#include "tests/files.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

TEST(Saving, KeepsNobodyWaitingAndTellsWhatFollowsToWhoAsks) {
    Saving saving;
    std::atomic<bool> go_on = false;
    std::string told;
    saving.save(
        [&] {
            while (!go_on) std::this_thread::yield();
            return fs::path("first");
        },
        [&](const fs::path& file) { told += file.string(); });
    saving.save([]() -> fs::path { throw Error("the disk is full; make room"); },
                [&](const fs::path&) { told += " never"; });
    saving.save([] { return fs::path("third"); }, [&](const fs::path& file) { told += " " + file.string(); });
    EXPECT_TRUE(saving.take_ends().empty()) << "the first is still being written";
    EXPECT_TRUE(saving.busy());
    EXPECT_EQ(told, "");
    go_on = true;
    saving.wait();
    EXPECT_EQ(saving.take_ends(), std::vector<std::string>{"the disk is full; make room"});
    EXPECT_EQ(told, "first third") << "in the order in which they were asked for";
    EXPECT_FALSE(saving.busy());
    EXPECT_TRUE(saving.take_ends().empty()) << "once";
}

TEST(Saving, WhatFollowsAFailureIsDoneAndWhatThrowsThenIsToldToo) {
    Saving saving;
    std::string done;
    const auto fail = []() -> fs::path { throw Error("the disk is full; make room"); };
    saving.save(
        fail, [&](const fs::path&) { done += "then "; }, [&] { done += "otherwise "; });
    saving.save([] { return fs::path("second"); }, [](const fs::path&) { throw Error("it is gone; look for it"); },
                [&] { done += "never"; });
    saving.save(
        fail, [](const fs::path&) {}, [] { throw Error("nothing is left; begin anew"); });
    saving.wait();
    const std::vector<std::string> told = {"the disk is full; make room", "it is gone; look for it",
                                           "nothing is left; begin anew", "the disk is full; make room"};
    EXPECT_EQ(saving.take_ends(), told);
    EXPECT_EQ(done, "otherwise ");
}

TEST(Saving, WhatWaitsIsWrittenWhenTheJobGoes) {
    const TestFolder folder;
    {
        Saving saving;
        for (int i = 0; i < 20; ++i)
            saving.save(
                [&, i] {
                    std::ofstream(folder / std::to_string(i)) << i;
                    return folder / std::to_string(i);
                },
                [](const fs::path&) {});
    }
    for (int i = 0; i < 20; ++i) EXPECT_EQ(read(folder / std::to_string(i)), std::to_string(i));
}

}  // namespace
}  // namespace vitrine
