#include <stb/stb_image.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "app/shell/kept_sessions.h"
#include "core/files/safetensors.h"
#include "tests/test_folder.h"
#include "tests/ui/harness.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

/// The parts of a window that scroll, whose ids contain some words.
std::vector<const ImGuiWindow*> windows_with(const std::string& words) {
    std::vector<const ImGuiWindow*> all;
    for (const ImGuiWindow* const window : ImGui::GetCurrentContext()->Windows)
        if (window->Active && std::string(window->Name).find(words) != std::string::npos) all.push_back(window);
    return all;
}

class TakingAway : public testing::Test {
protected:
    void SetUp() override {
        fs::create_directories(temporary);
        setenv("TMPDIR", temporary.c_str(), 1);
        Opening state = Harness::with_image("cat");
        state.state.room = "laboratory";
        state.state.settings.export_folder = folder.string();
        h = std::make_unique<Harness>(std::move(state));
        h->app->house().jobs.exporting.set_program(VITRINE_PROGRAM);
    }
    void TearDown() override {
        h.reset();
        unsetenv("TMPDIR");
    }

    bool busy() const { return h->app->state().exporting; }

    /// Frames until the other process is done.
    void wait() {
        for (int i = 0; i < 3000 && busy(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            h->frame();
        }
        h->frame(2);
        EXPECT_FALSE(busy());
        EXPECT_EQ(h->app->error(), "");
    }

    static std::string read(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static std::string clipboard() {
        const char* const text = ImGui::GetClipboardText();
        return text == nullptr ? "" : text;
    }

    const TestFolder own;
    const fs::path folder = own / "taken", temporary = own / "temporary";
    std::unique_ptr<Harness> h;
};

TEST_F(TakingAway, APartBecomesAPngAsSharpAsWantedAndWithoutAGround) {
    h->press(Key::e, Key::ctrl);
    EXPECT_TRUE(h->shows("export.png"));
    h->tap("export.times.two");
    h->tap("export.ground.transparent");
    h->tap("export.png");
    wait();
    int width = 0, height = 0, channels = 0;
    const fs::path file = folder / "cat-lab-heads.png";
    stbi_uc* const pixels = stbi_load(file.c_str(), &width, &height, &channels, 0);
    ASSERT_NE(pixels, nullptr) << h->item("export.told").text;
    const Rect stage = h->app->rect_of("stage");
    EXPECT_NEAR(static_cast<float>(width), 2 * stage.width(), 4);
    EXPECT_NEAR(static_cast<float>(height), 2 * stage.height(), 4);
    EXPECT_EQ(channels, 4);
    EXPECT_EQ(pixels[3], 0) << "the corner shows what is behind";
    stbi_image_free(pixels);
    EXPECT_NE(h->item("export.told").text.find(file.string()), std::string::npos);
    h->tap("export.png");
    wait();
    EXPECT_TRUE(fs::exists(folder / "cat-lab-heads-2.png")) << "nothing is written over";
}

TEST_F(TakingAway, APictureGetsTheNameThatIsTypedInTheFolderAndItIsSaidWhereItGoes) {
    h->press(Key::e, Key::ctrl);
    EXPECT_EQ(h->item("export.name").text, (folder / "cat-lab-heads.png").string()) << "before anything is typed";
    h->tap("export.bare");
    h->tap("export.name");
    h->type("week 3.png");
    EXPECT_EQ(h->item("export.name").text, (folder / "week 3.png").string());
    h->tap("export.svg");
    EXPECT_TRUE(fs::exists(folder / "week 3.png.svg"));
    EXPECT_NE(h->item("export.told").text.find((folder / "week 3.png.svg").string()), std::string::npos);
    h->app->ask(command::ExportPicture{.part = "stage", .format = "svg", .name = "../../over"});
    h->frame(4);
    EXPECT_TRUE(fs::exists(folder / "-..-..-over.svg")) << "no name leads out of the folder";
}

TEST_F(TakingAway, AFigureBecomesAnSvgWithRealText) {
    h->focus().lab.instrument = Instrument::ledger;
    h->settle();
    h->press(Key::e, Key::ctrl);
    EXPECT_EQ(h->item("export.bare").value, 1) << "a clean figure where nothing else is wished for";
    h->tap("export.bare");
    h->tap("export.svg");
    const std::string svg = read(folder / "cat-lab-ledger.svg");
    EXPECT_TRUE(svg.starts_with("<svg "));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    for (const char* const words : {">Where the logit comes from</text>", ">Logit of cat</text>", "Block 4</text>"})
        EXPECT_NE(svg.find(words), std::string::npos) << words;
    h->tap("export.part.window");
    h->tap("export.svg");
    const std::string window = read(folder / "cat-lab-ledger-2.svg");
    EXPECT_GT(window.size(), svg.size());
    EXPECT_NE(window.find(">Where the logit comes from</text>"), std::string::npos);
}

TEST_F(TakingAway, AFigureForSlidesHasNoControlsAndSaysBelowWhatItShows) {
    h->focus().lab.picks = {{1, 0, {}}, {4, 2, {}}};
    h->focus().lab.instrument = Instrument::compare;
    h->settle();
    h->press(Key::e, Key::ctrl);
    h->tap("export.caption");
    h->tap("export.ground.white");
    h->tap("export.svg");
    wait();
    const std::string svg = read(folder / "cat-lab-compare.svg");
    ASSERT_FALSE(svg.empty()) << h->item("export.told").text;
    const std::string pin = h->item("compare.A.pin").text;
    EXPECT_EQ(svg.find(">" + pin + "<"), std::string::npos) << "a switch is no figure";
    EXPECT_EQ(svg.find(">" + h->app->text()("lab.compare.title") + "</text>"), std::string::npos);
    EXPECT_NE(svg.find("Heads beside one another · A: block 1 · head 1 · "), std::string::npos) << "a line is one text";
    EXPECT_NE(svg.find("A: block 1, head 1</text>"), std::string::npos) << "a map keeps its name";
    EXPECT_NE(svg.find("fill=\"#ffffff\""), std::string::npos);
    EXPECT_EQ(svg.find("width=\"0\" height=\"0\""), std::string::npos) << "nothing is hidden in it";
}

TEST_F(TakingAway, APictureCountsAsTheWindowDoes) {
    h->focus().lab.picks = {{1, 0, {}}};
    h->focus().lab.instrument = Instrument::compare;
    h->app->state().settings.count_from = 0;
    h->settle();
    h->press(Key::e, Key::ctrl);
    h->tap("export.svg");
    wait();
    const std::string svg = read(folder / "cat-lab-compare.svg");
    EXPECT_NE(svg.find("block 0, head 0</text>"), std::string::npos);
    EXPECT_EQ(svg.find("block 1, head 1"), std::string::npos);
}

TEST_F(TakingAway, LettersBecomeShapesWhereTheFontsWillBeMissing) {
    h->press(Key::e, Key::ctrl);
    h->tap("export.outlines");
    h->tap("export.svg");
    wait();
    const std::string svg = read(folder / "cat-lab-heads.svg");
    EXPECT_EQ(svg.find("<text"), std::string::npos);
    EXPECT_EQ(svg.find("font-family"), std::string::npos);
    EXPECT_NE(svg.find("<path"), std::string::npos);
}

TEST_F(TakingAway, APictureIsPutOnTheClipboard) {
    const fs::path programs = own / "programs";
    fs::create_directories(programs);
    const fs::path kept = own / "kept.png";
    std::ofstream(programs / "xclip") << "#!/bin/sh\ncp \"$6\" " << kept.string() << "\necho \"$@\" >" << kept.string()
                                      << ".words\n";
    fs::permissions(programs / "xclip", fs::perms::owner_all);
    const std::string path = getenv("PATH");
    setenv("PATH", (programs.string() + ":" + path).c_str(), 1);
    unsetenv("WAYLAND_DISPLAY");
    h->press(Key::e, Key::ctrl);
    h->tap("export.copy_picture");
    wait();
    setenv("PATH", path.c_str(), 1);
    EXPECT_EQ(h->item("export.told").text, "The picture is on the clipboard.");
    EXPECT_TRUE(read(kept).starts_with("\x89PNG"));
    EXPECT_TRUE(read(kept.string() + ".words").starts_with("-selection clipboard -t image/png -i "));
    EXPECT_FALSE(fs::exists(folder)) << "nothing is left beside";
}

TEST_F(TakingAway, WithoutAProgramForItTheClipboardSaysWhatIsMissing) {
    const std::string path = getenv("PATH");
    setenv("PATH", (own / "nothing").c_str(), 1);
    h->press(Key::e, Key::ctrl);
    h->tap("export.copy_picture");
    for (int i = 0; i < 3000 && busy(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        h->frame();
    }
    setenv("PATH", path.c_str(), 1);
    EXPECT_NE(h->app->error().find("install the package xclip or wl-clipboard"), std::string::npos) << h->app->error();
}

TEST_F(TakingAway, NumbersAreWrittenInTheChosenFormAndByName) {
    h->focus().lab.instrument = Instrument::statistics;
    h->settle();
    h->press(Key::e, Key::ctrl);
    h->tap("export.what.distance");
    EXPECT_EQ(h->app->house().drafts.taking.measures.size(), 2U);
    h->tap("export.format.safetensors");
    h->tap("export.numbers");
    wait();
    const fs::path out = folder / "cat-lab-statistics";
    const Safetensors file = Safetensors::open(out / "distance.safetensors");
    EXPECT_EQ(file.entries().at("distance").shape, (std::vector<std::size_t>{4, 4}));
    EXPECT_TRUE(fs::exists(out / "entropy.safetensors"));
    const Tensor2& shown = h->app->house().jobs.measuring().latest(1).measured->statistics->of("distance");
    for (std::size_t i = 0; i < 16; ++i) EXPECT_NEAR(file.floats("distance").get()[i], shown.data()[i], 1e-4);
}

TEST_F(TakingAway, InTheExplorerTheTensorsOfTheBlockAreOffered) {
    h->app->state().room = "explore";
    h->focus().block = 2;
    h->settle();
    h->press(Key::e, Key::ctrl);
    EXPECT_TRUE(h->shows("export.what.block.2.q"));
    h->tap("export.what.z.0");
    h->tap("export.format.csv");
    h->tap("export.numbers");
    wait();
    EXPECT_TRUE(fs::exists(folder / "cat-image" / "z.0.csv"));
}

TEST_F(TakingAway, ThePicturesNumbersAreCopiedAsText) {
    h->focus().lab.instrument = Instrument::statistics;
    h->settle();
    h->press(Key::c, Key::ctrl);
    const std::string text = clipboard();
    EXPECT_TRUE(text.starts_with("block\t0\t1\t2\t3\n1\t")) << text;
    for (const Instrument i : {Instrument::heads, Instrument::depth, Instrument::tokens, Instrument::lens,
                               Instrument::ledger, Instrument::occlusion}) {
        ImGui::SetClipboardText("");
        h->focus().lab.instrument = i;
        h->settle();
        h->press(Key::c, Key::ctrl);
        EXPECT_GT(clipboard().size(), 100U) << name_of(i);
    }
    ImGui::SetClipboardText("");
    h->press(Key::f2);
    h->press(Key::c, Key::ctrl);
    EXPECT_TRUE(clipboard().starts_with("block.head\tclass token\tpatch 1")) << clipboard().substr(0, 80);
}

TEST_F(TakingAway, ASessionOpensAgainAsItWas) {
    Focus& f = h->focus();
    f.lab.instrument = Instrument::compare;
    f.lab.picks = {{1, 0, {}}, {3, 2, 12}};
    f.lab.combine = Combine::difference;
    f.token = 20;
    f.block = 3;
    f.cell = Cell{Quantity::q, 3, 1, 4, 5};
    h->app->workspace().experiment.what_ifs = {remove_head(2, 1), remove_token(9)};
    h->settle();
    const Session before = h->app->session();
    h->press(Key::s, Key::ctrl);
    h->press(Key::enter);
    ASSERT_TRUE(fs::exists(folder / "cat-lab-compare.vitrine"));

    Opening other = Harness::with_image("mug");
    other.state.settings.export_folder = folder.string();
    h = nullptr;
    h = std::make_unique<Harness>(std::move(other));
    h->press(Key::e, Key::ctrl);
    h->tap("export.open.0");
    EXPECT_EQ(h->app->session(), before);
    EXPECT_EQ(h->what_ifs().size(), 2U);
    EXPECT_EQ(h->app->state().room, "laboratory");
    EXPECT_EQ(h->item("top.image").text, "cat");
}

TEST_F(TakingAway, ADroppedSessionIsOpenedAndABrokenOneIsTold) {
    fs::create_directories(folder);
    Session s = h->app->session();
    s.image = {"mug", {}};
    s.focus.lab.instrument = Instrument::lens;
    save_session(s, folder / "a.vitrine");
    h->app->open({folder / "a.vitrine"});
    h->settle();
    EXPECT_EQ(h->item("top.image").text, "mug");
    EXPECT_EQ(h->focus().lab.instrument, Instrument::lens);
    std::ofstream(folder / "b.vitrine") << "{\"vitrine_session\": 9}";
    h->app->open({folder / "b.vitrine"});
    h->settle();
    EXPECT_NE(h->app->error().find("b.vitrine: is no session"), std::string::npos) << h->app->error();
    EXPECT_EQ(h->item("top.image").text, "mug") << "what was open stays";
}

TEST_F(TakingAway, WhatASessionAsksOfAModelThatHasItNotIsToldOrLeftOut) {
    Session s = h->app->session();
    s.focus.cell = Cell{Quantity::q, 3, 1, 4000, 5};
    s.focus.token = 900;
    h->app->restore(s);
    h->settle();
    EXPECT_FALSE(h->focus().cell);
    EXPECT_EQ(h->focus().token, 64);
    s.what_ifs = {"head:9.1"};
    h->app->restore(s);
    h->settle();
    EXPECT_NE(h->app->error().find("head:9.1"), std::string::npos);
}

TEST_F(TakingAway, WhatIsCancelledLeavesNothing) {
    h->press(Key::e, Key::ctrl);
    h->tap("export.times.four");
    h->hover("export.png");
    h->input.button(0, true);
    h->input.button(0, false);
    h->frame(5);
    ASSERT_TRUE(busy());
    ASSERT_EQ(std::distance(fs::directory_iterator(temporary), {}), 1);
    const fs::path scratch = fs::directory_iterator(temporary)->path();
    EXPECT_EQ(fs::status(scratch).permissions(), fs::perms::owner_all) << "nobody else looks or writes into it";
    EXPECT_FALSE(scratch.filename().string().starts_with("vitrine-" + std::to_string(getpid()) + "-"))
        << "nor knows its name before";
    h->tap("export.waiting.cancel");
    EXPECT_FALSE(busy());
    EXPECT_TRUE(fs::is_empty(folder));
    EXPECT_TRUE(fs::is_empty(temporary));
}

TEST_F(TakingAway, TheCommandLineIsCopied) {
    h->focus().lab.instrument = Instrument::depth;
    h->focus().lab.rollout.fusion = HeadFusion::max;
    h->settle();
    h->press(Key::e, Key::ctrl);
    h->tap("export.command");
    EXPECT_EQ(clipboard(),
              "vitrine snapshot pictograms:cat --model pictograms-small --lab depth --set lab.fusion=max "
              "--size 1920x1080 --out picture.png");
}

TEST_F(TakingAway, ASessionWhoseImageIsGoneChangesNothing) {
    Session s = h->app->session();
    s.image = {{}, folder / "gone.jpg"};
    s.focus.block = 4;
    s.focus.lab.instrument = Instrument::ledger;
    h->app->restore(s);
    h->settle();
    EXPECT_NE(h->app->error().find("gone.jpg"), std::string::npos);
    EXPECT_EQ(h->item("top.image").text, "cat");
    EXPECT_EQ(h->focus().block, 1);
}

TEST_F(TakingAway, InALectureWhatIsNotThereIsToldAndTheStageIsDrawnAsItIs) {
    h->press(Key::l);
    h->frame(120);
    h->press(Key::e, Key::ctrl);
    h->tap("export.part.map");
    h->tap("export.svg");
    EXPECT_NE(h->app->error(), "");
    h->press(Key::escape);
    h->press(Key::e, Key::ctrl);
    h->tap("export.part.stage");
    h->tap("export.times.one");
    h->tap("export.png");
    wait();
    int width = 0, height = 0, channels = 0;
    ASSERT_EQ(stbi_info((folder / "cat-lab-heads.png").c_str(), &width, &height, &channels), 1);
    EXPECT_NEAR(static_cast<float>(width), h->app->rect_of("stage").width(), 3);
}

TEST_F(TakingAway, AFolderThatCannotBeMadeIsTold) {
    h->app->state().settings.export_folder = "/proc/none";
    h->press(Key::s, Key::ctrl);
    h->press(Key::enter);
    EXPECT_NE(h->app->error().find("/proc/none"), std::string::npos);
}

TEST_F(TakingAway, WhatWasOpenWhenTheWindowWasKilledIsOfferedBack) {
    fs::create_directories(folder);
    Session s = h->app->session();
    s.image = {"sun", {}};
    for (const bool wanted : {true, false}) {
        save_session(s, folder / "left.vitrine");
        h->app->state().left = {kept_session(folder / "left.vitrine")};
        h->app->state().dialog = "recover";
        h->settle();
        h->tap(wanted ? "recover.restore" : "recover.discard");
        EXPECT_EQ(h->item("top.image").text, wanted ? "sun" : "cat");
        EXPECT_FALSE(fs::exists(folder / "left.vitrine"));
        EXPECT_EQ(h->app->state().dialog, "");
        h->app->workspace().experiment.image = {"cat", {}};
        h->settle();
    }
}

TEST_F(TakingAway, WhatWasOpenSaysWhichLearningWasLost) {
    fs::create_directories(folder);
    Session s = h->app->session();
    s.unsaved = {3200, 480};
    save_session(s, folder / "left.vitrine");
    EXPECT_EQ(load_session(folder / "left.vitrine"), s);
    h->app->state().left = {kept_session(folder / "left.vitrine")};
    ImGui::GetIO().DisplaySize = {1280, 720};
    for (const char* const language : {"ja", "ko", "en"}) {
        h->app->state().settings.language = language;
        h->app->state().dialog = "recover";
        h->settle();
        const std::string lost = lost_words(h->app->text(), h->app->state().left.front());
        EXPECT_NE(lost.find("3200"), std::string::npos) << lost;
        EXPECT_NE(lost.find("480"), std::string::npos) << lost;
        EXPECT_EQ(h->item("recover.lost.0").text, lost);
        h->expect_readable(std::string("the recovery in ") + language);
        h->app->state().dialog = "start";
        h->settle();
        h->expect_readable(std::string("the start page in ") + language);
        EXPECT_TRUE(std::ranges::any_of(h->app->probe().words(), [&](const Probe::Words& words) {
            return words.text == lost;
        })) << "and on the start page";
    }
    s.unsaved = {};
    EXPECT_EQ(to_json(s).find("unsaved"), std::string::npos) << "a file that was saved says nothing of it";
}

TEST(ExportDialog, WhatItSaysItselfIsNoNoticeOverIt) {
    Harness h;
    h.app->ask(command::ShowDialog{"take_away"});
    h.frame(4);
    h.app->state().told = h.app->state().notice = "Written: /home/somebody/vitrine/cat-attention-2.png";
    h.app->state().notice_until = ImGui::GetTime() + 5;
    h.frame(4);
    EXPECT_TRUE(h.shows("export.told"));
    EXPECT_FALSE(h.shows("notice"));
}

TEST(ExportDialog, FitsWithoutScrollingInASmallWindowInEveryLanguage) {
    const TestFolder folder;
    const fs::path deep = folder / "lectures" / "winter" / "transformers" / "pictures" / "of the third week" / "own";
    fs::create_directories(deep);
    Opening opening = Harness::with_image("cat");
    opening.state.settings.export_folder = deep.string();
    Harness h(std::move(opening), {1280, 720});
    for (const char* const room : {"explore", "laboratory", "text"}) {
        h.app->ask(command::EnterRoom{room});
        h.settle();
        h.app->ask(command::ShowDialog{"take_away"});
        h.settle();
        for (int i = 0; i < 4; ++i)
            h.app->state().sessions.push_back(deep / ("lecture-" + std::to_string(i) + ".vitrine"));
        for (const char* const language : {"en", "ja", "ko"}) {
            h.app->state().settings.language = language;
            h.frame(5);
            const std::string where = std::string(room) + " in " + language;
            for (const char* const part : {"dialog.export", "export.left", "export.right"}) {
                const auto found = windows_with(part);
                ASSERT_FALSE(found.empty()) << part;
                for (const ImGuiWindow* const window : found)
                    EXPECT_TRUE(window->ScrollMax.y == 0 ||
                                std::string(window->Name).find("export.names") != std::string::npos)
                        << window->Name << ", " << where;
            }
            const Rect dialog = h.item("dialog").rect;
            for (const char* const id : {"export.png", "export.svg", "export.copy_picture", "export.save",
                                         "export.save_as", "export.command", "export.numbers", "export.copy"}) {
                const Rect rect = h.item(id).rect;
                EXPECT_GE(rect.height(), 20) << id << " is cut, " << where;
                EXPECT_LT(rect.x1, id == std::string("export.numbers") || id == std::string("export.copy")
                                       ? dialog.x1
                                       : dialog.centre().x)
                    << id << ", " << where;
            }
            EXPECT_TRUE(h.shows("export.open.0")) << where;
            h.expect_readable(where);
        }
        h.press(Key::escape);
    }
}

}  // namespace
}  // namespace vitrine
