#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <stdexcept>

#include "app/jobs/inference.h"
#include "app/library/samples.h"
#include "core/files/image.h"
#include "core/training/gradient_flow.h"
#include "core/vit/model.h"
#include "tests/slow_model.h"
#include "tests/small_model.h"
#include "tests/test_folder.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

using WhatIfs = std::vector<Intervention>;

constexpr int here = 0, there = 1;  // two workspaces

Experiment of(const std::string& sample, WhatIfs what_ifs) {
    return {small_model(), {sample, {}}, std::move(what_ifs)};
}

void wait_until_it_runs(const Inference& inference, int workspace) {
    while (inference.latest(workspace).activity.stage != Stage::running) std::this_thread::yield();
}

/// Interferes once, on the job's own thread, so that no machine is too slow for it: when a workspace's run begins.
struct Interfering {
    int begins = here;
    std::function<void()> act;
    std::vector<int> served;  // whose first result came when
    Inference inference{[this] {
        for (const int workspace : {here, there})
            if (inference.latest(workspace).result && !std::ranges::count(served, workspace))
                served.push_back(workspace);
        if (act && inference.latest(begins).activity.stage == Stage::running) std::exchange(act, nullptr)();
    }};
};

TEST(Inference, AnswersTheNewestRequest) {
    Inference inference;
    for (const std::string& name : sample_names({})) inference.request(here, of(name, {}));
    inference.wait();
    ASSERT_TRUE(inference.latest(here).result);
    EXPECT_EQ(inference.latest(here).result->experiment, of(sample_names({}).back(), {}));
    EXPECT_EQ(inference.latest(here).activity.stage, Stage::idle);
}

TEST(Inference, SharesModelImageAndBaselineWithTheResultBefore) {
    Inference inference;
    inference.request(here, of("cat", {}));
    inference.wait();
    const auto before = inference.latest(here).result;
    inference.request(here, of("cat", {remove_head(3, 0)}));
    inference.wait();
    const auto after = inference.latest(here).result;
    EXPECT_EQ(after->model, before->model);
    EXPECT_EQ(after->image, before->image);
    EXPECT_EQ(after->baseline.head, before->baseline.head);
    EXPECT_TRUE(shares_block(after->trace, before->baseline, 2)) << "block 2 is before the intervention";
    EXPECT_FALSE(shares_block(after->trace, before->baseline, 3));
}

TEST(Inference, AFailureSaysWhyAndKeepsTheLastResult) {
    Inference inference;
    inference.request(here, of("cat", {}));
    inference.wait();
    const auto before = inference.latest(here).result;
    inference.request(here, {small_model(), {{}, "/no/such/picture.png"}, {}});
    inference.wait();
    ASSERT_TRUE(inference.latest(here).failure);
    EXPECT_NE(inference.latest(here).failure->message.find("/no/such/picture.png"), std::string::npos);
    EXPECT_EQ(inference.latest(here).failure->experiment.image.path, "/no/such/picture.png");
    EXPECT_EQ(inference.latest(here).result, before);
    inference.request(here, of("key", {}));
    inference.wait();
    EXPECT_FALSE(inference.latest(here).failure) << "a success ends the failure";
}

/// A copy of a golden model that a test may change.
class ModelFolder {
public:
    ModelFolder() {
        std::filesystem::remove_all(path);
        std::filesystem::copy(std::filesystem::path(VITRINE_GOLDEN) / "models/tiny_hf", path);
    }
    ~ModelFolder() { std::filesystem::remove_all(path); }
    ModelFolder(const ModelFolder&) = delete;
    ModelFolder& operator=(const ModelFolder&) = delete;

    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("vitrine_reload." + std::to_string(getpid()));
};

TEST(Inference, TheSamePathChosenAgainIsReadAgainOnlyWhereItsFilesHaveChanged) {
    const ModelFolder folder;
    Inference worker;
    Experiment experiment{{folder.path, {}}, {"cat", {}}, {}};
    const auto result_of = [&] {
        worker.request(here, experiment);
        worker.wait();
        return worker.latest(here).result;
    };
    const auto first = result_of();
    ASSERT_TRUE(first);
    EXPECT_FALSE(changed_on_disk(*first->model));
    experiment.model = chosen_again({folder.path, {}}, experiment.model);
    EXPECT_EQ(result_of()->model, first->model) << "the file is what it was";

    const auto file = folder.path / "model.safetensors";
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(5));
    EXPECT_TRUE(changed_on_disk(*first->model));
    experiment.what_ifs = {remove_head(1, 0)};
    EXPECT_EQ(result_of()->model, first->model) << "a what-if alone does not exchange the model under the reader";
    experiment.model = chosen_again({folder.path, {}}, experiment.model);
    const auto reread = result_of();
    EXPECT_NE(reread->model, first->model);
    EXPECT_FALSE(changed_on_disk(*reread->model));
    EXPECT_NE(reread->baseline.head, first->baseline.head) << "and everything is computed from it";
}

TEST(Inference, AnImageIsReadAgainWhereItsFileHasChangedAndThatIsAskedFor) {
    const TestFolder folder;
    const fs::path file = folder / "mine.ppm";
    const auto write = [&](const char* pixels) { std::ofstream(file, std::ios::binary) << "P6 2 2 255\n" << pixels; };
    write("abcdefghijkl");
    Inference worker;
    Experiment experiment{small_model(), {{}, file}, {}};
    const auto result_of = [&](int workspace) {
        worker.request(workspace, experiment);
        worker.wait();
        return worker.latest(workspace).result;
    };
    const auto first = result_of(here);
    ASSERT_TRUE(first);
    EXPECT_FALSE(changed_on_disk(*first->image));
    experiment.image.reload = 1;
    EXPECT_EQ(result_of(here)->image, first->image) << "the file is what it was";

    write("ABCDEFGHIJKL");
    fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(5));
    EXPECT_TRUE(changed_on_disk(*first->image));
    experiment.what_ifs = {remove_head(1, 0)};
    EXPECT_EQ(result_of(there)->image, first->image) << "nobody has asked for it anew";
    experiment.image.reload = 2;
    const auto reread = result_of(there);
    EXPECT_NE(reread->image->full.rgb, first->image->full.rgb);
    EXPECT_FALSE(changed_on_disk(*reread->image));
    EXPECT_NE(reread->baseline.head, first->baseline.head) << "and everything is computed from it";
    EXPECT_EQ(result_of(here)->image, reread->image) << "once";
}

TEST(Inference, ComputesBesideTheRunWhatIsAskedForAndNothingTwice) {
    Inference inference;
    const auto result_of = [&](const Experiment& experiment, const ExtraResults& beside) {
        inference.request(here, experiment, {}, beside);
        inference.wait();
        return inference.latest(here).result;
    };
    const auto plain = result_of(of("cat", {}), {});
    EXPECT_EQ(plain->beside(), ExtraResults());
    const auto batch = result_of(of("cat", {}), {.batch = true});
    EXPECT_EQ(batch->beside(), (ExtraResults{.batch = true}));
    EXPECT_EQ(batch->baseline.head, plain->baseline.head) << "the run is not carried out once more";
    EXPECT_EQ(batch->batch->shape()[0], 4U);
    EXPECT_EQ(result_of(of("cat", {}), {}), batch) << "to want less is no new request";
    const auto all = result_of(of("cat", {}), {.other = true, .gradient_flows = true});
    EXPECT_EQ(all->beside(), (ExtraResults{true, true, true}));
    EXPECT_EQ(all->batch, batch->batch);
    const auto off = result_of(of("cat", {remove_head(3, 0)}), {});
    EXPECT_EQ(off->beside(), (ExtraResults{.batch = true, .gradient_flows = true}))
        << "what the what-if does not change";
    EXPECT_EQ(off->gradient_flows, all->gradient_flows);
    EXPECT_EQ(result_of(of("sun", {}), {})->beside(), ExtraResults()) << "another picture begins with its run alone";
    EXPECT_NE(result_of(of("sun", {}), {.gradient_flows = true})->gradient_flows, all->gradient_flows);
}

TEST(Inference, CancelKeepsTheLastResultAndTheWorkerGoesOn) {
    Interfering test;
    Inference& inference = test.inference;
    inference.request(here, of("cat", {}));
    inference.wait();
    const auto before = inference.latest(here).result;
    test.act = [&] { inference.cancel(here); };
    inference.request(here, of("sun", {}));
    inference.wait();
    EXPECT_FALSE(test.act);
    EXPECT_EQ(inference.latest(here).result, before);
    inference.request(here, before->experiment);
    inference.wait();
    EXPECT_EQ(inference.latest(here).result, before) << "what is there is not computed once more";
    inference.request(here, of("sun", {}));
    inference.wait();
    EXPECT_EQ(inference.latest(here).result->experiment, of("sun", {})) << "what was cancelled may be asked for again";
}

TEST(Inference, TellsItsOwnerWheneverThereIsSomethingNew) {
    std::atomic<int> told = 0;
    Inference inference([&] { ++told; });
    inference.request(here, of("cat", {}));
    inference.wait();
    EXPECT_GT(told, 0);
}

TEST(Inference, ServesTwoWorkspacesWhichShareWhatIsAlike) {
    Inference inference;
    inference.request(here, of("cat", {}));
    inference.request(there, of("cat", {remove_head(2, 1)}));
    inference.wait();
    const auto a = inference.latest(here).result, b = inference.latest(there).result;
    ASSERT_TRUE(a && b);
    EXPECT_TRUE(a->experiment.what_ifs.empty());
    EXPECT_EQ(b->experiment.what_ifs.size(), 1U);
    EXPECT_EQ(a->model, b->model) << "one model, opened once";
    EXPECT_EQ(a->baseline.head, b->baseline.head);
    inference.request(there, of("sun", {}));
    inference.wait();
    EXPECT_EQ(inference.latest(there).result->model, a->model);
    EXPECT_EQ(inference.latest(there).result->image->name, "sun");
    EXPECT_EQ(inference.latest(here).result, a) << "the other workspace stays as it is";
}

TEST(Inference, TheVisibleWorkspaceGoesFirst) {
    Interfering test;
    test.begins = there;
    test.act = [&] { test.inference.request(here, of("cat", {}), {.priority = 1}); };
    test.inference.request(there, of("sun", {}));
    test.inference.wait();
    EXPECT_EQ(test.served, (std::vector{here, there})) << "the other begins anew";
}

TEST(Inference, CancellingOrClosingAWorkspaceLeavesTheOther) {
    Interfering test;
    test.begins = there;
    Inference& inference = test.inference;
    test.act = [&] {
        inference.request(here, of("sun", {}));
        EXPECT_EQ(inference.latest(here).activity.stage, Stage::waiting);
        inference.cancel(there);
    };
    inference.request(there, of("cat", {}));
    inference.wait();
    EXPECT_FALSE(inference.latest(there).result);
    ASSERT_TRUE(inference.latest(here).result);
    const std::weak_ptr<const Result> held = inference.latest(here).result;
    inference.forget(here);
    EXPECT_FALSE(inference.latest(here).result);
    EXPECT_TRUE(held.expired()) << "a closed workspace leaves nothing in memory";
}

TEST(Inference, ClosesInTheMiddleOfALongRun) {
    const Experiment slow{slow_model(), {"cat", {}}, {}};
    const std::clock_t begin = std::clock();  // processor time: work, whatever else the machine does
    {
        Inference inference;
        inference.request(here, slow);
        inference.wait();
    }
    const std::clock_t whole = std::clock() - begin, start = [&] {
        Inference inference;
        inference.request(here, slow);
        wait_until_it_runs(inference, here);
        return std::clock();
    }();
    EXPECT_LT(std::clock() - start, whole / 2);
}

TEST(Inference, NoExceptionEndsItsThread) {
    std::function<void()> thrower;
    Inference inference([&] {
        if (thrower) std::exchange(thrower, nullptr)();
    });
    const std::vector<std::function<void()>> all = {
        [] { throw std::runtime_error("no luck"); },
        [] { throw fs::filesystem_error("no luck", std::make_error_code(std::errc::too_many_symbolic_link_levels)); },
        [] { throw std::bad_alloc(); },
        [] { throw 42; },
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        thrower = all[i];
        inference.request(here, of("cat:" + std::to_string(i), {}));
        inference.wait();
        ASSERT_TRUE(inference.latest(here).failure) << i;
        EXPECT_EQ(inference.latest(here).failure->experiment, of("cat:" + std::to_string(i), {}));
        inference.request(here, of("sun", {}));
        inference.wait();
        EXPECT_FALSE(inference.latest(here).failure);
        EXPECT_EQ(inference.latest(here).result->image->name, "sun");
    }
}

TEST(Inference, PathsThatNoSystemReachesBecomeSentences) {
    const fs::path folder = fs::temp_directory_path() / ("vitrine_inference_test." + std::to_string(getpid()));
    fs::create_directories(folder);
    fs::create_symlink(folder / "loop", folder / "loop");
    std::ofstream(folder / "broken.safetensors") << "{not a model";
    Inference inference;
    for (const fs::path& path : {folder / std::string(400, 'x'), folder / "loop", folder / "broken.safetensors"}) {
        inference.request(here, {small_model(), {{}, path}, {}});
        inference.wait();
        ASSERT_TRUE(inference.latest(here).failure) << path;
        inference.request(here, {{path, {}}, {"cat", {}}, {}});
        inference.wait();
        ASSERT_TRUE(inference.latest(here).failure) << path;
        EXPECT_NE(inference.latest(here).failure->message.find(folder.string()), std::string::npos);
    }
    inference.request(here, of("cat", {}));
    inference.wait();
    EXPECT_TRUE(inference.latest(here).result);
    fs::remove_all(folder);
}

}  // namespace
}  // namespace vitrine
