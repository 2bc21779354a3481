#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/drawn_folder.h"
#include "tests/program.h"
#include "tests/small_model.h"

// `vitrine sweep`, and exports of two runs, as scripts use them; tests/try_vitrine_py.py reads their numbers with
// NumPy.

namespace vitrine {
namespace {

namespace fs = std::filesystem;

class Sweeps : public testing::Test {
protected:
    static Outcome sweep(const std::string& words) { return run("sweep " + words + with_small_model); }

    const TestFolder own;
};

TEST_F(Sweeps, SayTheNumberOfRunsFirstAndWriteTheSameBytesAgain) {
    const fs::path file = own / "edges.npz", again = own / "again.npz";
    const Outcome o = sweep("cat mug --over edges --block 2 --out " + file.string());
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_TRUE(o.out.starts_with("260 edits of 2 images: 520 runs\n")) << o.out;
    ASSERT_EQ(sweep("cat mug --what-if 'edge:2.*:0:*' --out " + again.string()).status, 0);
    EXPECT_EQ(read(file), read(again)) << "edges of a block, by a word";
    EXPECT_EQ(sweep("cat mug --over edges --block 2 --out " + file.string()).status, 0) << "our own file is replaced";
    EXPECT_FALSE(fs::exists(own / "edges.npz.sweep.part"));
}

TEST_F(Sweeps, AgreeWithOneWhatIfAtATime) {
    const fs::path file = own / "mlps.npz";
    ASSERT_EQ(sweep("cat --what-if 'mlp:*x0.5' --out " + file.string()).status, 0);
    ASSERT_EQ(sweep("cat --what-if mlp:1x0.5,mlp:2x0.5,mlp:3x0.5,mlp:4x0.5 --out " + (own / "one.npz").string()).status,
              0);
    EXPECT_EQ(read(file), read(own / "one.npz"));
}

TEST_F(Sweeps, LeaveOutAnImageThatFailsAndNameIt) {
    const fs::path file = own / "heads.npz";
    const Outcome o = sweep("cat missing.png mug --over heads --quiet --out " + file.string());
    EXPECT_EQ(o.status, 1);
    EXPECT_NE(o.err.find("missing.png does not exist"), std::string::npos) << o.err;
    EXPECT_TRUE(fs::exists(file));
}

TEST_F(Sweeps, ReplaceNoForeignFileAndRefuseWhatTheyDoNotKnow) {
    write(own / "mine.npz", "mine");
    expect_failure("sweep cat --over heads --out " + (own / "mine.npz").string(), 1, "did not write it");
    EXPECT_EQ(read(own / "mine.npz"), "mine");
    const std::string out = " --out " + (own / "x.npz").string() + with_small_model;
    expect_failure("sweep cat" + out, 2, "give --over or --what-if");
    expect_failure("sweep cat --over noses" + out, 2, "noses");
    expect_failure("sweep cat --over edges --block 9" + out, 2, "blocks 1 to 4");
    expect_failure("sweep cat --over edges --ablate mean" + out, 2, "hidden before the softmax");
    expect_failure("sweep cat --over heads --ablate resample" + out, 2, "two images");
    expect_failure("sweep cat --what-if 'temperature:*'" + out, 2, "* stands for");
    expect_failure("sweep cat --what-if 'head:*.*' --ablate mean" + out, 2, "--ablate");
    expect_failure("sweep cat --over heads --out " + (own / "x.csv").string(), 2, ".npz");
}

TEST_F(Sweeps, TakeTheMeanOverAFolderAndSayOfHowManyImages) {
    draw_into(own / "pictures", {0, 6}, 2, [](int, int) { return "."; });
    const std::string folder = (own / "pictures").string(), out = " --out " + (own / "x.npz").string();
    const Outcome o = sweep("cat --over patches --ablate mean --mean-over " + folder + out);
    ASSERT_EQ(o.status, 0) << o.err;
    EXPECT_NE(o.out.find("\nmeans over 4 images\n"), std::string::npos) << o.out;
    EXPECT_NE(read(own / "x.npz").find(R"("mean_over":{"folder":)"), std::string::npos);
    const std::string words = "sweep cat --over heads" + out + with_small_model;
    expect_failure(words + " --mean-over " + folder, 2, "--ablate mean");
    expect_failure(words + " --ablate mean --mean-over " + folder + "/gone", 1, "is not there");
    expect_failure("sweep cat --what-if 'head:*.*'" + out + with_small_model + " --mean-over " + folder, 2, "--over");
}

TEST_F(Sweeps, TakeAWhatIfWithTheMeanOverAFolder) {
    draw_into(own / "pictures", {0, 6}, 2, [](int, int) { return "."; });
    const std::string folder = (own / "pictures").string(), out = " --out " + (own / "x.npz").string();
    ASSERT_EQ(sweep("cat --what-if 'mean-set:*:" + folder + "'" + out).status, 0);
    EXPECT_NE(read(own / "x.npz").find(R"("mean_patches":{")" + folder), std::string::npos);
    expect_failure("sweep cat --what-if 'mean-set:*:" + folder + "/gone'" + out + with_small_model, 1, "is not there");
    expect_failure("sweep cat --what-if 'mean-set:999:" + folder + "'" + out + with_small_model, 2, "no patch 999");
}

TEST_F(Sweeps, AKilledOneGoesOnAndEndsWithTheSameBytes) {
    const fs::path whole = own / "whole.npz", cut = own / "cut.npz", journal = own / "cut.npz.sweep.part";
    const std::string words = "cat mug cat:2 mug:2 cat:3 mug:3 --over patches --ablate resample --seed 4 --out ";
    ASSERT_EQ(sweep(words + whole.string()).status, 0);
    const pid_t child = fork();
    if (child == 0) {
        execl(VITRINE_PROGRAM, "vitrine", "sweep", "cat", "mug", "cat:2", "mug:2", "cat:3", "mug:3", "--over",
              "patches", "--ablate", "resample", "--seed", "4", "--quiet", "--model", small_model_name, "--out",
              cut.c_str(), nullptr);
        _exit(127);
    }
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0) {
        std::error_code ignored;
        if (fs::exists(journal, ignored)) {
            const std::string lines = read(journal);
            if (std::count(lines.begin(), lines.end(), '\n') > 2) kill(child, SIGKILL);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    EXPECT_TRUE(WIFSIGNALED(status));
    write(journal, read(journal) + "{\"name\":\"cut off");  // as a kill in the middle of a line leaves it
    expect_failure("sweep cat --over heads --resume --out " + cut.string() + with_small_model, 1, "leave --resume out");
    ASSERT_EQ(sweep(words + cut.string() + " --resume").status, 0);
    EXPECT_EQ(read(whole), read(cut));
    EXPECT_FALSE(fs::exists(journal));
}

TEST_F(Sweeps, AModelWithoutClassesAnswersWithDistances) {
    const fs::path file = own / "plain.npz";
    const Outcome o = run("sweep cat --over heads --model " + (fs::path(VITRINE_GOLDEN) / "models/plain_hf").string() +
                          " --out " + file.string());
    ASSERT_EQ(o.status, 0) << o.err;
    const std::string bytes = read(file);
    EXPECT_NE(bytes.find("distance.npy"), std::string::npos);
    EXPECT_EQ(bytes.find("margin"), std::string::npos);
}

TEST(TwoRuns, AreComparedOnlyWhereTheOtherOneIsNamed) {
    const TestFolder own;
    const std::string out = " --out " + (own / "x").string() + with_small_model;
    expect_failure("export cat --what patching" + out, 2, "--patch-from");
    expect_failure("export cat --what cka" + out, 2, "--against");
    expect_failure("export cat --patch-from cat --what patching" + out, 1, "nothing can come back");
    expect_failure("export cat --patch-from mug --against mug --what patching" + out, 2, "--patch-from");
    expect_failure("export cat --patch-from mug --what patching --site nose" + out, 2, "nose");
    const std::string other = (fs::path(VITRINE_GOLDEN) / "models/tiny_hf").string();
    expect_failure("export cat --against-model " + other + " --what entropy" + out, 1, "different shapes");
    expect_failure("export cat --against-model " + other + " --what cka" + out, 1, "same grid");
}

TEST(TwoRuns, StackLikeAnyMeasure) {
    const TestFolder own;
    const Outcome o =
        run("export mug key --patch-from cat --what patching --stack --out " + own.path().string() + with_small_model);
    ASSERT_EQ(o.status, 0) << o.err;
    const auto manifest = nlohmann::json::parse(read(own / "manifest.json"));
    EXPECT_EQ(manifest["arrays"][0]["shape"], nlohmann::json({2, 4, 65}));
    EXPECT_EQ(manifest["run"]["settings"]["compared_with"]["image"]["name"], "pictograms:cat");
    EXPECT_EQ(manifest["run"]["settings"]["compared_with"]["site"], "stream");
}

}  // namespace
}  // namespace vitrine
