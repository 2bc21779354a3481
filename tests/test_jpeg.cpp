#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

TEST(Jpeg, WithoutItsTablesIsReadWithTheUsualOnes) {  // as those of cameras' videos are
    EXPECT_EQ(refusal(with_huffman_table(whole_picture(), "")), "");
}

TEST(Jpeg, ATableOfMoreCodesThanSymbolsIsRefused) {
    const std::vector<std::uint8_t> whole = whole_picture();
    const auto table = [&](char most) {  // of 8 · most codes
        const int size = 2 + 17 + 8 * most;
        std::string segment = {'\xFF', '\xC4', static_cast<char>(size >> 8), static_cast<char>(size & 0xFF), '\x10'};
        segment += std::string(8, '\0') + std::string(8, most) + std::string(8 * most, '\x11');
        return with_huffman_table(whole, segment);
    };
    for (const char most : {33, 127, 32}) EXPECT_THAT(refusal(table(most)), testing::HasSubstr("damaged")) << int{most};
}

TEST(Jpeg, WithFillBeforeItsBeginningIsRefused) {
    std::vector<std::uint8_t> filled = whole_picture();
    filled.insert(filled.begin(), 0xFF);
    EXPECT_EQ(refusal(filled),
              "picture is a JPEG picture with bytes before its beginning, which Vitrine does not read; save it as JPEG "
              "or PNG");
}

TEST(Jpeg, OfMoreScansThanAnyPictureHasIsRefused) {
    const std::vector<std::uint8_t> whole = read_file(VITRINE_GOLDEN "/pillow/decode/progressive.jpg");
    std::vector<std::size_t> markers;  // of tables and of what follows them
    for (std::size_t at = 2; at + 1 < whole.size(); ++at)
        if (whole[at] == 0xFF && (whole[at + 1] == 0xC4 || whole[at + 1] == 0xDA || whole[at + 1] == 0xD9))
            markers.push_back(at);
    const auto scan =
        std::find_if(markers.begin(), markers.end(), [&](std::size_t at) { return whole[at + 1] == 0xDA; });
    const auto first = whole.begin() + static_cast<std::ptrdiff_t>(*scan),
               last = whole.begin() + static_cast<std::ptrdiff_t>(*(scan + 1));
    const auto with_scans = [&](int more) {
        std::vector<std::uint8_t> bytes(whole.begin(), last);
        for (int i = 0; i < more; ++i) bytes.insert(bytes.end(), first, last);
        bytes.insert(bytes.end(), last, whole.end());
        return bytes;
    };
    EXPECT_EQ(refusal(whole), "");
    EXPECT_EQ(refusal(with_scans(20)), "");
    EXPECT_THAT(refusal(with_scans(110)), testing::HasSubstr("of more than 100 scans"));
}

}  // namespace
}  // namespace vitrine
