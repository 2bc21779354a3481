#include <gtest/gtest.h>
#include <stb/stb_image.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "app/sessions/session.h"
#include "core/files/image.h"
#include "tests/figure_margins.h"
#include "tests/program.h"
#include "tests/small_model.h"
#include "tests/ui/slow_disk.h"
#include "tests/ui/taking_away.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

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
    for (const int margin : figure_margins(pixels, width, height, channels))
        EXPECT_LE(margin, 24) << "a bare figure is cropped to what it shows";
    EXPECT_LE(static_cast<float>(width), 2 * stage.width() + 4);
    EXPECT_GT(static_cast<float>(width), 1.5F * stage.width());
    EXPECT_LE(static_cast<float>(height), 2 * stage.height() + 4);
    EXPECT_GT(static_cast<float>(height), 1.5F * stage.height());
    EXPECT_EQ(channels, 4);
    EXPECT_EQ(pixels[3], 0) << "the corner shows what is behind";
    stbi_image_free(pixels);
    EXPECT_NE(h->item("export.told").text.find(file.string()), std::string::npos);
    h->tap("export.png");
    wait();
    EXPECT_TRUE(fs::exists(folder / "cat-lab-heads-2.png")) << "nothing is written over";
}

TEST_F(TakingAway, AReportIsReadToItsLastLineAndScrollsEndBelowTheirContent) {
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}}) {
        ImGui::GetIO().DisplaySize = size;
        h->carry_out(command::ShowDialog{"take_away"});
        h->settle();
        h->tap("export.png");
        wait();
        const Rect report = h->item("export.told").rect, dialog = h->item("dialog").rect;
        EXPECT_LT(report.y1, dialog.y1 - 6) << size.x;
        EXPECT_GT(report.y0, h->item("export.folder").rect.y1) << size.x;
        h->expect_readable("a report");
        h->carry_out(command::ShowDialog{});
        h->settle();
    }
}

TEST_F(TakingAway, TheNewestFileIsToldFirst) {
    h->press(Key::e, Key::ctrl);
    h->tap("export.png");
    wait();
    h->tap("export.table");
    wait();
    const std::string told = h->item("export.told").text, first = told.substr(0, told.find('\n'));
    EXPECT_NE(first.find(".csv"), std::string::npos) << told;
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
    h->settle();
    EXPECT_TRUE(fs::exists(folder / "-..-..-over.svg")) << "no name leads out of the folder";
}

TEST_F(TakingAway, AFigureBecomesAnSvgWithRealText) {
    h->change().focus().lab.instrument = Instrument::ledger;
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
    h->change().focus().lab.picks = {{1, 0, {}}, {4, 2, {}}};
    h->change().focus().lab.instrument = Instrument::compare;
    h->settle();
    h->press(Key::e, Key::ctrl);
    h->tap("export.caption");
    h->tap("export.ground.white");
    h->tap("export.svg");
    wait();
    const std::string svg = read(folder / "cat-lab-compare.svg");
    ASSERT_FALSE(svg.empty()) << h->item("export.told").text;
    const std::string pin = h->item("compare.X.pin").text;
    EXPECT_EQ(svg.find(">" + pin + "<"), std::string::npos) << "a switch is no figure";
    EXPECT_NE(svg.find(">" + h->app->text()("lab.compare.title") + "</text>"), std::string::npos) << "its title";
    EXPECT_NE(svg.find(">class token · X: block 1 · head 1 · Y: block 4 · head 3 · "), std::string::npos)
        << "a line is one text";
    EXPECT_NE(svg.find("X: block 1, head 1</text>"), std::string::npos) << "a map keeps its name";
    EXPECT_NE(svg.find("fill=\"#ffffff\""), std::string::npos);
    EXPECT_EQ(svg.find("width=\"0\" height=\"0\""), std::string::npos) << "nothing is hidden in it";
}

TEST_F(TakingAway, AFigureForSlidesHasItsTitleUnlessThatIsSwitchedOff) {
    h->change().focus().lab.instrument = Instrument::ledger;
    h->settle();
    h->press(Key::e, Key::ctrl);
    EXPECT_EQ(h->item("export.figure_title").value, 1);
    h->tap("export.svg");
    wait();
    const std::string title = ">" + h->app->text()("lab.ledger.title") + "</text>";
    EXPECT_NE(read(folder / "cat-lab-ledger.svg").find(title), std::string::npos);
    h->tap("export.figure_title");
    h->tap("export.svg");
    wait();
    const std::string bare = read(folder / "cat-lab-ledger-2.svg");
    ASSERT_FALSE(bare.empty());
    EXPECT_EQ(bare.find(title), std::string::npos);
}

TEST_F(TakingAway, AFigureWithoutGroundHasInkForWhiteSlidesAndNoFrameOfAChoice) {
    const auto hex = [](Color c) {
        char code[8];
        std::snprintf(code, sizeof code, "#%02x%02x%02x", c.r, c.g, c.b);
        return std::string(code);
    };
    const Palette light = palette_of(ThemeKind::light), dark = palette_of(ThemeKind::dark);
    ASSERT_EQ(h->app->state().settings.theme, ThemeKind::dark);
    h->app->ask(command::EnterRoom{"explore"});
    go_to(*h, "attention");
    const auto drawn = [&](bool bare, const char* name) {
        h->app->ask(
            command::ExportPicture{.part = "stage", .format = "svg", .transparent = true, .bare = bare, .name = name});
        h->frame(2);
        wait();
        return read(folder / (std::string(name) + ".svg"));
    };
    const std::string bare = drawn(true, "bare"), whole = drawn(false, "whole");
    for (const std::string& svg : {bare, whole}) {
        ASSERT_FALSE(svg.empty());
        EXPECT_NE(svg.find(hex(light.text)), std::string::npos);
        EXPECT_EQ(svg.find("fill=\"" + hex(dark.text)), std::string::npos) << "unreadable on white";
    }
    EXPECT_EQ(bare.find("stroke=\"" + hex(light.accent)), std::string::npos) << "the chosen head's frame";
    EXPECT_EQ(h->app->state().settings.theme, ThemeKind::dark) << "the window keeps its theme";
}

TEST_F(TakingAway, TheDialogNamesChangesThatAPictureWithoutACaptionDoesNot) {
    h->change()->what_ifs = {remove_mlp(2)};
    h->settle();
    h->press(Key::e, Key::ctrl);
    if (h->item("export.caption").value == 1) h->tap("export.caption");
    ASSERT_TRUE(h->shows("export.unsaid"));
    EXPECT_NE(h->item("export.unsaid").text.find("MLP"), std::string::npos) << h->item("export.unsaid").text;
    h->expect_readable("the dialog with a change that nothing names");
    h->tap("export.caption");
    EXPECT_FALSE(h->shows("export.unsaid")) << "the caption names it";
    h->tap("export.caption");
    h->change()->what_ifs.clear();
    h->settle();
    EXPECT_FALSE(h->shows("export.unsaid"));
}

TEST_F(TakingAway, APictureCountsAsTheWindowDoes) {
    h->change().focus().lab.picks = {{1, 0, {}}};
    h->change().focus().lab.instrument = Instrument::compare;
    h->change()->settings.count_from = 0;
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
    h->wait_until([&] { return !busy(); });
    setenv("PATH", path.c_str(), 1);
    EXPECT_NE(h->app->error().find("install the package xclip or wl-clipboard"), std::string::npos) << h->app->error();
}

TEST_F(TakingAway, WhatIsCancelledLeavesNothing) {
    h->press(Key::e, Key::ctrl);
    for (const bool to_clipboard : {false, true}) {
        h->app->ask(command::ExportPicture{.part = "stage", .format = "png", .times = 4, .to_clipboard = to_clipboard});
        h->frame(3);
        ASSERT_TRUE(busy());
        EXPECT_GE(h->item("export.waiting").value, 0) << "how far it is, not only that it goes on";
        EXPECT_EQ(fs::is_empty(temporary), !to_clipboard);
        EXPECT_TRUE(h->shows("export.waiting.cancel"));
        h->app->ask(command::Do{"export.cancel"});
        h->frame(3);
        EXPECT_FALSE(busy());
        h->settle();
        EXPECT_TRUE(fs::is_empty(folder));
        EXPECT_TRUE(fs::is_empty(temporary));
    }
}

TEST_F(TakingAway, APictureHasTheBytesOfTheCommandsSnapshot) {
    const fs::path session = own / "session.vitrine", other = own / "other";
    const auto compare = [&](const std::string& name, const std::string& format, bool bare) {
        h->settle();
        h->app->ask(command::ExportPicture{.part = "stage",
                                           .format = format,
                                           .times = format == "png" ? 2 : 1,
                                           .bare = bare,
                                           .name = name,
                                           .title = bare});
        h->frame(2);
        wait();
        save_session(h->app->session(), session);
        const std::string drawn = read(folder / (name + "." + format));
        const fs::path file = other.string() + "." + format;
        const Outcome o =
            run("snapshot --session " + session.string() + " --part stage" + (bare ? " --bare --title" : "") +
                (format == "png" ? " --times 2" : "") + " --size 1920x1080 --force --scale " +
                std::to_string(h->app->theme().scale) + " --out " + file.string());
        ASSERT_EQ(o.status, 0) << o.err;
        EXPECT_FALSE(drawn.empty()) << name;
        EXPECT_TRUE(drawn == read(file)) << name << " differs from what the command draws";
    };
    compare("heads", "png", false);
    h->change().focus().lab.instrument = Instrument::ledger;
    h->change()->what_ifs = {remove_head(2, 1)};
    compare("ledger", "svg", true);
    h->carry_out(command::EnterRoom{"explore"});
    h->change().focus().step = step_index("attention");
    compare("attention", "png", true);
}

TEST_F(TakingAway, AWindowGoesOnWhileAPictureIsDrawn) {
    h->press(Key::e, Key::ctrl);
    h->app->ask(command::ExportPicture{.part = "window", .format = "png", .times = 2, .name = "first"});
    h->frame(3);
    ASSERT_TRUE(busy());
    h->press(Key::escape);
    h->app->ask(command::EnterRoom{"explore"});
    h->frame(2);
    EXPECT_EQ(h->app->state().room, "explore");
    wait();
    h->app->ask(command::EnterRoom{"laboratory"});
    h->settle();
    h->app->ask(command::ExportPicture{.part = "window", .format = "png", .times = 2, .name = "second"});
    h->frame(3);
    wait();
    EXPECT_TRUE(read(folder / "first.png").starts_with("\x89PNG"));
    EXPECT_TRUE(read(folder / "first.png") == read(folder / "second.png")) << "the picture is of what was shown";
    EXPECT_EQ(ImGui::GetIO().DisplaySize.x, 1920) << "the window has its own context";
}

TEST_F(TakingAway, WhatIsAskedForWhileAnotherFileIsMadeComesAfterItAndIsReportedToo) {
    h->press(Key::e, Key::ctrl);
    const auto click = [&](const std::string& id) {
        h->hover(id);
        h->input.button(0, true);
        h->input.button(0, false);
        h->frame(3);  // and does not wait
    };
    click("export.png");
    ASSERT_TRUE(busy());
    for (const char* const id : {"export.svg", "export.table", "export.numbers", "export.png", "export.numbers"})
        click(id);
    h->wait_until([&] { return !busy() && !h->app->context().jobs().busy(); });
    h->frame(3);
    EXPECT_EQ(h->app->error(), "");
    const std::string told = h->app->state().told;
    for (const char* const name : {"cat-lab-heads.png", "cat-lab-heads-2.png", "cat-lab-heads.svg", "cat-lab-heads.csv",
                                   "cat-lab-heads", "cat-lab-heads-2"}) {
        EXPECT_TRUE(fs::exists(folder / name)) << name;
        EXPECT_NE((told + "\n").find((folder / name).string() + "\n"), std::string::npos) << name << " in " << told;
    }
    const auto first = [&](const char* name) { return told.find((folder / name).string() + "\n"); };
    EXPECT_LT(first("cat-lab-heads.csv"), first("cat-lab-heads.png")) << "the newest line is the first one";
    click("export.table");
    h->settle();
    EXPECT_EQ(h->app->state().told.find('\n'), std::string::npos) << "a new report";
}

TEST_F(TakingAway, TwoHandoutsAskedForAtOnceBothCome) {
    const fs::path lesson = own / "short.txt";
    std::ofstream(lesson) << "lesson: Short\n\nstep: attention\nimage: sun\n";
    h->door().scratch.emplace();
    h->door().playing = true;  // into the scratch folder, not home
    h->app->ask(command::WriteHandout{lesson.string()});
    h->app->ask(command::WriteHandout{lesson.string(), true});
    h->frame(4);
    h->wait_until([&] { return !h->app->state().writing_handout; });
    for (const char* const name : {"vitrine-short.html", "vitrine-short-teacher.html"}) {
        const fs::path file = h->app->context().scratch->path() / name;
        EXPECT_TRUE(fs::exists(file)) << name;
        EXPECT_NE(h->app->state().handout_told.find(file.string()), std::string::npos) << name;
    }
}

TEST_F(TakingAway, AHandoutIsThatOfTheCommandAndCanBeCancelled) {
    const fs::path lesson = own / "short.txt", page = own / "page.html";
    std::ofstream(lesson) << "lesson: Short\n\nstep: attention\nimage: sun\nhead: decisive\nnotes: For me.\n\n"
                             "step: prediction\nwhat-if: head:decisive\n\nlab: lens\n\nexercise: key_is_query\n";
    const auto ask = [&] {
        h->door().scratch.emplace();
        h->door().playing = true;  // it goes into the scratch folder, not home
        h->app->ask(command::WriteHandout{lesson.string()});
        h->frame(1);
        return h->app->context().scratch->path() / "vitrine-short.html";
    };
    h->app->ask(command::ShowDialog{"lessons"});
    h->frame(2);
    const fs::path written = ask();
    h->frame(4);
    ASSERT_TRUE(h->app->state().writing_handout);
    EXPECT_TRUE(h->shows("lesson.writing.cancel"));
    h->wait_until([&] { return !h->app->state().writing_handout; });
    EXPECT_EQ(h->app->error(), "");
    EXPECT_NE(h->app->state().handout_told.find(written.string()), std::string::npos);
    const Outcome o = run("handout " + lesson.string() + with_small_model + " --out " + page.string());
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_GT(read(written).size(), 100000U);
    EXPECT_TRUE(read(written) == read(page));

    EXPECT_EQ(read(written).find("For me."), std::string::npos) << "the class gets questions alone";
    h->door().playing = true;
    h->app->ask(command::WriteHandout{lesson.string(), true});
    h->frame(4);
    h->wait_until([&] { return !h->app->state().writing_handout; });
    EXPECT_EQ(h->app->error(), "");
    const std::string teacher = read(written.parent_path() / "vitrine-short-teacher.html"),
                      answer = h->app->text()("handout.answer");
    EXPECT_NE(teacher.find("For me."), std::string::npos);
    EXPECT_NE(teacher.find("<b>" + answer + "</b>"), std::string::npos);
    EXPECT_EQ(read(written).find("<b>" + answer + "</b>"), std::string::npos);

    const fs::path cancelled = ask();
    h->frame(4);
    h->app->ask(command::Do{"handout.cancel"});
    h->frame(3);
    EXPECT_FALSE(h->app->state().writing_handout);
    h->settle();
    EXPECT_FALSE(fs::exists(cancelled));
    h->app->ask(command::WriteHandout{(own / "none.txt").string()});
    h->frame(3);
    h->wait_until([&] { return !h->app->state().writing_handout; });
    EXPECT_NE(h->app->error().find("none.txt"), std::string::npos) << h->app->error();
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
    const Image picture = load_image(folder / "cat-lab-heads.png");
    for (const int margin : figure_margins(picture.rgb.data(), picture.width, picture.height, 3))
        EXPECT_LE(margin, 12) << "cropped to what the stage shows";
    const float stage = h->app->rect_of("stage").width();
    EXPECT_LE(static_cast<float>(picture.width), stage + 3);
    EXPECT_GT(static_cast<float>(picture.width), 0.8F * stage) << "one pixel of the window is one of the picture";
}

TEST_F(TakingAway, NoFrameWaitsForASlowDiskAndWhatIsCancelledMeanwhileIsNotWritten) {
    const auto ask = [&](const char* name) {
        h->app->ask(command::ExportPicture{.part = "stage", .format = "png", .name = name});
        h->frame(2);
        h->wait_until([&] { return h->app->state().exporting == 1; });  // drawn, and handed to the disk
    };
    {
        SlowDisk disk(*h);
        ask("never");
        h->app->ask(command::Do{"export.cancel"});
        h->frame(3);
        EXPECT_FALSE(busy());
    }
    h->settle();
    {
        SlowDisk disk(*h);
        ask("first");
        ask("second");
    }
    h->settle();
    wait();
    EXPECT_FALSE(fs::exists(folder / "never.png"));
    EXPECT_TRUE(fs::exists(folder / "first.png")) << "the second comes after it";
    EXPECT_TRUE(read(folder / "second.png").starts_with("\x89PNG"));
    EXPECT_EQ(h->app->error(), "");
}

TEST_F(TakingAway, APictureThatCannotBeWrittenIsTold) {
    SlowDisk disk(*h);
    h->app->ask(command::ExportPicture{.part = "stage", .format = "png"});
    h->frame(2);
    h->wait_until([&] { return h->app->state().exporting == 1; });
    fs::remove_all(folder);
    std::ofstream(folder) << "no folder";
    disk.go_on();
    h->settle();
    h->frame(2);
    EXPECT_FALSE(busy());
    EXPECT_NE(h->app->error(), "");
}

TEST_F(TakingAway, APictureThatIsLargerThanCanBeDrawnIsRefused) {
    ImGui::GetIO().DisplaySize = {5120, 2880};
    h->settle();
    for (const auto& [times, words] : {std::pair(4, "16384"), std::pair(64, "choose 1 to 4"), std::pair(0, "1 to 4")}) {
        h->app->ask(command::ExportPicture{.part = "stage", .format = "png", .times = times});
        h->frame(2);
        EXPECT_FALSE(busy());
        EXPECT_NE(h->app->error().find(words), std::string::npos) << h->app->error();
    }
}

TEST_F(TakingAway, AnExerciseIsExportedAsFarAsOneHasCome) {
    h->carry_out(command::EnterRoom{"exercise"});
    h->change().focus().exercise = Exercise::key_is_query;
    h->change()->settings.exercises["key_is_query"] = {1, -1, -1};
    h->settle();
    ASSERT_TRUE(h->shows("exercise.broken"));
    const auto figure = [&](const std::string& name) {
        h->app->ask(command::ExportPicture{.part = "stage", .format = "svg", .bare = true, .name = name});
        h->frame(4);
        wait();
        return read(folder / (name + ".svg"));
    };
    const std::string begun = figure("begun");
    h->app->ask(command::Do{"copy_command"});
    h->frame(2);
    EXPECT_NE(clipboard().find(" --exercise key_is_query --chosen 1 "), std::string::npos) << clipboard();
    h->change()->settings.exercises.clear();
    h->settle();
    const std::string fresh = figure("fresh");
    EXPECT_NE(begun, fresh);
    EXPECT_LT(fresh.size(), begun.size()) << "nothing has run";
}

}  // namespace
}  // namespace vitrine
