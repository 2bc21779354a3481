#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/files/image.h"

namespace vitrine {
namespace {

std::vector<std::uint8_t> whole_picture() { return read_file(VITRINE_GOLDEN "/pillow/decode/baseline.jpg"); }

/// Why a picture is not decoded; nothing where it is.
std::string refusal(const std::vector<std::uint8_t>& bytes) {
    try {
        decode_image(bytes, "picture");
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

/// A JPEG file without its Huffman tables, and with this one before its scan.
std::vector<std::uint8_t> with_huffman_table(const std::vector<std::uint8_t>& jpeg, const std::string& segment) {
    std::vector<std::uint8_t> bytes(jpeg.begin(), jpeg.begin() + 2);
    for (std::size_t at = 2;;) {
        const std::uint8_t marker = jpeg[at + 1];
        const std::size_t size = 2 + (jpeg[at + 2] << 8 | jpeg[at + 3]);
        if (marker == 0xDA) {
            bytes.insert(bytes.end(), segment.begin(), segment.end());
            bytes.insert(bytes.end(), jpeg.begin() + at, jpeg.end());
            return bytes;
        }
        if (marker != 0xC4) bytes.insert(bytes.end(), jpeg.begin() + at, jpeg.begin() + at + size);
        at += size;
    }
}

/// Leaves this number in memory that an allocation of a decoder gets next.
void leave_in_memory(std::uint8_t number) {
    std::vector<std::uint8_t> block(20'000, number);
    volatile std::uint8_t* const kept = block.data();  // or the compiler sees that nobody reads it
    for (std::size_t i = 0; i < block.size(); ++i) kept[i] = number;
}

TEST(Jpeg, WithoutItsTablesIsRefusedWhateverLiesInMemory) {
    const std::vector<std::uint8_t> bare = with_huffman_table(whole_picture(), "");
    for (const std::uint8_t number : {0, 1, 127, 254, 255}) {
        leave_in_memory(number);
        EXPECT_THAT(refusal(bare), testing::HasSubstr("bad huffman code")) << int{number};
    }
}

TEST(Jpeg, ATableOfMoreCodesThanSymbolsIsRefused) {
    const std::vector<std::uint8_t> whole = whole_picture();
    const auto table = [&](char most) {  // of 8 · most codes
        const int size = 2 + 17 + 8 * most;
        std::string segment = {'\xFF', '\xC4', static_cast<char>(size >> 8), static_cast<char>(size & 0xFF), '\x10'};
        segment += std::string(8, '\0') + std::string(8, most) + std::string(8 * most, '\x11');
        return with_huffman_table(whole, segment);
    };
    EXPECT_THAT(refusal(table(33)), testing::HasSubstr("more codes than there are symbols"));
    EXPECT_THAT(refusal(table(127)), testing::HasSubstr("more codes than there are symbols"));
    EXPECT_THAT(refusal(table(32)), testing::HasSubstr("bad huffman code"));
}

TEST(Jpeg, WithFillBeforeItsBeginningIsRefused) {
    std::vector<std::uint8_t> filled = whole_picture();
    filled.insert(filled.begin(), 0xFF);
    EXPECT_EQ(refusal(filled),
              "picture is a JPEG picture with bytes before its beginning, which Vitrine does not read; save it as JPEG "
              "or PNG");
}

TEST(Jpeg, OfMoreScansThanAnyPictureHasIsRefused) {
    const std::vector<std::uint8_t> whole = whole_picture();
    const auto with_scans = [&](int count) {
        std::vector<std::uint8_t> bytes(whole.begin(), whole.end() - 2);
        for (int i = 0; i < count; ++i) bytes.insert(bytes.end(), {0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0x3F, 0, 0x00});
        bytes.insert(bytes.end(), {0xFF, 0xD9});
        return bytes;
    };
    EXPECT_EQ(refusal(whole), "");
    EXPECT_THAT(refusal(with_scans(100)), testing::HasSubstr("of 101 scans"));
    EXPECT_THAT(refusal(with_scans(99)), testing::Not(testing::HasSubstr("scans")));
}

}  // namespace
}  // namespace vitrine
