#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>

#include "core/base/error.h"
#include "core/files/safetensors.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

/// A file as bytes: header length, header, data.
std::vector<std::uint8_t> file_of(const std::string& header, const std::vector<std::uint8_t>& data) {
    std::vector<std::uint8_t> bytes(8);
    const std::uint64_t size = header.size();
    std::memcpy(bytes.data(), &size, 8);
    bytes.insert(bytes.end(), header.begin(), header.end());
    bytes.insert(bytes.end(), data.begin(), data.end());
    return bytes;
}

void expect_refused(const std::vector<std::uint8_t>& bytes, const std::string& why) {
    try {
        Safetensors::from_bytes(bytes, "hostile.safetensors");
        ADD_FAILURE() << "taken, although " << why;
    } catch (const Error& error) {
        const std::string words = error.what();
        EXPECT_EQ(words.rfind("hostile.safetensors", 0), 0U) << words;
        EXPECT_EQ(words.find('\n'), std::string::npos) << words;
    }
}

TEST(Safetensors, ComeBackAsTheyWereWritten) {
    const TestFolder folder;
    const fs::path path = folder / "round_trip.safetensors";
    const std::vector<float> a = {1, -2, 3.5F, 1e-30F, 5, 6}, b = {7};
    const std::vector<NamedTensor> tensors = {{"a", {2, 3}, a.data()}, {"ü.b", {1}, b.data()}};
    write_safetensors(path, tensors);
    const Safetensors file = Safetensors::open(path);
    EXPECT_EQ(file.entries().at("a").shape, (std::vector<std::size_t>{2, 3}));
    EXPECT_TRUE(std::equal(a.begin(), a.end(), file.floats("a").get()));
    EXPECT_EQ(*file.floats("ü.b"), 7.0F);
}

TEST(Safetensors, WhatWasReadStaysWhenTheFileIsCutShortAndTheRestIsRefused) {
    const fs::path path = fs::temp_directory_path() / ("vitrine_cut." + std::to_string(getpid()) + ".safetensors");
    const std::vector<float> a(100'000, 2.5F), b(100'000, 1.5F);
    write_safetensors(path, std::vector<NamedTensor>{{"a", {a.size()}, a.data()}, {"b", {b.size()}, b.data()}});
    const Safetensors file = Safetensors::open(path);
    const auto kept = file.floats("a");
    fs::resize_file(path, 100);
    EXPECT_TRUE(std::equal(a.begin(), a.end(), kept.get()));
    try {
        file.floats("b");
        ADD_FAILURE() << "numbers that are not there";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("shorter"), std::string::npos) << error.what();
    }
    fs::remove(path);
}

TEST(Safetensors, BytesThatStayAreReadWhereTheyLie) {
    alignas(8) std::uint8_t bytes[128] = {};
    const std::vector<std::uint8_t> data = {0, 0, 128, 63, 0, 0, 0, 64};  // 1, 2
    const auto file = file_of(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}  )", data);
    std::copy(file.begin(), file.end(), bytes);
    const auto a = Safetensors::from_bytes({bytes, file.size()}, "bytes").floats("a");
    EXPECT_EQ(a.get()[1], 2.0F);
    EXPECT_EQ(reinterpret_cast<const std::uint8_t*>(a.get()), bytes + file.size() - 8);
}

TEST(Safetensors, WritingLeavesPipesAndLinksWhatTheyAre) {
    const TestFolder folder;
    const float x = 1;
    const std::vector<NamedTensor> tensors = {{"x", {1}, &x}};

    std::ofstream(folder / "file") << "old";
    fs::create_symlink("file", folder / "link");
    write_safetensors(folder / "link", tensors);
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(*Safetensors::open(folder / "file").floats("x"), 1.0F);

    const fs::path pipe = folder / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    write_safetensors(pipe, tensors);
    EXPECT_TRUE(fs::is_fifo(pipe)) << "/dev/null would be gone";
    std::vector<std::uint8_t> bytes(4096);
    bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(reader, bytes.data(), bytes.size()))));
    EXPECT_EQ(*Safetensors::from_bytes(bytes, "pipe").floats("x"), 1.0F);
    close(reader);
}

TEST(Safetensors, HalfPrecisionIsReadToTheBit) {
    // 1, −2, the smallest subnormal, the largest finite number; each as F16 and BF16.
    const std::vector<std::uint8_t> data = {0x00, 0x3C, 0x00, 0xC0, 0x01, 0x00, 0xFF, 0x7B, 0x80, 0x3F, 0x00, 0xC0};
    const auto bytes = file_of(
        R"({"h":{"dtype":"F16","shape":[4],"data_offsets":[0,8]},"b":{"dtype":"BF16","shape":[2],"data_offsets":[8,12]}})",
        data);
    const Safetensors file = Safetensors::from_bytes(bytes, "halves");
    const auto h = file.floats("h"), b = file.floats("b");
    EXPECT_EQ(h.get()[0], 1.0F);
    EXPECT_EQ(h.get()[1], -2.0F);
    EXPECT_EQ(h.get()[2], 5.9604645e-08F);
    EXPECT_EQ(h.get()[3], 65504.0F);
    EXPECT_EQ(b.get()[0], 1.0F);
    EXPECT_EQ(b.get()[1], -2.0F);
}

TEST(Safetensors, HostileHeadersAreRefusedWithASentence) {
    const std::vector<std::uint8_t> data(8);
    const auto one = [](const std::string& rest) { return "{\"a\":{\"dtype\":\"F32\"," + rest + "}}"; };
    expect_refused({1, 2, 3}, "it is too short");
    expect_refused({255, 255, 255, 255, 255, 255, 255, 255, 0}, "the header is longer than the file");
    expect_refused(file_of("not json", data), "the header is no JSON");
    expect_refused(file_of("[1]", data), "the header is no object");
    expect_refused(file_of(std::string(4000, '['), data), "it is nested deeply");
    expect_refused(file_of(one(R"("shape":[2],"data_offsets":[0,16])"), data), "the tensor reaches past the end");
    expect_refused(file_of(one(R"("shape":[2],"data_offsets":[8,0])"), data), "the offsets are turned round");
    expect_refused(file_of(one(R"("shape":[3],"data_offsets":[0,8])"), data), "shape and bytes differ");
    expect_refused(file_of(one(R"("shape":[-2],"data_offsets":[0,8])"), data), "a size is negative");
    expect_refused(file_of(one(R"("shape":[4294967296,4294967296,4294967297],"data_offsets":[0,8])"), data),
                   "the product overflows");
    expect_refused(file_of(one(R"("shape":[1],"data_offsets":[0,4])"), data), "bytes are left over");
    expect_refused(file_of(one(R"("shape":"x","data_offsets":[0,8])"), data), "the shape is no list");
    expect_refused(file_of(R"({"a":{"dtype":"Q4","shape":[2],"data_offsets":[0,8]}})", data), "the type is unknown");
    expect_refused(
        file_of(
            R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
            data),
        "two overlap");
    expect_refused(
        file_of(
            R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
            data),
        "a name appears twice");
}

TEST(Safetensors, NumbersThatAreNoWeightsAreNamed) {
    std::vector<std::uint8_t> data(8);
    const float bad[] = {1.0F, std::numeric_limits<float>::quiet_NaN()};
    std::memcpy(data.data(), bad, 8);
    const auto nan = file_of(R"({"layer.w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", data);
    const auto whole = file_of(R"({"layer.w":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})", data);
    for (const auto& bytes : {nan, whole}) {
        try {
            Safetensors::from_bytes(bytes, "file").floats("layer.w");
            ADD_FAILURE();
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("layer.w"), std::string::npos);
        }
    }
}

TEST(Safetensors, FilesThatCannotBeOpenedSayWhy) {
    for (const char* const path : {"/no/such/file.safetensors", "/tmp", "/dev/null"})
        EXPECT_THROW(Safetensors::open(path), Error) << path;
    const float x = 1;
    const std::vector<NamedTensor> tensors = {{"x", {1}, &x}};
    EXPECT_THROW(write_safetensors("/no/such/folder/x.safetensors", tensors), Error);
}

/// A header that names so many tensors without numbers.
std::string header_of_empty_tensors(int count) {
    std::string header = "{";
    for (int i = 0; i < count; ++i)
        header +=
            (i > 0 ? ",\"t" : "\"t") + std::to_string(i) + R"(":{"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
    return header + "}";
}

TEST(Safetensors, ManyTensorsAreReadAndMoreThanAnyModelHasAreRefusedWhileTheyAreCounted) {
    EXPECT_EQ(Safetensors::from_bytes(file_of(header_of_empty_tensors(40'000), {}), "many").entries().size(), 40'000U);
    const std::string too_many = header_of_empty_tensors(100'001);
    expect_refused(file_of(too_many, {}), "it names more tensors than any model has");
    std::string unfinished = too_many.substr(0, too_many.size() - 1);  // refused before the end is seen
    try {
        Safetensors::from_bytes(file_of(unfinished, {}), "hostile");
        ADD_FAILURE() << "taken";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("more than 100000 tensors"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace vitrine
