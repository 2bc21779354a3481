#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>

#include "app/jobs/inference.h"

namespace vitrine {
namespace {

using WhatIfs = std::vector<Intervention>;

Experiment of(const std::string& sample, WhatIfs what_ifs) { return {{}, {sample, {}}, std::move(what_ifs)}; }

TEST(InferenceWorker, AnswersTheNewestRequest) {
    InferenceWorker worker;
    for (const std::string& name : sample_names()) worker.request(of(name, {}));
    worker.wait();
    ASSERT_TRUE(worker.latest().result);
    EXPECT_EQ(worker.latest().result->experiment, of(sample_names().back(), {}));
    EXPECT_EQ(worker.latest().activity.stage, Stage::idle);
}

TEST(InferenceWorker, SharesModelImageAndBaselineWithTheResultBefore) {
    InferenceWorker worker;
    worker.request(of("cat", {}));
    worker.wait();
    const auto before = worker.latest().result;
    worker.request(of("cat", {remove_head(3, 0)}));
    worker.wait();
    const auto after = worker.latest().result;
    EXPECT_EQ(after->model, before->model);
    EXPECT_EQ(after->image, before->image);
    EXPECT_EQ(after->baseline.head, before->baseline.head);
    EXPECT_EQ(after->trace.blocks[1], before->baseline.blocks[1]) << "block 2 is before the intervention";
    EXPECT_NE(after->trace.blocks[2], before->baseline.blocks[2]);
}

TEST(InferenceWorker, AFailureSaysWhyAndKeepsTheLastResult) {
    InferenceWorker worker;
    worker.request(of("cat", {}));
    worker.wait();
    const auto before = worker.latest().result;
    worker.request({{}, {{}, "/no/such/picture.png"}, {}});
    worker.wait();
    ASSERT_TRUE(worker.latest().failure);
    EXPECT_NE(worker.latest().failure->message.find("/no/such/picture.png"), std::string::npos);
    EXPECT_EQ(worker.latest().result, before);
    worker.request(of("key", {}));
    worker.wait();
    EXPECT_FALSE(worker.latest().failure) << "a success ends the failure";
}

TEST(InferenceWorker, CancelKeepsTheLastResultAndTheWorkerGoesOn) {
    std::mutex mutex;
    std::condition_variable changed;
    bool holds = false, at_work = false;
    InferenceWorker* self = nullptr;
    InferenceWorker worker([&] {
        std::unique_lock lock(mutex);
        if (!holds || self->latest().activity.stage == Stage::idle) return;
        at_work = true;
        changed.notify_all();
        changed.wait(lock, [&] { return !holds; });  // the worker stands still in the middle of its request
    });
    self = &worker;
    worker.request(of("cat", {}));
    worker.wait();
    const auto before = worker.latest().result;
    {
        const std::lock_guard lock(mutex);
        holds = true;
    }
    worker.request(of("sun", {}));
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return at_work; });
        EXPECT_NE(worker.latest().activity.stage, Stage::idle);
        worker.cancel();
        holds = false;
    }
    changed.notify_all();
    worker.wait();
    EXPECT_EQ(worker.latest().result->experiment, before->experiment) << "what was cancelled must not arrive";
    EXPECT_EQ(worker.latest().result->baseline.head, before->baseline.head);
    EXPECT_EQ(worker.latest().activity.stage, Stage::idle);
    worker.request(of("tree", {}));
    worker.wait();
    EXPECT_EQ(worker.latest().result->image->name, "tree");
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

TEST(InferenceWorker, TheSamePathChosenAgainIsReadAgainOnlyWhereItsFilesHaveChanged) {
    const ModelFolder folder;
    InferenceWorker worker;
    Experiment experiment{{folder.path, {}}, {"cat", {}}, {}};
    const auto result_of = [&] {
        worker.request(experiment);
        worker.wait();
        return worker.latest().result;
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

TEST(InferenceWorker, TellsItsOwnerWheneverThereIsSomethingNew) {
    std::atomic<int> told = 0;
    InferenceWorker worker([&] { ++told; });
    worker.request(of("cat", {}));
    worker.wait();
    EXPECT_GT(told, 0);
}

}  // namespace
}  // namespace vitrine
