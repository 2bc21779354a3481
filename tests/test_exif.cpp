#include <gtest/gtest.h>

#include <random>
#include <string>

#include "core/files/exif.h"

namespace vitrine {
namespace {

using namespace std::string_literals;

enum class Order { big, little };

std::string number(std::uint64_t value, int size, Order order = Order::big) {
    std::string bytes;
    for (int i = 0; i < size; ++i) {
        const char byte = static_cast<char>(value >> 8 * i);
        bytes = order == Order::little ? bytes + byte : byte + bytes;
    }
    return bytes;
}

/// One entry of a directory: its value lies in the first bytes of the last four.
struct Entry {
    int tag = 0x0112, type = 3;
    unsigned count = 1;
    std::uint64_t value = 6;
};

std::string entry_bytes(const Entry& e, Order order) {
    const int size = e.type == 1 ? 1 : e.type == 3 ? 2 : 4;
    std::string value = number(e.value, size, order);
    value.resize(4, '\0');
    return number(static_cast<std::uint64_t>(e.tag), 2, order) + number(static_cast<std::uint64_t>(e.type), 2, order) +
           number(e.count, 4, order) + value;
}

/// An EXIF block with these entries in its first directory.
std::string block(Order order, const std::vector<Entry>& entries) {
    std::string bytes = (order == Order::big ? "MM" : "II") + number(42, 2, order) + number(8, 4, order) +
                        number(entries.size(), 2, order);
    for (const Entry& e : entries) bytes += entry_bytes(e, order);
    return bytes + number(0, 4, order);
}

std::string jpeg(const std::string& exif) {
    const std::string content = "Exif\0\0"s + exif;
    return "\xFF\xD8\xFF\xE0" + number(4, 2) + "ab" + "\xFF\xE1" + number(content.size() + 2, 2) + content +
           "\xFF\xDA\x00\x02pixels"s;
}

std::string png(const std::string& exif) {
    return "\x89PNG\r\n\x1A\n" + number(1, 4) + "tEXt" + "x" + "sum." + number(exif.size(), 4) + "eXIf" + exif + "sum.";
}

int orientation(const std::string& file) {
    // A copy of exactly this size, so that AddressSanitizer sees a byte too far.
    const std::vector<std::uint8_t> bytes(file.begin(), file.end());
    return exif_orientation(bytes);
}

constexpr Order orders[] = {Order::big, Order::little};

TEST(Exif, AllEightOrientationsAreReadInBothOrdersOfBytesFromJpegAndPng) {
    for (const Order order : orders)
        for (unsigned told = 1; told <= 8; ++told) {
            const std::string exif =
                block(order, {{0x010F, 2, 4, 0x61626300}, {0x0112, 3, 1, told}, {0x0128, 3, 1, 2}});
            EXPECT_EQ(orientation(jpeg(exif)), static_cast<int>(told));
            EXPECT_EQ(orientation(png(exif)), static_cast<int>(told));
        }
}

TEST(Exif, ABytesOrALongsOrientationIsReadToo) {
    for (const Order order : orders)
        for (const int type : {1, 4}) EXPECT_EQ(orientation(jpeg(block(order, {{0x0112, type, 1, 6}}))), 6) << type;
}

TEST(Exif, WhatSaysNothingOrNothingThatCanBeIsUpright) {
    for (const Order order : orders) {
        const std::vector<Entry> wrong = {{0x0112, 3, 1, 0},        // no orientation
                                          {0x0112, 3, 1, 9},        // nor this
                                          {0x0112, 4, 1, 0x10006},  // nor this, whose lower half is one
                                          {0x0112, 3, 0, 6},        // no value
                                          {0x0112, 3, 2, 6},        // two of them
                                          {0x0112, 5, 1, 6},        // a fraction, which lies elsewhere
                                          {0x0112, 0, 1, 6},        // no type
                                          {0x0112, 0xFFFF, 1, 6},   // nor this
                                          {0x0113, 3, 1, 6}};       // another tag
        for (const Entry& entry : wrong) EXPECT_EQ(orientation(jpeg(block(order, {entry}))), 1) << entry.type;
        EXPECT_EQ(orientation(jpeg(block(order, {}))), 1);
    }
    EXPECT_EQ(orientation(jpeg("")), 1);
    EXPECT_EQ(orientation(jpeg("XX" + block(Order::big, {{}}).substr(2))), 1) << "no order of bytes";
    EXPECT_EQ(orientation(jpeg("MM\0\x2B"s + block(Order::big, {{}}).substr(4))), 1) << "not 42";
    EXPECT_EQ(orientation(""), 1);
    EXPECT_EQ(orientation("GIF89a" + block(Order::big, {{}})), 1) << "a kind of file without EXIF";
    EXPECT_EQ(orientation("\xFF\xD8\xFF\xDA\x00\x02"s + jpeg(block(Order::big, {{}})).substr(2)), 1) << "behind pixels";
}

TEST(Exif, TheFirstDirectoryMayLieAnywhereInside) {
    for (const Order order : orders) {
        const std::string usual = block(order, {{}}), head = usual.substr(0, 4), directory = usual.substr(8);
        EXPECT_EQ(orientation(jpeg(head + number(30, 4, order) + std::string(22, '\x12') + directory)), 6);
        for (const std::uint64_t outside : {std::uint64_t{31}, std::uint64_t{4000}, std::uint64_t{0xFFFFFFFF}})
            EXPECT_EQ(orientation(jpeg(head + number(outside, 4, order) + std::string(22, '\0') + directory)), 1);
    }
}

TEST(Exif, ABlockThatIsCutShortAnywhereIsUprightOrStillSaysIt) {
    for (const Order order : orders) {
        const std::string whole = block(order, {{0x010F, 2, 4, 0}, {}, {0x0128, 3, 1, 2}});
        constexpr std::size_t value_ends = 8 + 2 + 12 + 10;
        for (std::size_t size = 0; size < whole.size(); ++size) {
            const int expected = size >= value_ends ? 6 : 1;
            EXPECT_EQ(orientation(jpeg(whole.substr(0, size))), expected) << size;
            EXPECT_EQ(orientation(png(whole.substr(0, size))), expected) << size;
        }
        for (const std::string& file : {jpeg(whole), png(whole)})
            for (std::size_t size = 0; size < file.size(); ++size) {
                const int told = orientation(file.substr(0, size));
                EXPECT_TRUE(told == 1 || told == 6) << size;
            }
    }
}

TEST(Exif, ADirectoryThatPromisesMoreEntriesThanThereAreEndsWithTheBlock) {
    for (const Order order : orders) {
        std::string exif = block(order, {{0x010F, 2, 4, 0}});
        exif.replace(8, 2, number(0xFFFF, 2, order));
        EXPECT_EQ(orientation(jpeg(exif)), 1);
        EXPECT_EQ(orientation(jpeg("\0"s + exif)), 1);
    }
}

TEST(Exif, NoBytesAtAllLeadOutOfTheFile) {
    std::mt19937 random(1);
    for (const Order order : orders)
        for (const std::string& file : {jpeg(block(order, {{}, {}})), png(block(order, {{}, {}}))})
            for (int i = 0; i < 20000; ++i) {
                std::string hostile = file;
                for (int n = 0; n < 4; ++n) {
                    constexpr std::uint8_t extremes[] = {0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF};
                    hostile[random() % hostile.size()] = static_cast<char>(extremes[random() % std::size(extremes)]);
                }
                const int told = orientation(hostile);
                ASSERT_TRUE(told >= 1 && told <= 8);
            }
}

}  // namespace
}  // namespace vitrine
