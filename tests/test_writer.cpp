#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <future>
#include <iterator>

#include "app/jobs/writer.h"
#include "core/base/error.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class WriterOfFiles : public testing::Test {
protected:
    void SetUp() override { fs::remove_all(folder); }
    void TearDown() override { fs::remove_all(folder); }

    static std::string content(const fs::path& path) {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    fs::path folder = fs::temp_directory_path() / ("vitrine_writer_test." + std::to_string(getpid()));
    fs::path file = folder / "deep" / "settings.json";
};

TEST_F(WriterOfFiles, WritesAFileAndMakesItsFolder) {
    Writer writer;
    writer.write(file, "one");
    writer.finish();
    EXPECT_EQ(content(file), "one");
    EXPECT_FALSE(fs::exists(file.string() + ".part"));
    EXPECT_EQ(writer.take_failure(), "");
}

TEST_F(WriterOfFiles, NeverKeepsTheCallerWaitingForTheDisk) {
    std::promise<void> disk;
    Writer writer;
    std::atomic<bool> written = false;
    writer.write(file, [&, ready = disk.get_future().share()] {
        ready.wait();
        written = true;
    });
    writer.write(folder / "other", "two");
    EXPECT_FALSE(written);
    disk.set_value();
    writer.finish();
    EXPECT_TRUE(written);
    EXPECT_EQ(content(folder / "other"), "two");
}

TEST_F(WriterOfFiles, OfManyContentsOnlyTheFirstAndTheNewestAreWritten) {
    int runs = 0, last = -1;
    std::promise<void> begun, go_on;
    Writer writer(1h);
    writer.write(file, [&] {
        ++runs;
        begun.set_value();
        go_on.get_future().wait();
    });
    begun.get_future().wait();
    for (int i = 0; i < 1000; ++i)
        writer.write(file, [&runs, &last, i] {
            ++runs;
            last = i;
        });
    go_on.set_value();
    writer.finish();
    EXPECT_EQ(runs, 2);
    EXPECT_EQ(last, 999);
}

TEST_F(WriterOfFiles, WritesAFileAtMostOnceInThePauseAndOthersMeanwhile) {
    Writer writer(1h);
    writer.write(file, "one");
    writer.finish();
    writer.write(file, "two");
    std::promise<void> other;
    writer.write(folder / "other", [&] { other.set_value(); });
    other.get_future().wait();
    EXPECT_EQ(content(file), "one") << "the hour is not over";
    writer.finish();
    EXPECT_EQ(content(file), "two");
}

TEST_F(WriterOfFiles, WhatWaitsIsWrittenOnceThePauseIsOver) {
    Writer writer(50ms);
    std::promise<void> second;
    writer.write(file, "one");
    writer.write(folder / "other", "x");
    writer.finish();
    writer.write(file, [&] { second.set_value(); });
    second.get_future().wait();
}

TEST_F(WriterOfFiles, WritesWhatWaitsWhenItGoes) {
    {
        Writer writer(1h);
        writer.write(file, "one");
        writer.finish();
        writer.write(file, "two");
    }
    EXPECT_EQ(content(file), "two");
}

TEST_F(WriterOfFiles, AFailureIsToldOnceAndAgainOnlyAfterASuccess) {
    std::atomic<int> told = 0;
    std::ofstream(folder) << "a file where the folder should be";
    Writer writer(0ms, [&] { ++told; });
    for (int i = 0; i < 3; ++i) {
        writer.write(file, "words");
        writer.finish();
    }
    EXPECT_EQ(told, 1);
    const std::string sentence = writer.take_failure();
    EXPECT_EQ(sentence.find(file.string() + ": cannot be written"), 0U) << sentence;
    EXPECT_EQ(writer.take_failure(), "");
    fs::remove(folder);
    writer.write(file, "words");
    writer.finish();
    EXPECT_EQ(content(file), "words");
    writer.write(file, [] { throw Error("the disk is full; make room"); });
    writer.finish();
    EXPECT_EQ(writer.take_failure(), "the disk is full; make room");
}

TEST_F(WriterOfFiles, NothingThatAJobThrowsEndsTheProgram) {
    Writer writer(0ms);
    writer.write(file, [] { throw std::bad_alloc(); });
    writer.finish();
    EXPECT_NE(writer.take_failure(), "");
    writer.write(folder / "other", [] { throw 3; });
    writer.finish();
    EXPECT_NE(writer.take_failure(), "");
    writer.write(file, "words");
    writer.finish();
    EXPECT_EQ(content(file), "words");
}

TEST_F(WriterOfFiles, WhatIsForgottenIsNotWritten) {
    Writer writer(1h);
    writer.write(file, "one");
    writer.finish();
    writer.write(file, "two");
    writer.forget(file);
    writer.finish();
    EXPECT_EQ(content(file), "one");
}

}  // namespace
}  // namespace vitrine
