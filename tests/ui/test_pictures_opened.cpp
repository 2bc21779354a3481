#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>

#include "app/jobs/jobs.h"
#include "app/jobs/thumbnails.h"
#include "app/library/colours.h"
#include "app/library/library.h"
#include "app/sessions/session_commands.h"
#include "app/ui/text.h"
#include "app/workspace/recent.h"
#include "app/workspace/result.h"
#include "tests/files.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

// Pictures of every format in the window: with a colour profile, and pasted.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

const fs::path golden = fs::path(VITRINE_GOLDEN) / "pillow";

TEST(PictureOpened, ABadOneIsRefusedInTheWindowsLanguage) {
    const TestFolder folder;
    write(folder / "noise.png", "no picture");
    write(folder / "empty.png", "");
    fs::create_directory(folder / "model");
    for (const char* const language : {"en", "ja", "ko"}) {
        Opening opening;
        opening.state.settings.language = language;
        Harness h(std::move(opening));
        const Text words = load_text(language);
        const auto refused = [&](const Command& command) {
            h.app->ask(command);
            h.settle();
            h.frame(3);
            const std::string title = words("error.title") + " ";
            const std::string shown = h.shows("error") ? h.item("error").text : "";
            std::string told = shown.starts_with(title) ? shown.substr(title.size()) : shown;
            h.app->ask(command::Do{"dismiss"});
            h.frame(2);
            return told;
        };
        const auto path = [&](const char* name) { return (folder / name).string(); };
        EXPECT_EQ(refused(command_to_open(path("noise.png"))),
                  words("failure.not_a_picture", {{"file", path("noise.png")}}));
        EXPECT_EQ(refused(command_to_open(path("empty.png"))), words("failure.empty", {{"file", path("empty.png")}}));
        EXPECT_EQ(refused(command_to_open(path("none.png"))), words("failure.missing", {{"file", path("none.png")}}));
        EXPECT_EQ(refused(command::OpenModel{{path("model"), {}}}),
                  words("failure.no_weights", {{"folder", path("model")}}));
    }
}

TEST(PictureOpened, WithAProfileIsShownManagedAndGivenToTheModelAsTheSettingSays) {
    Harness h;
    h.app->open({golden / "colour/swapped.jpg"});
    h.settle();
    const ManagedImage read = decode_managed(read_file(golden / "colour/swapped.jpg"), "picture");
    const auto image = h.result().image;
    EXPECT_EQ(image->full.rgb, read.stored.rgb);
    EXPECT_EQ(image->display->rgb, read.managed->rgb) << "it is small enough to be shown whole";
    EXPECT_EQ(image->colours, Colours::stored);
    const auto pixels = h.result().baseline.embedding;
    h.press(Key::g);
    h.tap("language.colours.managed");
    h.press(Key::escape);
    h.settle();
    EXPECT_EQ(h.app->state().settings.colours, Colours::managed);
    EXPECT_EQ(h.result().image->full.rgb, read.managed->rgb);
    EXPECT_EQ(h.result().image->colours, Colours::managed);
    EXPECT_NE(h.result().baseline.embedding, pixels) << "it was computed again";
    h.app->open({golden / "decode/rgb.png"});
    h.settle();
    EXPECT_EQ(h.result().image->colours, Colours::stored) << "it has no profile";
}

TEST(PictureOpened, OfEveryFormatGoesThroughTheModel) {
    Harness h;
    for (const char* const name :
         {"lossy.webp", "moving.webp", "cmyk.jpg", "ycck.jpg", "tiled.tif", "cmyk.tif", "grey16.png", "clear.gif"}) {
        h.app->open({golden / "decode" / name});
        h.settle();
        EXPECT_EQ(h.item("top.image").text, name) << h.app->error();
    }
}

TEST(PictureOpened, OfOnesOwnHasTheClassThatItsOwnerChooses) {
    Harness h(Harness::with_image("cat"), {1280, 720});
    go_to(h, "loss");
    EXPECT_EQ(h.item("loss.chosen").value, 1) << "a drawn picture says what it shows";
    h.app->open({golden / "decode/lossy.webp"});
    h.settle();
    EXPECT_EQ(h.item("loss.chosen").value, 0);
    h.expect_readable("a photograph's loss");
    h.tap("loss.next");
    EXPECT_EQ(h.item("loss.chosen").value, 1);
}

TEST(PictureOpened, ByPasteIsAskedOfTheWindowOnce) {
    Harness h;
    EXPECT_FALSE(h.app->take_paste_request());
    h.press(Key::v, Key::ctrl);
    EXPECT_TRUE(h.app->take_paste_request());
    EXPECT_FALSE(h.app->take_paste_request());
}

/// The pieces of a sentence between its placeholders, without what stands between a name and the sentence about it.
std::vector<std::string> pieces_of(std::string_view sentence) {
    std::vector<std::string> pieces;
    while (!sentence.empty()) {
        const std::size_t begin = std::min(sentence.find('{'), sentence.size());
        std::string piece(sentence.substr(0, begin));
        if (pieces.empty()) piece.erase(0, piece.find_first_not_of(" :"));
        if (!piece.empty()) pieces.push_back(piece);
        sentence.remove_prefix(begin == sentence.size() ? begin : sentence.find('}') + 1);
    }
    return pieces;
}

/// True if one expression of the sources says all pieces, one after the other.
bool one_expression_says(const std::string& sources, const std::vector<std::string>& pieces) {
    for (std::size_t at = sources.find(pieces[0]); at != std::string::npos; at = sources.find(pieces[0], at + 1)) {
        std::size_t end = at + pieces[0].size(), i = 1;
        for (; i < pieces.size(); ++i) {
            const std::size_t next = sources.find(pieces[i], end);
            if (next == std::string::npos) break;
            const std::string between = sources.substr(end, next - end);  // the end of a literal, code, another literal
            if (!between.starts_with('"') || !between.ends_with('"') || between.find(';') != std::string::npos) break;
            end = next + pieces[i].size();
        }
        if (i == pieces.size() && (sources[end] == '"' || sources[end] == '.')) return true;
    }
    return false;
}

/// Errors that the window tells in another language are found by their English words, so these are compared with what
/// the program throws: an error that is reworded has to be reworded under "failure.", too.
TEST(Errors, HaveTheWordsByWhichTheWindowFindsThem) {
    std::string sources;  // with adjacent literals joined
    for (const char* const floor : {"app", "core"})
        for (const auto& file : fs::recursive_directory_iterator(fs::path(VITRINE_SOURCE) / floor))
            if (file.path().extension() == ".cpp")
                sources += std::regex_replace(read(file.path()), std::regex("\"\\s*\n\\s*\""), "");
    const Text english = load_text("en");
    EXPECT_FALSE(one_expression_says(sources, pieces_of("{file} is empty; check the name")))
        << "pieces of two sentences are none";
    int count = 0;
    for (auto row = english.table().lower_bound("failure."); row->first.starts_with("failure."); ++row) {
        ++count;
        EXPECT_TRUE(one_expression_says(sources, pieces_of(row->second)))
            << row->first << ": no source says \"" << row->second << "\", so it would be told in English alone";
    }
    EXPECT_GE(count, 8);
}

TEST(OpenedThumbnails, AreMadeByAJobThatTheStartPageAndTheBrowserShare) {
    const TestFolder folder;
    const fs::path image = folder / "photo.ppm";
    std::ofstream(image, std::ios::binary) << "P6 2 2 255\nabcdefghijkl";
    Opening opening = Harness::with_image("cat");
    opening.state.dialog = "start";
    remember(opening.state.settings, FileKind::image, image);
    opening.state.settings.image_folder = image.parent_path().string();
    Harness h(std::move(opening));
    h.settle();
    Thumbnails& thumbnails = h.app->context().jobs().of<Thumbnails>();
    EXPECT_EQ(thumbnails.held(), 1U);
    const auto picture = thumbnails.of(image);
    ASSERT_TRUE(picture);
    h.carry_out(command::ShowDialog{"open_image"});
    h.settle();
    EXPECT_GT(thumbnails.held(), 1U) << "the samples'";
    EXPECT_EQ(thumbnails.of(image), picture);
}

}  // namespace
}  // namespace vitrine
