#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/files/moving_picture.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

const fs::path moving_webp = fs::path(VITRINE_GOLDEN) / "pillow/decode/moving.webp";

/// A GIF of 2 × 2 pixels as Pillow writes it: red for 0.05 s, green for 0.2 s, blue without a time.
std::vector<std::uint8_t> three_colours() {
    const std::string hex =
        "47494638396102000200810000ff000000000000000000000021ff0b4e45545343415045322e30030100000021f90400050000002c"
        "00000000020002000008060001080410100021f90400140000002c00000000020002008100ff000000000000000000000806000108"
        "041010002c0000000002000200810000ff0000000000000000000806000108041010003b";
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
        bytes.push_back(static_cast<std::uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
    return bytes;
}

std::vector<std::uint8_t> of_colour(int red, int green, int blue) {
    std::vector<std::uint8_t> rgb;
    for (int i = 0; i < 4; ++i)
        for (const int level : {red, green, blue}) rgb.push_back(static_cast<std::uint8_t>(level));
    return rgb;
}

TEST(MovingPicture, GifGivesItsFramesAndTheirTimesAgainAndAgain) {
    const auto picture = open_moving_picture(three_colours(), "three.gif");
    for (int round = 0; round < 2; ++round) {
        const auto red = picture->next({}), green = picture->next({}), blue = picture->next({});
        EXPECT_EQ(red.image.rgb, of_colour(255, 0, 0));
        EXPECT_EQ(green.image.rgb, of_colour(0, 255, 0));
        EXPECT_EQ(blue.image.rgb, of_colour(0, 0, 255));
        EXPECT_EQ(red.seconds, 0.05);
        EXPECT_EQ(green.seconds, 0.2);
        EXPECT_GT(blue.seconds, 0);
    }
}

TEST(MovingPicture, WebpGivesPillowsFrames) {
    const auto picture = open_moving_picture(read_file(moving_webp), "moving.webp");
    const Image still = load_image(moving_webp);
    for (int round = 0; round < 2; ++round) {
        const auto first = picture->next({}), second = picture->next({});
        EXPECT_EQ(first.image.rgb, still.rgb) << "as the picture opened as an image";
        EXPECT_EQ(first.seconds, 0.1) << "the file has no time";
        const std::vector<std::uint8_t> begins(second.image.rgb.begin(), second.image.rgb.begin() + 6);
        EXPECT_EQ(begins, (std::vector<std::uint8_t>{0x93, 0x47, 0x9c, 0x5c, 0x26, 0x71}));
    }
}

TEST(MovingPicture, ThatIsDamagedOrNoneIsRefusedInASentence) {
    const std::vector<std::uint8_t> gif = three_colours(), webp = read_file(moving_webp);
    for (const auto& whole : {gif, webp})
        for (const std::size_t size : {std::size_t{0}, std::size_t{5}, std::size_t{12}, whole.size() / 2}) try {
                const auto picture = open_moving_picture({whole.begin(), whole.begin() + std::ptrdiff_t(size)}, "cut");
                for (int i = 0; i < 3; ++i) picture->next({});  // what is there may be shown
            } catch (const Error& error) {
                EXPECT_TRUE(std::string(error.what()).starts_with("cut")) << error.what();
            }
    EXPECT_THROW(open_moving_picture({'P', '6', '\n'}, "a.ppm"), Error);
    EXPECT_TRUE(may_move("a.GIF") && may_move("b.webp"));
    EXPECT_FALSE(may_move("a.png") || may_move("gif"));
}

TEST(MovingPicture, OfMoreFramesThanMemoryShouldHoldIsRefused) {
    std::vector<std::uint8_t> gif = three_colours();
    gif[6] = gif[7] = gif[8] = 0xFF;
    gif[9] = 0x0F;  // 65535 × 4095
    EXPECT_THROW(open_moving_picture(gif, "bomb.gif"), Error);
}

}  // namespace
}  // namespace vitrine
