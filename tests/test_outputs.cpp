#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/platform/file_lock.h"
#include "app/sessions/session.h"
#include "app/ui/text.h"
#include "core/files/image.h"
#include "core/files/safetensors.h"
#include "tests/figure_margins.h"
#include "tests/program.h"

// What the commands write, and what they must leave alone.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

const fs::path models = fs::path(VITRINE_GOLDEN) / "models";
const fs::path photo = fs::path(VITRINE_SOURCE) / "tests/ui/images/key.png";

class Outputs : public testing::Test {
protected:
    fs::path copied_model(const std::string& name = "tiny_hf") {
        fs::copy(models / name, folder / "model");
        return folder / "model";
    }

    /// The command fails with one line, and the file is as it was.
    static void expect_refused(const fs::path& file, const std::string& words, const std::string& part) {
        const std::string before = read(file);
        expect_failure(words, 1, part);
        EXPECT_EQ(read(file), before) << words;
    }

    const TestFolder own;
    const fs::path folder = own.path();
};

TEST_F(Outputs, NeverReplaceTheImageThatTheyWereMadeFrom) {
    const fs::path image = folder / "rollout.png";
    fs::copy(photo, image);
    fs::create_symlink("rollout.png", folder / "link.png");
    fs::create_hard_link(image, folder / "twin.png");
    fs::create_directories(folder / "below");
    const std::string picture = image.string(), in = " " + picture + " ";
    for (const std::string force : {"", " --force"}) {
        for (const fs::path& name :
             {image, folder / "link.png", folder / "twin.png", folder / "below/../rollout.png"}) {
            expect_refused(image, "trace" + in + "--dump " + name.string() + force, "that this very run reads");
            expect_refused(image, "snapshot" + in + "--step image --out " + name.string() + force, "this very run");
        }
        expect_refused(image, "trace " + (folder / "link.png").string() + " --dump " + picture + force,
                       "this very run");
        expect_refused(image, "export" + in + "--what rollout --format png --out " + folder.string() + force,
                       "this very run");
    }
    EXPECT_TRUE(fs::is_symlink(folder / "link.png"));
}

TEST_F(Outputs, APictureWithoutGroundIsForWhiteSlidesUnlessItsThemeIsNamed) {
    const auto ink = [](ThemeKind theme) {
        const Color c = palette_of(theme).text;
        char code[8];
        std::snprintf(code, sizeof code, "#%02x%02x%02x", c.r, c.g, c.b);
        return std::string(code);
    };
    const fs::path file = folder / "figure.svg";
    const auto drawn = [&](const char* options) {
        const Outcome o =
            run("snapshot cat --step heads --size 640x360 --part stage --force --out " + file.string() + " " + options);
        EXPECT_EQ(o.status, 0) << o.err;
        return read(file);
    };
    EXPECT_NE(drawn("--transparent").find(ink(ThemeKind::light)), std::string::npos);
    EXPECT_NE(drawn("--transparent --theme dark").find(ink(ThemeKind::dark)), std::string::npos);
    EXPECT_NE(drawn("").find(ink(ThemeKind::dark)), std::string::npos);
    EXPECT_NE(run("snapshot --help").out.find("light with --transparent"), std::string::npos);
}

/// A bare figure is cropped to what it shows, with the same margin at each side, as PNG and as SVG.
TEST_F(Outputs, ABareFigureHasAnEvenMargin) {
    for (const char* const what : {"--text mask", "--step activation", "--lab ledger"}) {
        const std::string draw = "snapshot cat --size 1280x720 --theme light --part stage --bare " + std::string(what) +
                                 " --out " + (folder / "bare").string();
        ASSERT_EQ(run(draw + ".png --force").status, 0) << what;
        const Image image = load_image(folder / "bare.png");
        const auto margins = figure_margins(image.rgb.data(), image.width, image.height, 3);
        for (const int margin : margins) EXPECT_NEAR(margin, margins.front(), 1) << what;
        EXPECT_GT(margins.front(), 4) << what;
        ASSERT_EQ(run(draw + ".svg --force").status, 0) << what;
        const std::string svg = read(folder / "bare.svg");
        EXPECT_NE(svg.find(" width=\"" + std::to_string(image.width) + "\" height=\"" + std::to_string(image.height)),
                  std::string::npos)
            << what << ": " << svg.substr(0, 120);
    }
}

TEST_F(Outputs, NeverReplaceTheModelTheSessionOrTheLessonThatTheyWereMadeFrom) {
    const fs::path model = copied_model();
    Session s;
    s.image = {"cat", {}};
    save_session(s, folder / "s.vitrine");
    const fs::path image = folder / "image.png";
    fs::copy(photo, image);
    write(folder / "lesson.txt", "lesson: Mine\nstep: mlp\nimage: image.png\n");
    const std::string use = " --model " + model.string() + " --force ";
    for (const char* const name : {"model.safetensors", "config.json", "preprocessor_config.json"}) {
        const std::string out = (model / name).string();
        expect_refused(model / name, "trace cat" + use + "--dump " + out, "this very run");
        expect_refused(model / name, "handout tour" + use + "--out " + out, "this very run");
    }
    const std::string session = (folder / "s.vitrine").string(), lesson = (folder / "lesson.txt").string();
    expect_refused(session, "snapshot --session " + session + " --force --out " + session, "this very run");
    expect_refused(lesson, "handout " + lesson + " --force --out " + lesson, "this very run");
    expect_refused(image, "handout " + lesson + " --force --out " + image.string(), "this very run");
    expect_refused(image, "snapshot " + image.string() + " --step image --force --out " + image.string(),
                   "this very run");
}

TEST_F(Outputs, AnExerciseIsDrawnOnlyAsFarAsItCanBeChosen) {
    const fs::path file = folder / "chosen.png";
    const std::string draw = "snapshot cat --size 640x360 --exercise bare_return --out " + file.string() + " --chosen ";
    EXPECT_EQ(run(draw + "0").status, 0);
    for (const char* const chosen : {"5", "0,500"}) {
        const auto refused = run(draw + chosen);
        EXPECT_NE(refused.status, 0) << chosen;
        EXPECT_NE(refused.err.find("is not a choice there"), std::string::npos) << refused.err;
    }
}

TEST_F(Outputs, AFileOfSomebodyElseStaysUnlessTheUserSaysForce) {
    const std::string trace = "trace cat --dump ", step = "snapshot cat --size 640x360 --step image --out ";
    const std::string lesson = (folder / "lesson.txt").string();
    write(lesson, "lesson: Short\nstep: image\n");
    const std::string handout = "handout " + lesson + " --out ";
    for (const auto& [command, name] : {std::pair(trace, "x.safetensors"), std::pair(step, "x.png"),
                                        std::pair(step, "x.svg"), std::pair(handout, "x.html")}) {
        const fs::path file = folder / name;
        write(file, "mine");
        expect_refused(file, command + file.string(), "--force");
        EXPECT_EQ(run(command + file.string() + " --force").status, 0) << name;
        EXPECT_NE(read(file), "mine");
        EXPECT_EQ(run(command + file.string()).status, 0) << name << " is Vitrine's own by now";
    }
    write(folder / "empty", "");
    EXPECT_EQ(run(trace + (folder / "empty").string()).status, 0) << "as mktemp makes one";
    EXPECT_EQ(run(trace + "/dev/null").status, 0);
}

TEST_F(Outputs, OfTheHandoutAreWholeOrAsTheyWere) {
    write(folder / "lesson.txt", "lesson: Short\nstep: image\n");
    const std::string page = (folder / "page.html").string();
    const std::string command = "handout " + (folder / "lesson.txt").string() + " --out " + page;
    ASSERT_EQ(run(command).status, 0);
    const std::string before = read(page);
    ASSERT_TRUE(before.ends_with("</html>\n"));
    EXPECT_NE(run(command, "ulimit -f 4; ").status, 0) << "as on a full disk";
    EXPECT_EQ(read(page), before);
}

TEST_F(Outputs, OfTheHandoutKeepTheSpeakersNotesForTheSpeaker) {
    write(folder / "lesson.txt", "lesson: Short\nstep: attention\nnotes: wait for a guess\n");
    const auto page_with = [&](const std::string& options) {
        const std::string page = (folder / "page.html").string();
        EXPECT_EQ(run("handout " + (folder / "lesson.txt").string() + options + " --out " + page).status, 0);
        return read(page);
    };
    const std::string audience = page_with(""), speaker = page_with(" --notes");
    EXPECT_EQ(audience.find("wait for a guess"), std::string::npos);
    EXPECT_NE(speaker.find("wait for a guess"), std::string::npos);
    EXPECT_NE(audience.find("data:image/svg+xml;base64,"), std::string::npos) << "the equation is typeset";
}

TEST_F(Outputs, OfTheHandoutAskWhatAnExerciseAsksAndTellNoSolution) {
    write(folder / "lesson.txt",
          "lesson: Rooms\nexercise: bare_return\nnotes: wait for a guess\nlab: ledger\nwhat-if: head:decisive\nlearn: "
          "plain\n");
    const std::string page = (folder / "page.html").string();
    EXPECT_EQ(run("handout " + (folder / "lesson.txt").string() + " --out " + page).status, 0);
    const std::string html = read(page);
    const Text text = load_text("en");
    EXPECT_NE(html.find("def encode(blocks, z):"), std::string::npos);
    EXPECT_NE(html.find(text("exercise.bare_return.predict.2")), std::string::npos);
    EXPECT_EQ(html.find(text("exercise.bare_return.why")), std::string::npos);
    EXPECT_EQ(html.find("#!"), std::string::npos);
    EXPECT_EQ(html.find("wait for a guess"), std::string::npos);
    EXPECT_NE(html.find(text("lab.ledger.title")), std::string::npos);
    EXPECT_NE(html.find(text("learn.title")), std::string::npos);
}

TEST_F(Outputs, OfTrainingLeaveAModelThatWasFetchedFromElsewhere) {
    const fs::path model = copied_model();
    const std::string tiny =
        "train --pictures 64 --size 16 --dim 8 --blocks 1 --heads 1 --threads 1 --out " + model.string();
    expect_refused(model / "model.safetensors", tiny, "--force");
    expect_refused(model / "config.json", tiny, "--force");
    EXPECT_EQ(std::distance(fs::directory_iterator(model), {}), 3) << "nothing is added either";
    EXPECT_EQ(run(tiny + " --force").status, 0);
    EXPECT_EQ(Safetensors::open(model / "model.safetensors").entries().at("vit.layernorm.bias").shape[0], 8U);
    fs::remove(model / "training.safetensors");
    EXPECT_EQ(run(tiny).status, 0) << "what is left of its own run is no obstacle";
}

TEST_F(Outputs, OfTrainingLeaveTheModelThatItBeginsWith) {
    const fs::path model = folder / "model";
    const std::string sizes = "train --pictures 64 --threads 1 --out " + model.string();
    ASSERT_EQ(run(sizes + " --size 16 --dim 8 --blocks 1 --heads 1").status, 0);
    fs::remove(model / "training.safetensors");
    for (const std::string force : {"", " --force"})
        expect_refused(model / "model.safetensors", sizes + " --from " + model.string() + force,
                       "that this very run reads");
}

TEST_F(Outputs, OfTwoTrainingsIntoOneFolderTheSecondIsRefused) {
    const std::string tiny = "train --pictures 64 --size 16 --dim 8 --blocks 1 --heads 1 --threads 1 --out ";
    const fs::path out = folder / "run";
    {
        const auto first = FileLock::take_folder(out, FileLock::Others::refused);
        ASSERT_TRUE(first);
        expect_failure(tiny + out.string(), 1, "another command writes into this folder");
        expect_failure("train --resume --out " + out.string(), 1, "another command writes into this folder");
        EXPECT_TRUE(fs::is_empty(out));
    }
    EXPECT_EQ(run(tiny + out.string()).status, 0);
    EXPECT_EQ(run("train --resume --out " + out.string()).status, 0);
}

TEST_F(Outputs, ARunWhoseMetricsAreAPipeIsRefusedInsteadOfWaitedFor) {
    const fs::path out = folder / "run", metrics = out / "metrics.jsonl";
    const std::string tiny = "train --pictures 64 --size 16 --dim 8 --blocks 1 --heads 1 --threads 1 --out ";
    EXPECT_EQ(run(tiny + out.string()).status, 0);
    fs::remove(metrics);
    EXPECT_EQ(run("train --resume --out " + out.string()).status, 0) << "without them it goes on";
    fs::remove(metrics);
    ASSERT_EQ(mkfifo(metrics.c_str(), 0600), 0);
    expect_failure("train --resume --out " + out.string(), 1, "metrics.jsonl: is not a regular file");
    EXPECT_TRUE(fs::is_fifo(metrics));
}

TEST_F(Outputs, WhatFailsLeavesNoFolder) {
    const fs::path out = folder / "deep" / "out";
    expect_failure("train --pictures 64 --size 15 --patch 8 --out " + out.string(), 2, "");
    expect_failure("train --resume --out " + out.string() + "/", 1, "no run to continue");
    expect_failure("train --from " + (folder / "none").string() + " --out " + out.string(), 1, "none");
    write(folder / "bad.png", "no picture");
    expect_failure("export " + (folder / "bad.png").string() + " --what norms --out " + out.string(), 1, "bad.png");
    EXPECT_FALSE(fs::exists(folder / "deep"));
    fs::create_directories(out);
    expect_failure("train --resume --out " + out.string(), 1, "no run to continue");
    EXPECT_TRUE(fs::is_directory(out)) << "what was there stays";
}

TEST_F(Outputs, ADashIsNoFile) {
    const std::string there = "cd " + folder.string() + "; ";
    for (const char* const words : {"trace cat --dump -", "snapshot cat --step image --out -",
                                    "export cat --what norms --out -", "handout tour --out -", "train --out -"}) {
        const Outcome o = run(words, there);
        EXPECT_EQ(o.status, 2) << words;
        EXPECT_NE(o.err.find("standard output"), std::string::npos) << o.err;
    }
    EXPECT_TRUE(fs::is_empty(folder));
}

TEST_F(Outputs, MeasuresAreCheckedBeforeAnyIsWritten) {
    const fs::path out = folder / "out";
    for (const char* const what : {"entropy,lens", "lens,entropy"})
        expect_failure(
            "export cat --model " + (models / "plain_hf").string() + " --what " + what + " --out " + out.string(), 1,
            "lens: this model has no classifier");
    EXPECT_FALSE(fs::exists(out / "entropy.npy"));
    expect_failure(
        "export cat --model " + (models / "plain_hf").string() + " --what entropy,head.logits --out " + out.string(), 2,
        "head.logits");
    EXPECT_FALSE(fs::exists(out / "entropy.npy"));
}

TEST_F(Outputs, LabelsAndNamesGiveTheTerminalNoOrders) {
    const fs::path model = copied_model();
    auto config = nlohmann::json::parse(read(model / "config.json"));
    for (auto& label : config["id2label"]) label = "sly\n\x1b[31mfox\xc2\x9b";
    write(model / "config.json", config.dump());
    const fs::path named = folder / "mo\x1b[2Jdel";
    fs::rename(model, named);
    for (const char* const command : {"trace cat", "info"}) {
        const Outcome o = run(command + std::string(" --model '") + named.string() + "'");
        ASSERT_EQ(o.status, 0) << o.err;
        EXPECT_EQ(o.out.find('\x1b'), std::string::npos) << o.out;
        EXPECT_EQ(o.out.find("\xc2\x9b"), std::string::npos) << o.out;
        EXPECT_NE(o.out.find("mo\\x1b[2Jdel"), std::string::npos) << o.out;
    }
    EXPECT_NE(run("trace cat --model '" + named.string() + "'").out.find("sly\\n\\x1b[31mfox\\x9b"), std::string::npos);
    const Outcome missing = run("trace 'no\xc2\x9bsuch'");
    EXPECT_EQ(missing.status, 1);
    EXPECT_NE(missing.err.find("no\\x9bsuch"), std::string::npos) << missing.err;
}

TEST_F(Outputs, ThatCannotBePrintedAreAFailure) {
    for (const char* const words : {"trace cat --json", "info", "references", "--version"}) {
        const fs::path err = folder / "err";
        const std::string line = VITRINE_PROGRAM " " + std::string(words) + " >/dev/full 2>" + err.string();
        EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 1) << words;
        EXPECT_NE(read(err).find("the standard output: cannot be written"), std::string::npos) << read(err);
    }
    EXPECT_EQ(WEXITSTATUS(std::system(VITRINE_PROGRAM " info >&- 2>&-")), 1);
}

TEST_F(Outputs, ArePicturesOfTheKindThatTheirNamesSay) {
    for (const std::string name : {"x.pdf", "cat.jpg", "x.svgz"}) {
        expect_failure("snapshot cat --step image --out " + (folder / name).string(), 2,
                       "end the name in .png or .svg");
        expect_failure("draw --out " + (folder / name).string(), 2, "end the name in .png");
    }
    expect_failure("draw --out " + (folder / "cat.svg").string(), 2, "end the name in .png");
    EXPECT_TRUE(fs::is_empty(folder));
    for (const char* const name : {"sheet.PNG", "sheet"})
        EXPECT_EQ(run("draw --rows 1 --columns 1 --out " + (folder / name).string()).status, 0) << name;
}

TEST_F(Outputs, NumbersThatAreNoneAreRefused) {
    const std::string out = " --out " + (folder / "out").string();
    for (const std::string words :
         {"draw --seed -1", "draw --seed 18446744073709551616", "draw --first -1", "draw --first 0x10",
          "train --seed -1", "train --seconds nan", "train --learning-rate inf", "train --every nan",
          "snapshot cat --step image --scale nan", "snapshot cat --step image --time nan", "snapshot cat --learn nan"})
        expect_failure(words + out, 2, " is not a ");
    EXPECT_TRUE(fs::is_empty(folder));
    EXPECT_EQ(run("draw --rows 1 --columns 1 --seed 18446744073709551615 --out " + (folder / "x.png").string()).status,
              0);
}

TEST_F(Outputs, OfATrainingThatIsStoppedEndAsShellsExpect) {
    for (const auto& [signal, status] : {std::pair("INT", 130), std::pair("TERM", 143)}) {
        const fs::path out = folder / signal;
        const std::string line =
            VITRINE_PROGRAM
            " train --seconds 600 --every 0.01 --size 16 --dim 8 --blocks 1 --heads 1"
            " --threads 1 --out " +
            out.string() + " 2>/dev/null & pid=$!; while [ ! -s " + (out / "model.safetensors").string() +
            " ]; do kill -0 $pid || exit 1; sleep 0.02; done; " + "kill -" + signal + " $pid; wait $pid";
        EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), status) << signal;
    }
}

TEST_F(Outputs, ARecordingThatHasNoEndIsRefused) {
    ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
    expect_failure("--play " + (folder / "pipe").string(), 1, "not a regular file");
    expect_failure("--play /dev/zero", 1, "not a regular file");
    expect_failure("--play " + (folder / "none").string(), 1, "no such file");
}

TEST_F(Outputs, AsJsonGiveTheTerminalNoOrders) {
    const fs::path model = copied_model();
    auto config = nlohmann::json::parse(read(model / "config.json"));
    for (auto& label : config["id2label"]) label = "sly\xc2\x9b\xe2\x80\xae";
    write(model / "config.json", config.dump());
    const Outcome o = run("trace cat --json --model " + model.string());
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_NE(o.out.find("sly\\u009b\\u202e"), std::string::npos) << o.out;
    EXPECT_EQ(o.out.find("\xc2\x9b"), std::string::npos);
    EXPECT_EQ(nlohmann::json::parse(o.out)["top"][0]["label"], "sly\xc2\x9b\xe2\x80\xae");
}

TEST_F(Outputs, ThatWereEditedByHandStayUnlessTheUserSaysForce) {
    const fs::path drawing = folder / "figure.svg";
    const std::string draw = "snapshot cat --step attention --out " + drawing.string();
    ASSERT_EQ(run(draw).status, 0);
    EXPECT_EQ(run(draw).status, 0) << "as it was written";
    write(drawing, read(drawing) + "<!-- my remark -->\n");
    expect_refused(drawing, draw, "changed since");
    EXPECT_EQ(run(draw + " --force").status, 0);
}

}  // namespace
}  // namespace vitrine
