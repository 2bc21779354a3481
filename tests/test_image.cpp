#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "core/base/error.h"
#include "core/files/heif.h"
#include "core/files/image.h"
#include "core/files/image_formats.h"
#include "core/files/tiff.h"
#include "core/vit/model.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;
using Filter = Preprocessing::Filter;

const fs::path golden = fs::path(VITRINE_GOLDEN) / "pillow";
const std::map<std::string, Filter> filters = {
    {"bilinear", Filter::bilinear}, {"bicubic", Filter::bicubic}, {"lanczos", Filter::lanczos}};

/// Reads the binary PPM that make_images.py writes, without the decoder that is under test.
Image read_ppm(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string magic;
    int depth = 0;
    Image image;
    file >> magic >> image.width >> image.height >> depth;
    file.get();
    EXPECT_EQ(magic, "P6") << path;
    image.rgb.resize(static_cast<std::size_t>(image.width) * image.height * 3);
    file.read(reinterpret_cast<char*>(image.rgb.data()), static_cast<std::streamsize>(image.rgb.size()));
    EXPECT_TRUE(file) << path;
    return image;
}

/// False for a picture of libheif's where this system has not what it needs.
bool can_be_read(const std::string& name) {
    if (name.ends_with(".heic")) return !missing_for(HeifCoding::hevc, system_libheif());
    return !name.ends_with(".avif") || !missing_for(HeifCoding::av1, system_libheif());
}

/// Calls `check` with each line of one of the lists of make_images.py.
template <class Check>
void for_each_line(const std::string& list, Check check) {
    std::ifstream file(golden / list);
    std::string line;
    int lines = 0;
    for (; std::getline(file, line); ++lines) {
        SCOPED_TRACE(line);
        if (!can_be_read(line.substr(0, line.find(' ')))) continue;
        std::istringstream columns(line);
        check(columns);
    }
    EXPECT_GT(lines, 0);
}

double mean_difference(const Image& a, const Image& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.rgb.size(); ++i) sum += std::abs(a.rgb[i] - b.rgb[i]);
    return sum / static_cast<double>(a.rgb.size());
}

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

/// A PPM file of pixels that differ from their neighbours.
std::vector<std::uint8_t> ppm(int width, int height) {
    std::vector<std::uint8_t> bytes = bytes_of("P6 " + std::to_string(width) + " " + std::to_string(height) + " 255\n");
    for (int i = 0; i < width * height * 3; ++i) bytes.push_back(static_cast<std::uint8_t>(i * 37 % 251));
    return bytes;
}

Image textured(int width, int height) { return decode_image(ppm(width, height), "textured"); }

Image transposed(const Image& image) {
    Image result{image.height, image.width, std::vector<std::uint8_t>(image.rgb.size())};
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            std::copy_n(&image.rgb[(static_cast<std::size_t>(y) * image.width + x) * 3], 3,
                        &result.rgb[(static_cast<std::size_t>(x) * image.height + y) * 3]);
        }
    }
    return result;
}

/// What the sentence of the Error says; "" if there is none.
template <class Action>
std::string error_of(Action action) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
        return error.what();
    }
    return "";
}

std::string decode_error(const std::string& bytes) {
    return error_of([&] { decode_image(bytes_of(bytes), "picture"); });
}

void write_bytes(const fs::path& path, const std::vector<std::uint8_t>& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

Config config_of(int channels, int height, int width) {
    Config config;
    config.channels = channels;
    config.image_height = height;
    config.image_width = width;
    return config;
}

// ---- decoding -----------------------------------------------------------------------------------------------------

TEST(DecodeImage, AgreesWithPillowOnEveryFormat) {
    for_each_line("decode.txt", [](std::istringstream& columns) {
        std::string name;
        double tolerance = 0.0;
        columns >> name >> tolerance;
        const Image image = load_image(golden / "decode" / name);
        const Image expected = read_ppm(golden / "decode" / (name + ".expected"));
        ASSERT_EQ(image.width, expected.width);
        ASSERT_EQ(image.height, expected.height);
        if (tolerance == 0.0) {
            EXPECT_EQ(image.rgb, expected.rgb);
        }
        EXPECT_LE(mean_difference(image, expected), tolerance);
    });
}

TEST(DecodeImage, RefusesEveryPartOfAPictureThatLacksPixels) {
    for_each_line("decode.txt", [](std::istringstream& columns) {
        std::string name;
        columns >> name;
        const std::vector<std::uint8_t> bytes = read_file(golden / "decode" / name);
        const Image whole = decode_image(bytes, name);
        for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 500) {
            try {
                const Image part = decode_image(std::span(bytes).first(length), name);
                ASSERT_EQ(part.rgb, whole.rgb) << "the first " << length << " of " << bytes.size() << " bytes";
            } catch (const Error&) {
            }
        }
    });
}

TEST(DecodeImage, SurvivesDamageAnywhere) {
    for_each_line("decode.txt", [](std::istringstream& columns) {
        std::string name;
        columns >> name;
        std::vector<std::uint8_t> bytes = read_file(golden / "decode" / name);
        for (std::size_t i = 0; i < bytes.size(); i += 1 + bytes.size() / 50) {
            const std::uint8_t kept = bytes[i];
            for (const std::uint8_t value : {0, 1, 127, 255}) {
                bytes[i] = value;
                try {
                    const Image image = decode_image(bytes, name);
                    ASSERT_EQ(image.rgb.size(), static_cast<std::size_t>(image.width) * image.height * 3);
                } catch (const Error&) {
                }
            }
            bytes[i] = kept;
        }
    });
}

TEST(DecodeImage, ShowsAPictureWithAProfileInSrgbAndGivesTheModelWhatIsStored) {
    for_each_line("colour.txt", [](std::istringstream& columns) {
        std::string name;
        columns >> name;
        const ManagedImage image = decode_managed(read_file(golden / "colour" / name), name);
        EXPECT_EQ(image.stored.rgb, read_ppm(golden / "colour" / (name + ".stored")).rgb);
        const Image expected = read_ppm(golden / "colour" / (name + ".managed"));
        ASSERT_TRUE(image.managed);
        ASSERT_EQ(image.managed->width, expected.width);
        for (std::size_t i = 0; i < expected.rgb.size(); ++i)  // versions of Little CMS round differently
            ASSERT_NEAR(image.managed->rgb[i], expected.rgb[i], 2) << i;
        EXPECT_GT(mean_difference(image.stored, *image.managed), 3);
        EXPECT_EQ(load_small(golden / "colour" / name, 1000).rgb, image.managed->rgb);
    });
    for (const char* const plain : {"rgb.png", "baseline.jpg", "cmyk.jpg", "lossy.webp", "rgb.tif"})
        EXPECT_FALSE(decode_managed(read_file(golden / "decode" / plain), plain).managed) << plain;
}

TEST(DecodeImage, MakesThumbnailsThatLookLikeTheWholeScaledDown) {
    for (const char* const name : {"progressive.jpg", "whole_colour.jpg", "cmyk.jpg", "lossy.webp", "lossless.webp",
                                   "moving.webp", "lzw.tif", "exif_6.jpg", "exif_6.webp", "patches.avif"}) {
        if (!can_be_read(name)) continue;
        const Image whole = load_image(golden / "decode" / name), small = load_small(golden / "decode" / name, 12);
        const Image expected = shrink_to_fit(whole, 12);
        ASSERT_EQ(small.width, expected.width) << name;
        ASSERT_NEAR(small.height, expected.height, 1) << name;  // a decoder rounds its own size first
        if (small.height == expected.height) {
            EXPECT_LT(mean_difference(small, expected), 20) << name;
        }
        EXPECT_EQ(load_small(golden / "decode" / name, 1000).rgb, whole.rgb) << name;
    }
}

TEST(DecodeImage, NamesThePackageThatAHeicOrAvifPictureNeeds) {
    const SharedLibrary none("libheif.so.none");
    for (const char* const name : {"patches.heic", "patches.avif"}) {
        const std::vector<std::uint8_t> bytes = read_file(golden / "decode" / name);
        const std::string called = "picture";
        const std::string words = error_of([&] { decode_heif_with(none, {bytes, format_of(bytes), called}, {}); });
        EXPECT_THAT(words, testing::HasSubstr("install libheif1, or save it as JPEG or PNG"));
    }
    EXPECT_EQ(missing_for(HeifCoding::av1, none), "libheif1");
}

TEST(DecodeImage, NamesThePackageThatATiffPictureNeeds) {
    const SharedLibrary none("libtiff.so.none");
    EXPECT_EQ(missing_for_tiff(none), "libtiff6");
    EXPECT_FALSE(missing_for_tiff(system_libtiff())) << "./dev test installs libtiff6";
    const std::string called = "picture", bytes("II*\0", 4);
    const Bytes file{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
    const std::string words = error_of([&] { decode_tiff_with(none, {file, format_of(file), called}, {}); });
    EXPECT_THAT(words, testing::HasSubstr("install libtiff6, or save it as JPEG or PNG"));
}

/// A picture of 30000 × 30000 in a few bytes.
TEST(DecodeImage, RefusesBombs) {
    using namespace std::string_literals;
    const auto little = [](std::uint32_t value) {
        return std::string({char(value & 255), char(value >> 8 & 255), char(value >> 16 & 255), char(value >> 24)});
    };
    std::string tiff = "II*\0\x08\0\0\0\x05\0"s;
    const auto tag = [&](int number, std::uint32_t value) {
        tiff += std::string({char(number & 255), char(number >> 8), 4, 0, 1, 0, 0, 0}) + little(value);
    };
    for (const auto& [number, value] : {std::pair{256, 30000}, {257, 30000}, {262, 1}, {273, 8}, {279, 4}})
        tag(number, static_cast<std::uint32_t>(value));
    tiff += "\0\0\0\0"s;
    const std::string lossless = "VP8L\x0a\0\0\0\x2f"s + little(16382 | 16382U << 14) + "\0\0\0\0\0"s;
    const std::string webp = "RIFF"s + little(static_cast<std::uint32_t>(4 + lossless.size())) + "WEBP" + lossless;
    std::string jpeg = "\xFF\xD8\xFF\xC0\0\x0b\x08\x75\x30\x75\x30\1\1\x11\0\xFF\xDA\0\x08\1\1\0\0\x3F\0"s;
    for (const std::string& file : {tiff, webp, jpeg})
        EXPECT_THAT(decode_error(file), testing::HasSubstr("more than the 250 million"));
}

TEST(DecodeImage, NamesTheFormatsThatItDoesNotRead) {
    using namespace std::string_literals;
    const std::map<std::string, std::string> beginnings = {
        {"%PDF-1.7\n"s, "a PDF document"},
        {"<?xml version=\"1.0\"?>\n<svg xmlns"s, "an SVG drawing"},
        {"\xEF\xBB\xBF <html>"s, "a web page"},
        {"P3 1 1 255 1 2 3"s, "a PNM picture in text or one bit a pixel"}};
    for (const auto& [bytes, name] : beginnings) {
        EXPECT_EQ(decode_error(bytes), "picture is " + name + ", which Vitrine does not read; save it as JPEG or PNG");
    }
}

TEST(DecodeImage, SaysWhyItRefuses) {
    EXPECT_EQ(decode_error(""), "picture is empty; choose another file");
    EXPECT_EQ(decode_error("neither fish nor fowl"),
              "picture is not a picture that Vitrine reads; choose a JPEG or PNG file");
    EXPECT_EQ(decode_error("P6 2 2 255\nabc"), "picture is a PPM picture that ends too early; fetch a complete copy");
    for (const char* const kind : {"P5", "P6"})
        EXPECT_THAT(decode_error(std::string(kind) + " 1 1 256\nabcdef"), testing::HasSubstr("16 bits a number"));
    // Newer versions of stb refuse a width of 0 themselves.
    EXPECT_THAT(decode_error("P6 0 2 255\nabc"), testing::AnyOf("picture is a picture without pixels; choose another",
                                                                testing::HasSubstr("damaged or of an unusual kind")));
    EXPECT_EQ(decode_error("P6 100000 100000 255\nabc"),
              "picture is a picture of 100000 × 100000 pixels, more than the 250 million that Vitrine opens; make it "
              "smaller first");
}

TEST(DecodeImage, KeepsItsSentenceOnOneLineWhateverTheName) {
    EXPECT_EQ(error_of([] { decode_image({}, "two\nlines"); }), "two?lines is empty; choose another file");
}

TEST(DecodeImage, ReportsProgressThatNeverFallsAndEndsAtOne) {
    std::vector<double> fractions;
    decode_image(ppm(300, 300), "picture", [&](double fraction) { fractions.push_back(fraction); });
    ASSERT_FALSE(fractions.empty());
    EXPECT_TRUE(std::is_sorted(fractions.begin(), fractions.end()));
    EXPECT_GE(fractions.front(), 0.0);
    EXPECT_EQ(fractions.back(), 1.0);
}

TEST(DecodeImage, StopsAtTheFirstReportThatThrowsAndLetsTheExceptionThrough) {
    for_each_line("decode.txt", [](std::istringstream& columns) {
        std::string name;
        columns >> name;
        const std::vector<std::uint8_t> bytes = read_file(golden / "decode" / name);
        for (int allowed = 0; allowed < 4; ++allowed) {
            int calls = 0;
            const auto cancel = [&](double fraction) {
                if (++calls > allowed && fraction < 1.0) throw Cancelled{};
            };
            try {
                decode_image(bytes, name, cancel);
                EXPECT_LE(calls, allowed + 1);
            } catch (const Cancelled&) {
                EXPECT_EQ(calls, allowed + 1);
            }
        }
    });
}

/// An HDR picture of runs: 8 pixels wide, rows of the same four runs.
std::string hdr_of_runs(int rows) {
    std::string file = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y " + std::to_string(rows) + " +X 8\n";
    for (int row = 0; row < rows; ++row) {
        file += std::string({2, 2, 0, 8});
        for (int channel = 0; channel < 4; ++channel) file += "\x88\x4D";
    }
    return file;
}

TEST(DecodeImage, AnHdrPictureThatEndsAnywhereIsRefusedOrReadAndNeverWaitedFor) {
    const std::string whole = hdr_of_runs(3);
    EXPECT_EQ(decode_image(bytes_of(whole), "picture").height, 3);
    for (std::size_t size = 11; size < whole.size(); ++size) EXPECT_NE(decode_error(whole.substr(0, size)), "") << size;
    EXPECT_THAT(decode_error(whole.substr(0, 70)), testing::HasSubstr("ends too early"));
    for (const char* const header : {"", "FORMAT=32-bit_rle_rgbe", "FORMAT=32-bit_rle_rgbe\n\n-Y 2", "\n\n\n", "x\n"})
        EXPECT_NE(decode_error("#?RADIANCE\n" + std::string(header)), "") << header;
}

TEST(DecodeImage, WhatClaimsMorePixelsThanItsBytesCanSayIsRefusedBeforeItIsDecoded) {
    const std::string hdr = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 5900 +X 30000\n";
    std::string png = "\x89PNG\r\n\x1a\n" + std::string("\0\0\0\x0dIHDR\0\0\x17\x0c\0\0\x75\x30\x01\0\0\0\0", 21) +
                      "crc!" + std::string("\0\0\0\0IDATcrc!", 12);
    const std::string gif = "GIF89a" + std::string("\0\x20\0\x20\x80\0\0", 7) + "palette" +
                            std::string("\x2c\0\0\0\0\0\x20\0\x20\0\2\0\x3b", 13);
    const std::string psd = "8BPS" + std::string("\0\1\0\0\0\0\0\0\0\3\0\0\x20\0\0\0\x20\0\0\x8\0\3", 22) +
                            std::string(12, '\0') + std::string("\0\1", 2);
    for (const std::string& file : {hdr, png, gif, psd}) {
        int calls = 0;
        const std::string words = error_of([&] { decode_image(bytes_of(file), "picture", [&](double) { ++calls; }); });
        EXPECT_THAT(words, testing::HasSubstr("ends too early"));
        EXPECT_EQ(calls, 0) << "it was decoded: " << words;
    }
    int calls = 0;  // a TGA picture has no beginning to be known by
    const std::string tga = std::string("\0\0\xA\0\0\0\0\0\0\0\0\0\0\x20\0\x20\x18\0", 18) +
                            "\xFF"
                            "abc";
    EXPECT_EQ(error_of([&] { decode_image(bytes_of(tga), "picture", [&](double) { ++calls; }); }),
              "picture is not a picture that Vitrine reads; choose a JPEG or PNG file");
    EXPECT_EQ(calls, 0) << "it was decoded";
}

TEST(DecodeImage, AnHdrPictureIsCancelledLikeAnyOther) {
    const std::string file = hdr_of_runs(400);
    int calls = 0;
    const auto cancel = [&](double) {
        if (++calls == 3) throw Cancelled{};
    };
    EXPECT_THROW(decode_image(bytes_of(file), "picture", cancel), Cancelled);
    EXPECT_EQ(calls, 3);
}

// ---- files --------------------------------------------------------------------------------------------------------

TEST(ReadFile, OpensNamesInAnyScript) {
    const TestFolder folder;
    for (const char* name : {"사진.ppm", "写真.ppm", "Übergrößenträger.ppm", "with space 'and' quotes\".ppm"}) {
        write_bytes(folder / name, ppm(3, 2));
        EXPECT_EQ(load_image(folder / name).rgb, textured(3, 2).rgb) << name;
    }
}

TEST(ReadFile, HasASentenceForWhateverIsNoFile) {
    const TestFolder folder;
    EXPECT_NE(error_of([&] { read_file(folder / "missing"); }).find("missing does not exist"), std::string::npos);
    EXPECT_NE(error_of([&] { read_file(folder / ""); }).find("is a folder"), std::string::npos);
    write_bytes(folder / "empty", {});
    EXPECT_NE(error_of([&] { read_file(folder / "empty"); }).find("is empty"), std::string::npos);
    EXPECT_NE(error_of([&] { read_file(folder / "empty" / "below"); }), "");
    EXPECT_NE(error_of([&] { read_file(folder / std::string(5000, 'x')); }), "");
    fs::create_symlink("loop", folder / "loop");
    EXPECT_NE(error_of([&] { read_file(folder / "loop"); }), "");
    fs::resize_file(folder / "empty", (std::uintmax_t{1} << 31) + 1);
    EXPECT_NE(error_of([&] { read_file(folder / "empty"); }).find("larger than 2 GiB"), std::string::npos);
}

TEST(ReadFile, DoesNotWaitForPipesAndDevices) {
    const TestFolder folder;
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    for (const fs::path& path : {folder / "pipe", fs::path("/dev/zero"), fs::path("/dev/null")}) {
        EXPECT_NE(error_of([&] { read_file(path); }).find("is not a regular file"), std::string::npos) << path;
    }
}

TEST(ReadFile, SaysWhenPermissionIsMissing) {
    if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
    const TestFolder folder;
    write_bytes(folder / "secret", {1});
    fs::permissions(folder / "secret", fs::perms::none);
    EXPECT_NE(error_of([&] { read_file(folder / "secret"); }).find("permission"), std::string::npos);
}

// ---- resizing -----------------------------------------------------------------------------------------------------

TEST(Resize, IsPillowsToTheByte) {
    for_each_line("resize.txt", [](std::istringstream& columns) {
        std::string source, filter, result;
        int width = 0, height = 0;
        columns >> source >> width >> height >> filter >> result;
        const Image resized = resize(read_ppm(golden / "resize" / source), width, height, filters.at(filter));
        EXPECT_EQ(resized.width, width);
        EXPECT_EQ(resized.height, height);
        EXPECT_EQ(resized.rgb, read_ppm(golden / "resize" / result).rgb);
    });
}

TEST(Resize, ToItsOwnSizeChangesNothing) {
    const Image image = textured(19, 11);
    for (const auto& [name, filter] : filters) EXPECT_EQ(resize(image, 19, 11, filter).rgb, image.rgb) << name;
}

TEST(Resize, KeepsAConstantPictureConstant) {
    for (const int level : {0, 1, 127, 254, 255}) {
        const Image image{31, 17, std::vector<std::uint8_t>(31 * 17 * 3, static_cast<std::uint8_t>(level))};
        for (const auto& [name, filter] : filters) {
            for (const auto& [width, height] : {std::pair{7, 5}, {64, 3}, {100, 90}, {1, 1}}) {
                const Image resized = resize(image, width, height, filter);
                const auto is_level = [level](int value) { return value == level; };
                EXPECT_TRUE(std::all_of(resized.rgb.begin(), resized.rgb.end(), is_level)) << name << ' ' << level;
            }
        }
    }
}

TEST(Resize, OfOneAxisCommutesWithTransposing) {
    const Image image = textured(53, 29);
    for (const auto& [name, filter] : filters) {
        const Image across = resize(image, 20, 29, filter);
        const Image down = resize(transposed(image), 29, 20, filter);
        EXPECT_EQ(transposed(across).rgb, down.rgb) << name;
    }
}

TEST(Resize, OfBothAxesIsOneAxisAfterTheOther) {
    const Image image = textured(53, 29);
    for (const auto& [name, filter] : filters) {
        const Image both = resize(image, 20, 71, filter);
        EXPECT_EQ(resize(resize(image, 20, 29, filter), 20, 71, filter).rgb, both.rgb) << name;
    }
}

TEST(Resize, CanBeCancelled) {
    const Image image{3000, 3000, std::vector<std::uint8_t>(27'000'000)};
    int calls = 0;
    const auto cancel = [&](double fraction) {
        EXPECT_GE(fraction, 0.0);
        EXPECT_LE(fraction, 1.0);
        if (++calls == 2) throw Cancelled{};
    };
    EXPECT_THROW(resize(image, 30, 30, Filter::bicubic, cancel), Cancelled);
    EXPECT_EQ(calls, 2);
}

TEST(ShrinkToFit, KeepsTheAspectAndNeverEnlarges) {
    const Image wide = shrink_to_fit(textured(200, 50), 100);
    EXPECT_EQ(wide.width, 100);
    EXPECT_EQ(wide.height, 25);
    EXPECT_EQ(shrink_to_fit(textured(2000, 1), 100).height, 1);
    EXPECT_EQ(shrink_to_fit(textured(9, 7), 100).rgb, textured(9, 7).rgb);
}

// ---- preprocessing ------------------------------------------------------------------------------------------------

TEST(Preprocess, IsWhatHuggingFaceAndTorchvisionAndTimmCompute) {
    const std::map<std::string, Preprocessing::Resize> modes = {{"none", Preprocessing::Resize::none},
                                                                {"squash", Preprocessing::Resize::squash},
                                                                {"shortest_edge", Preprocessing::Resize::shortest_edge},
                                                                {"longest_edge", Preprocessing::Resize::longest_edge}};
    for_each_line("preprocess.txt", [&](std::istringstream& columns) {
        std::string name, picture, mode, filter, rounding;
        Preprocessing how;
        Config config;
        columns >> name >> picture >> mode >> how.resize_height >> how.resize_width >> filter >> how.crop >> rounding >>
            config.channels >> config.image_height >> config.image_width;
        how.resize = modes.at(mode);
        how.filter = filters.at(filter);
        how.crop_rounding = rounding == "down" ? Preprocessing::Rounding::down : Preprocessing::Rounding::half_to_even;
        how.mean.resize(config.channels);
        how.std.resize(config.channels);
        for (double& value : how.mean) columns >> value;
        for (double& value : how.std) columns >> value;
        double left = 0, top = 0, right = 0, bottom = 0;
        columns >> left >> top >> right >> bottom;
        ASSERT_TRUE(columns);

        const Preprocessed result = preprocess(read_ppm(golden / "preprocess" / picture), how, config);
        EXPECT_EQ(result.seen.rgb, read_ppm(golden / "preprocess" / (name + ".seen")).rgb);
        const std::vector<std::uint8_t> expected = read_file(golden / "preprocess" / (name + ".f32"));
        ASSERT_EQ(result.pixels.size() * sizeof(float), expected.size());
        EXPECT_EQ(std::memcmp(result.pixels.data(), expected.data(), expected.size()), 0);
        EXPECT_NEAR(result.left, left, 1e-9);
        EXPECT_NEAR(result.top, top, 1e-9);
        EXPECT_NEAR(result.right, right, 1e-9);
        EXPECT_NEAR(result.bottom, bottom, 1e-9);
    });
}

TEST(Preprocess, TakesTheMostElongatedPicturesWithoutTheMemoryOfTheirResizedWhole) {
    const Config config = config_of(3, 224, 224);
    for (const auto mode :
         {Preprocessing::Resize::squash, Preprocessing::Resize::shortest_edge, Preprocessing::Resize::longest_edge}) {
        Preprocessing how{.resize = mode, .resize_height = 256, .resize_width = 256, .crop = true};
        for (const auto& [width, height] : {std::pair{1, 1}, {1, 20000}, {20000, 1}, {1, 4000000}, {4000000, 1}}) {
            const Image image{width, height, std::vector<std::uint8_t>(std::size_t{3} * width * height, 255)};
            const Preprocessed result = preprocess(image, how, config);
            ASSERT_EQ(result.seen.rgb.size(), 224U * 224U * 3U);
            EXPECT_EQ(result.seen.rgb[(112 * 224 + 112) * 3], 255) << width << " × " << height;
        }
    }
}

TEST(Preprocess, SeesTheMiddleOfTheResizedWhole) {
    const Image image = textured(97, 61);
    const Preprocessing how{.resize = Preprocessing::Resize::shortest_edge, .resize_height = 30, .crop = true};
    const Image whole = resize(image, 47, 30, how.filter);
    const Preprocessed result = preprocess(image, how, config_of(3, 24, 24));
    for (int y = 0; y < 24; ++y) {
        EXPECT_TRUE(std::equal(&result.seen.rgb[y * 24 * 3], &result.seen.rgb[y * 24 * 3] + 24 * 3,
                               &whole.rgb[((y + 3) * 47 + 11) * 3]));
    }
}

TEST(Preprocess, RefusesAPictureThatItsRulesDoNotBringToTheModelsSize) {
    const Preprocessing how{.resize = Preprocessing::Resize::shortest_edge, .resize_height = 24};
    EXPECT_EQ(error_of([&] { preprocess(textured(97, 61), how, config_of(3, 24, 24)); }),
              "the model's preprocessing makes 38 × 24 pixels of a picture of 97 × 61, but the model takes 24 × 24; "
              "cut the picture to that shape or correct preprocessor_config.json");
    EXPECT_EQ(preprocess(textured(61, 61), how, config_of(3, 24, 24)).seen.width, 24);
}

TEST(ImageFormats, OfferTheEndingsOfWhatIsDecodedAndNoOthers) {
    const std::vector<std::string> endings = image_endings();
    const auto offered = [&](const char* ending) {
        return std::count(endings.begin(), endings.end(), std::string(ending));
    };
    for (const char* const read : {".jpg", ".jpeg", ".png", ".gif", ".bmp", ".ppm", ".pgm", ".psd", ".tga", ".hdr",
                                   ".webp", ".tif", ".tiff", ".avif", ".heic", ".heif"})
        EXPECT_EQ(offered(read), 1) << read;
    for (const char* const refused : {".pbm", ".pic", ".svg", ""}) EXPECT_EQ(offered(refused), 0) << refused;
}

TEST(ImageFormats, AreListedOnceThoseThatNeedNoLibraryFirstAndAskedForWithoutLossFirst) {
    const std::vector<ReadableFormat> formats = readable_formats();
    std::set<std::string> names;
    for (const ReadableFormat& format : formats) EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_EQ(names, (std::set<std::string>{"PNG", "WebP", "JPEG", "BMP", "GIF", "PNM", "PSD", "HDR", "TGA", "TIFF",
                                            "AVIF", "HEIC", "video"}));
    const auto loaded = std::ranges::find(formats, "TIFF", &ReadableFormat::name);
    for (auto always = formats.begin(); always != loaded; ++always) EXPECT_FALSE(always->missing) << always->name;
    EXPECT_EQ(formats.end() - loaded, 4);
    EXPECT_EQ(moving_formats(), "GIF or WebP");
    EXPECT_EQ(picture_types().front().name, "image/png");
    EXPECT_EQ(picture_types().front().ending, ".png");
}

}  // namespace
}  // namespace vitrine
