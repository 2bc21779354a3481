#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/base/output_file.h"
#include "tests/files.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

void write_whole(const fs::path& file, const std::string& words) {
    OutputFile out(file);
    out.write(words);
    out.commit();
}

TEST(OutputFile, IsThereWholeOrAsItWasBefore) {
    const TestFolder folder;
    std::ofstream(folder / "file") << "old";
    {
        OutputFile out(folder / "file");
        out.write("half");
        EXPECT_EQ(read(folder / "file"), "old");
    }
    EXPECT_EQ(read(folder / "file"), "old");
    write_whole(folder / "file", "new");
    EXPECT_EQ(read(folder / "file"), "new");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1) << "nothing half written stays";
}

TEST(OutputFile, TheFileBesideItIsNobodyElses) {
    const TestFolder folder;
    std::ofstream(folder / "photo.png") << "a photograph";
    std::ofstream(folder / "x.part") << "a download";
    const std::string first = "y.vitrine-" + std::to_string(getpid()) + "-0.part";
    fs::create_symlink("photo.png", folder / first);
    write_whole(folder / "x", "new");
    write_whole(folder / "y", "new");
    EXPECT_EQ(read(folder / "x.part"), "a download");
    EXPECT_EQ(read(folder / "photo.png"), "a photograph") << "no link is followed";
    EXPECT_TRUE(fs::is_symlink(folder / first));
    EXPECT_EQ(read(folder / "y"), "new");
}

TEST(OutputFile, TwoThatWriteTheSameFileDoNotMixTheirBytes) {
    const TestFolder folder;
    OutputFile a(folder / "file"), b(folder / "file");
    a.write("aaaa");
    b.write("bb");
    a.write("aaaa");
    a.commit();
    EXPECT_EQ(read(folder / "file"), "aaaaaaaa");
    b.commit();
    EXPECT_EQ(read(folder / "file"), "bb");
}

TEST(OutputFile, WhatAKilledProcessLeftGoesWithTheNextThatWritesIt) {
    const TestFolder folder;
    std::ofstream(folder / "file") << "old";
    std::ofstream(folder / "file.vitrine-12-0.part") << "half";
    std::ofstream(folder / "other.vitrine-12-0.part") << "half";
    OutputFile slow(folder / "file");
    slow.write("slow");
    EXPECT_FALSE(fs::exists(folder / "file.vitrine-12-0.part"));
    EXPECT_TRUE(fs::exists(folder / "other.vitrine-12-0.part"));
    write_whole(folder / "file", "quick");
    slow.commit();  // what is still written stays
    EXPECT_EQ(read(folder / "file"), "slow");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 2);
}

TEST(OutputFile, APartIsNotTakenForAnOlderOneOfItsName) {
    const TestFolder folder;
    const fs::path part = folder / "x.vitrine-12-0.part";
    std::ofstream(part) << "left";
    const int left = ::open(part.c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_GE(left, 0);
    fs::remove(part);  // by another, and a third begins anew
    std::ofstream(part) << "new";
    unlink_if_left(left, part);
    EXPECT_TRUE(fs::exists(part));
    const int own = ::open(part.c_str(), O_RDONLY | O_CLOEXEC);
    unlink_if_left(own, part);
    EXPECT_FALSE(fs::exists(part));
    close(left);
    close(own);
}

TEST(OutputFile, ManyThatWriteOneNameAtOnceAllSucceed) {
    const TestFolder folder;
    std::atomic<int> failed = 0;
    std::vector<std::thread> writers;
    for (int writer = 0; writer < 4; ++writer)
        writers.emplace_back([&] {
            for (int i = 0; i < 100; ++i) {
                try {
                    if (i % 4 == 0) OutputFile given_up(folder / "file");
                    write(folder / "file", "whole");
                } catch (const Error&) {
                    ++failed;
                }
            }
        });
    for (std::thread& writer : writers) writer.join();
    EXPECT_EQ(failed, 0);
    EXPECT_EQ(read(folder / "file"), "whole");
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(OutputFile, WhatAStoppedProcessLeftIsRemovedAndNothingElse) {
    const TestFolder folder;
    const std::vector<std::string> left = {"x.vitrine-12-0.part", "x.vitrine-99999-3.part"},
                                   others = {"xx.vitrine-12-0.part"},
                                   own = {"x.1.part",   "x.12-0.part",     "x.2024-05-01.part", "x.part",
                                          "x.old.part", "x.vitrine-.part", "x.vitrine-a.part",  "x.vitrine-12-0"};
    const auto make = [&](const std::vector<std::string>& names) {
        for (const std::string& name : names) std::ofstream(folder / name) << "bytes";
    };
    const auto expect = [&](const std::vector<std::string>& names, bool there) {
        for (const std::string& name : names) EXPECT_EQ(fs::exists(folder / name), there) << name;
    };
    make(left), make(others), make(own);
    remove_parts_of(folder / "x");
    expect(left, false), expect(others, true), expect(own, true);
    remove_parts_of(folder / "none" / "x");
}

fs::perms mode_of(const fs::path& file) { return fs::status(file).permissions(); }

TEST(OutputFile, AFileStaysAsOpenOrClosedAsItWas) {
    const TestFolder folder;
    constexpr fs::perms closed = fs::perms::owner_read | fs::perms::owner_write,
                        open = closed | fs::perms::group_read | fs::perms::group_write | fs::perms::others_read;
    for (const fs::perms mode : {closed, open}) {
        std::ofstream(folder / "file") << "old";
        fs::permissions(folder / "file", mode);
        write_whole(folder / "file", "new");
        EXPECT_EQ(mode_of(folder / "file"), mode);
    }
    for (const char* const name : {"file", "fresh"}) {
        OutputFile out(folder / name, OutputFile::Readers::owner);
        out.commit();
        EXPECT_EQ(mode_of(folder / name), closed) << name;
    }
}

TEST(OutputFile, AnotherUsersLinkInASharedFolderIsNotFollowed) {
    if (geteuid() != 0) GTEST_SKIP() << "only root lays links for others";
    const TestFolder folder;
    fs::create_directories(folder / "shared");
    fs::permissions(folder / "shared", fs::perms::all | fs::perms::sticky_bit);
    std::ofstream(folder / "precious") << "old";
    fs::create_symlink(folder / "precious", folder / "shared/out");
    fs::create_symlink(folder.path(), folder / "shared/below");
    write_whole(folder / "shared/out", "by one's own link");
    constexpr uid_t other = 12345;
    for (const char* const link : {"out", "below"})
        ASSERT_EQ(lchown((folder / "shared" / link).c_str(), other, other), 0);
    for (const char* const name : {"shared/out", "shared/below/precious", "shared/below/fresh"})
        EXPECT_THROW(write_whole(folder / name, "by another's"), Error) << name;
    EXPECT_EQ(read(folder / "precious"), "by one's own link");
    EXPECT_FALSE(fs::exists(folder / "fresh"));
    fs::permissions(folder / "shared", fs::perms::all);
    write_whole(folder / "shared/out", "where links are trusted");
    EXPECT_EQ(read(folder / "precious"), "where links are trusted");
}

}  // namespace
}  // namespace vitrine
